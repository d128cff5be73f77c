"""A real server in a process of its own, killed in the middle of a game and started again: nothing is lost."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from qwixx.server.events import Chose
from qwixx.server.storage import SqliteStorage
from qwixx.server.table import Table


def free_port() -> int:
    """A port below the ones that the system gives to clients."""
    for port in Random().sample(range(20_000, 32_000), 50):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no free port")


@contextmanager
def server(port: int, database: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "qwixx", "serve", "--port", str(port), "--database", str(database), "--pace", "0"]
    process = subprocess.Popen(command)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()


def play_until(connection: ClientConnection, random: Random, choices: int, acknowledged: list[tuple[int, str]]) -> bool:
    """Both seats of this device choose at random so often; True once the game is over."""
    table: dict[str, Any] = {}
    waiting: dict[int, tuple[int, str]] = {}
    number = 0
    while True:
        message = json.loads(connection.recv(timeout=20))
        if message["type"] == "done":
            acknowledged.append(waiting.pop(message["id"]))
            if len(acknowledged) >= choices:
                return False
        if message["type"] == "refusal":
            waiting.pop(message["id"])
        if message["type"] == "update":
            table = message["table"]
        if table and table["state"]["phase"] == "over":
            return True
        if table and not waiting:
            for seat, legal in table["legal"].items():
                if legal and seat not in table["chosen"]:
                    number += 1
                    waiting[number] = (int(seat), random.choice(legal))
                    chosen = {"seat": int(seat), "action": waiting[number][1], "version": table["version"]}
                    connection.send(json.dumps({"type": "choose", "id": number, **chosen}))


def kept(database: Path, table: str) -> Table:
    async def read() -> Table:
        storage = SqliteStorage(database)
        events = await storage.read(table)
        await storage.close()
        assert [event for event in events if isinstance(event, Chose)]
        return Table.replay(events)

    return asyncio.run(read())


@pytest.mark.parametrize("variant", ["classic", "card-joker"])
def test_killed_and_started_again_the_game_goes_on(tmp_path: Path, variant: str) -> None:
    database, port, random = tmp_path / "tables.db", free_port(), Random(5)
    seats = [{"kind": "person", "name": name} for name in ("Ann", "Bo")]
    acknowledged: list[tuple[int, str]] = []
    table, keys, over, kills = "", [""], False, 0
    while not over:
        with server(port, database) as process:
            if not table:
                body = json.dumps({"variant": variant, "seats": seats}).encode()
                with urlopen(Request(f"http://127.0.0.1:{port}/api/tables", body)) as answer:
                    opened = json.loads(answer.read())
                table, keys = opened["table"], list(opened["keys"].values())
            with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as connection:
                connection.send(json.dumps({"type": "hello", "id": 0, "table": table, "keys": keys}))
                over = play_until(connection, random, len(acknowledged) + 25, acknowledged)
                process.send_signal(signal.SIGKILL)
            kills += 1
        here = kept(database, table)
        decided = [(note.seat, note.version) for note in here.notes if note.kind == "decided"]
        assert len(decided) >= len(acknowledged), "an acknowledged choice is gone"
        assert len(set(decided)) == len(decided), "an event is doubled"
    assert kills >= 2
    assert kept(database, table).over

"""A real server in a process of its own, killed in the middle of a game and started again: nothing is lost."""

import asyncio
import json
import signal
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import ClientConnection, connect

from qwixx.server.events import Chose
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from qwixx.server.table import Table
from tests.server.process import free_port, server


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
        storage = SqlStorage(sqlite_url(database))
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
        with server(port, database, patience=0) as process:
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

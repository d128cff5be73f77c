"""Several processes serve the same tables, from one PostgreSQL and over one Redis; any of them may break."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from websockets.sync.client import connect

from qwixx.server.storage import SqlStorage
from tests.server.fault import break_everything, kill_the_only_one
from tests.server.guest import Guest, check_kept, open_table
from tests.server.process import free_port, server
from tests.server.services import Postgres, Redis


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def doors(url: str, redis: Redis) -> Iterator[list[int]]:
    """Two servers of the same tables."""
    with ExitStack() as stack:
        ports = [free_port(), free_port()]
        for port in ports:
            stack.enter_context(server(port, url, redis=redis.url))
        yield ports


async def kept(url: str, tables: list[tuple[str, list[Guest]]]) -> None:
    storage = SqlStorage(url)
    for table, guests in tables:
        check_kept(await storage.read(table), guests)
    await storage.close()


def test_seats_at_different_servers_play_one_game(url: str, doors: list[int]) -> None:
    async def main() -> None:
        tables = []
        for number, variant in enumerate(("classic", "card-joker", "longo")):
            table, keys = open_table(doors[number % 2], variant, 3, bots=1)
            tables.append((table, [Guest(table, key, [doors[n % 2]], n) for n, key in enumerate(keys)]))
        began = time.monotonic()
        await asyncio.wait_for(asyncio.gather(*(guest.play() for _, guests in tables for guest in guests)), 120)
        took = time.monotonic() - began
        choices = sum(len(guest.promised) for _, guests in tables for guest in guests)
        assert took / choices < 0.5, "news come over Redis, not only when tables are looked up"
        assert all(guest.connections == 1 for _, guests in tables for guest in guests)
        await kept(url, tables)

    asyncio.run(main())


def test_who_is_connected_elsewhere_is_not_away(doors: list[int]) -> None:
    table, keys = open_table(doors[0], "classic", 2)
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(f"ws://127.0.0.1:{door}/ws", compression=None)) for door in doors]
        for socket, key in zip(sockets, keys, strict=True):
            socket.send(json.dumps({"type": "hello", "id": 1, "table": table, "keys": [key]}))
        for socket in sockets:
            while any(seat["away"] for seat in json.loads(socket.recv(10))["table"]["seats"]):
                pass
        sockets[1].close()
        while not json.loads(sockets[0].recv(20))["table"]["seats"][1]["away"]:
            pass


def test_nothing_is_lost_while_everything_breaks(postgres: Postgres) -> None:
    """A server killed and another stopped, Redis restarted, PostgreSQL stopped and started, in the middle of games."""
    games, choices = break_everything(postgres, rounds=1)
    assert games >= 4
    assert choices > 100


def test_nothing_is_lost_when_the_only_server_is_killed() -> None:
    games, choices = kill_the_only_one(kills=4)
    assert games >= 4
    assert choices > 100

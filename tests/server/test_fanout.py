"""Processes hear of each other over Redis, also after it was away; and rooms that nobody needs leave the memory."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from redis import Redis as PlainRedis

from qwixx.server.events import Rolled, encode_event
from qwixx.server.fanout import AnyNews, Happened, Here, RedisFanout, Who
from qwixx.server.protocol import Hello, NewSeat, NewTable
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.session import Session
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from tests.server.services import Redis

BOTS = NewTable("classic", (NewSeat("bot", "One", "skip-2"), NewSeat("bot", "Two", "skip-2")))


class Worker:
    """A process's ear and mouth, in this one."""

    def __init__(self, redis: Redis) -> None:
        self.fanout = RedisFanout(redis.url)
        self.heard: list[tuple[str, AnyNews]] = []
        self.found = 0
        self.running = asyncio.create_task(self.fanout.run(self._hear, self._found_again))

    def _hear(self, table: str, news: AnyNews) -> None:
        self.heard.append((table, news))

    def _found_again(self) -> None:
        self.found += 1

    async def close(self) -> None:
        self.running.cancel()
        await asyncio.wait([self.running])
        await self.fanout.close()


async def until(condition: object, seconds: float = 10) -> None:
    assert callable(condition)
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


def test_news_reach_those_who_joined_and_nobody_hears_itself(redis: Redis) -> None:
    async def main() -> None:
        one, two, three = Worker(redis), Worker(redis), Worker(redis)
        await one.fanout.join("a")
        await two.fanout.join("a")
        await three.fanout.join("b")
        await until(lambda: one.found and two.found and three.found)
        news = [
            Who(one.fanout.worker),
            Happened(one.fanout.worker, 7, msgspec.Raw(encode_event(Rolled("begins 1")))),
            Here(one.fanout.worker, (0, 2), 3),
        ]
        for each in news:
            one.fanout.tell("a", each)
        await until(lambda: len(two.heard) == 3)
        assert [table for table, _ in two.heard] == ["a"] * 3
        assert two.heard[0][1] == news[0]
        assert two.heard[2][1] == news[2]
        assert (one.heard, three.heard) == ([], [])
        await two.fanout.leave("a")
        one.fanout.tell("a", news[0])
        await asyncio.sleep(0.2)
        assert len(two.heard) == 3
        for worker in (one, two, three):
            await worker.close()

    asyncio.run(main())


def test_redis_may_go_and_come_back(redis: Redis) -> None:
    async def main() -> None:
        one, two = Worker(redis), Worker(redis)
        await until(lambda: one.found and two.found)
        await asyncio.to_thread(redis.stop)
        await two.fanout.join("a")
        one.fanout.tell("a", Who(one.fanout.worker))
        await asyncio.to_thread(redis.start)
        await until(lambda: one.found > 1 and two.found > 1)
        await until(lambda: _told_again(one, two))
        for worker in (one, two):
            await worker.close()

    def _told_again(one: Worker, two: Worker) -> bool:
        one.fanout.tell("a", Who(one.fanout.worker))
        return bool(two.heard)

    asyncio.run(main())


def test_what_is_no_news_is_passed_over(redis: Redis) -> None:
    async def main() -> None:
        one, two = Worker(redis), Worker(redis)
        await two.fanout.join("a")
        await until(lambda: one.found and two.found)
        with PlainRedis.from_url(redis.url) as plain:
            for data in (b"", b"nonsense", b'{"type": "happened"}', b'{"type": "who", "worker": 5}'):
                await asyncio.to_thread(plain.publish, "qwixx:a", data)
        one.fanout.tell("a", Who(one.fanout.worker))
        await until(lambda: two.heard)
        assert two.heard == [("a", Who(one.fanout.worker))]
        for worker in (one, two):
            await worker.close()

    asyncio.run(main())


def test_a_finished_table_leaves_the_memory_and_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.room.REST", 0.0)
    monkeypatch.setattr("qwixx.server.rooms.BEAT", 0.01)

    async def main() -> None:
        rooms = Rooms(Means(SqlStorage(sqlite_url(tmp_path / "tables.db")), pace=0))
        beside = asyncio.create_task(rooms.run())
        table = (await rooms.open_table(BOTS)).table
        assert table in rooms._rooms
        await until(lambda: not rooms._rooms, 30)
        session = Session(rooms)
        await session.handle(Hello(1, table))
        assert session.room
        assert session.room.table.over
        await asyncio.sleep(0.1)
        assert table in rooms._rooms, "somebody looks at it"
        session.leave()
        await until(lambda: not rooms._rooms)
        beside.cancel()
        await asyncio.wait([beside])
        await rooms.close()

    asyncio.run(main())

"""How many events a second the databases keep, and how many news Redis tells: `python -m benchmarks.storage --store`.

Many tables write at once, each waiting for its event to be on disk before the next, as rooms do. All of it runs on this
machine, the databases beside this process.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from time import perf_counter

from tests.server.services import Postgres, Redis

from qwixx.server.events import Chose
from qwixx.server.fanout import AnyNews, RedisFanout, Who
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage

EVENT = Chose(1, "R7")


async def events_a_second(url: str, tables: int, seconds: float) -> dict[str, float]:
    storage = SqlStorage(url)
    waits: list[float] = []
    until = perf_counter() + seconds

    async def play(table: str) -> None:
        version = 0
        while perf_counter() < until:
            began, version = perf_counter(), version + 1
            await storage.append(table, version, EVENT)
            waits.append(perf_counter() - began)

    began = perf_counter()
    await asyncio.gather(*(play(f"table{number:05}") for number in range(tables)))
    took = perf_counter() - began
    await storage.close()
    waits.sort()
    return {"events_a_second": round(len(waits) / took), "p50_ms": round(1000 * waits[len(waits) // 2], 1)}


async def news_a_second(url: str, seconds: float) -> int:
    """News from one process's mouth to another's ear, both in this one."""
    heard = 0

    def hear(table: str, news: AnyNews) -> None:
        nonlocal heard
        heard += 1

    mouth, ear, ready = RedisFanout(url), RedisFanout(url), asyncio.Event()
    running = [
        asyncio.create_task(mouth.run(lambda *_: None, lambda: None)),
        asyncio.create_task(ear.run(hear, ready.set)),
    ]
    await ready.wait()
    await ear.join("table")
    until = perf_counter() + seconds
    while perf_counter() < until:
        for _ in range(50):
            mouth.tell("table", Who(mouth.worker))
        await asyncio.sleep(0.002)
    for task in running:
        task.cancel()
    await asyncio.wait(running)
    await mouth.close()
    await ear.close()
    return round(heard / seconds)


def measured(tables: int, seconds: float) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        sqlite = asyncio.run(events_a_second(sqlite_url(file), tables, seconds))
        size = file.stat().st_size
    postgres = Postgres()
    try:
        kept = asyncio.run(events_a_second(postgres.new_database(), tables, seconds))
    finally:
        postgres.remove()
    redis = Redis()
    try:
        news = asyncio.run(news_a_second(redis.url, seconds))
    finally:
        redis.stop()
    bytes_each = round(size / (sqlite["events_a_second"] * seconds))
    return {
        "tables": tables,
        "sqlite": {**sqlite, "bytes_an_event": bytes_each},
        "postgresql": kept,
        "redis_news": news,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--store", action="store_true", help="store the result in benchmarks/")
    given = parser.parse_args()
    text = json.dumps(measured(given.tables, given.seconds), indent=1)
    print(text)
    if given.store:
        Path(__file__).with_name("storage.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

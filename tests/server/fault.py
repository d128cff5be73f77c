"""Games go on while everything breaks: `make fault` (many times; `make test` does a little of it).

One server on SQLite is killed again and again; or of three servers on one PostgreSQL and one Redis some are killed or
stopped, Redis is restarted, and PostgreSQL is stopped and started. Players come back by themselves. Afterwards every
choice that a server has promised to keep is there, none twice, and every game is over.
"""

import argparse
import asyncio
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qwixx.server.storage import SqlStorage, database_url
from tests.server.guest import Guest, check_kept, open_table
from tests.server.process import free_port, started
from tests.server.services import Postgres, Redis

VARIANTS = ("classic", "mixx-a", "card", "card-joker", "longo", "mixx-b")
LONGEST = 600
"""Seconds after which a game counts as hanging."""


@dataclass
class Site:
    """Servers of the same tables."""

    database: str
    count: int
    redis: str = ""
    ports: list[int] = field(default_factory=list)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ports = [free_port() for _ in range(self.count)]
        self.processes = [started(port, self.database, redis=self.redis) for port in self.ports]

    def restart(self, number: int, how: signal.Signals) -> None:
        self.processes[number].send_signal(how)
        self.processes[number].wait()
        self.processes[number] = started(self.ports[number], self.database, redis=self.redis)

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


async def play_through(site: Site, tables: int, breaking: Callable[[], None], pause: float) -> tuple[int, int]:
    """Plays games at all doors until everything has been broken; tells how many games, and how many choices."""
    finished: list[tuple[str, list[Guest]]] = []
    broken = asyncio.create_task(asyncio.to_thread(breaking))

    async def one_table(number: int) -> None:
        while True:
            variant = VARIANTS[(number + len(finished)) % len(VARIANTS)]
            table, keys = await _opened(site.ports, variant, number % 2)
            guests = [Guest(table, key, site.ports, number + seat, pause) for seat, key in enumerate(keys)]
            await asyncio.wait_for(asyncio.gather(*(guest.play() for guest in guests)), LONGEST)
            finished.append((table, guests))
            if broken.done():
                return

    await asyncio.gather(*(one_table(number) for number in range(tables)))
    await broken
    storage = SqlStorage(database_url(site.database))
    for table, guests in finished:
        check_kept(await storage.read(table), guests)
    await storage.close()
    return len(finished), sum(len(guest.promised) for _, guests in finished for guest in guests)


async def _opened(ports: Sequence[int], variant: str, bots: int) -> tuple[str, list[str]]:
    """A table at any door; one that is shut is tried again."""
    for attempt in range(1000):
        try:
            return await asyncio.to_thread(open_table, ports[attempt % len(ports)], variant, 2, bots)
        except OSError:
            await asyncio.sleep(0.05)
    raise AssertionError("no server answers")


def kill_the_only_one(kills: int, tables: int = 4, pause: float = 0.3) -> tuple[int, int]:
    """One server on SQLite, killed so many times in a row."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(str(Path(folder) / "tables.db"), 1)

        def breaking() -> None:
            for _ in range(kills):
                time.sleep(0.3)
                site.restart(0, signal.SIGKILL)

        try:
            return asyncio.run(play_through(site, tables, breaking, pause))
        finally:
            site.close()


def break_everything(postgres: Postgres, rounds: int, tables: int = 4, pause: float = 0.3) -> tuple[int, int]:
    """Three servers on PostgreSQL and Redis."""
    redis = Redis()
    site = Site(postgres.new_database(), 3, redis.url)

    def breaking() -> None:
        for number in range(rounds):
            time.sleep(0.5)
            site.restart(number % 3, signal.SIGKILL)
            redis.stop()
            time.sleep(0.3)
            redis.start()
            postgres.stop("immediate")
            time.sleep(0.3)
            postgres.start()
            site.restart((number + 1) % 3, signal.SIGTERM)

    try:
        return asyncio.run(play_through(site, tables, breaking, pause))
    finally:
        site.close()
        redis.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="how often the server on SQLite is killed")
    parser.add_argument("--rounds", type=int, default=20, help="how often everything else is broken")
    given = parser.parse_args()
    games, choices = kill_the_only_one(given.kills)
    print(f"SQLite, one server killed {given.kills} times: {games} games, {choices} choices, none lost or doubled")
    postgres = Postgres()
    try:
        games, choices = break_everything(postgres, given.rounds)
    finally:
        postgres.remove()
    print(f"PostgreSQL and Redis, broken {given.rounds} times: {games} games, {choices} choices, none lost or doubled")


if __name__ == "__main__":
    main()

"""What was acknowledged is there afterwards, also when the process is killed."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from qwixx.server.events import Chose, Opened, Rolled, SeatPlan
from qwixx.server.storage import ConflictError, SqliteStorage, StorageError

OPENED = Opened("classic", (SeatPlan("bot", name="Robin", bot="random"),) * 2, "2026-11-15")


def test_events_come_back_in_order(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        await storage.append("one", 1, OPENED)
        await storage.append("one", 2, Rolled("begins 1"))
        await storage.append("two", 1, OPENED)
        assert await storage.read("one") == [OPENED, Rolled("begins 1")]
        assert await storage.read("one", after=1) == [Rolled("begins 1")]
        assert await storage.read("two") == [OPENED]
        assert await storage.read("three") == []
        await storage.close()
        again = SqliteStorage(tmp_path / "tables.db")
        assert await again.read("one") == [OPENED, Rolled("begins 1")]
        await again.close()

    asyncio.run(main())


def test_of_two_writers_one_is_told_to_look_again(tmp_path: Path) -> None:
    async def main() -> None:
        first, second = SqliteStorage(tmp_path / "tables.db"), SqliteStorage(tmp_path / "tables.db")
        await first.append("one", 1, OPENED)
        results = await asyncio.gather(
            *(storage.append("one", 2, Chose(0, f"R{n}")) for n in range(2, 12) for storage in (first, second)),
            return_exceptions=True,
        )
        assert sum(result is None for result in results) == 1
        assert all(result is None or isinstance(result, ConflictError) for result in results)
        assert len(await first.read("one")) == 2
        await first.close()
        await second.close()

    asyncio.run(main())


def test_many_tables_at_once(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        tables = [f"table {n}" for n in range(300)]
        await asyncio.gather(*(storage.append(table, 1, OPENED) for table in tables))
        counts = [len(await storage.read(table)) for table in tables]
        assert counts == [1] * 300
        await storage.close()

    asyncio.run(main())


def test_a_failing_disk_is_told_and_the_next_write_works(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        await storage.append("one", 1, OPENED)
        with sqlite3.connect(tmp_path / "tables.db") as other:
            other.execute("ALTER TABLE events RENAME TO elsewhere")
        other.close()
        with pytest.raises(StorageError):
            await storage.append("one", 2, Rolled("begins 1"))
        with sqlite3.connect(tmp_path / "tables.db") as other:
            other.execute("ALTER TABLE elsewhere RENAME TO events")
        other.close()
        await storage.append("one", 2, Rolled("begins 1"))
        assert len(await storage.read("one")) == 2
        await storage.close()

    asyncio.run(main())


def test_a_cancelled_append_disturbs_nobody(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        waiting = asyncio.ensure_future(storage.append("one", 1, OPENED))
        await asyncio.sleep(0)
        waiting.cancel()
        await storage.append("two", 1, OPENED)
        assert await storage.read("two") == [OPENED]
        await storage.close()

    asyncio.run(main())


WRITER = """
import asyncio, sys
from pathlib import Path
from qwixx.server.events import Rolled
from qwixx.server.storage import SqliteStorage, StorageError

async def main():
    storage = SqliteStorage(Path(sys.argv[1]))
    version = len(await storage.read("one"))
    while True:
        version += 1
        await storage.append("one", version, Rolled(f"begins {version % 9 + 1}"))
        print(version, flush=True)

asyncio.run(main())
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    acknowledged = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(20)]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.read().splitlines(keepends=True)
        acknowledged = max(int(line) for line in lines if line.endswith("\n"))

        async def kept() -> int:
            storage = SqliteStorage(path)
            events = await storage.read("one")
            await storage.close()
            return len(events)

        assert asyncio.run(kept()) >= acknowledged
    assert acknowledged >= 100

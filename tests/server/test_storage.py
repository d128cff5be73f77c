"""What was acknowledged is there afterwards, also when the process is killed."""

import asyncio
import contextlib
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from qwixx.server.events import Chose, Opened, Rolled, SeatPlan, encode_event
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import ConflictError, SqlStorage, StorageError
from tests.server.process import free_port
from tests.server.services import Postgres

OPENED = Opened("classic", (SeatPlan("bot", name="Robin", bot="random"),) * 2, "2026-11-15")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path / "tables.db")
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()


def test_events_come_back_in_order(url: str) -> None:
    async def main() -> None:
        storage = SqlStorage(url)
        await storage.append("one", 1, OPENED)
        await storage.append("one", 2, Rolled("begins 1"))
        await storage.append("two", 1, OPENED)
        assert await storage.read("one") == [OPENED, Rolled("begins 1")]
        assert await storage.read("one", after=1) == [Rolled("begins 1")]
        assert await storage.read("two") == [OPENED]
        assert await storage.read("three") == []
        await storage.close()
        again = SqlStorage(url)
        assert await again.read("one") == [OPENED, Rolled("begins 1")]
        await again.close()

    asyncio.run(main())


def test_of_two_writers_one_is_told_to_look_again(url: str) -> None:
    async def main() -> None:
        first, second = SqlStorage(url), SqlStorage(url)
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


def test_many_tables_at_once(url: str) -> None:
    async def main() -> None:
        storage = SqlStorage(url)
        tables = [f"table {n}" for n in range(300)]
        await asyncio.gather(*(storage.append(table, 1, OPENED) for table in tables))
        counts = [len(await storage.read(table)) for table in tables]
        assert counts == [1] * 300
        await storage.close()

    asyncio.run(main())


def test_a_failing_disk_is_told_and_the_next_write_works(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqlStorage(sqlite_url(tmp_path / "tables.db"))
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


def test_a_cancelled_append_disturbs_nobody(url: str) -> None:
    async def main() -> None:
        storage = SqlStorage(url)
        waiting = asyncio.ensure_future(storage.append("one", 1, OPENED))
        await asyncio.sleep(0)
        waiting.cancel()
        await storage.append("two", 1, OPENED)
        assert await storage.read("two") == [OPENED]
        await storage.close()

    asyncio.run(main())


def test_a_database_is_brought_up_to_date_once(url: str) -> None:
    """By several processes at once, and again."""
    command = [sys.executable, "-c", "import sys; from qwixx.server.storage import SqlStorage; SqlStorage(sys.argv[1])"]
    starting = [subprocess.Popen([*command, url], stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(process.communicate()[1], process.returncode) for process in starting] == [("", 0)] * 3
    asyncio.run(SqlStorage(url).close())


def test_tables_of_an_older_server_are_kept(tmp_path: Path) -> None:
    """One from before there were migrations."""
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as old, old:
        old.execute(
            "CREATE TABLE events (tbl TEXT NOT NULL, version INTEGER NOT NULL, at TEXT NOT NULL DEFAULT "
            "(strftime('%Y-%m-%dT%H:%M:%fZ')), data BLOB NOT NULL, PRIMARY KEY (tbl, version)) WITHOUT ROWID, STRICT"
        )
        old.execute("INSERT INTO events (tbl, version, data) VALUES ('one', 1, ?)", (encode_event(OPENED),))

    async def main() -> None:
        storage = SqlStorage(sqlite_url(tmp_path / "tables.db"))
        await storage.append("one", 2, Rolled("begins 1"))
        assert await storage.read("one") == [OPENED, Rolled("begins 1")]
        await storage.close()

    asyncio.run(main())


def test_a_database_that_does_not_answer_is_named() -> None:
    with pytest.raises(StorageError, match="refused"):
        SqlStorage(f"postgresql://qwixx@127.0.0.1:{free_port()}/none")


def test_postgres_may_be_stopped_and_started(postgres: Postgres) -> None:
    """What is told to be kept is there; in between nothing hangs."""

    async def main() -> None:
        storage = SqlStorage(address)
        await storage.append("one", 1, OPENED)
        for version in range(2, 5):
            await asyncio.to_thread(postgres.stop, "immediate")
            with pytest.raises(StorageError):
                await storage.append("one", version, Rolled("begins 1"))
            with pytest.raises(StorageError):
                await storage.read("one")
            await asyncio.to_thread(postgres.start)
            await storage.append("one", version, Rolled("begins 1"))
        assert len(await storage.read("one")) == 4
        await storage.close()

    address = postgres.new_database()
    asyncio.run(main())


WRITER = """
import asyncio, sys
from qwixx.server.events import Rolled
from qwixx.server.storage import SqlStorage

async def main():
    storage = SqlStorage(sys.argv[1])
    version = len(await storage.read("one"))
    while True:
        version += 1
        await storage.append("one", version, Rolled(f"begins {version % 9 + 1}"))
        print(version, flush=True)

asyncio.run(main())
"""


def test_what_was_acknowledged_survives_a_kill(url: str) -> None:
    acknowledged = 0
    for _ in range(5):
        with subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            lines = [writer.stdout.readline() for _ in range(20)]
            writer.send_signal(signal.SIGKILL)
            lines += writer.stdout.read().splitlines(keepends=True)
        acknowledged = max(int(line) for line in lines if line.endswith("\n"))

        async def kept() -> int:
            storage = SqlStorage(url)
            events = await storage.read("one")
            await storage.close()
            return len(events)

        assert asyncio.run(kept()) >= acknowledged
    assert acknowledged >= 100


def test_how_far_tables_are(url: str) -> None:
    async def main() -> None:
        storage = SqlStorage(url)
        for table, count in (("one", 1), ("two", 3)):
            for version in range(1, count + 1):
                await storage.append(table, version, OPENED)
        assert await storage.versions(["one", "two", "three"]) == {"one": 1, "two": 3}
        await storage.close()

    asyncio.run(main())


def test_the_log_is_folded_in_while_others_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's log begins anew again and again instead of growing with all that is written."""
    monkeypatch.setattr("qwixx.server.sqlite.FOLD", 0.05)
    file = tmp_path / "tables.db"

    async def main() -> None:
        storage = SqlStorage(sqlite_url(file))
        for version in range(1, 1501):
            await storage.append("one", version, OPENED)
        assert len(await storage.read("one")) == 1500
        written = Path(f"{file}-wal").stat().st_size
        await storage.close()
        assert written < 1500 * 4096, "a page at least would have been added for every event"
        with sqlite3.connect(file) as plain:
            assert plain.execute("SELECT count(*) FROM events").fetchone() == (1500,)

    asyncio.run(main())


def test_a_conflict_hurts_nobody_else_in_the_same_batch(url: str) -> None:
    async def main() -> None:
        storage = SqlStorage(url)
        await storage.append("taken", 1, OPENED)
        tables = ["one", "taken", "two", "three", "two"]
        results = await asyncio.gather(*(storage.append(name, 1, OPENED) for name in tables), return_exceptions=True)
        assert [type(result) for result in results] == [
            type(None),
            ConflictError,
            type(None),
            type(None),
            ConflictError,
        ]
        assert [len(await storage.read(name)) for name in ("one", "two", "three", "taken")] == [1, 1, 1, 1]
        await storage.close()

    asyncio.run(main())


def test_the_writer_survives_whatever_goes_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("nobody thought of this")

    async def main() -> None:
        storage = SqlStorage(sqlite_url(tmp_path / "tables.db"))
        with monkeypatch.context() as patch:
            patch.setattr(SqlStorage, "_written", broken)
            with pytest.raises(StorageError, match="nobody thought"):
                await storage.append("one", 1, OPENED)
        await storage.append("one", 1, OPENED)
        assert await storage.read("one") == [OPENED]
        await storage.close()

    asyncio.run(main())

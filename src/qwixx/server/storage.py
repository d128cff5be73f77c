"""Where tables are kept. One small interface; SQLite is the default behind it.

An event counts once `append` has returned: then it is on disk. The pair (table, version) is unique, so that of two
writers who act on the same version of a table one is told to look again.
"""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple, Protocol

from qwixx.server.events import AnyEvent, Event, decode_event, encode_event


class ConflictError(Exception):
    """Another event already has this version of the table."""


class StorageError(Exception):
    """Nothing could be written or read just now; trying again may help."""


class Storage(Protocol):
    """Keeps the events of tables."""

    async def append(self, table: str, version: int, event: Event) -> None:
        """Keeps an event; ConflictError if that version is taken, StorageError if it could not be kept. Returns when it
        is on disk."""

    async def read(self, table: str, after: int = 0) -> list[AnyEvent]:
        """The events of a table after a version; none if there is no such table."""

    async def close(self) -> None: ...


class _Append(NamedTuple):
    table: str
    version: int
    data: bytes
    done: "asyncio.Future[None]"
    loop: asyncio.AbstractEventLoop


_SCHEMA = """
CREATE TABLE IF NOT EXISTS events (
    tbl TEXT NOT NULL,
    version INTEGER NOT NULL,
    at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')),
    data BLOB NOT NULL,
    PRIMARY KEY (tbl, version)
) WITHOUT ROWID, STRICT;
"""


class SqliteStorage:
    """One writer thread; whatever is waiting is written in one transaction, so that many tables share a disk sync."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        with self._connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_SCHEMA)
        self._writer = threading.Thread(target=self._write, name="qwixx-storage", daemon=True)
        self._writer.start()

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self.path, isolation_level=None, timeout=30)
        connection.execute("PRAGMA synchronous = FULL")
        try:
            yield connection
        finally:
            connection.close()

    async def append(self, table: str, version: int, event: Event) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.put(_Append(table, version, encode_event(event), done, loop))
        await done

    async def read(self, table: str, after: int = 0) -> list[AnyEvent]:
        return await asyncio.to_thread(self._read, table, after)

    def _read(self, table: str, after: int) -> list[AnyEvent]:
        query = "SELECT data FROM events WHERE tbl = ? AND version > ? ORDER BY version"
        try:
            with self._connected() as connection:
                return [decode_event(data) for (data,) in connection.execute(query, (table, after))]
        except sqlite3.Error as error:
            raise StorageError(str(error)) from None

    async def close(self) -> None:
        """Writes what is waiting and stops."""
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)

    def _write(self) -> None:
        with self._connected() as connection:
            going_on = True
            while going_on:
                batch, going_on = self._next_batch()
                _settle(batch, _insert(connection, batch))

    def _next_batch(self) -> tuple[list[_Append], bool]:
        """Waits for one append and takes all that wait behind it; False once the storage is closed."""
        batch: list[_Append] = []
        item = self._waiting.get()
        while item is not None:
            batch.append(item)
            if self._waiting.empty():
                return batch, True
            item = self._waiting.get()
        return batch, False


def _insert(connection: sqlite3.Connection, batch: Sequence[_Append]) -> list[Exception | None]:
    """Writes a batch in one transaction and tells for each append what went wrong, if anything did."""
    failures: list[Exception | None] = []
    try:
        connection.execute("BEGIN IMMEDIATE")
        for item in batch:
            try:
                values = (item.table, item.version, item.data)
                connection.execute("INSERT INTO events (tbl, version, data) VALUES (?, ?, ?)", values)
                failures.append(None)
            except sqlite3.IntegrityError:
                failures.append(ConflictError(f"{item.table} already has version {item.version}"))
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        return [StorageError(str(error))] * len(batch)
    return failures


def _settle(batch: Sequence[_Append], failures: Sequence[Exception | None]) -> None:
    for item, failure in zip(batch, failures, strict=True):
        item.loop.call_soon_threadsafe(_resolve, item.done, failure)


def _resolve(done: "asyncio.Future[None]", failure: Exception | None) -> None:
    if done.cancelled():
        return
    if failure is None:
        done.set_result(None)
    else:
        done.set_exception(failure)

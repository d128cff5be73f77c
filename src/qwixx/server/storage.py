"""Where tables are kept: in a SQLite file, or in PostgreSQL where several processes share them.

An event counts once `append` has returned: then it is on disk. The pair (table, version) is unique, so that of two
writers who act on the same version of a table one is told to look again.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple, Protocol

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, TextClause, bindparam, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from qwixx.server.events import AnyEvent, Event, decode_event, encode_event
from qwixx.server.metrics import WRITE_SECONDS
from qwixx.server.sqlite import Folder, sqlite_engine, sqlite_url

MOST_TOGETHER = 500
"""Events that are written in one statement."""
GATHERING = 0.005
"""Seconds to wait for more to write, where there was more than one event the last time."""
PATIENCE = 10
"""Seconds that a database may take for one statement, or to answer at all."""
MIGRATING = 0x71776978
"""The number of the lock in PostgreSQL under which one process at a time brings the database to its present form."""


log = logging.getLogger("qwixx.server")


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

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        """How many events each of these tables has; a table that there is not is left out."""

    async def close(self) -> None: ...


class _Append(NamedTuple):
    table: str
    version: int
    data: bytes
    done: "asyncio.Future[None]"
    loop: asyncio.AbstractEventLoop


def database_url(where: str) -> str:
    """The address of a database, which may be named by a SQLite file alone."""
    return where if "://" in where else sqlite_url(Path(where))


def stamp(moment: datetime) -> str:
    """A moment as it is kept."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='milliseconds')}Z"


def shown_url(where: str) -> str:
    """The same without its password, wherever it stands."""
    scheme, there, rest = where.partition("://")
    return f"{scheme}{there}{rest.rpartition('@')[2].partition('?')[0]}" if there else where


def _engine(address: str) -> Engine:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise StorageError("this is not the address of a database") from None
    if url.get_backend_name() == "sqlite":
        return sqlite_engine(url)
    if url.get_backend_name() != "postgresql":
        raise StorageError("only SQLite and PostgreSQL are known here")
    limits = {"connect_timeout": PATIENCE, "options": f"-c statement_timeout={1000 * PATIENCE}"}
    return create_engine(url.set(drivername="postgresql+psycopg"), pool_pre_ping=True, connect_args=limits)


def _migrate(engine: Engine) -> None:
    """Brings the database to its present form; processes that do so at once wait for each other."""
    config = Config()
    config.set_main_option("script_location", "qwixx.server:migrations")
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


_READING = text("SELECT data FROM events WHERE tbl = :tbl AND version > :after ORDER BY version")
_COUNTING = text("SELECT tbl, max(version) AS version FROM events WHERE tbl IN :tables GROUP BY tbl").bindparams(
    bindparam("tables", expanding=True)
)
_OLD = text(
    "SELECT at, tbl FROM events WHERE version = 1 AND at < :before AND (at > :at OR at = :at AND tbl > :tbl)"
    f" ORDER BY at, tbl LIMIT {MOST_TOGETHER}"
)
_LAST = text("SELECT max(at) FROM events WHERE tbl = :tbl")
_REMOVING = text(
    "DELETE FROM events WHERE tbl = :tbl AND (SELECT max(at) FROM events AS its WHERE its.tbl = :tbl) < :before"
)


@lru_cache(2 * MOST_TOGETHER)
def _writing(count: int, mark: str) -> str:
    """The statement that writes so many events, in the driver's words: the library's cost as much as the writing."""
    rows = ", ".join([f"({mark}, {mark}, {mark}, {mark})"] * count)
    return f"INSERT INTO events (tbl, version, at, data) VALUES {rows} ON CONFLICT DO NOTHING"


class SqlStorage:
    """One writer thread; whatever is waiting is written in one transaction, so that many tables share a disk sync."""

    def __init__(self, address: str) -> None:
        self._engine = _engine(address)
        self._mark = "?" if self._engine.dialect.name == "sqlite" else "%s"
        try:
            _migrate(self._engine)
        except SQLAlchemyError as error:
            raise StorageError(_plain(error)) from None
        self._folder = Folder(self._engine) if self._engine.dialect.name == "sqlite" else None
        self._waiting: SimpleQueue[_Append | None] = SimpleQueue()
        self._busy = False
        self._writer = threading.Thread(target=self._write, name="qwixx-storage", daemon=True)
        self._writer.start()

    async def append(self, table: str, version: int, event: Event) -> None:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self._waiting.put(_Append(table, version, encode_event(event), done, loop))
        await done

    async def read(self, table: str, after: int = 0) -> list[AnyEvent]:
        rows = await self._ask(_READING, tbl=table, after=after)
        return [decode_event(bytes(data)) for (data,) in rows]

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        return dict(await self._ask(_COUNTING, tables=list(tables)))

    async def opened_before(self, at: str, after: tuple[str, str] = ("", "")) -> list[tuple[str, str]]:
        """When tables were opened and which, the oldest first, some at a time: those after one of them."""
        rows = await self._ask(_OLD, before=at, at=after[0], tbl=after[1])
        return [(opened, table) for opened, table in rows]

    async def last_at(self, table: str) -> str:
        """When something happened last at a table; nothing if there is none such."""
        ((at,),) = await self._ask(_LAST, tbl=table)
        return at or ""

    async def remove(self, table: str, before: str) -> None:
        """Forgets a table, if nothing has happened there since."""
        await self._ask(_REMOVING, tbl=table, before=before)

    async def _ask(self, statement: TextClause, **values: object) -> list[tuple[Any, ...]]:
        return await asyncio.to_thread(self._answer, statement, values)

    def _answer(self, statement: TextClause, values: dict[str, object]) -> list[tuple[Any, ...]]:
        try:
            with self._engine.begin() as connection:
                done = connection.execute(statement, values)
                return [tuple(row) for row in done] if done.returns_rows else []
        except SQLAlchemyError as error:
            raise StorageError(_plain(error)) from None

    async def close(self) -> None:
        """Writes what is waiting and stops."""
        self._waiting.put(None)
        await asyncio.to_thread(self._writer.join)
        if self._folder:
            await asyncio.to_thread(self._folder.close)
        self._engine.dispose()

    def _write(self) -> None:
        going_on = True
        while going_on:
            batch, going_on = self._next_batch()
            if batch:
                with WRITE_SECONDS.time():
                    failures = self._insert(batch)
                _settle(batch, failures)
                if self._folder:
                    self._folder.finish()

    def _next_batch(self) -> tuple[list[_Append], bool]:
        """Waits for one append and takes all that wait behind it; False once the storage is closed."""
        batch: list[_Append] = []
        item = self._waiting.get()
        if self._busy:
            time.sleep(GATHERING)
        while item is not None:
            batch.append(item)
            if self._waiting.empty() or len(batch) == MOST_TOGETHER:
                self._busy = len(batch) > 1
                return batch, True
            item = self._waiting.get()
        return batch, False

    def _insert(self, batch: Sequence[_Append]) -> list[Exception | None]:
        """Writes a batch in one transaction and tells for each append what went wrong, if anything did."""
        try:
            with self._engine.connect() as connection:
                written = self._written(connection, batch)
                connection.commit()
        except SQLAlchemyError as error:
            return [StorageError(_plain(error))] * len(batch)
        except Exception as error:  # whatever it is, the writer must go on, or everybody would wait for ever
            log.exception("events could not be written")
            return [StorageError(str(error))] * len(batch)
        taken = "{0.table} already has version {0.version}"
        return [None if kept else ConflictError(taken.format(item)) for item, kept in zip(batch, written, strict=True)]

    def _written(self, connection: Connection, batch: Sequence[_Append]) -> list[bool]:
        """Which of these could be written: all at once, or, where some came too late, one by one."""
        now = stamp(datetime.now(UTC))
        rows = [(item.table, item.version, now, item.data) for item in batch]
        every = connection.exec_driver_sql(_writing(len(rows), self._mark), tuple(chain.from_iterable(rows)))
        if every.rowcount == len(rows):
            return [True] * len(rows)
        connection.rollback()
        one = _writing(1, self._mark)
        return [connection.exec_driver_sql(one, row).rowcount == 1 for row in rows]


def _plain(error: SQLAlchemyError) -> str:
    """What went wrong, without statements or what was to be written."""
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0]


def _settle(batch: Sequence[_Append], failures: Sequence[Exception | None]) -> None:
    """Tells everybody who waits; those of one event loop together."""
    for loop in {item.loop for item in batch}:
        told = [(item.done, failure) for item, failure in zip(batch, failures, strict=True) if item.loop is loop]
        loop.call_soon_threadsafe(_resolve, told)


def _resolve(told: "Sequence[tuple[asyncio.Future[None], Exception | None]]") -> None:
    for done, failure in told:
        if done.cancelled():
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)

"""What SQLite needs beyond SQL: how it is opened, and how its write-ahead log is folded into the file,
and how it is copied while it is in use."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import SQLAlchemyError

PATIENCE = 30
"""Seconds to wait for somebody else who writes to the same file."""
FOLD = 2.0
"""Seconds between two times that the log is folded in."""
LITTLE = 100
"""Pages that the writer may fold in itself without anybody noticing."""
MOST_ROUNDS = 5


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file, whose folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return URL.create("sqlite", database=str(path)).render_as_string()


def sqlite_engine(url: URL) -> Engine:
    engine = create_engine(url, connect_args={"timeout": PATIENCE, "check_same_thread": False})
    event.listen(engine, "connect", _keep_safe)
    return engine


def _keep_safe(connection: DBAPIConnection, _: object) -> None:
    """Readers do not wait for the writer, what is committed is on disk, and the log is folded in by `Folder` alone."""
    cursor = connection.cursor()
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def backup(source: Path, target: Path) -> None:
    """Copies a database that may be in use, as it is at this moment: whole, or not at all. OSError or sqlite3.Error
    if that cannot be done."""
    if not source.is_file():
        raise FileNotFoundError(f"there is no {source}")
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(source, timeout=PATIENCE)) as now, closing(sqlite3.connect(unfinished)) as copy:
        now.backup(copy)
        if copy.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("the copy is damaged")
    unfinished.replace(target)


class Folder:
    """Folds the log into the file beside the writer, who would have to stop for it otherwise: at many small writes a
    second for the better part of one. The last few pages are the writer's, so that the log can begin anew."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._closing = threading.Event()
        self._wanted = threading.Event()
        self._thread = threading.Thread(target=self._run, name="qwixx-folder", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._closing.wait(FOLD):
            for _ in range(MOST_ROUNDS):
                if self._fold() <= LITTLE:
                    break
            self._wanted.set()

    def _fold(self) -> int:
        """Folds in what can be without stopping anybody; the pages that are left."""
        try:
            with self._engine.connect() as connection:
                _, pages, folded = connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").one()
                return int(pages) - int(folded)
        except SQLAlchemyError:
            return 0  # the next time will do

    def finish(self) -> None:
        """Called by the writer between two writes."""
        if self._wanted.is_set():
            self._wanted.clear()
            self._fold()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()
        self._fold()

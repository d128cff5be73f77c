"""Old games make room: those that ended long enough ago are removed, and, if the host wants it, those that nobody has
gone on with for long."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from qwixx.server.storage import SqlStorage, StorageError, stamp
from qwixx.server.table import Table

EVERY = 3600.0
"""Seconds between two times that old games are removed."""

log = logging.getLogger("qwixx.server")


@dataclass(frozen=True)
class Keeping:
    """Days that games are kept after the last thing that happened there; 0 for ever."""

    finished: float = 0
    unfinished: float = 0

    def __bool__(self) -> bool:
        return bool(self.finished or self.unfinished)


def _before(days: float) -> str:
    """The moment before which something is too old; before all time if it is kept for ever."""
    return stamp(datetime.now(UTC) - timedelta(days=days)) if days else ""


async def prune(storage: SqlStorage, keeping: Keeping, in_use: Callable[[str], bool]) -> int:
    """Removes games that are too old, and says how many."""
    before = {True: _before(keeping.finished), False: _before(keeping.unfinished)}
    removed, last = 0, ("", "")
    while old := await storage.opened_before(max(before.values()), last):
        for _, table in old:
            limit = "" if in_use(table) else before[await _is_over(storage, table)]
            if limit and await storage.last_at(table) < limit:
                await storage.remove(table, limit)
                removed += 1
        last = old[-1]
    return removed


async def _is_over(storage: SqlStorage, table: str) -> bool:
    """What cannot be read any more counts as unfinished."""
    try:
        return (await asyncio.to_thread(Table.replay, await storage.read(table))).over
    except StorageError:
        raise
    except Exception:
        log.exception("table %s cannot be read any more", table)
        return False


async def prune_again_and_again(storage: SqlStorage, keeping: Keeping, in_use: Callable[[str], bool]) -> None:
    while True:
        try:
            log.info("%d old games were removed", await prune(storage, keeping, in_use))
        except StorageError as error:
            log.warning("old games could not be removed: %s", error)
        await asyncio.sleep(EVERY)

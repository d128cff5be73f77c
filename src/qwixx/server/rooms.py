"""All tables of one process: opened, brought back from storage, kept up with other processes, let go again."""

import asyncio
import gc
import logging
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from random import Random
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from qwixx.boards import all_variants
from qwixx.bots import BOTS
from qwixx.record import BOT_MARK, SECRET_BYTES, checked_name
from qwixx.rules import BUILT_IN, QwixxError
from qwixx.rules.boardfile import board_text
from qwixx.server.events import (
    Opened,
    SeatPlan,
)
from qwixx.server.fanout import AnyNews, Who
from qwixx.server.keys import hashed, new_key, new_table_id
from qwixx.server.metrics import ERRORS, OPENED
from qwixx.server.protocol import (
    NewTable,
    OpenedTable,
    Refused,
)
from qwixx.server.room import BEAT, Means, Room, Soon
from qwixx.server.storage import StorageError
from qwixx.server.table import Table

FAR_TOO_MUCH = 2_000_000
"""Objects more than at the last look, upon which the garbage collector looks for what is left of something."""
TABLE_ID = re.compile("[0-9a-z]{1,64}")
SWEEP = 3.0
"""Seconds after which tables with people are looked up in storage, in case the others' news did not get through."""

log = logging.getLogger("qwixx.server")


class Rooms:
    """All rooms of this process. A room is opened from storage when somebody asks for it."""

    def __init__(self, means: Means) -> None:
        self.means, self.storage, self.fanout = means, means.storage, means.fanout
        self._rooms: dict[str, Room] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._soon = Soon()

    async def open_table(self, new: NewTable) -> OpenedTable:
        """Sets up a table; the keys of this device's seats are told here and nowhere else."""
        keys = {seat: new_key() for seat, plan in enumerate(new.seats) if plan.kind == "person"}
        return OpenedTable(await self.set_up(_opened(new, keys)), keys)

    async def set_up(self, opened: Opened) -> str:
        """A new table from its first event; a board of its own is read apart from everything else."""
        opened = _with_chance(opened, self.means.luck)
        table, table_id = await asyncio.to_thread(Table.replay, [opened]), new_table_id()
        await self.storage.append(table_id, 1, opened)
        await self.fanout.join(table_id)
        self._open(table_id, table)
        OPENED.inc()
        return table_id

    def _open(self, table_id: str, table: Table) -> Room:
        room = self._rooms[table_id] = Room(table_id, table, self.means)
        self.fanout.tell(table_id, Who(self.fanout.worker))
        room.drive()
        return room

    async def room(self, table_id: str) -> Room:
        """The room of a table, in memory or brought back from storage, as it stands now."""
        room = self._rooms.get(table_id)
        if room is None:
            return await self._bring_back(table_id)
        room.used_at = asyncio.get_running_loop().time()
        if self.fanout.shared:
            await room.catch_up()
        return room if self._rooms.get(table_id) is room else await self.room(table_id)  # it was let go meanwhile

    async def _bring_back(self, table_id: str) -> Room:
        if not TABLE_ID.fullmatch(table_id):
            raise Refused("table", "There is no such table.")
        async with self._opening.setdefault(table_id, asyncio.Lock()):
            if table_id in self._rooms:
                return self._rooms[table_id]
            await self.fanout.join(table_id)
            events = await self.storage.read(table_id)
            if not events or not isinstance(events[0], Opened):  # nothing, or what is left of a game that was removed
                await self.fanout.leave(table_id)
                raise Refused("table", "There is no such table.")
            return self._open(table_id, await asyncio.to_thread(Table.replay, events))

    async def run(self) -> None:
        """What goes on beside the tables, until it is cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.fanout.run(self._hear, self._found_again))
            group.create_task(self._every(BEAT, self._tidy_up))
            if self.fanout.shared:
                group.create_task(self._every(SWEEP, self._look_up))

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
            except StorageError as error:
                ERRORS.labels("storage").inc()
                log.warning("the storage does not answer: %s", error)
            except Exception:
                ERRORS.labels("beside").inc()
                log.exception("the work beside the tables goes on after a fault")

    def _hear(self, table: str, news: AnyNews) -> None:
        if table in self._rooms:
            try:
                self._rooms[table].hear(news)
            except msgspec.MsgspecError as error:
                log.warning("another process tells what this one does not know: %s", error)

    def _found_again(self) -> None:
        """News may have been missed: every table with people is looked up now."""
        self._soon.do(self._look_up())

    async def _look_up(self) -> None:
        """Catches up with tables that others have moved on."""
        watched = {room.id: room for room in self._rooms.values() if room.clients}
        for table, version in (await self.storage.versions(list(watched)) if watched else {}).items():
            await watched[table].catch_up(version)

    async def _tidy_up(self) -> None:
        """Tells the others who is here, and lets tables go where nobody is."""
        for room in list(self._rooms.values()):
            room.forget_the_silent()
            if room.clients:
                room.tell_others()
            elif room.rests():
                del self._rooms[room.id]
                await self.fanout.leave(room.id)
                await room.stop()
        if not self._rooms or gc.get_count()[0] > FAR_TOO_MUCH:
            gc.collect()

    def has(self, table_id: str) -> bool:
        """Whether a table is in memory."""
        return table_id in self._rooms

    def count(self) -> tuple[int, int]:
        """Tables in memory, and seats at them whose players are connected here."""
        seats = sum(bool(room.connections(seat)) for room in self._rooms.values() for seat in range(room.seats))
        return len(self._rooms), seats

    async def close(self) -> None:
        for room in self._rooms.values():
            await room.stop()
        await self.fanout.close()
        await self.storage.close()


def _opened(new: NewTable, keys: dict[int, str]) -> Opened:
    """The event of a new table, or a refusal that says what is wrong with it."""
    plans = []
    for seat, plan in enumerate(new.seats):
        if plan.kind == "bot" and plan.bot not in BOTS:
            raise Refused("bot", no_bot(plan.bot))
        try:
            name = "" if plan.kind == "open" else checked_name(plan.name)
        except QwixxError as error:
            raise Refused("name", str(error)) from None
        plans.append(SeatPlan(plan.kind, name, plan.bot, hashed(keys[seat]) if seat in keys else ""))
    known = all_variants().get(new.variant)
    board = new.board if known is None or new.variant in BUILT_IN else board_text(known)
    return Opened(new.variant, tuple(plans), today(), board, new.start, new.dice, new.clock)


def _with_chance(opened: Opened, luck: Random) -> Opened:
    """The secret and what bots add to it, drawn together: before any player has added a word."""
    seats = (replace(seat, word="" if seat.kind == "person" else _bots_word(luck)) for seat in opened.seats)
    return replace(opened, seats=tuple(seats), secret=luck.randbytes(SECRET_BYTES).hex())


def _bots_word(luck: Random) -> str:
    return BOT_MARK + luck.randbytes(16).hex()


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def no_bot(name: str) -> str:
    return f"There is no bot “{name}”; there are {', '.join(BOTS)}."

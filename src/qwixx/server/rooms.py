"""Rooms: a table with the people who are connected to it. Each room does one thing after the other.

A request is judged, its event is written to disk, and only then does anybody see it. Bots and chance are driven by
the room itself, off the event loop and at a human pace.
"""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from random import Random, SystemRandom

from qwixx.boards import all_variants
from qwixx.bots import BOTS
from qwixx.match import Player, RandomSource
from qwixx.record import checked_name
from qwixx.rules import BUILT_IN, QwixxError, chance, legal_actions, view
from qwixx.rules.boardfile import board_text
from qwixx.server.events import Chose, Event, Handed, Opened, Rematched, Rolled, SeatPlan
from qwixx.server.keys import hashed, new_key, new_table_id
from qwixx.server.protocol import (
    AnyAnswer,
    AnyRequest,
    Ask,
    Choose,
    Done,
    EnterDice,
    Explained,
    HandOver,
    Hello,
    Join,
    NewTable,
    OpenedTable,
    Refusal,
    Rematch,
    Seated,
    TakeBack,
    Tell,
    Update,
    why,
)
from qwixx.server.storage import ConflictError, Storage
from qwixx.server.table import Refused, Table

CLOCK_BOT = "skip-2"
"""Who chooses for a player whose time is up."""
MOST_WAITING = 64
"""Messages that may wait for a slow reader before it is cut off."""


@dataclass(eq=False)
class Client:
    """One connection: the keys it showed, the last version it was told, and what waits to be sent."""

    keys: list[str] = field(default_factory=list)
    seen: int = 0
    outbox: asyncio.Queue[AnyAnswer | None] = field(default_factory=lambda: asyncio.Queue(MOST_WAITING + 1))

    def tell(self, answer: AnyAnswer) -> None:
        """Puts an answer in the outbox; a reader who lets it run full is cut off."""
        if self.outbox.qsize() < MOST_WAITING:
            self.outbox.put_nowait(answer)
        elif not self.outbox.full():
            self.outbox.put_nowait(None)


class Room:
    """One table and its clients."""

    def __init__(self, table_id: str, table: Table, storage: Storage, pace: float, luck: Random) -> None:
        self.id, self.table, self.storage, self.pace, self.luck = table_id, table, storage, pace, luck
        self.clients: set[Client] = set()
        self._turn = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        self._bots: dict[tuple[int, str], Player] = {}
        self._chance = RandomSource(luck)
        self._clock: asyncio.TimerHandle | None = None
        self._late: set[int] = set()
        self.wind_clock()

    async def act(self, request: Callable[[Table], Event | None]) -> Event | None:
        """Judges a request against the table as it is now; what it grants is written, then told to everybody."""
        async with self._turn:
            event = await self._write(request)
        if event is not None:
            self.tell_everybody()
            self.drive()
        return event

    def wind_clock(self) -> None:
        """Starts the clock for what is being decided now, where the table has one."""
        if self._clock is not None:
            self._clock.cancel()
        if self.table.opened.clock and self.table.undecided():
            loop = asyncio.get_running_loop()
            self._clock = loop.call_later(self.table.opened.clock, self._time_is_up, self.table.asked_at)

    def _time_is_up(self, asked_at: int) -> None:
        if self.table.asked_at == asked_at:
            self._late = {seat for seat in self.table.undecided() if seat not in self.table.played_by}
            self.drive()

    async def _write(self, request: Callable[[Table], Event | None]) -> Event | None:
        while True:
            event = request(self.table)
            if event is None:
                return None
            try:
                await self.storage.append(self.id, self.table.version + 1, event)
            except ConflictError:
                self.table = Table.replay(await self.storage.read(self.id))
                continue
            asked_at = self.table.asked_at
            self.table.apply(event)
            if self.table.asked_at != asked_at:
                self._late = set()
                self.wind_clock()
            return event

    def enter(self, client: Client, since: int) -> None:
        """A client comes in and is told what happened since it last looked."""
        self.clients.add(client)
        client.seen = since if 0 <= since <= self.table.version else 0
        self.tell_everybody()

    def leave(self, client: Client) -> None:
        self.clients.discard(client)
        self.tell_everybody()

    def tell_everybody(self) -> None:
        """Sends every client what is new to it, and how the table stands."""
        seats = {client: self.table.seats_of(client.keys) for client in self.clients}
        here = {seat for held in seats.values() for seat in held}
        watching = sum(not held for held in seats.values())
        for client, held in seats.items():
            notes = tuple(note for note in self.table.notes if note.version > client.seen)
            client.tell(Update(notes, self.table.view(self.id, held, here, watching, self._left())))
            client.seen = self.table.version

    def present(self, seat: int) -> bool:
        """Whether somebody who holds this seat is connected."""
        return any(seat in self.table.seats_of(client.keys) for client in self.clients)

    def _left(self) -> float | None:
        """The seconds that the clock still gives, where it runs."""
        if self._clock is None or self._clock.cancelled() or not self.table.undecided():
            return None
        return max(0.0, round(self._clock.when() - asyncio.get_running_loop().time(), 1))

    def drive(self) -> None:
        """Sees to it that chance and bots do what is due."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        if self._driver is not None:
            self._driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._driver

    async def _drive(self) -> None:
        while await self._one_step():
            pass

    async def _one_step(self) -> bool:
        """One thing that nobody at the table has to decide; False when there is none."""
        if self.table.chance_is_due():
            return await self.act(self._roll) is not None
        for seat in self.table.undecided():
            if seat in self.table.played_by:
                return await self._let_bot_choose(seat, self.table.played_by[seat])
            if seat in self._late:
                return await self._let_bot_choose(seat, CLOCK_BOT)
        return False

    def _roll(self, table: Table) -> Rolled | None:
        if not table.chance_is_due() or table.state is None:
            return None
        return Rolled(str(self._chance.draw(chance(table.state))))

    async def _let_bot_choose(self, seat: int, kind: str) -> bool:
        table, asked_at, late = self.table, self.table.asked_at, seat in self._late
        if table.state is None:
            return False
        bot = self._bots.setdefault((seat, kind), BOTS[kind](self.luck))
        seen, legal = view(table.state, seat), legal_actions(table.state, seat)
        action, _ = await asyncio.gather(asyncio.to_thread(bot.choose, seen, seat, legal), asyncio.sleep(self.pace))

        def still_wanted(now: Table) -> Chose | None:
            wanted = now.asked_at == asked_at and (late or seat in now.played_by) and seat in now.undecided()
            return Chose(seat, str(action), by_clock=late) if wanted else None

        await self.act(still_wanted)
        return True


class Rooms:
    """All rooms of this process. A room is opened from storage when somebody asks for it.

    `luck` is where dice, deals and the bots' whims come from: the system's own source, but for tests.
    """

    def __init__(self, storage: Storage, pace: float = 0.6, luck: Random | None = None) -> None:
        self.storage, self.pace, self.luck = storage, pace, luck or SystemRandom()
        self._rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    async def open_table(self, new: NewTable) -> OpenedTable:
        """Sets up a table; the keys of this device's seats are told here and nowhere else."""
        keys = {seat: new_key() for seat, plan in enumerate(new.seats) if plan.kind == "person"}
        return OpenedTable(await self.set_up(_opened(new, keys)), keys)

    async def set_up(self, opened: Opened) -> str:
        """A new table from its first event."""
        table, table_id = Table.replay([opened]), new_table_id()
        await self.storage.append(table_id, 1, opened)
        self._rooms[table_id] = Room(table_id, table, self.storage, self.pace, self.luck)
        self._rooms[table_id].drive()
        return table_id

    async def room(self, table_id: str) -> Room:
        """The room of a table, in memory or brought back from storage."""
        async with self._opening:
            if table_id not in self._rooms:
                events = await self.storage.read(table_id)
                if not events:
                    raise Refused("table", "There is no such table.")
                self._rooms[table_id] = Room(table_id, Table.replay(events), self.storage, self.pace, self.luck)
                self._rooms[table_id].drive()
            return self._rooms[table_id]

    async def close(self) -> None:
        for room in self._rooms.values():
            await room.stop()
        await self.storage.close()


def _opened(new: NewTable, keys: dict[int, str]) -> Opened:
    """The event of a new table, or a refusal that says what is wrong with it."""
    plans = []
    for seat, plan in enumerate(new.seats):
        if plan.kind == "bot" and plan.bot not in BOTS:
            raise Refused("bot", _no_bot(plan.bot))
        try:
            name = "" if plan.kind == "open" else checked_name(plan.name)
        except QwixxError as error:
            raise Refused("name", str(error)) from None
        plans.append(SeatPlan(plan.kind, name, plan.bot, hashed(keys[seat]) if seat in keys else ""))
    known = all_variants().get(new.variant)
    board = new.board if known is None or new.variant in BUILT_IN else board_text(known)
    start = new.start or (known.start.value if known else "draw")
    return Opened(new.variant, tuple(plans), _today(), board, start, new.dice, new.clock)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


class Session:
    """What one connection may do: say hello, then act on its table."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.client = rooms, Client()
        self.room: Room | None = None

    async def handle(self, request: AnyRequest) -> None:
        """Does what is asked, and answers; a refusal changes nothing."""
        try:
            await self._handle(request)
        except Refused as refused:
            reason = why(refused.reason) if refused.reason else None
            self.client.tell(Refusal(request.id, refused.code, refused.text, reason))

    async def _handle(self, request: AnyRequest) -> None:
        if isinstance(request, Hello):
            await self._hello(request)
            return
        room, keys = self.room, self.client.keys
        if room is None:
            raise Refused("hello", "Say hello to a table first.")
        match request:
            case Join():
                await self._join(request, room)
            case Ask():
                reason = room.table.explain(keys, request.seat, request.cell)
                explained = None if reason is None else why(reason)
                self.client.tell(Explained(request.id, request.seat, request.cell, explained))
            case Rematch():
                await self._rematch(request, room)
            case _:
                if isinstance(request, HandOver):
                    _check_away(room, keys, request)
                await room.act(lambda table: _granted(table, keys, request))
                self.client.tell(Done(request.id))

    async def _hello(self, hello: Hello) -> None:
        room = await self.rooms.room(hello.table)
        self.leave()
        self.room = room
        self.client.keys = list(hello.keys)
        for seat in room.table.seats_of(hello.keys):
            await room.act(partial(_welcomed_back, seat))
        room.enter(self.client, hello.since)

    async def _join(self, join: Join, room: Room) -> None:
        key = new_key()
        self.client.keys.append(key)
        try:
            await room.act(lambda table: table.join(join.seat, join.name, key))
        except Refused:
            self.client.keys.remove(key)
            raise
        self.client.tell(Seated(join.id, room.table.seats_of([key])[0], key))

    async def _rematch(self, request: Rematch, room: Room) -> None:
        opened = room.table.again(self.client.keys, _today())
        if not room.table.rematch:
            again = await self.rooms.set_up(opened)
            await room.act(lambda table: None if table.rematch else Rematched(again))
        self.client.tell(Done(request.id))

    def leave(self) -> None:
        if self.room is not None:
            self.room.leave(self.client)
            self.room = None


def _check_away(room: Room, keys: Sequence[str], request: HandOver) -> None:
    """Nobody gives away the seat of somebody who is there."""
    if request.bot and request.seat not in room.table.seats_of(keys) and room.present(request.seat):
        raise Refused("present", "This player is at the table.")


def _granted(
    table: Table, keys: Sequence[str], request: Choose | TakeBack | EnterDice | HandOver | Tell
) -> Event | None:
    """The event that a request leads to; the table refuses what is not allowed."""
    match request:
        case Choose():
            return table.choose(keys, request.seat, request.action, request.version)
        case TakeBack():
            return table.take_back(keys, request.seat)
        case EnterDice():
            return table.real_roll(keys, request.outcome)
        case Tell():
            return table.tell(keys, request.row)
        case HandOver():
            if request.bot and request.bot not in BOTS:
                raise Refused("bot", _no_bot(request.bot))
            return table.hand_over(keys, request.seat, request.bot)


def _welcomed_back(seat: int, table: Table) -> Handed | None:
    """A player who returns takes the seat from the bot that stood in."""
    return Handed(seat, "") if seat in table.played_by else None


def _no_bot(name: str) -> str:
    return f"There is no bot “{name}”; there are {', '.join(BOTS)}."

"""Rooms: a table with the people who are connected to it. Each room does one thing after the other.

A request is judged, its event is written to disk, and only then does anybody see it. Bots and chance are driven by
the room itself, off the event loop and at a human pace.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from random import Random, SystemRandom

import msgspec

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
    TableView,
    TakeBack,
    Tell,
    Update,
    why,
)
from qwixx.server.storage import ConflictError, Storage, StorageError
from qwixx.server.table import Refused, Table

CLOCK_BOT = "medium"
"""Who chooses for a player whose time is up."""
MOST_WAITING = 64
"""Answers that may wait for a slow reader before it is cut off."""
MOST_CLIENTS = 500
"""Connections to one table; those who hold a seat always get in."""
GRACE = 3.0
"""Seconds after which somebody who lost the connection counts as away: a reload takes less."""
GATHERING = 0.1
"""Seconds in which comings and goings are gathered before everybody is told."""
RETRY = 1.0
"""Seconds until the table tries again to write down what could not be kept."""

log = logging.getLogger("qwixx.server")


@dataclass(eq=False)
class Client:
    """One connection: the keys it showed, the last version it was told, and what waits to be said.

    How the table stands is said once, however often it changed meanwhile; answers are said one by one.
    """

    keys: list[str] = field(default_factory=list)
    seen: int = 0
    room: "Room | None" = None
    behind: bool = False
    cut_off: bool = False
    answers: list[AnyAnswer] = field(default_factory=list)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, answer: AnyAnswer) -> None:
        """Puts an answer in line; a reader who lets it grow too long is cut off."""
        if len(self.answers) < MOST_WAITING:
            self.answers.append(answer)
        else:
            self.cut_off = True
        self.wake.set()

    def has_news(self) -> None:
        self.behind = True
        self.wake.set()

    def take(self) -> list[AnyAnswer]:
        """What there is to say now: how the table stands, if that is news, then the answers."""
        self.wake.clear()
        said, self.answers = self.answers, []
        if self.behind and self.room is not None:
            said.insert(0, self.room.update(self))
        self.behind = False
        return said


class Room:
    """One table and its clients."""

    def __init__(self, table_id: str, table: Table, rooms: "Rooms") -> None:
        self.id, self.table, self.storage, self.pace = table_id, table, rooms.storage, rooms.pace
        self.luck, self.grace = rooms.luck, rooms.grace
        self.clients: set[Client] = set()
        self.rematching = asyncio.Lock()
        self._turn = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        self._bots: dict[tuple[int, str], Player] = {}
        self._chance = RandomSource(self.luck)
        self._clock: asyncio.TimerHandle | None = None
        self._overdue = 0
        self._gathering: asyncio.TimerHandle | None = None
        self._left_at: dict[int, float] = {}
        self._views: dict[tuple[int, ...], TableView] = {}
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
        """From now on the clock chooses for everybody who has not, or who takes a choice back."""
        if self.table.asked_at == asked_at:
            self._overdue = asked_at
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
                self.wind_clock()
            return event

    def enter(self, client: Client, since: int) -> None:
        """A client comes in and is told what happened since it last looked."""
        self.clients.add(client)
        client.room = self
        client.seen = since if 0 <= since <= self.table.version else 0
        self._views.clear()
        client.has_news()
        self._gather(GATHERING)

    def leave(self, client: Client) -> None:
        """A client goes; whoever does not return in a while is away."""
        self.clients.discard(client)
        client.room = None
        for seat in self.table.seats_of(client.keys):
            self._left_at[seat] = asyncio.get_running_loop().time()
        self._gather(max(GATHERING, self.grace))

    def _gather(self, seconds: float) -> None:
        """Tells everybody of comings and goings in a while, all at once."""
        loop = asyncio.get_running_loop()
        if self._gathering is not None and self._gathering.when() > loop.time():
            if self._gathering.when() >= loop.time() + seconds:
                return
            self._gathering.cancel()
        self._gathering = loop.call_later(seconds, self.tell_everybody)

    def tell_everybody(self) -> None:
        """Every client is to hear how the table stands."""
        self._views.clear()
        for client in self.clients:
            client.has_news()

    def update(self, client: Client) -> Update:
        """What is new to a client, and how the table stands."""
        notes = tuple(note for note in self.table.notes if note.version > client.seen)
        client.seen = self.table.version
        return Update(notes, msgspec.structs.replace(self._view(self.table.seats_of(client.keys)), left=self._left()))

    def _view(self, held: tuple[int, ...]) -> TableView:
        if held not in self._views:
            here = [seat for seat in range(len(self.table.seats)) if self.present(seat)]
            watching = sum(not self.table.seats_of(client.keys) for client in self.clients)
            self._views[held] = self.table.view(self.id, held, here, watching)
        return self._views[held]

    def present(self, seat: int) -> bool:
        """Whether somebody who holds this seat is connected, or was a moment ago."""
        if any(seat in self.table.seats_of(client.keys) for client in self.clients):
            return True
        left_at = self._left_at.get(seat)
        return left_at is not None and asyncio.get_running_loop().time() < left_at + self.grace

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
        for timer in (self._clock, self._gathering):
            if timer is not None:
                timer.cancel()
        if self._driver is not None:
            self._driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._driver

    async def _drive(self) -> None:
        going_on = True
        while going_on:
            try:
                going_on = await self._one_step()
            except StorageError as error:
                log.warning("table %s: %s; trying again", self.id, error)
                await asyncio.sleep(RETRY)

    async def _one_step(self) -> bool:
        """One thing that nobody at the table has to decide; False when there is none."""
        if self.table.chance_is_due():
            return await self.act(self._roll) is not None
        overdue = self._overdue == self.table.asked_at
        for seat in self.table.undecided():
            bot = self.table.played_by.get(seat) or (CLOCK_BOT if overdue else "")
            if bot:
                return await self._let_bot_choose(seat, bot)
        return False

    def _roll(self, table: Table) -> Rolled | None:
        if not table.chance_is_due() or table.state is None:
            return None
        return Rolled(str(self._chance.draw(chance(table.state))))

    async def _let_bot_choose(self, seat: int, kind: str) -> bool:
        table, asked_at, late = self.table, self.table.asked_at, seat not in self.table.played_by
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

    `luck` is where dice, deals and the bots' whims come from: the system's own source, but for tests. `grace` are the
    seconds after which somebody who lost the connection counts as away.
    """

    def __init__(self, storage: Storage, pace: float = 0.6, luck: Random | None = None, grace: float = GRACE) -> None:
        self.storage, self.pace, self.grace = storage, pace, grace
        self.luck = luck or SystemRandom()
        self._rooms: dict[str, Room] = {}
        self._opening = asyncio.Lock()

    async def open_table(self, new: NewTable) -> OpenedTable:
        """Sets up a table; the keys of this device's seats are told here and nowhere else."""
        keys = {seat: new_key() for seat, plan in enumerate(new.seats) if plan.kind == "person"}
        return OpenedTable(await self.set_up(_opened(new, keys)), keys)

    async def set_up(self, opened: Opened) -> str:
        """A new table from its first event; a board of its own is read apart from everything else."""
        table, table_id = await asyncio.to_thread(Table.replay, [opened]), new_table_id()
        await self.storage.append(table_id, 1, opened)
        self._rooms[table_id] = Room(table_id, table, self)
        self._rooms[table_id].drive()
        return table_id

    async def room(self, table_id: str) -> Room:
        """The room of a table, in memory or brought back from storage."""
        async with self._opening:
            if table_id not in self._rooms:
                events = await self.storage.read(table_id)
                if not events:
                    raise Refused("table", "There is no such table.")
                self._rooms[table_id] = Room(table_id, Table.replay(events), self)
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
    return Opened(new.variant, tuple(plans), _today(), board, new.start, new.dice, new.clock)


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
        except StorageError as error:
            log.warning("a request could not be kept: %s", error)
            self.client.tell(Refusal(request.id, "storage", "This could not be written down; try again in a moment."))

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
        if len(room.clients) >= MOST_CLIENTS and not room.table.seats_of(hello.keys):
            raise Refused("crowded", "So many are watching this table already.")
        self.leave()
        self.room = room
        self.client.keys = list(hello.keys)
        for seat in room.table.seats_of(hello.keys):
            await room.act(partial(_welcomed_back, seat))
        room.enter(self.client, hello.since)

    async def _join(self, join: Join, room: Room) -> None:
        """Takes a seat with a key of the client's own choosing, so that asking again is harmless."""
        if not room.table.seats_of([join.key]):
            self.client.keys.append(join.key)
            try:
                await room.act(lambda table: table.join(join.seat, join.name, join.key))
            except (Refused, StorageError):
                self.client.keys.remove(join.key)
                raise
        self.client.tell(Seated(join.id, room.table.seats_of([join.key])[0]))

    async def _rematch(self, request: Rematch, room: Room) -> None:
        opened = room.table.again(self.client.keys, _today())
        async with room.rematching:
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
        raise Refused("present", "This player is at the table, or was a moment ago.")


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

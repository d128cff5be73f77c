"""A room: a table with the people who are connected to it. Each room does one thing after the other.

A request is judged, its event is written to disk, and only then does anybody see it. Bots and chance are driven by
the room itself, off the event loop and at a human pace.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from itertools import takewhile
from random import Random, SystemRandom

import msgspec

from qwixx.bots import BOTS
from qwixx.match import Player, RandomSource
from qwixx.rules import Action, State, chance, legal_actions, view
from qwixx.server.events import (
    AnyEvent,
    Chose,
    Event,
    Rolled,
    decode_event,
    encode_event,
)
from qwixx.server.fanout import Alone, AnyNews, Fanout, Happened, Here, Who
from qwixx.server.logs import about
from qwixx.server.metrics import BOT_SECONDS, ERRORS, REFUSALS
from qwixx.server.protocol import (
    AnyAnswer,
    Refusal,
    TableView,
    Update,
)
from qwixx.server.storage import ConflictError, Storage, StorageError
from qwixx.server.table import Table

CLOCK_BOT = "medium"
"""Who chooses for a player whose time is up."""
MOST_WAITING = 64
"""Answers that may wait for a slow reader before it is cut off."""
GRACE = 3.0
"""Seconds after which somebody who lost the connection counts as away: a reload takes less."""
GATHERING = 0.1
"""Seconds in which comings and goings are gathered before everybody is told."""
BEAT = 5.0
"""Seconds after which a process tells the others again who is here; after three of them without a word it is gone."""
REST = 10.0
"""Seconds after which a table where nobody is and nothing happens leaves the memory."""
PATIENCE = 5.0
"""Seconds that a game waits for what its players add to the dice; the page adds it at once."""
RETRY = 1.0
"""Seconds until the table tries again to write down what could not be kept."""

log = logging.getLogger("qwixx.server")


@dataclass(frozen=True)
class Means:
    """What every room of a process works with.

    `luck` is where secrets and the bots' whims come from: the system's own source, but for tests. `grace` are the
    seconds after which somebody who lost the connection counts as away, `patience` those that a game waits for words.
    `fanout` leads to other processes that serve the same tables.
    """

    storage: Storage
    pace: float = 0.6
    luck: Random = field(default_factory=SystemRandom)
    grace: float = GRACE
    patience: float = PATIENCE
    fanout: Fanout = field(default_factory=Alone)


@dataclass(eq=False)
class Client:
    """One connection: the keys it showed, the last version it was told, and what waits to be said.

    How the table stands is said once, however often it changed meanwhile; answers are said one by one.
    """

    keys: list[str] = field(default_factory=list)
    held: tuple[int, tuple[int, ...]] | None = None
    """The seats that the keys open, as of how many had been taken."""
    seen: int = 0
    room: "Room | None" = None
    behind: bool = False
    cut_off: bool = False
    answers: list[AnyAnswer] = field(default_factory=list)
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, answer: AnyAnswer) -> None:
        """Puts an answer in line; a reader who lets it grow too long is cut off."""
        if isinstance(answer, Refusal):
            REFUSALS.labels(answer.code).inc()
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


class Soon:
    """Things to be done without waiting for them. What cannot be read now is read when the tables are looked up."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def do(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(self._quietly(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _quietly(self, work: Coroutine[None, None, None]) -> None:
        with contextlib.suppress(StorageError):
            await work


class Room:
    """One table and its clients."""

    def __init__(self, table_id: str, table: Table, means: Means) -> None:
        self.id, self.table, self.storage, self.pace = table_id, table, means.storage, means.pace
        self.luck, self.grace, self.patience, self.fanout = means.luck, means.grace, means.patience, means.fanout
        self.clients: set[Client] = set()
        self.rematching = asyncio.Lock()
        self._turn = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        self._bots: dict[tuple[int, str], Player] = {}
        self._added = asyncio.Event()
        self._clock: asyncio.TimerHandle | None = None
        self._overdue = 0
        self._gathering: asyncio.TimerHandle | None = None
        self._left_at: dict[int, float] = {}
        self._elsewhere: dict[str, tuple[Here, float]] = {}
        self._soon = Soon()
        self.used_at = asyncio.get_running_loop().time()
        self._views: dict[tuple[int, ...], TableView] = {}
        self.wind_clock()

    async def act(self, request: Callable[[Table], Event | None]) -> Event | None:
        """Judges a request against the table as it is now; what it grants is written, then told to everybody, together
        with the dice that follow from it."""
        before = self.table.version
        try:
            async with self._turn:
                event = await self._write(request)
                if event is not None:
                    await self._follow()
                return event
        finally:
            if self.table.version > before:
                self._moved_on()

    async def _follow(self) -> None:
        """Rolls at once where that is all there is to do; what cannot be kept just now is rolled later."""
        with contextlib.suppress(StorageError):
            while self.table.chance_is_due() and not self.table.awaits_words():
                await self._write(self._roll)

    def _moved_on(self) -> None:
        """Something happened: whoever is concerned is told."""
        self.used_at = asyncio.get_running_loop().time()
        (self._added.clear if self.table.awaits_words() else self._added.set)()
        self.tell_everybody()
        self.drive()

    async def catch_up(self, version: int | None = None, event: AnyEvent | None = None) -> None:
        """Takes in what others have written since: the event of that version, or whatever the storage has."""
        before = self.table.version
        if version is not None and version <= before:
            return
        try:
            async with self._turn:
                if event is not None and version == self.table.version + 1:
                    self._apply(event)
                else:
                    await self._read_on()
        finally:
            if self.table.version > before:
                self._moved_on()

    async def _read_on(self) -> None:
        for event in await self.storage.read(self.id, self.table.version):
            self._apply(event)

    def _apply(self, event: Event) -> None:
        asked_at = self.table.asked_at
        self.table.apply(event)
        if self.table.asked_at != asked_at:
            self.wind_clock()

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
                await self._read_on()
                continue
            self._apply(event)
            if self.fanout.shared:
                told = Happened(self.fanout.worker, self.table.version, msgspec.Raw(encode_event(event)))
                self.fanout.tell(self.id, told)
            return event

    def enter(self, client: Client, since: int) -> None:
        """A client comes in and is told what happened since it last looked."""
        self.clients.add(client)
        client.room = self
        client.seen = since if 0 <= since <= self.table.version else 0
        self._views.clear()
        client.has_news()
        self.tell_others()
        self._gather(GATHERING)

    def leave(self, client: Client) -> None:
        """A client goes; whoever does not return in a while is away."""
        self.clients.discard(client)
        client.room = None
        self.used_at = asyncio.get_running_loop().time()
        for seat in self.held_by(client):
            self._left_at[seat] = self.used_at
        self.tell_others()
        self._gather(max(GATHERING, self.grace))

    def _gather(self, seconds: float) -> None:
        """Tells everybody of comings and goings in a while, all at once."""
        loop = asyncio.get_running_loop()
        if self._gathering is not None and self._gathering.when() > loop.time():
            if self._gathering.when() >= loop.time() + seconds:
                return
            self._gathering.cancel()
        self._gathering = loop.call_later(seconds, self.tell_everybody)

    def hear(self, news: AnyNews) -> None:
        """Another process tells of this table."""
        match news:
            case Happened(_, version, event):
                self._soon.do(self.catch_up(version, decode_event(bytes(event))))
            case Who():
                self.tell_others()
            case Here(worker, seats, watching):
                known = self._elsewhere.get(worker)
                self._elsewhere[worker] = news, asyncio.get_running_loop().time() + 3 * BEAT
                if known is None or (known[0].seats, known[0].watching) != (seats, watching):
                    self._gather(GATHERING)

    def tell_others(self) -> None:
        """The other processes are to hear who is connected to this one."""
        if self.fanout.shared:
            seats = {seat for client in self.clients for seat in self.held_by(client)}
            self.fanout.tell(self.id, Here(self.fanout.worker, tuple(sorted(seats)), self._watching()))

    def held_by(self, client: Client) -> tuple[int, ...]:
        """The seats that a client holds; worked out anew when somebody has sat down."""
        if client.held is None or client.held[0] != self.table.seated:
            client.held = self.table.seated, self.table.seats_of(client.keys)
        return client.held[1]

    def _watching(self) -> int:
        return sum(not self.held_by(client) for client in self.clients)

    def forget_the_silent(self) -> None:
        """Processes that have not been heard of for long are gone, and so is whoever was connected to them."""
        now = asyncio.get_running_loop().time()
        silent = [worker for worker, (_, until) in self._elsewhere.items() if until < now]
        for worker in silent:
            del self._elsewhere[worker]
        if silent:
            self.tell_everybody()

    def tell_everybody(self) -> None:
        """Every client is to hear how the table stands."""
        self._views.clear()
        for client in self.clients:
            client.has_news()

    def update(self, client: Client) -> Update:
        """What is new to a client, and how the table stands."""
        new = list(takewhile(lambda note: note.version > client.seen, reversed(self.table.notes)))
        notes, client.seen = tuple(reversed(new)), self.table.version
        return Update(notes, msgspec.structs.replace(self._view(self.held_by(client)), left=self._left()))

    def _view(self, held: tuple[int, ...]) -> TableView:
        if held not in self._views:
            here = [seat for seat in range(len(self.table.seats)) if self.present(seat)]
            watching = self._watching() + sum(there.watching for there, _ in self._elsewhere.values())
            self._views[held] = self.table.view(self.id, held, here, watching)
        return self._views[held]

    @property
    def seats(self) -> int:
        return len(self.table.seats)

    def connections(self, seat: int) -> int:
        """How many clients of this process hold a seat."""
        return sum(seat in self.held_by(client) for client in self.clients)

    def present(self, seat: int) -> bool:
        """Whether somebody who holds this seat is connected, or was a moment ago."""
        if self.connections(seat):
            return True
        if any(seat in there.seats for there, _ in self._elsewhere.values()):
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
        if (self._driver is None or self._driver.done()) and (self.table.chance_is_due() or self._bot_to_choose()):
            self._driver = asyncio.create_task(self._drive(), context=Context())  # it is nobody's request
            self._driver.add_done_callback(_told_if_broken)

    async def stop(self) -> None:
        for timer in (self._clock, self._gathering):
            if timer is not None:
                timer.cancel()
        tasks = [task for task in (self._driver, *self._soon.tasks) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def rests(self) -> bool:
        """Whether nobody is here and nothing goes on."""
        busy = self._driver is not None and not self._driver.done()
        return not self.clients and not busy and asyncio.get_running_loop().time() > self.used_at + REST

    async def _drive(self) -> None:
        with about(table=self.id):
            await self._drive_on()

    async def _drive_on(self) -> None:
        going_on = True
        while going_on:
            try:
                going_on = await self._one_step()
            except StorageError as error:
                log.warning("a choice or a roll could not be kept, trying again: %s", error)
                await asyncio.sleep(RETRY)

    async def _one_step(self) -> bool:
        """One thing that nobody at the table has to decide; False when there is none."""
        if self.table.chance_is_due():
            await self._wait_for_words()
            await self.act(self._roll)
            return True
        due = self._bot_to_choose()
        return due is not None and await self._let_bot_choose(*due)

    def _bot_to_choose(self) -> tuple[int, str] | None:
        """A seat for which a bot has to choose now, and which one."""
        late = CLOCK_BOT if self._overdue == self.table.asked_at else ""
        due = ((seat, self.table.played_by.get(seat) or late) for seat in self.table.undecided())
        return next(((seat, bot) for seat, bot in due if bot), None)

    async def _wait_for_words(self) -> None:
        if self.table.awaits_words():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._added.wait(), self.patience)

    def _roll(self, table: Table) -> Rolled | None:
        if not table.chance_is_due() or table.state is None:
            return None
        return Rolled(str(table.fair_outcome() or RandomSource(self.luck).draw(chance(table.state))))

    async def _let_bot_choose(self, seat: int, kind: str) -> bool:
        table, asked_at, late = self.table, self.table.asked_at, seat not in self.table.played_by
        if table.state is None:
            return False
        bot = self._bots.setdefault((seat, kind), BOTS[kind](self.luck))
        seen, legal = view(table.state, seat), legal_actions(table.state, seat)
        thought = asyncio.to_thread(_timed_choice, bot, seen, seat, legal)
        action, _ = await asyncio.gather(thought, asyncio.sleep(self.pace))

        def still_wanted(now: Table) -> Chose | None:
            wanted = now.asked_at == asked_at and (late or seat in now.played_by) and seat in now.undecided()
            return Chose(seat, str(action), by_clock=late) if wanted else None

        await self.act(still_wanted)
        return True


def _timed_choice(bot: Player, seen: State, seat: int, legal: Sequence[Action]) -> Action:
    with BOT_SECONDS.time():
        return bot.choose(seen, seat, legal)


def _told_if_broken(driver: "asyncio.Task[None]") -> None:
    """A table that does not go on by itself is a fault of ours, and must not stand still in silence."""
    if not driver.cancelled() and driver.exception():
        ERRORS.labels("table").inc()
        log.error("a table does not go on", exc_info=driver.exception())

"""Random clients come, go, choose, take back and return; the table must say what the engine says, to each its own."""

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from qwixx.boards import find_variant
from qwixx.record import state_json
from qwixx.rules import (
    Action,
    State,
    acting_seats,
    apply_chance,
    apply_choices,
    legal_actions,
    new_game,
    parse_action,
    parse_outcome,
    view,
)
from qwixx.server.events import (
    Added,
    AnyEvent,
    Chose,
    Event,
    Filled,
    Handed,
    Joined,
    Opened,
    Rematched,
    Rolled,
    TookBack,
)
from qwixx.server.events import decode_event as decoded
from qwixx.server.events import encode_event as encoded
from qwixx.server.protocol import (
    Add,
    AnyAnswer,
    AnyRequest,
    Choose,
    Done,
    HandOver,
    Hello,
    Join,
    NewSeat,
    NewTable,
    Refusal,
    Seated,
    TableView,
    TakeBack,
    Update,
)
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.session import Session
from qwixx.server.storage import ConflictError

T = TypeVar("T")
GAMES = ["classic", "mixx-a", "longo", "card-joker", "mini"]


class Memory:
    """Keeps events as the disk would: as bytes."""

    def __init__(self) -> None:
        self.tables: dict[str, list[bytes]] = {}

    async def append(self, table: str, version: int, event: Event) -> None:
        kept = self.tables.setdefault(table, [])
        if len(kept) != version - 1:
            raise ConflictError
        kept.append(encoded(event))

    async def read(self, table: str, after: int = 0) -> list[AnyEvent]:
        return [decoded(data) for data in self.tables.get(table, [])[after:]]

    async def versions(self, tables: Sequence[str]) -> dict[str, int]:
        return {table: len(self.tables[table]) for table in tables if table in self.tables}

    async def close(self) -> None:
        pass


class Engine:
    """The game by the rules alone, from the events that were kept."""

    def __init__(self) -> None:
        self.version = 0
        self.state: State | None = None
        self.pending: dict[int, Action] = {}
        self.asked_at = 1
        self.free = 0
        self.begun = False

    def catch_up(self, events: list[AnyEvent]) -> None:
        for event in events:
            self.version += 1
            self._take(self.version, event)

    def _take(self, version: int, event: AnyEvent) -> None:
        match event:
            case Opened():
                self.opened = event
                self.free = sum(seat.kind == "open" for seat in event.seats)
            case Joined() | Filled():
                self.free -= 1
            case Rolled(outcome):
                assert self.state
                self.begun = True
                self._moved(version, apply_chance(self.state, parse_outcome(outcome)))
            case TookBack(seat):
                del self.pending[seat]
            case Chose(seat, action):
                self._chose(version, seat, parse_action(action))
            case Handed() | Added() | Rematched():
                pass
            case _:
                raise AssertionError(event)
        if self.state is None and not self.free:
            self.state = new_game(find_variant(self.opened.variant), len(self.opened.seats))

    def _chose(self, version: int, seat: int, action: Action) -> None:
        assert self.state
        assert action in legal_actions(self.state, seat)
        self.pending[seat] = action
        if set(self.pending) == set(acting_seats(self.state)):
            self._moved(version, apply_choices(self.state, self.pending))

    def _moved(self, version: int, state: State) -> None:
        self.state, self.pending, self.asked_at = state, {}, version


class Person:
    """A client: what it holds, what it was told last, and every note it ever heard."""

    def __init__(self, rooms: Rooms, keys: list[str]) -> None:
        self.session, self.keys = Session(rooms), keys
        self.table: TableView | None = None
        self.versions: list[int] = []
        self.seen = 0
        self.answers: list[AnyAnswer] = []

    def hear(self) -> None:
        assert not self.session.client.cut_off, "nobody here is slow"
        for answer in self.session.client.take():
            if isinstance(answer, Update):
                self.table, self.seen = answer.table, answer.table.version
                self.versions += [note.version for note in answer.notes]
            else:
                self.answers.append(answer)


async def goes(person: Person) -> None:
    person.session.leave()


class Clients(RuleBasedStateMachine):
    @initialize(
        luck=st.integers(0, 1000),
        game=st.sampled_from(GAMES),
        kinds=st.lists(st.sampled_from(["person", "open", "bot"]), min_size=2, max_size=3),
    )
    def open_table(self, luck: int, game: str, kinds: list[str]) -> None:
        self.loop = asyncio.new_event_loop()
        self.storage = Memory()
        self.luck = Random(luck)
        self.rooms = Rooms(Means(self.storage, pace=0, luck=self.luck, grace=0, patience=0))
        self.model = Engine()
        self.people: list[Person] = []
        seats = tuple(
            NewSeat(kind, "" if kind == "open" else f"Seat {seat}", "skip-2" if kind == "bot" else "")  # type: ignore[arg-type]
            for seat, kind in enumerate(kinds)
        )
        opened = self.run(self.rooms.open_table(NewTable(game, seats)))
        self.table = opened.table
        self.keys = dict(opened.keys)
        self.settle()
        self.comes(list(self.keys.values()))

    def comes(self, keys: list[str]) -> None:
        person = Person(self.rooms, keys)
        self.people.append(person)
        assert self.ask(person, Hello(1, self.table, tuple(keys))) is None

    def run(self, work: Coroutine[None, None, T]) -> T:
        return self.loop.run_until_complete(work)

    def settle(self) -> None:
        """Lets the bots and the dice do what is due."""

        async def quiet() -> None:
            room = await self.rooms.room(self.table)
            while room._driver is not None and not room._driver.done():
                await asyncio.sleep(0)
                self.everybody_hears()
            self.everybody_hears()

        self.run(quiet())

    def engine(self) -> Engine:
        self.model.catch_up(self.run(self.storage.read(self.table, self.model.version)))
        return self.model

    def everybody_hears(self) -> None:
        for person in self.people:
            person.hear()

    def ask(self, person: Person, request: AnyRequest) -> AnyAnswer | None:
        """The answer to a request; what everybody is told besides is heard by everybody."""
        self.run(person.session.handle(request))
        self.settle()
        return person.answers.pop() if person.answers else None

    @rule(seats=st.sets(st.integers(0, 2)), wrong=st.booleans())
    def somebody_comes(self, seats: set[int], wrong: bool) -> None:
        keys = [self.keys[seat] for seat in seats if seat in self.keys] + (["no such key"] if wrong else [])
        self.comes(keys)

    @rule(data=st.data())
    def somebody_returns(self, data: st.DataObject) -> None:
        """The connection breaks, events pass by, and the client says what it saw last."""
        person = data.draw(st.sampled_from(self.people))
        self.run(goes(person))
        person.session = Session(self.rooms)
        assert self.ask(person, Hello(2, self.table, tuple(person.keys), person.seen)) is None

    @precondition(lambda self: len(self.people) > 1)
    @rule(data=st.data())
    def somebody_goes(self, data: st.DataObject) -> None:
        person = data.draw(st.sampled_from(self.people))
        self.run(goes(person))
        self.people.remove(person)

    @rule(data=st.data())
    def somebody_joins(self, data: st.DataObject) -> None:
        person, free = data.draw(st.sampled_from(self.people)), self.engine().free
        key = f"the key of newcomer {len(self.keys)}"
        answer = self.ask(person, Join(3, "Newcomer", key))
        if free:
            assert isinstance(answer, Seated)
            assert self.ask(person, Join(4, "Newcomer", key)) == Seated(4, answer.seat), "asking again is harmless"
            person.keys = [*person.keys, key]
            self.keys[answer.seat] = key
        else:
            assert isinstance(answer, Refusal)
            assert answer.code == "full"

    @rule(data=st.data(), seat=st.integers(0, 3), stale=st.booleans())
    def somebody_chooses(self, data: st.DataObject, seat: int, stale: bool) -> None:
        person, engine = data.draw(st.sampled_from(self.people)), self.engine()
        known = engine.state is not None and seat < len(engine.state.sheets)
        legal = [str(action) for action in legal_actions(engine.state, seat)] if known and engine.state else []
        action = data.draw(st.sampled_from([*legal, "R7", "pass"]))
        version = engine.asked_at - 1 if stale else person.seen
        answer = self.ask(person, Choose(4, seat, action, version))
        holds = seat in self.keys and self.keys[seat] in person.keys
        repeated = engine.pending.get(seat) == parse_action(action)
        granted = holds and action in legal and (repeated or engine.asked_at <= version <= engine.version)
        assert isinstance(answer, Done if granted else Refusal), answer

    @rule(data=st.data(), seat=st.integers(0, 3))
    def somebody_adds_to_the_dice(self, data: st.DataObject, seat: int) -> None:
        person, engine = data.draw(st.sampled_from(self.people)), self.engine()
        before = person.table.fair.added.get(seat) if person.table and person.table.fair else None
        answer = self.ask(person, Add(8, seat, f"word-{engine.version}"))
        holds = seat in self.keys and self.keys[seat] in person.keys
        assert isinstance(answer, Done if holds and (before or not engine.begun) else Refusal), answer
        assert person.table
        assert person.table.fair
        added = f"word-{engine.version}" if isinstance(answer, Done) and not before else before
        assert person.table.fair.added.get(seat) == added

    @rule(data=st.data(), seat=st.integers(0, 3))
    def somebody_takes_back(self, data: st.DataObject, seat: int) -> None:
        person, engine = data.draw(st.sampled_from(self.people)), self.engine()
        acting = engine.state is not None and seat in acting_seats(engine.state)
        answer = self.ask(person, TakeBack(5, seat))
        holds = seat in self.keys and self.keys[seat] in person.keys
        enough = isinstance(answer, Refusal) and answer.code == "slow-down"
        assert enough or isinstance(answer, Done if holds and acting else Refusal), answer

    @rule(data=st.data(), seat=st.integers(0, 2))
    def a_bot_is_asked_to_stand_in(self, data: st.DataObject, seat: int) -> None:
        person = data.draw(st.sampled_from(self.people))
        answer = self.ask(person, HandOver(6, seat, "skip-1"))
        assert isinstance(answer, Done | Refusal)

    @rule()
    def the_server_restarts(self) -> None:
        self.run(self.rooms.close())
        self.rooms = Rooms(Means(self.storage, pace=0, luck=self.luck, grace=0, patience=0))
        for person in self.people:
            person.session = Session(self.rooms)
            assert self.ask(person, Hello(7, self.table, tuple(person.keys), person.seen)) is None
        self.settle()

    @invariant()
    def everybody_sees_what_the_engine_says(self) -> None:
        if not hasattr(self, "table"):
            return
        engine = self.engine()
        for person in self.people:
            table = person.table
            assert table
            assert table.version == len(self.storage.tables[self.table])
            assert person.versions == sorted(person.versions)
            self._check_view(person, table, engine)

    def _check_view(self, person: Person, table: TableView, engine: Engine) -> None:
        held = sorted(seat for seat, key in self.keys.items() if key in person.keys)
        assert list(table.you) == held
        if engine.state is None:
            assert table.state is None
            return
        assert table.state == state_json(view(engine.state, None)), "no secret is ever sent"
        for seat in held:
            own = view(engine.state, seat)
            assert table.legal[seat] == tuple(map(str, legal_actions(own, seat)))
            assert table.hands[seat] == (tuple(map(str, own.cards.hands[seat])) if own.cards else ())
            assert table.chosen.get(seat) == (str(engine.pending[seat]) if seat in engine.pending else None)
        assert [seat.decided for seat in table.seats] == [n in engine.pending for n in range(len(table.seats))]

    def teardown(self) -> None:
        if hasattr(self, "rooms"):
            self.run(self.rooms.close())
            self.loop.close()


TestClients = Clients.TestCase
TestClients.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)

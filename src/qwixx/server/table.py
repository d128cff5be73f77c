"""A table as a fold over its events: who sits where, the game, what has been chosen and not yet settled.

No I/O, no clock, no randomness. Requests are judged here, in one order: known action, right key, game not over, your
turn, legal, not stale. What passes becomes an event; what does not changes nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec

from qwixx.match import changes
from qwixx.record import BOT_MARK, Fair, Game, checked_name, checked_word, state_json
from qwixx.record import Event as GameEvent
from qwixx.rules import (
    PASS,
    Action,
    Node,
    Outcome,
    Phase,
    QwixxError,
    Reason,
    State,
    Take,
    Variant,
    acting_seats,
    chance,
    closed_rows,
    node,
    parse_action,
    parse_mark,
    parse_outcome,
    refusal,
    why_not,
)
from qwixx.rules.paper import closed_refusal, roll_refusal
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
    SeatPlan,
    Told,
    TookBack,
)
from qwixx.server.keys import fits, hashed
from qwixx.server.opening import variant_of
from qwixx.server.paper import PaperGame
from qwixx.server.protocol import FairView, History, Note, NoteKind, Refused, SeatView, Step, TableView
from qwixx.server.sight import Sight

BOT_NAME = "Bot"
MOST_RECONSIDERED = 20
"""How often one may change one's mind about one choice: a list of events must not grow without end."""


@dataclass
class Table:
    """`version` counts the events, `asked_at` is the version since which the same thing is being decided.

    The game is there once every seat is taken.
    """

    opened: Opened
    variant: Variant
    seats: list[SeatPlan]
    version: int = 1
    asked_at: int = 1
    game: Game | PaperGame | None = None
    pending: dict[int, Action] = field(default_factory=dict)
    reconsidered: dict[int, int] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    rematch: str = ""
    played_by: dict[int, str] = field(default_factory=dict)
    added: dict[int, str] = field(default_factory=dict)
    seated: int = 0
    """How often somebody has taken a seat."""
    _fair: Fair | None = None
    _sight: Sight = field(default_factory=lambda: Sight(None))

    @classmethod
    def replay(cls, events: Sequence[AnyEvent]) -> "Table":
        """The table that these events led to."""
        opened = events[0]
        if not isinstance(opened, Opened):
            raise TypeError("a table begins with being opened")
        table = cls(opened, variant_of(opened), list(opened.seats))
        table.played_by = {seat: plan.bot for seat, plan in enumerate(table.seats) if plan.kind == "bot"}
        table.added = {seat: plan.word for seat, plan in enumerate(table.seats) if plan.word}
        table._begin_if_full()
        for event in events[1:]:
            table.apply(event)
        return table

    @property
    def state(self) -> State | None:
        return self.game.state if self.game else None

    @property
    def over(self) -> bool:
        return self.state is not None and self.state.phase is Phase.OVER

    def apply(self, event: Event) -> None:
        """Folds one more event in. What was judged before it was kept cannot fail here."""
        self.version += 1
        match event:
            case Joined() | Filled() | Added() | Handed():
                self._apply_to_seat(event)
            case Rolled(outcome):
                again = self._forget_the_roll()
                shown = outcome if not outcome.startswith("shuffle") else "shuffle"
                self._note("corrected" if again else "rolled", text=shown)
                self._move_on(parse_outcome(outcome))
            case Told(row):
                self._tell(row)
            case TookBack(seat):
                self._drop_choice(seat)
                self._note("took-back", seat=seat)
            case Chose(seat, action, by_clock):
                if seat in self.pending:
                    self._drop_choice(seat)
                self.pending[seat] = parse_action(action)
                self._note("clock" if by_clock else "decided", seat=seat)
                self._settle_if_all_chose()
            case Rematched(table):
                self.rematch = table
                self._note("rematch", text=table)
            case _:
                raise TypeError(f"{event} does not fit this table")

    def _apply_to_seat(self, event: Joined | Filled | Added | Handed) -> None:
        match event:
            case Joined(seat, name, key):
                self._add(seat, "")
                self._sit(seat, SeatPlan("person", name=name, key=key))
            case Filled(seat, name, bot):
                self.played_by[seat] = bot
                self._sit(seat, SeatPlan("bot", name=name, bot=bot))
            case Added(seat, word):
                self._add(seat, word)
            case Handed(seat, bot):
                self.played_by.pop(seat, None)
                if bot:
                    self.played_by[seat] = bot
                self._note("handed", seat=seat, text=bot)

    def _add(self, seat: int, word: str) -> None:
        """What a seat adds takes the place of what was there; an empty word takes it away."""
        self.added.pop(seat, None)
        if word:
            self.added[seat] = word
        self._fair = None

    def _sit(self, seat: int, plan: SeatPlan) -> None:
        self.seats[seat] = plan
        self.seated += 1
        self._note("joined", seat=seat, text=plan.name)
        self._begin_if_full()

    def _drop_choice(self, seat: int) -> None:
        self.pending.pop(seat)
        self.reconsidered[seat] = self.reconsidered.get(seat, 0) + 1

    def _settle_if_all_chose(self) -> None:
        if not self.undecided() and self.state is not None:
            settled = {seat: told(self.state, self.pending[seat]) for seat in sorted(self.pending)}
            self._note("settled", choices=settled)
            self._move_on(self.pending)

    def _move_on(self, event: GameEvent) -> None:
        if self.game is None:
            raise TypeError("the game has not begun")
        self._moved(self.game.state, self.game.apply(event))

    def _tell(self, row: int | None) -> None:
        if not isinstance(self.game, PaperGame):
            raise TypeError("this is no table of paper")
        self._moved(self.game.state, self.game.told(row))

    def _moved(self, before: State, after: State) -> None:
        for change in changes(before, after):
            self._note(change.kind, seat=change.seat, row=change.row)
        self.pending, self.reconsidered = {}, {}
        self.asked_at = self.version

    def _forget_the_roll(self) -> bool:
        """A roll that is entered while one lies on the table corrects it."""
        if self.game is None or self.game.state.phase is not Phase.WHITE:
            return False
        self.game = self.game.at(len(self.game.events) - 1)
        return True

    def _note(
        self,
        kind: NoteKind,
        *,
        seat: int | None = None,
        row: int | None = None,
        text: str = "",
        choices: dict[int, str] | None = None,
    ) -> None:
        self.notes.append(Note(self.version, kind, seat, row, text, choices or {}))

    def _begin_if_full(self) -> None:
        if self.game is None and all(plan.kind != "open" for plan in self.seats):
            names = [plan.name for plan in self.seats]
            on_paper = self.opened.dice == "paper"
            self.game = (PaperGame if on_paper else Game)(self.variant, names, self.opened.date)

    def seats_of(self, keys: Sequence[str]) -> tuple[int, ...]:
        """The seats that some keys open."""
        shown = [hashed(key) for key in keys]
        return tuple(seat for seat, plan in enumerate(self.seats) if any(fits(each, plan.key) for each in shown))

    def undecided(self) -> tuple[int, ...]:
        """The acting seats that have not chosen yet."""
        return tuple(seat for seat in acting_seats(self.state) if seat not in self.pending) if self.state else ()

    def chance_is_due(self) -> bool:
        """Whether the server has to roll, deal or shuffle now; real dice are rolled by people."""
        if self.state is None or node(self.state) is not Node.CHANCE:
            return False
        return self.opened.dice == "server" or self.state.phase is not Phase.ROLL

    @property
    def fair(self) -> Fair | None:
        """Where chance comes from; nothing at tables from before there was a secret."""
        if self._fair is None and self.opened.secret:
            self._fair = Fair(self.opened.secret, tuple(self.added.get(seat, "") for seat in range(len(self.seats))))
        return self._fair

    def awaits_words(self) -> bool:
        """Whether the game is about to begin and somebody has not added to its dice yet."""
        if self.fair is None or self.game is None or self.game.events or self.opened.dice != "server":
            return False
        return any(plan.kind == "person" and seat not in self.added for seat, plan in enumerate(self.seats))

    def fair_outcome(self) -> Outcome | None:
        """What the secret and the words have chance decide now."""
        fair, game = self.fair, self.game
        if fair is None or game is None or not self.chance_is_due():
            return None
        return fair.outcome(game.state, sum(not isinstance(event, dict) for event in game.events))

    def record(self) -> Game:
        """The finished game with everything that it was made of; before the end it would tell what is hidden."""
        if not self.over or not isinstance(self.game, Game):
            raise Refused("turn", "The record can be had when a game is over whose sheets are all kept here.")
        if self.opened.dice == "server":
            self.game.fair = self.fair
        return self.game

    def view(
        self, table_id: str, you: Sequence[int], here: Collection[int], watching: int = 0, left: float | None = None
    ) -> TableView:
        """What a client with those seats may see; `here` are the seats whose people are connected."""
        sight, own = self.sight, {seat: self.sight.own(seat) for seat in you}
        return TableView(
            id=table_id,
            version=self.version,
            asked_at=self.asked_at,
            variant=self.variant.key,
            dice=self.opened.dice,
            clock=self.opened.clock,
            left=left,
            watching=watching,
            rematch=self.rematch,
            seats=tuple(self._seat_view(seat, seat in here) for seat in range(len(self.seats))),
            you=tuple(you),
            state=sight.public,
            to_roll=sight.to_roll,
            hands={seat: sees.hand for seat, sees in own.items()},
            legal={seat: sees.legal for seat, sees in own.items()},
            misthrows={seat: sees.misthrows for seat, sees in own.items()},
            chosen={seat: str(self.pending[seat]) for seat in you if seat in self.pending},
            fair=self._fair_view(),
        )

    @property
    def sight(self) -> Sight:
        """What there is to see of the state as it is now."""
        if self._sight.state is not self.state:
            self._sight = Sight(self.state)
        return self._sight

    def _fair_view(self) -> FairView | None:
        fair = self.fair
        if fair is None or self.opened.dice != "server":
            return None
        return FairView(fair.commitment, dict(self.added), fair.secret if self.over else "")

    def _seat_view(self, seat: int, here: bool) -> SeatView:
        plan = self.seats[seat]
        away = plan.kind == "person" and not here
        return SeatView(plan.name, plan.kind, self.played_by.get(seat, ""), away, seat in self.pending)

    def explain(self, keys: Sequence[str], seat: int, cell: str) -> Reason | None:
        """Why a cell of one's own sheet is not available now; None if it is."""
        self._known(seat)
        if seat not in self.seats_of(keys):
            raise Refused("key", "This seat belongs to somebody else.")
        if self.state is None:
            raise Refused("waiting", "The game begins when every seat is taken.")
        try:
            return why_not(self.state, seat, parse_mark(cell))
        except QwixxError as error:
            raise Refused("malformed", str(error)) from None

    def add(self, keys: Sequence[str], seat: int, word: str) -> Added | None:
        """A seat adds a word to the dice; None if it has added one already, which stays."""
        self._known(seat)
        if seat not in self.seats_of(keys):
            raise Refused("key", "This seat belongs to somebody else.")
        if seat in self.added:
            return None
        if self.game is not None and self.game.events:
            raise Refused("turn", "The dice follow from what was added before the game began.")
        if word.startswith(BOT_MARK):
            raise Refused("malformed", f"Words that begin with {BOT_MARK} are for the server's own bots.")
        try:
            return Added(seat, checked_word(word))
        except QwixxError as error:
            raise Refused("malformed", str(error)) from None

    def join(self, seat: int | None, name: str, key: str) -> Joined:
        """Somebody takes an open seat, the named one or the first."""
        taken = [number for number, plan in enumerate(self.seats) if plan.kind == "open"]
        if not taken:
            raise Refused("full", "Every seat of this table is taken.")
        if seat is not None and seat not in taken:
            raise Refused("taken", "This seat is taken.")
        try:
            checked_name(name)
        except QwixxError as error:
            raise Refused("name", str(error)) from None
        return Joined(taken[0] if seat is None else seat, name, hashed(key))

    def choose(self, keys: Sequence[str], seat: int, action: str, version: int) -> Chose | None:
        """A seat chooses, or chooses otherwise while nothing is settled; None if it chose just that already, which
        is harmless."""
        try:
            wanted = parse_action(action)
        except QwixxError as error:
            raise Refused("malformed", str(error)) from None
        state = self._judged(keys, seat)
        if self.pending.get(seat) == wanted:
            return None
        reason = refusal(state, seat, wanted)
        if reason is not None:
            raise Refused("illegal", f"{reason}.", reason)
        if not self.asked_at <= version <= self.version:
            raise Refused("stale", "The table has moved on since; have another look.")
        self._may_reconsider(seat)
        return Chose(seat, str(wanted))

    def take_back(self, keys: Sequence[str], seat: int) -> TookBack | None:
        """A seat takes its choice back while the action is not settled; None if there is none."""
        self._judged(keys, seat)
        self._may_reconsider(seat)
        return TookBack(seat) if seat in self.pending else None

    def _may_reconsider(self, seat: int) -> None:
        if seat in self.pending and self.reconsidered.get(seat, 0) >= MOST_RECONSIDERED:
            raise Refused("slow-down", "That is enough to and fro; this choice stands.")

    def real_roll(self, keys: Sequence[str], outcome: str) -> Rolled:
        """Somebody at the table enters the dice that were rolled."""
        try:
            rolled = parse_outcome(outcome)
        except QwixxError as error:
            raise Refused("malformed", str(error)) from None
        if not self.seats_of(keys):
            raise Refused("key", "Only a player of this table can enter the dice.")
        self._going_on()
        reason = self._roll_refusal(rolled)
        if reason is not None:
            raise Refused("illegal", f"{reason}.", reason)
        return Rolled(str(rolled))

    def _roll_refusal(self, rolled: Outcome) -> Reason | None:
        """Why those dice cannot be entered: instead of the ones on the table while action 1 is not settled, too."""
        game = self.game
        if game is None or self.opened.dice == "server" or game.state.phase not in (Phase.ROLL, Phase.WHITE):
            raise Refused("turn", "No dice are to be entered now.")
        before = game.state if game.state.phase is Phase.ROLL else game.states[-2]
        return roll_refusal(before, rolled) if self.opened.dice == "paper" else chance(before).refusal(rolled)

    def tell(self, keys: Sequence[str], row: int | None) -> Told | None:
        """The one player of a paper table tells that somebody else closed a row, or that the game is over; None if the
        row is known to be closed."""
        if not self.seats_of(keys):
            raise Refused("key", "Only the player of this sheet can tell that.")
        state = self._going_on()
        if self.opened.dice != "paper":
            raise Refused("paper", "Here every sheet is kept, so the table knows by itself.")
        try:
            reason = None if row is None else closed_refusal(state, row)
        except QwixxError as error:
            raise Refused("malformed", str(error)) from None
        if reason is not None:
            raise Refused("illegal", f"{reason}.", reason)
        return None if row is not None and closed_rows(state, 0) >> row & 1 else Told(row)

    def history(self) -> History:
        """The whole game, once it is over; before the end it would tell what is hidden."""
        if self.game is None or not self.over:
            raise Refused("turn", "The game can be looked back on when it is over.")
        states = self.game.states
        steps = [_step(event, *around) for event, around in zip(self.game.events, pairwise(states), strict=True)]
        return History(tuple(self.game.names), (Step(state_json(states[0])), *steps))

    def again(self, keys: Sequence[str], date: str) -> Opened:
        """The same seats at a new table, once this game is over and one of its players asks for it."""
        if not self.seats_of(keys):
            raise Refused("key", "Only a player of this table can ask for a rematch.")
        if not self.over:
            raise Refused("turn", "A rematch can be had when the game is over.")
        return msgspec.structs.replace(self.opened, seats=tuple(self.seats), date=date)

    def hand_over(self, keys: Sequence[str], seat: int, bot: str) -> Handed | Filled | None:
        """A player lets a bot play for a seat that is away or open, or takes the own seat back; None if it is so."""
        mine = self.seats_of(keys)
        self._known(seat)
        if mine and bot and self.seats[seat].kind == "open":
            return Filled(seat, f"{BOT_NAME} {seat + 1}", bot)
        if self.seats[seat].kind != "person" or not mine or (not bot and seat not in mine):
            raise Refused("key", "A bot may stand in for a player who is away; only that player ends it.")
        if self.over:
            raise Refused("over", "The game is over.")
        return Handed(seat, bot) if bot != self.played_by.get(seat, "") else None

    def _judged(self, keys: Sequence[str], seat: int) -> State:
        self._known(seat)
        if seat not in self.seats_of(keys):
            raise Refused("key", "This seat belongs to somebody else.")
        state = self._going_on()
        if seat not in acting_seats(state):
            reason = refusal(state, seat, PASS)
            raise Refused("turn", f"{reason}.", reason)
        return state

    def _known(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused("seat", "This table has no such seat.")

    def _going_on(self) -> State:
        if self.state is None:
            raise Refused("waiting", "The game begins when every seat is taken.")
        if self.over:
            raise Refused("over", "The game is over.")
        return self.state


def _step(event: GameEvent, before: State, after: State) -> Step:
    if isinstance(event, Mapping):
        return Step(state_json(after), choices={seat: told(before, action) for seat, action in event.items()})
    return Step(state_json(after), outcome=str(event))


def told(state: State, action: Action) -> str:
    """An action as everybody may hear of it afterwards: cards that were taken by their numbers, not by their places."""
    if isinstance(action, Take) and state.cards is not None:
        taken = [state.cards.tableau[slot] for slot in action.slots]
        return " ".join(["take", *(str(card.number) for card in taken if card)])
    return str(action)

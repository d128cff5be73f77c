"""Card games that the kernel plays side by side, as the rules see every moment in which a seat chooses."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qwixx.bots.plans import foresee, plans
from qwixx.kernel.book import BYTE, CROSS, FAR, MOST_ROWS
from qwixx.kernel.cards import ASIDE, END, NOTHING, TOP
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many, Value
from qwixx.kernel.minds import Mind
from qwixx.kernel.table import GOES_ON, MOST_HAND
from qwixx.kernel.valuenet import BEFORE, TAKEN
from qwixx.rules import Action, Deck, Mark, Phase, Play, Sheet, State, Take, Variant, acting_seats, legal_actions, view
from qwixx.rules.state import Cards
from tests.kernel.crosscheck import cell_codes, play_code


class Decision(NamedTuple):
    """A moment in which a seat chose, and what."""

    state: State
    seat: int
    action: Action


class WatchedCards(Many):
    """Writes every decision down."""

    decisions: list[Decision]
    chosen: dict[tuple[int, int], Decision]

    def _launch(self, step: str, items: int, *given: Array) -> None:
        if step == "take":
            self.note(Phase.TAKE)
        elif step == "advance":
            self.note(Phase.PLAY if given[6] else Phase.CALL)
        super()._launch(step, items, *given)

    def going(self) -> list[int]:
        return np.flatnonzero(self.courses["end"] == GOES_ON).tolist()

    def note(self, phase: Phase) -> None:
        self.chosen = {}
        for game in self.going():
            state = self.state_of(game, phase)
            for seat in acting_seats(state):
                chosen = int(self.choices[game, 2 * seat + (phase is not Phase.CALL)])
                action = next(each for each in legal_actions(state, seat) if code_of(state, each) == chosen)
                self.chosen[game, seat] = Decision(state, seat, action)
        self.decisions += self.chosen.values()

    def seen_by(self, game: int, seat: int, which: int) -> State | None:
        """How a seat sees the table at a moment, its own last choice made; None where it had none to make, or where
        that ended the game."""
        if which == BEFORE:
            return view(self.state_of(game, Phase.TAKE), seat)
        if (game, seat) not in self.chosen:
            return None
        state, _, action = self.chosen[game, seat]
        if which == TAKEN:
            return view(foresee(state, seat, [action])[0].after, seat)
        after = plans(view(state, seat), seat, [action])[0].after
        return None if after.phase is Phase.OVER else after

    def state_of(self, game: int, phase: Phase) -> State:
        """The table as the rules have it. Which cells were crossed is not known, only how many and up to where."""
        table, active = self.tables[game], int(self.courses[game]["active"])
        sheets = tuple(sheet_of(self.variant, table, seat) for seat in range(self.seats))
        crossed = phase is Phase.PLAY and bool(self.choices[game, 2 * active])
        return State(self.variant, phase, sheets, active, crossed, cards=cards_of(self.variant, table, self.seats))


def code_of(state: State, action: Action) -> int:
    """How the kernel writes an action."""
    if isinstance(action, Take):
        return sum(1 << slot for slot in action.slots)
    if isinstance(action, Play):
        assert state.cards is not None
        colours = "".join(colour.letter for colour in state.variant.colours)
        return play_code(action, state.cards.hands[state.active], colours)
    return cell_codes(state.variant)[action]


def sheet_of(variant: Variant, table: Array, seat: int) -> Sheet:
    rows, locks = [], 0
    for row, cells in enumerate(variant.rows):
        bits = int(table["rows"][MOST_ROWS * seat + row])
        closed, made = bits & BYTE == 0, bits >> CROSS & BYTE
        locks |= closed << row
        last, made = (len(cells), made - 1) if closed else (FAR - (bits & BYTE) - 1, made)
        rows.append((1 << last - 1 | (1 << made - 1) - 1) if made else 0)
    return Sheet(tuple(rows), locks, int(table["misthrows"][seat]))


def cards_of(variant: Variant, table: Array, seats: int) -> Cards:
    left = table["cards_left"]
    assert isinstance(variant.source, Deck)

    def named(cards: Array) -> tuple[Mark, ...]:
        return tuple(variant.cards[int(card)] for card in cards)

    hands = tuple(named(table["hands"][MOST_HAND * seat :][: table["held"][seat]]) for seat in range(seats))
    laid = table["laid"][: variant.source.tableau].tolist()
    tableau = tuple(None if card == NOTHING else variant.cards[card] for card in laid)
    return Cards(hands, tableau, named(table["pile"][left[TOP] : left[END]]), named(table["aside"][: left[ASIDE]]))


def watched(variant: Variant, minds: Sequence[Mind], games: int) -> WatchedCards:
    many = WatchedCards(variant, minds, games, seed=4)
    many.decisions = []
    return many


def played(many: WatchedCards, values: Sequence[Value | None]) -> list[Decision]:
    """Every decision of all games."""
    many.play(values, 0)
    return many.decisions

"""The champion: it values the table after everything it could do by a network that has learnt from its own games.

Numpy alone is needed to play; how it was trained is in train/.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from importlib.resources import as_file, files
from random import Random

import numpy as np
from numpy.typing import NDArray

from qwixx.bots.levels import FAMILIES
from qwixx.bots.plans import Plan, answers, foresee
from qwixx.kernel.valuenet import ALIGNED, BEFORE, CALLED, TAKEN, Weights, chance_of_parts, read_weights
from qwixx.rules import Action, Dice, Mark, Phase, Sheet, State, Variant, closed_rows, legal_actions, winners
from qwixx.rules.marks import HIDDEN
from qwixx.rules.sheet import crosses, score

MOST_SEATS = 8
POINTS_SCALE = 0.02
NOTHING = np.zeros(0, np.float32)
Worth = Callable[[int, Sequence[State]], NDArray[np.float64]]
"""What tables are worth to a seat."""
Line = NDArray[np.float32]


@cache
def weights_of(family: str) -> Weights:
    """The network that ships with the package."""
    with as_file(files("qwixx.bots") / "nets" / f"{family}.npz") as file:
        return read_weights(file)


@lru_cache(1 << 12)
def side_of(
    variant: Variant, sheet: Sheet, closed: int, ahead: int, seats: int, held: tuple[int, ...] | None = None
) -> Line:
    """One sheet as the network sees it: for each row its next place (0 if it is closed) and its crosses, misthrows,
    turns until its own, seats, lucky numbers, numbers of cards held, points. kernel/inputs.py writes the same."""
    longest = max(map(len, variant.rows))
    rows = np.zeros((len(variant.rows), 2 * longest + 3), np.float32)
    for row, bits in enumerate(sheet.rows):
        rows[row, 0 if closed >> row & 1 else bits.bit_length() + 1] = 1
        rows[row, longest + 1 + crosses(sheet, row)] = 1
    rest = np.zeros(variant.end.misthrows + 2 * MOST_SEATS, np.float32)
    rest[sheet.misthrows] = 1
    rest[variant.end.misthrows + ahead] = 1
    rest[variant.end.misthrows + MOST_SEATS + seats - 1] = 1
    cards = NOTHING if held is None else _counted(variant, held)
    points = np.array([POINTS_SCALE * score(variant, sheet).total], np.float32)
    return np.concatenate([rows.reshape(-1), rest, _luck(variant, sheet), cards, points])


def _luck(variant: Variant, sheet: Sheet) -> Line:
    dice = variant.source
    if not isinstance(dice, Dice) or not dice.lucky:
        return NOTHING
    numbers = np.zeros(2 * dice.sides + 1, np.float32)
    numbers[list(sheet.lucky)] = 1
    return numbers


def _counted(variant: Variant, numbers: Sequence[int]) -> Line:
    """How often each number is there."""
    return np.bincount(numbers, minlength=max(variant.by_number) + 1).astype(np.float32)


@cache
def _places(variant: Variant) -> dict[Mark, int]:
    return {card: place for place, card in enumerate(variant.cards)}


def _held(state: State, seat: int) -> Line:
    """The cards that a seat holds and has seen."""
    if state.cards is None:
        return NOTHING
    places = _places(state.variant)
    held = np.zeros(len(places), np.float32)
    held[[places[card] for card in state.cards.hands[seat] if card.colour != HIDDEN]] = 1
    return held


def _around(state: State, seat: int) -> Line:
    """The cards that a seat has not seen, the numbers in the tableau and on top of the pile, and which moment of the
    turn it is."""
    if state.cards is None:
        return NOTHING
    variant, cards, places = state.variant, state.cards, _places(state.variant)
    unseen = np.ones(len(places), np.float32)
    unseen[[places[card] for card in (*cards.hands[seat], *cards.discards) if card.colour != HIDDEN]] = 0
    laid = _counted(variant, [card.number for card in cards.tableau if card])
    moment = np.zeros(CALLED + 1, np.float32)
    moment[{Phase.CALL: TAKEN, Phase.PLAY: CALLED}.get(state.phase, BEFORE)] = 1
    return np.concatenate([unseen, laid, _counted(variant, [cards.pile[0].number]), moment])


def side_in(state: State, seat: int) -> Line:
    """A seat's side of a table."""
    seats, cards = len(state.sheets), state.cards
    held = tuple([card.number for card in cards.hands[seat]]) if cards else None
    ahead = (seat - state.active) % seats
    return side_of(state.variant, state.sheets[seat], closed_rows(state, seat), ahead, seats, held)


def inputs_of(state: State, seat: int) -> Line:
    """A table as a seat sees it: for each of the others both sides, and what it knows of the cards; then zeros."""
    own, known = side_in(state, seat), np.concatenate([_held(state, seat), _around(state, seat)])
    others = [side_in(state, other) for other in range(len(state.sheets)) if other != seat]
    rest = np.zeros(-(2 * len(own) + len(known)) % ALIGNED, np.float32)
    return np.stack([np.concatenate([own, other, known, rest]) for other in others])


class ChampionBot:
    """Takes what makes its chance to win the greatest. On another's roll it first works out what that seat will do."""

    def __init__(self, stream: Random, weights: Weights | None = None) -> None:
        self.stream, self.weights = stream, weights

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        weights = self.weights or weights_of(FAMILIES[view.variant.key])
        return best(weigh(partial(valued, weights), view, seat, legal)).action


def best(weighed: tuple[list[Plan], NDArray[np.float64]]) -> Plan:
    """Of plans and what they are worth, the best."""
    return weighed[0][int(np.argmax(weighed[1]))]


def weigh(value: Worth, view: State, seat: int, legal: Sequence[Action]) -> tuple[list[Plan], NDArray[np.float64]]:
    """What a seat could do, and what it is worth to it: what has ended counts as what it is (a shared win in parts),
    every other table by its value."""
    if view.phase is Phase.WHITE and seat != view.active:
        lead = best(weigh(value, view, view.active, legal_actions(view, view.active)))
        found = answers(view, seat, legal, lead)
    else:
        found = foresee(view, seat, legal)
    values, open_ones = np.zeros(len(found)), []
    for index, plan in enumerate(found):
        if plan.after.phase is Phase.OVER:
            ahead = winners(plan.after)
            values[index] = (seat in ahead) / len(ahead)
        else:
            open_ones.append(index)
    if open_ones:
        values[open_ones] = value(seat, [found[index].after for index in open_ones])
    return found, values


def valued(weights: Weights, seat: int, states: Sequence[State]) -> NDArray[np.float64]:
    """What the network thinks of the tables that one decision leads to. What is the same on many, the others' sides and
    the cards around, is looked at once."""
    sides: dict[tuple[int, ...], int] = {}
    around: dict[tuple[int, int, Phase], Line] = {}
    others: list[Line] = []
    mine: list[Line] = []
    which = np.zeros((len(states), len(states[0].sheets) - 1), np.intp)
    for index, state in enumerate(states):
        cards = state.cards
        closed = closed_rows(state, seat) if state.variant.lock.shared else 0
        for line, other in enumerate(other for other in range(len(state.sheets)) if other != seat):
            key = (other, id(state.sheets[other]), id(cards and cards.hands[other]), state.active, closed)
            if key not in sides:
                sides[key] = len(others)
                others.append(side_in(state, other))
            which[index, line] = sides[key]
        about = (id(cards and cards.tableau), id(cards and cards.pile), state.phase)
        if about not in around:
            around[about] = _around(state, seat)
        mine += (side_in(state, seat), _held(state, seat), around[about])
    own = np.concatenate(mine).reshape(len(states), -1)
    return chance_of_parts(weights, own, np.stack(others), which)

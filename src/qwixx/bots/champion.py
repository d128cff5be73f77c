"""The champion: it values the table after everything it could do by a network that has learnt from its own games.

To play, it needs numpy and no other library for networks; how it was trained is in train/.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from importlib.resources import as_file, files
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.bots.deals import deals
from qwixx.bots.levels import family_of
from qwixx.bots.plans import Plan, answers, foresee, plans
from qwixx.kernel.netfile import read_weights
from qwixx.kernel.valuenet import ALIGNED, BEFORE, CALLED, TAKEN, WORST, Weights, better, chance_of_parts
from qwixx.rules import (
    PASS,
    Action,
    Cards,
    Dice,
    Mark,
    Phase,
    Sheet,
    State,
    Variant,
    acting_seats,
    closed_rows,
    legal_actions,
    winners,
)
from qwixx.rules.marks import HIDDEN
from qwixx.rules.sheet import crosses, score

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

MOST_SEATS = 8
POINTS_SCALE = 0.02
THINKING = Lock()
"""Numpy's threads are limited for the whole process, so one network at a time is asked."""
Worth = Callable[[int, Sequence[State]], NDArray[np.float64]]
"""What tables are worth to a seat."""
Weighed = tuple[list[Plan], NDArray[np.float64]]
"""Plans, and what each is worth."""
Lines = NDArray[np.float32]
"""What a network reads, a line each."""


@cache
def weights_of(family: str) -> Weights:
    """The network that ships with the package."""
    with as_file(files("qwixx.bots") / "nets" / f"{family}.npz") as file:
        return read_weights(file)


class Layout(NamedTuple):
    """Where the parts of a side begin: for each row its next place (0 if it is closed) and its crosses; then
    misthrows, turns until its own, seats, lucky numbers, numbers of cards held, points. kernel/inputs.py writes the
    same."""

    crosses: int
    row: int
    misthrows: int
    ahead: int
    seats: int
    luck: int
    held: int
    points: int


@cache
def _layout(variant: Variant) -> Layout:
    longest, dice = max(map(len, variant.rows)), variant.source
    row, misthrows = 2 * longest + 3, len(variant.rows) * (2 * longest + 3)
    ahead = misthrows + variant.end.misthrows
    luck = ahead + 2 * MOST_SEATS
    held = luck + (2 * dice.sides + 1 if isinstance(dice, Dice) and dice.lucky else 0)
    points = held + (max(variant.by_number) + 1 if variant.cards else 0)
    return Layout(longest + 1, row, misthrows, ahead, ahead + MOST_SEATS, luck, held, points)


def _ones(sheet: Sheet, closed: int, ahead: int, seats: int, at: Layout) -> list[int]:
    """Where a side has a one because of its sheet, and of so many turns until its own."""
    ones = [at.misthrows + sheet.misthrows, at.ahead + ahead, at.seats + seats - 1]
    for row, bits in enumerate(sheet.rows):
        start = row * at.row
        ones += (
            start + (0 if closed >> row & 1 else bits.bit_length() + 1),
            start + at.crosses + crosses(sheet, row),
        )
    if at.held > at.luck:
        ones += [at.luck + number for number in sheet.lucky]
    return ones


def sides_in(tables: Sequence[tuple[State, int]]) -> Lines:
    """Seats' sides of tables of one game, a line each. With cards, many have the same sheet, which is looked at once; a
    number of which a seat holds two cards is there twice."""
    variant, seats = tables[0][0].variant, len(tables[0][0].sheets)
    at = _layout(variant)
    known: dict[tuple[Sheet, int, int], tuple[list[int], float]] = {}
    places, points = [], []
    for state, seat in tables:
        key = state.sheets[seat], closed_rows(state, seat), (seat - state.active) % seats
        if key not in known:
            known[key] = _ones(*key, seats, at), POINTS_SCALE * score(variant, key[0]).total
        ones, total = known[key]
        hand = state.cards.hands[seat] if state.cards else ()
        places.append([*ones, *(at.held + card.number for card in hand)])
        points.append(total)
    lines = _counted(places, at.points + 1)
    lines[:, at.points] = points
    return lines


def _counted(places: Sequence[Sequence[int]], width: int) -> Lines:
    """A line for each list: how often each place is in it."""
    flat = np.array([line * width + place for line, each in enumerate(places) for place in each], np.intp)
    return np.bincount(flat, minlength=len(places) * width).reshape(len(places), width).astype(np.float32)


@cache
def _places(variant: Variant) -> dict[Mark, int]:
    return {card: place for place, card in enumerate(variant.cards)}


def _seen(variant: Variant, cards: Iterable[Mark]) -> list[int]:
    """The places of the cards whose colours are known."""
    places = _places(variant)
    return [places[card] for card in cards if card.colour != HIDDEN]


def _known(states: Sequence[State], seat: int) -> Lines:
    """What a seat knows of the cards, a line for each table: those that it holds, those that it has not seen, and what
    lies around, which is the same on many tables and looked at once."""
    variant, tables = states[0].variant, [state.cards for state in states if state.cards]
    if not tables:
        return np.zeros((len(states), 0), np.float32)
    held = _counted([_seen(variant, cards.hands[seat]) for cards in tables], len(variant.cards))
    played = _counted([_seen(variant, cards.discards) for cards in tables], len(variant.cards))
    keys = [(id(cards.tableau), id(cards.pile), state.phase) for cards, state in zip(tables, states, strict=True)]
    lines: dict[tuple[int, int, Phase], Lines] = {}
    for key, cards, state in zip(keys, tables, states, strict=True):
        if key not in lines:
            lines[key] = _around(cards, state)
    return np.concatenate([held, 1 - held - played, np.concatenate([lines[key] for key in keys])], 1)


def _around(cards: Cards, state: State) -> Lines:
    """The numbers in the tableau and on top of the pile, and which moment of the turn it is."""
    numbers = max(state.variant.by_number) + 1
    laid = _counted([[card.number for card in cards.tableau if card], [cards.pile[0].number]], numbers)
    moment = _counted([[{Phase.CALL: TAKEN, Phase.PLAY: CALLED}.get(state.phase, BEFORE)]], CALLED + 1)
    return np.concatenate([laid.reshape(1, -1), moment], 1)


def inputs_of(state: State, seat: int) -> Lines:
    """A table as a seat sees it: for each of the others both sides, and what it knows of the cards; then zeros."""
    others = [other for other in range(len(state.sheets)) if other != seat]
    own, *theirs = sides_in([(state, each) for each in (seat, *others)])
    known = _known([state], seat)[0]
    rest = np.zeros(-(2 * len(own) + len(known)) % ALIGNED, np.float32)
    return np.stack([np.concatenate([own, other, known, rest]) for other in theirs])


class ChampionBot:
    """Takes what makes its chance to win the greatest, and works out what the others will do at the same moment."""

    def __init__(self, stream: Random, weights: Weights | None = None) -> None:
        self.stream, self.weights = stream, weights

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        weights = self.weights or weights_of(family_of(view.variant))
        return best(weigh(partial(valued, weights), view, seat, legal)).action


def best(weighed: Weighed) -> Plan:
    """Of plans and what they are worth, the best."""
    index, most = 0, WORST
    for each, worth in enumerate(weighed[1].tolist()):
        if better(worth, most):
            index, most = each, worth
    return weighed[0][index]


def weigh(value: Worth, view: State, seat: int, legal: Sequence[Action]) -> Weighed:
    """What a seat could do, and what it is worth to it. Where all cross the white dice at once: the active seat's best
    pair if nobody else crossed, then the others' best answers to that, then the active seat's best pair among those."""
    if view.phase is Phase.TAKE:
        return _on_average(value, seat, foresee(view, seat, legal))
    if view.phase is not Phase.WHITE:
        return _judged(value, seat, foresee(view, seat, legal))
    active = view.active
    first = _judged(value, active, plans(view, active, legal_actions(view, active)))
    lead = best(first)
    if seat != active:
        return _judged(value, seat, answers(view, seat, legal, lead))
    expected = {
        other: best(_judged(value, other, answers(view, other, legal_actions(view, other), lead))).action
        for other in acting_seats(view)
        if other != active
    }
    if all(action == PASS for action in expected.values()):
        return _among(legal, first)
    return _judged(value, seat, plans(view, seat, legal, expected))


def _on_average(value: Worth, seat: int, found: list[Plan]) -> Weighed:
    """What taken cards are worth to a seat on average, in the colours that they may have."""
    ways = [deals(plan, seat) for plan in found]
    _, values = _judged(value, seat, [plan for each in ways for plan in each])
    counts = list(map(len, ways))
    return found, np.add.reduceat(values, np.cumsum([0, *counts[:-1]])) / counts


def _among(legal: Sequence[Action], weighed: Weighed) -> Weighed:
    """Those of some plans that begin with one of these choices."""
    kept = [index for index, plan in enumerate(weighed[0]) if plan.action in legal]
    return [weighed[0][index] for index in kept], weighed[1][kept]


def _judged(value: Worth, seat: int, found: list[Plan]) -> Weighed:
    """What plans are worth to a seat: what has ended counts as what it is (a shared win in parts), every other table by
    its value."""
    values, open_ones = np.zeros(len(found)), []
    for index, plan in enumerate(found):
        if plan.after.phase is Phase.OVER:
            ahead = winners(plan.after)
            values[index] = (seat in ahead) / len(ahead)
        else:
            open_ones.append(index)
    if open_ones:
        with THINKING, _threads().limit(limits=1):
            values[open_ones] = value(seat, [found[index].after for index in open_ones])
    return found, values


@cache
def _threads() -> "ThreadpoolController":
    """What limits numpy's threads. One decision is too small to share: where the cores are busy, its threads would
    wait for each other many times longer than they compute."""
    from threadpoolctl import ThreadpoolController  # training does not need it

    return ThreadpoolController()


def valued(weights: Weights, seat: int, states: Sequence[State]) -> NDArray[np.float64]:
    """What the network thinks of the tables that one decision leads to. The others' sides are the same on many, and
    looked at once."""
    sides: dict[tuple[int, ...], int] = {}
    others: list[tuple[State, int]] = []
    which = np.zeros((len(states), len(states[0].sheets) - 1), np.intp)
    for index, state in enumerate(states):
        cards = state.cards
        closed = closed_rows(state, seat) if state.variant.lock.shared else 0
        for line, other in enumerate(other for other in range(len(state.sheets)) if other != seat):
            key = (other, id(state.sheets[other]), id(cards and cards.hands[other]), state.active, closed)
            if key not in sides:
                sides[key] = len(others)
                others.append((state, other))
            which[index, line] = sides[key]
    mine = sides_in([(state, seat) for state in states])
    own = np.concatenate([mine, _known(states, seat)], 1)
    return chance_of_parts(weights, own, sides_in(others), which)

"""The champion: it values the table after everything it could do by a network that has learnt from its own games.

Numpy alone is needed to play; how it was trained is in train/.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import as_file, files
from random import Random

import numpy as np
from numpy.typing import NDArray

from qwixx.bots.levels import FAMILIES
from qwixx.bots.plans import Plan, answers, plans
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.valuenet import Weights, chance, read_weights
from qwixx.rules import Action, Dice, Phase, Sheet, State, Variant, closed_rows, legal_actions, winners
from qwixx.rules.sheet import crosses, score

MOST_SEATS = 8
POINTS_SCALE = 0.02
KIT = NumpyKit()
Line = NDArray[np.float32]


@cache
def weights_of(family: str) -> Weights:
    """The network that ships with the package."""
    with as_file(files("qwixx.bots") / "nets" / f"{family}.npz") as file:
        return read_weights(file)


@lru_cache(1 << 12)
def side_of(variant: Variant, sheet: Sheet, closed: int, ahead: int, seats: int) -> Line:
    """One sheet as the network sees it: for each row its next place (0 if it is closed) and its crosses, misthrows,
    turns until its own, seats, lucky numbers, points. kernel/inputs.py writes the same."""
    longest = max(map(len, variant.rows))
    rows = np.zeros((len(variant.rows), 2 * longest + 3), np.float32)
    for row, bits in enumerate(sheet.rows):
        rows[row, 0 if closed >> row & 1 else bits.bit_length() + 1] = 1
        rows[row, longest + 1 + crosses(sheet, row)] = 1
    rest = np.zeros(variant.end.misthrows + 2 * MOST_SEATS, np.float32)
    rest[sheet.misthrows] = 1
    rest[variant.end.misthrows + ahead] = 1
    rest[variant.end.misthrows + MOST_SEATS + seats - 1] = 1
    points = np.array([POINTS_SCALE * score(variant, sheet).total], np.float32)
    return np.concatenate([rows.reshape(-1), rest, _luck(variant, sheet), points])


def _luck(variant: Variant, sheet: Sheet) -> Line:
    dice = variant.source
    if not isinstance(dice, Dice) or not dice.lucky:
        return np.zeros(0, np.float32)
    numbers = np.zeros(2 * dice.sides + 1, np.float32)
    numbers[list(sheet.lucky)] = 1
    return numbers


def inputs_of(state: State, seat: int, active: int) -> Line:
    """A table as a seat sees it before the active seat's roll: for each of the others both sides."""
    seats = len(state.sheets)
    sides = [
        side_of(state.variant, sheet, closed_rows(state, each), (each - active) % seats, seats)
        for each, sheet in enumerate(state.sheets)
    ]
    return np.stack([np.concatenate([sides[seat], sides[other]]) for other in range(seats) if other != seat])


class ChampionBot:
    """Takes what makes its chance to win the greatest. On another's roll it first works out what that seat will do."""

    def __init__(self, stream: Random, weights: Weights | None = None) -> None:
        self.stream, self.weights = stream, weights

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        weights = self.weights or weights_of(FAMILIES[view.variant.key])
        if view.phase is not Phase.WHITE or seat == view.active:
            return best(weights, view, seat, plans(view, seat, legal)).action
        lead = best(weights, view, view.active, plans(view, view.active, legal_actions(view, view.active)))
        return best(weights, view, seat, answers(view, seat, legal, lead)).action


def best(weights: Weights, view: State, seat: int, found: Sequence[Plan]) -> Plan:
    """The plan that is worth the most to a seat."""
    return found[int(np.argmax(chances(weights, view, seat, found)))]


def chances(weights: Weights, view: State, seat: int, found: Sequence[Plan]) -> NDArray[np.float64]:
    """The chance to win after each plan; what has ended counts as what it is (a shared win in parts)."""
    values, open_ones = np.zeros(len(found)), []
    for index, plan in enumerate(found):
        if plan.after.phase is Phase.OVER:
            ahead = winners(plan.after)
            values[index] = (seat in ahead) / len(ahead)
        else:
            open_ones.append(index)
    if open_ones:
        active, lines = (view.active + 1) % len(view.sheets), len(view.sheets) - 1
        inputs = np.concatenate([inputs_of(found[index].after, seat, active) for index in open_ones])
        values[open_ones] = chance(KIT, weights, inputs, lines)
    return values

"""`td-net`, the strongest public player, written anew from its description: a yardstick for the classic sheet.

A small network guesses every seat's final points and how uncertain they are, from 25 numbers in which the opponents
appear as maxima alone. A choice is worth the chance that one's own points end above the best opponent's, as if both
were independent and normal. Rows are closed whenever that does not end the game behind. benchmarks/td_net.py trains it.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from qwixx.bots.champion import best, inputs_of, weigh
from qwixx.kernel.kits import Array, Kit
from qwixx.kernel.netfile import read_weights
from qwixx.kernel.valuenet import NAMES, Weights, layers
from qwixx.rules import Action, State, Variant

VARIANTS = ("classic", "deluxe")
FEATURES = 25
ROWS, PLACES, SEATS = 4, 11, 8
ROW = 2 * PLACES + 3
SIDE = ROWS * ROW + 4 + 2 * SEATS + 1
OF_OTHERS = [*range(8), 12, 13]
"""What is seen of the others: how far their rows are, their crosses, misthrows and points."""
NORMAL = 1.702
"""How a logistic curve comes nearest to the normal one."""
GOES_ON, CLOSED, CHANCE = 0.51, 0.2, 0.1
"""To go on is worth more than to end the game level; then rows closed, then the chance to win."""


@cache
def td_weights() -> Weights:
    """The network that ships with the package."""
    with as_file(files("qwixx.bots") / "nets" / "td-net.npz") as file:
        return read_weights(file)


def knows(variant: Variant) -> bool:
    return variant.key in VARIANTS


def summaries() -> NDArray[np.float32]:
    """Makes of a side as champions see it: how far each row is, its crosses, whether it is closed; misthrows, points,
    and whether it is next."""
    matrix = np.zeros((SIDE, 15), np.float32)
    for row in range(ROWS):
        start = row * ROW
        matrix[start : start + PLACES + 1, row] = [1, *(place / PLACES for place in range(PLACES))]
        matrix[start + PLACES + 1 : start + ROW, ROWS + row] = np.arange(PLACES + 2) / (PLACES + 1)
        matrix[start, 2 * ROWS + row] = 1
    rest = ROWS * ROW
    matrix[rest : rest + 4, 12] = np.arange(4) / 4
    matrix[SIDE - 1, 13] = 1
    matrix[rest + 4, 14] = 1
    return matrix


class TdNet:
    """The network over one kit's arrays."""

    def __init__(self, kit: Kit, weights: Weights) -> None:
        self.kit = kit
        self.layer = {name: kit.put(weights[name]) for name in NAMES}
        self.summaries = kit.put(summaries())

    def sides(self, inputs: Array, lines: int) -> list[Array]:
        """Every seat's side in short, one's own first."""
        sides = self.kit.full(inputs[:, : 2 * SIDE])
        own, others = sides[::lines, :SIDE], sides[:, SIDE:]
        short = (others @ self.summaries).reshape(-1, lines, 15)
        return [own @ self.summaries, *(short[:, line] for line in range(lines))]

    def features(self, sides: list[Array], seat: int) -> Array:
        """What the network sees of the table from a seat."""
        first, *others = (side for index, side in enumerate(sides) if index != seat)
        most = first[:, OF_OTHERS]
        for other in others:
            most = self.kit.where(other[:, OF_OTHERS] > most, other[:, OF_OTHERS], most)
        own = sides[seat]
        return self.kit.stacked([*(own[:, each] for each in range(15)), *(most[:, each] for each in range(10))])

    def guess(self, features: Array) -> tuple[Array, Array]:
        """The final points, scaled, and the logarithm of their variance."""
        out = layers(self.kit, self.layer, features, 1)[3]
        return out[:, 0], out[:, 1]

    def value(self, inputs: Array, lines: int) -> Array:
        """What tables are worth, as far as it comes to choosing between them."""
        sides = self.sides(inputs, lines)
        own, spread = self.guess(self.features(sides, 0))
        least, *more = (self._ahead(own, spread, sides, seat) for seat in range(1, lines + 1))
        for ahead in more:
            least = self.kit.where(ahead < least, ahead, least)
        closed = sides[0][:, 2 * ROWS : 3 * ROWS].sum(1)
        return GOES_ON + CLOSED * closed + CHANCE * self.kit.sigmoid(NORMAL * least)

    def _ahead(self, own: Array, spread: Array, sides: list[Array], seat: int) -> Array:
        """By how much one is expected to be ahead of a seat, for how uncertain that is."""
        other, wide = self.guess(self.features(sides, seat))
        return (own - other) / (np.e**spread + np.e**wide) ** 0.5


class TdBot:
    """Takes what it values most."""

    def __init__(self, net: TdNet) -> None:
        self.net = net

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return best(weigh(self._worth, view, seat, legal)).action

    def _worth(self, seat: int, states: Sequence[State]) -> NDArray[np.float64]:
        inputs = np.concatenate([inputs_of(state, seat) for state in states])
        return np.asarray(self.net.value(inputs, len(inputs) // len(states)), np.float64)

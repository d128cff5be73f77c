"""A value network's answer, over numpy's arrays or torch's: what a table is worth to a seat.

For each opponent, both sides' inputs make a first layer; its mean over the opponents makes a second; that makes two
numbers: the chance to win as a logit, and by how many points.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.kits import Array, Kit, NumpyKit

NAMES = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
BEFORE, TAKEN, CALLED = range(3)
"""The moments of a turn that a network knows: before it; with cards, also once the active seat has taken some and seen
their colours, and once a seat has answered the called number, but does not know what the others have."""
MOST_DEALS, APART = 64, 59
"""What cards are worth before their colours are seen is the mean over the colours they may have; where there are more
ways, over so many of them, each so many after the last: a prime, so that no colour is left out."""
ALIGNED = 8
"""A line of inputs is as long as a multiple of this: a device multiplies such matrices many times faster."""
CLOSE = 1e-5
WORST = -1e30
"""Less than anything is worth."""
Weights = dict[str, NDArray[np.float32]]


def better(worth: float, best: float) -> bool:
    """Of what is worth the same but for the last digits, the first is chosen: in whatever order sums are made."""
    return worth > best + CLOSE * abs(best)


def layers(kit: Kit, layer: Mapping[str, Array], inputs: Array, lines: int) -> tuple[Array, Array, Array, Array]:
    """The first layer, its mean over so many lines, the second layer and the two numbers."""
    first = kit.raised(inputs, layer["first"], layer["first_bias"])
    pooled = first.reshape(-1, lines, first.shape[1]).mean(1) if lines > 1 else first
    second = kit.raised(pooled, layer["second"], layer["second_bias"])
    return first, pooled, second, kit.affine(second, layer["last"], layer["last_bias"])


def chance(kit: Kit, layer: Mapping[str, Array], inputs: Array, lines: int) -> Array:
    """The chance to win."""
    return kit.sigmoid(layers(kit, layer, inputs, lines)[3][:, 0])


def chance_of_parts(
    weights: Weights, own: NDArray[np.float32], others: NDArray[np.float32], which: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The chance to win, with numpy: from each table's own part (side and what is known of the cards), the others'
    sides, each once, and which of them each table has."""
    kit, side = NumpyKit(), others.shape[1]
    first, used = weights["first"], side + own.shape[1]
    mine = own[:, :side] @ first[:side] + own[:, side:] @ first[2 * side : used] + weights["first_bias"]
    theirs = others @ first[side : 2 * side]
    pooled = sum(np.maximum(mine + theirs[each], 0) for each in which.T)
    second = kit.raised(pooled / which.shape[1], weights["second"], weights["second_bias"])
    return np.asarray(kit.sigmoid(kit.affine(second, weights["last"], weights["last_bias"])[:, 0]), np.float64)

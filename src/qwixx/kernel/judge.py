"""Networks that value tables: on a device layer by layer, on the CPU line by line, where what is zero costs nothing.

About one input in ten is not zero, and about one unit in ten of the first layer answers. So the CPU adds up the weights
of those alone, in one go for a line; a device is faster with whole matrices.
"""

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.compile import compiled, entry
from qwixx.kernel.cores import in_parts
from qwixx.kernel.kits import Array, Kit, NumpyKit
from qwixx.kernel.many import Value
from qwixx.kernel.valuenet import NAMES, chance

Numbers = NDArray[np.float32]
NONE = np.float32(0.0)
WIDE = 64
"""A line of the processor's cache has so many bytes."""
TOGETHER = 4
"""So many rows of weights are added up at once: the sum is fetched and stored as many times less."""


def judge_on(kit: Kit, layer: Mapping[str, Array]) -> Value:
    """How a network values tables where its arrays are."""
    if kit.sparse:
        return SparseJudge(layer).chance
    return Judge(kit, layer).chance


class Layers(NamedTuple):
    """A network's weights, or as many numbers that belong to them."""

    first: Numbers
    first_bias: Numbers
    second: Numbers
    second_bias: Numbers
    last: Numbers
    last_bias: Numbers


class Found(NamedTuple):
    """Where a line is not zero, and what is there."""

    places: NDArray[np.int64]
    numbers: Numbers


class Workings(NamedTuple):
    """Where a core works a table out: what the first layer's units hear of each line, the mean of what they answer, and
    what the second layer's hear of that; where a line is not zero, and where that mean is not."""

    heard: Numbers
    pooled: Numbers
    answered: Numbers
    seen: Found
    active: Found


class Judge:
    """Layer by layer. On a device, numbers of half the size are enough."""

    def __init__(self, kit: Kit, layer: Mapping[str, Array]) -> None:
        self.kit = kit
        self.layer = {name: kit.light(kit.put(layer[name])) for name in NAMES}

    def chance(self, inputs: Array, lines: int) -> Array:
        """The chance to win, for each table as a seat sees it."""
        size = self.kit.at_once // lines * lines
        if len(inputs) <= size:
            return chance(self.kit, self.layer, self.kit.light(inputs), lines)
        return self.kit.joined([self.chance(inputs[at : at + size], lines) for at in range(0, len(inputs), size)])


class SparseJudge:
    """Line by line, on all cores."""

    def __init__(self, layer: Mapping[str, Array]) -> None:
        self.wide, self.layers = len(layer["first"]), Layers(*(_padded(layer[name]) for name in NAMES))

    def chance(self, inputs: Numbers, lines: int) -> Numbers:
        """The chance to win, for each table as a seat sees it."""
        if inputs.shape[1] != self.wide:
            raise ValueError(f"{inputs.shape[1]} inputs for a network of {self.wide}")
        logits = np.empty(len(inputs) // lines, np.float32)

        def part(_: int, begin: int, end: int) -> None:
            value_tables(inputs, lines, self.layers, new_workings(self.layers, lines), logits, begin, end)

        in_parts(len(logits), part)
        chances: Numbers = NumpyKit().sigmoid(logits)
        return chances


def new_workings(layers: Layers, lines: int) -> Workings:
    (wide, first), second = layers.first.shape, len(layers.second_bias)
    return Workings(_room(lines, first), _room(first), _room(second), new_found(wide), new_found(first))


def new_found(size: int) -> Found:
    return Found(np.zeros(size, np.int64), np.zeros(size, np.float32))


def _room(*shape: int) -> Numbers:
    """Zeros that begin with a line of the cache."""
    size, each = prod(shape), np.dtype(np.float32).itemsize
    room = np.zeros(size + WIDE // each, np.float32)
    first = -room.ctypes.data % WIDE // each
    return room[first : first + size].reshape(shape)


def _padded(weights: Numbers) -> Numbers:
    """The same weights, each row of which begins with a line of the cache; units that answer nothing fill it up. Both
    sides are: the units of a layer are the inputs of the next."""
    units = WIDE // np.dtype(np.float32).itemsize
    padded = _room(*(-(-size // units) * units for size in weights.shape))
    padded[tuple(map(slice, weights.shape))] = weights
    return padded


@compiled
def find(line: Numbers, found: Found) -> int:
    """Finds where a line is not zero; how many places."""
    count = 0
    for place in range(len(line)):
        found.places[count], found.numbers[count] = place, line[place]
        count += line[place] != 0.0
    return count


@compiled
def add_up(line: Numbers, weights: Numbers, bias: Numbers, found: Found, total: Numbers) -> int:
    """What a layer's units hear of a line; in how many places it is not zero."""
    places, times = found.places, found.numbers
    count, at = find(line, found), 0
    for unit in range(len(total)):
        total[unit] = bias[unit]
    while at + TOGETHER <= count:
        a, b, c, d = weights[places[at]], weights[places[at + 1]], weights[places[at + 2]], weights[places[at + 3]]
        k, m, n, o = times[at], times[at + 1], times[at + 2], times[at + 3]
        for unit in range(len(total)):
            total[unit] += k * a[unit] + m * b[unit] + n * c[unit] + o * d[unit]
        at += TOGETHER
    while at < count:
        a, k = weights[places[at]], times[at]
        for unit in range(len(total)):
            total[unit] += k * a[unit]
        at += 1
    return count


@compiled
def hear(inputs: Numbers, lines: int, table: int, layers: Layers, workings: Workings) -> int:
    """What both layers' units hear of a table; how many of the first layer answer."""
    workings.pooled[:] = 0.0
    for line in range(lines):
        heard = workings.heard[line]
        add_up(inputs[table * lines + line], layers.first, layers.first_bias, workings.seen, heard)
        for unit in range(len(heard)):
            workings.pooled[unit] += max(heard[unit], NONE) / lines
    return add_up(workings.pooled, layers.second, layers.second_bias, workings.active, workings.answered)


@entry
def value_tables(
    inputs: Numbers, lines: int, layers: Layers, workings: Workings, logits: Numbers, begin: int, end: int
) -> None:
    """The chance to win, as a logit, of the tables from one number to another."""
    for table in range(begin, end):
        hear(inputs, lines, table, layers, workings)
        logit = layers.last_bias[0]
        for unit in range(len(workings.answered)):
            logit += max(workings.answered[unit], NONE) * layers.last[unit, 0]
        logits[table] = logit

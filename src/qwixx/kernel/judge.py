"""Networks that value tables: on a device layer by layer, on the CPU line by line, where what is zero costs nothing.

Of five to ten inputs one is not zero, and about one unit in six of the first layer answers. So the CPU adds up the
weights of those alone. What can be chosen leads to tables that are much alike: of thirty to fifty inputs, one differs
from the table before, so that the first layer only hears what has changed.
"""

from collections.abc import Mapping
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.compile import compiled, entry, summed
from qwixx.kernel.cores import in_parts
from qwixx.kernel.kits import Array, Kit, NumpyKit
from qwixx.kernel.many import Value
from qwixx.kernel.valuenet import NAMES, chance

Numbers = NDArray[np.float32]
NONE = np.float32(0.0)
WIDE = 64
"""A line of the processor's cache has so many bytes."""
TOGETHER = 4
"""So many rows of weights are added up at once, for as many tables: they are fetched and stored as many times less."""
BLOCK = 64
"""After so many tables the next is heard as a whole, not by what has changed: errors of rounding stay small, and do not
depend on who works it out."""
SPAN = 8
"""Lines are compared so many numbers at a time."""


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
    """Where a line is another, and by how much."""

    places: NDArray[np.int64]
    numbers: Numbers


class Workings(NamedTuple):
    """Where a core works tables out: what the first layer's units hear of each line of one; for some tables, the mean
    of what they answer, and what the second layer's hear of that; where a line is another than one before it, or than
    a blank one, and which units answer."""

    heard: Numbers
    pooled: Numbers
    answered: Numbers
    seen: Found
    active: Found
    blank: Numbers


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
        self.wins = _padded(layer["last"][:, 0])

    def chance(self, inputs: Numbers, lines: int) -> Numbers:
        """The chance to win, for each table as a seat sees it."""
        if inputs.shape[1] != self.wide:
            raise ValueError(f"{inputs.shape[1]} inputs for a network of {self.wide}")
        tables = len(inputs) // lines
        logits = np.empty(tables, np.float32)

        def part(_: int, begin: int, end: int) -> None:
            workings = new_workings(self.layers, self.wide, lines)
            last = min(BLOCK * end, tables)
            value_tables(inputs, lines, self.layers, self.wins, workings, logits, BLOCK * begin, last)

        in_parts(-(-tables // BLOCK), part)
        chances: Numbers = NumpyKit().sigmoid(logits)
        return chances


def new_workings(layers: Layers, wide: int, lines: int) -> Workings:
    first, second = len(layers.first_bias), len(layers.second_bias)
    rooms = _room(lines, first), _room(TOGETHER, first), _room(TOGETHER, second)
    return Workings(*rooms, new_found(wide), new_found(first), _room(max(wide, first)))


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
def copy(source: Numbers, target: Numbers) -> None:
    for place in range(len(source)):
        target[place] = source[place]


@compiled
def note_changes(line: Numbers, before: Numbers, begin: int, end: int, count: int, found: Found) -> int:
    for place in range(begin, end):
        found.places[count], found.numbers[count] = place, line[place] - before[place]
        count += line[place] != before[place]
    return count


@compiled
def find_changes(line: Numbers, before: Numbers, found: Found) -> int:
    """Finds where a line is another than the one before it; how many places."""
    count, whole = 0, len(line) // SPAN * SPAN
    for begin in range(0, whole, SPAN):
        differs = False
        for place in range(begin, begin + SPAN):
            differs |= line[place] != before[place]
        if differs:
            count = note_changes(line, before, begin, begin + SPAN, count, found)
    return note_changes(line, before, whole, len(line), count, found)


@summed
def add_rows(found: Found, count: int, weights: Numbers, total: Numbers) -> None:
    """Adds so many rows of weights, each as many times as was found."""
    places, times, at = found.places, found.numbers, 0
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


@compiled
def hear_lines(inputs: Numbers, lines: int, table: int, fresh: bool, layers: Layers, workings: Workings) -> None:
    """What the first layer's units hear of each line of a table: as a whole, or by what is another than in the one
    before it."""
    for line in range(lines):
        heard, index = workings.heard[line], table * lines + line
        if fresh:
            copy(layers.first_bias, heard)
        before = workings.blank if fresh else inputs[index - lines]
        add_rows(workings.seen, find_changes(inputs[index], before, workings.seen), layers.first, heard)


@summed
def pool(heard: Numbers, pooled: Numbers) -> None:
    """The mean of what the first layer's units answer."""
    share = np.float32(1 / len(heard))
    pooled[:] = NONE
    for line in range(len(heard)):
        for unit in range(len(pooled)):
            pooled[unit] += share * max(heard[line, unit], NONE)


@compiled
def find_active(pooled: Numbers, places: NDArray[np.int64]) -> int:
    """Finds which units answer to any of some tables; how many."""
    p, q, r, s, count = pooled[0], pooled[1], pooled[2], pooled[3], 0
    for unit in range(len(p)):
        places[count] = unit
        count += (p[unit] > NONE) | (q[unit] > NONE) | (r[unit] > NONE) | (s[unit] > NONE)
    return count


@summed
def hear_together(layers: Layers, workings: Workings) -> None:
    """What the second layer's units hear of some tables."""
    weights, places, at = layers.second, workings.active.places, 0
    p, q, r, s = workings.pooled[0], workings.pooled[1], workings.pooled[2], workings.pooled[3]
    t, u, v, w = workings.answered[0], workings.answered[1], workings.answered[2], workings.answered[3]
    for table in range(TOGETHER):
        copy(layers.second_bias, workings.answered[table])
    count = find_active(workings.pooled, places)
    while at + TOGETHER <= count:
        h, i, j, k = places[at], places[at + 1], places[at + 2], places[at + 3]
        a, b, c, d = weights[h], weights[i], weights[j], weights[k]
        ph, pi, pj, pk = p[h], p[i], p[j], p[k]
        qh, qi, qj, qk = q[h], q[i], q[j], q[k]
        rh, ri, rj, rk = r[h], r[i], r[j], r[k]
        sh, si, sj, sk = s[h], s[i], s[j], s[k]
        for unit in range(len(t)):
            t[unit] += ph * a[unit] + pi * b[unit] + pj * c[unit] + pk * d[unit]
            u[unit] += qh * a[unit] + qi * b[unit] + qj * c[unit] + qk * d[unit]
            v[unit] += rh * a[unit] + ri * b[unit] + rj * c[unit] + rk * d[unit]
            w[unit] += sh * a[unit] + si * b[unit] + sj * c[unit] + sk * d[unit]
        at += TOGETHER
    while at < count:
        a, ph, qh, rh, sh = weights[places[at]], p[places[at]], q[places[at]], r[places[at]], s[places[at]]
        for unit in range(len(t)):
            t[unit] += ph * a[unit]
            u[unit] += qh * a[unit]
            v[unit] += rh * a[unit]
            w[unit] += sh * a[unit]
        at += 1


@summed
def logit_of(answered: Numbers, wins: Numbers, bias: np.float32) -> np.float32:
    """The chance to win, as a logit."""
    logit = bias
    for unit in range(len(answered)):
        logit += max(answered[unit], NONE) * wins[unit]
    return logit


@entry
def value_tables(
    inputs: Numbers,
    lines: int,
    layers: Layers,
    wins: Numbers,
    workings: Workings,
    logits: Numbers,
    begin: int,
    end: int,
) -> None:
    """The chance to win, as a logit, of the tables from the beginning of a block on."""
    for table in range(begin, end):
        which = (table - begin) % TOGETHER
        hear_lines(inputs, lines, table, (table - begin) % BLOCK == 0, layers, workings)
        pool(workings.heard, workings.pooled[which])
        if which == TOGETHER - 1 or table == end - 1:
            for other in range(which + 1, TOGETHER):
                workings.pooled[other] = NONE
            hear_together(layers, workings)
            for each in range(which + 1):
                logits[table - which + each] = logit_of(workings.answered[each], wins, layers.last_bias[0])

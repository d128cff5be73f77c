"""How a network's error changes with each of its weights, on the CPU: line by line as in judge.py, where what is zero
costs nothing."""

from collections.abc import Mapping
from math import exp, log
from typing import NamedTuple

import numpy as np

from qwixx.kernel.compile import compiled, entry
from qwixx.kernel.judge import NONE, Found, Numbers, add_up, find, new_found
from qwixx.kernel.kits import SMALL, STEEPEST, Array
from qwixx.kernel.simulate import cores, in_parts
from qwixx.kernel.valuenet import NAMES


class Layers(NamedTuple):
    """A network's weights, or as many numbers that belong to them."""

    first: Numbers
    first_bias: Numbers
    second: Numbers
    second_bias: Numbers
    last: Numbers
    last_bias: Numbers


class Sheet(NamedTuple):
    """Where a core works a table out: what the first layer's units hear of each line, the mean of what they answer, and
    what they are told back; what the second layer's hear; where lines, the first and the second layer are not zero."""

    heard: Numbers
    pooled: Numbers
    back: Numbers
    answered: Numbers
    seen: Found
    active: Found
    loud: Found


class Aims(NamedTuple):
    """What tables are worth: the chance to win, the difference in points, and how much a point's error weighs."""

    target: Numbers
    margin: Numbers
    weight: float


def slope_of(layer: Mapping[str, Array], inputs: Numbers, lines: int, aims: Aims) -> tuple[Numbers, float]:
    """The slope of the mean error in each weight, and the mean error of the chance, as cross-entropy."""
    layers = Layers(*(layer[name] for name in NAMES))
    ends = np.cumsum([each.size for each in layers])
    slopes, errors = np.zeros((cores(), ends[-1]), np.float32), np.zeros(cores())

    def part(worker: int, begin: int, end: int) -> None:
        own = zip(np.split(slopes[worker], ends[:-1]), layers, strict=True)
        places = Layers(*(one.reshape(each.shape) for one, each in own))
        errors[worker] = add_slopes(inputs, lines, layers, aims, _new_sheet(layers, lines), places, begin, end)

    in_parts(len(aims.target), part)
    return slopes.sum(0), float(errors.sum()) / len(aims.target)


def _new_sheet(layers: Layers, lines: int) -> Sheet:
    (wide, first), second = layers.first.shape, len(layers.second_bias)
    heard, pooled, back, answered = (np.zeros(size, np.float32) for size in ((lines, first), first, first, second))
    return Sheet(heard, pooled, back, answered, new_found(wide), new_found(first), new_found(max(first, second)))


@compiled
def hear(inputs: Numbers, lines: int, table: int, layers: Layers, sheet: Sheet) -> int:
    """What both layers' units hear of a table; how many of the first layer answer."""
    for unit in range(len(sheet.pooled)):
        sheet.pooled[unit] = 0.0
    for line in range(lines):
        heard = sheet.heard[line]
        add_up(inputs[table * lines + line], layers.first, layers.first_bias, sheet.seen, heard)
        for unit in range(len(heard)):
            sheet.pooled[unit] += max(heard[unit], NONE) / lines
    return add_up(sheet.pooled, layers.second, layers.second_bias, sheet.active, sheet.answered)


@compiled
def answer_back(layers: Layers, sheet: Sheet, slopes: Layers, aims: Aims, table: int, tables: int) -> tuple[int, float]:
    """From the network's answer to what the second layer's units are told back; how many those are, and the error."""
    loud, last, count = sheet.loud, layers.last, 0
    logit, points = layers.last_bias[0], layers.last_bias[1]
    for unit in range(len(sheet.answered)):
        if sheet.answered[unit] > NONE:
            loud.places[count] = unit
            logit += sheet.answered[unit] * last[unit, 0]
            points += sheet.answered[unit] * last[unit, 1]
            count += 1
    guess, target = 1 / (1 + exp(min(-logit, STEEPEST))), aims.target[table]
    by_logit = (guess - target) / tables
    by_points = 2 * aims.weight * (points - aims.margin[table]) / tables
    slopes.last_bias[0] += by_logit
    slopes.last_bias[1] += by_points
    for at in range(count):
        unit = loud.places[at]
        loud.numbers[at] = by_logit * last[unit, 0] + by_points * last[unit, 1]
        slopes.last[unit, 0] += by_logit * sheet.answered[unit]
        slopes.last[unit, 1] += by_points * sheet.answered[unit]
        slopes.second_bias[unit] += loud.numbers[at]
    kept = min(max(guess, SMALL), 1 - SMALL)
    return count, -(target * log(kept) + (1 - target) * log(1 - kept))


@compiled
def tell_first(layers: Layers, sheet: Sheet, slopes: Layers, active: int, loud: int) -> None:
    """What the first layer's units are told back by the second's."""
    places, numbers = sheet.loud.places, sheet.loud.numbers
    for at in range(active):
        unit, answer, told = sheet.active.places[at], sheet.active.numbers[at], NONE
        row, slope = layers.second[unit], slopes.second[unit]
        for other in range(loud):
            slope[places[other]] += answer * numbers[other]
            told += row[places[other]] * numbers[other]
        sheet.back[unit] = told


@compiled
def tell_inputs(inputs: Numbers, lines: int, table: int, sheet: Sheet, slopes: Layers, active: int) -> None:
    """The slopes of the first layer's weights. Of the units that answer, each line has its own."""
    units, told = sheet.loud.places, sheet.loud.numbers
    for line in range(lines):
        count = 0
        for at in range(active):
            unit = sheet.active.places[at]
            if sheet.heard[line, unit] > NONE:
                units[count], told[count] = unit, sheet.back[unit] / lines
                slopes.first_bias[unit] += told[count]
                count += 1
        for at in range(find(inputs[table * lines + line], sheet.seen)):
            slope, number = slopes.first[sheet.seen.places[at]], sheet.seen.numbers[at]
            for other in range(count):
                slope[units[other]] += number * told[other]


@entry
def add_slopes(
    inputs: Numbers, lines: int, layers: Layers, aims: Aims, sheet: Sheet, slopes: Layers, begin: int, end: int
) -> float:
    """Adds up the slopes of the tables from one number to another; the sum of their errors."""
    total, tables = 0.0, len(aims.target)
    for table in range(begin, end):
        active = hear(inputs, lines, table, layers, sheet)
        loud, error = answer_back(layers, sheet, slopes, aims, table, tables)
        tell_first(layers, sheet, slopes, active, loud)
        tell_inputs(inputs, lines, table, sheet, slopes, active)
        total += error
    return total

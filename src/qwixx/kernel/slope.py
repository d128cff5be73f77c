"""How a network's error changes with each of its weights, on the CPU: line by line as in judge.py, where what is zero
costs nothing."""

from collections.abc import Mapping
from math import exp, log
from typing import NamedTuple

import numpy as np

from qwixx.kernel.compile import compiled, entry
from qwixx.kernel.cores import cores, in_parts
from qwixx.kernel.judge import (
    NONE,
    Found,
    Layers,
    Numbers,
    Workings,
    add_rows,
    copy,
    find_changes,
    hear_lines,
    new_found,
    new_workings,
    pool,
)
from qwixx.kernel.kits import SMALL, STEEPEST, Array
from qwixx.kernel.valuenet import NAMES


class Aims(NamedTuple):
    """What tables are worth: the chance to win, the difference in points, and how much a point's error weighs."""

    target: Numbers
    margin: Numbers
    weight: float


class Back(NamedTuple):
    """What units are told back: those of the first layer, each in its place; and a list of others."""

    first: Numbers
    listed: Found


def slope_of(layer: Mapping[str, Array], inputs: Numbers, lines: int, aims: Aims) -> tuple[Numbers, float]:
    """The slope of the mean error in each weight, and the mean error of the chance, as cross-entropy."""
    layers = Layers(*(layer[name] for name in NAMES))
    workers, ends = cores(), np.cumsum([each.size for each in layers])
    slopes, errors = np.zeros((workers, ends[-1]), np.float32), np.zeros(workers)

    def part(worker: int, begin: int, end: int) -> None:
        own = zip(np.split(slopes[worker], ends[:-1]), layers, strict=True)
        places = Layers(*(one.reshape(each.shape) for one, each in own))
        first, second = layers.second.shape
        back = Back(np.zeros(first, np.float32), new_found(max(first, second)))
        workings = new_workings(layers, inputs.shape[1], lines)
        errors[worker] = add_slopes(inputs, lines, layers, aims, workings, back, places, begin, end)

    in_parts(len(aims.target), part, workers)
    return slopes.sum(0), float(errors.sum()) / len(aims.target)


@compiled
def hear(inputs: Numbers, lines: int, table: int, layers: Layers, workings: Workings) -> int:
    """What both layers' units hear of a table; how many of the first layer answer."""
    pooled, answered = workings.pooled[0], workings.answered[0]
    hear_lines(inputs, lines, table, True, layers, workings)
    pool(workings.heard, pooled)
    copy(layers.second_bias, answered)
    active = find_changes(pooled, workings.blank, workings.active)
    add_rows(workings.active, active, layers.second, answered)
    return active


@compiled
def answer_back(
    layers: Layers, workings: Workings, back: Back, slopes: Layers, aims: Aims, table: int, tables: int
) -> tuple[int, float]:
    """From the network's answer to what the second layer's units are told back; how many those are, and the error."""
    places, told = back.listed.places, back.listed.numbers
    answered, last, count = workings.answered[0], layers.last, 0
    logit, points = layers.last_bias[0], layers.last_bias[1]
    for unit in range(len(answered)):
        if answered[unit] > NONE:
            places[count] = unit
            logit += answered[unit] * last[unit, 0]
            points += answered[unit] * last[unit, 1]
            count += 1
    guess, target = 1 / (1 + exp(min(-logit, STEEPEST))), aims.target[table]
    by_logit = (guess - target) / tables
    by_points = 2 * aims.weight * (points - aims.margin[table]) / tables
    slopes.last_bias[0] += by_logit
    slopes.last_bias[1] += by_points
    for at in range(count):
        unit = places[at]
        told[at] = by_logit * last[unit, 0] + by_points * last[unit, 1]
        slopes.last[unit, 0] += by_logit * answered[unit]
        slopes.last[unit, 1] += by_points * answered[unit]
        slopes.second_bias[unit] += told[at]
    kept = min(max(guess, SMALL), 1 - SMALL)
    return count, -(target * log(kept) + (1 - target) * log(1 - kept))


@compiled
def tell_first(layers: Layers, workings: Workings, back: Back, slopes: Layers, active: int, count: int) -> None:
    """What the first layer's units are told back by the second's."""
    places, numbers = back.listed.places, back.listed.numbers
    for at in range(active):
        unit, answer, told = workings.active.places[at], workings.active.numbers[at], NONE
        row, slope = layers.second[unit], slopes.second[unit]
        for other in range(count):
            slope[places[other]] += answer * numbers[other]
            told += row[places[other]] * numbers[other]
        back.first[unit] = told


@compiled
def tell_inputs(
    inputs: Numbers, lines: int, table: int, workings: Workings, back: Back, slopes: Layers, active: int
) -> None:
    """The slopes of the first layer's weights. Of the units that answer, each line has its own."""
    units, told, seen = back.listed.places, back.listed.numbers, workings.seen
    for line in range(lines):
        count = 0
        for at in range(active):
            unit = workings.active.places[at]
            if workings.heard[line, unit] > NONE:
                units[count], told[count] = unit, back.first[unit] / lines
                slopes.first_bias[unit] += told[count]
                count += 1
        for at in range(find_changes(inputs[table * lines + line], workings.blank, seen)):
            slope, number = slopes.first[seen.places[at]], seen.numbers[at]
            for other in range(count):
                slope[units[other]] += number * told[other]


@entry
def add_slopes(
    inputs: Numbers,
    lines: int,
    layers: Layers,
    aims: Aims,
    workings: Workings,
    back: Back,
    slopes: Layers,
    begin: int,
    end: int,
) -> float:
    """Adds up the slopes of the tables from one number to another; the sum of their errors."""
    total, tables = 0.0, len(aims.target)
    for table in range(begin, end):
        active = hear(inputs, lines, table, layers, workings)
        count, error = answer_back(layers, workings, back, slopes, aims, table, tables)
        tell_first(layers, workings, back, slopes, active, count)
        tell_inputs(inputs, lines, table, workings, back, slopes, active)
        total += error
    return total

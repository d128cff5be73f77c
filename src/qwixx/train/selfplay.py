"""Rounds of games, and what they teach."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.kits import Array, Kit
from qwixx.kernel.many import Many, Value
from qwixx.kernel.minds import Mind
from qwixx.kernel.moment import Moments
from qwixx.kernel.valuenet import BEFORE, CALLED
from qwixx.train.net import Net

ASKED = Mind(OUTSIDE)
SCALE = 30.0
"""So many points count as one."""
MOST_AT_ONCE = 1 << 18
"""Moments that are valued in one go."""


class Round(NamedTuple):
    """The moments of many games; and what each was worth to each seat, as the games went on: the chance to win, and the
    points it was ahead or behind."""

    moments: Moments
    chance: Array
    margin: Array


class Lesson(NamedTuple):
    """A table and who learns there: the seats whose view of it teaches the network."""

    many: Many
    learners: tuple[int, ...]
    values: Sequence[Value | None]

    @property
    def among_equals(self) -> bool:
        return len(self.learners) == self.many.seats


def watch(many: Many, values: Sequence[Value | None], number: int, explore: float) -> list[Moments]:
    """Plays the games from this number on to their end; their moments, so many in each turn."""
    seen: list[Moments] = []
    many.play(values, number, explore, lambda: seen.append(Moments(*(1 * array for array in many.moments))))
    return seen


def study(lesson: Lesson, net: Net, number: int, explore: float, decay: float, orders: Array) -> Round:
    """Plays a round; what it teaches. A state is worth what the states after it are, the later the less, and in the end
    what the game brought (λ-returns). The other moments of a turn are worth what its first one is."""
    many, kit = lesson.many, lesson.many.kit
    seen = watch(many, lesson.values, number, explore)
    shares, points = many.finish()
    each, games, seats = 1 if many.deck is None else CALLED + 1, many.games, many.seats
    turns = len(seen) // each
    moments = Moments(*(kit.joined(list(parts)) for parts in zip(*seen, strict=True)))
    going = (moments.active >= 0).reshape(turns, each, games)
    first = kit.where_true((going & (moments.which.reshape(turns, each, games) == BEFORE)).reshape(-1))
    values = kit.zeros((turns * each * games, seats), "float32")
    values[first] = chances(lesson, net, moments, first, orders)
    values = values.reshape(turns, each, games, seats)[:, 0]
    chance, returned = kit.zeros((turns, each, games, seats), "float32"), shares
    for turn in range(turns - 1, -1, -1):
        chance[turn] = returned
        returned = kit.where(going[turn, 0][:, None], decay * returned + (1 - decay) * values[turn], returned)
    kept = kit.where_true(going.reshape(-1))
    kept_moments = Moments(*(array[kept] for array in moments))
    return Round(kept_moments, chance.reshape(-1, seats)[kept], margins(kit, points)[kept % games])


def margins(kit: Kit, points: Array) -> Array:
    """By how much each seat is ahead of the best of the others."""
    columns = []
    for seat in range(points.shape[1]):
        first, *others = (points[:, other] for other in range(points.shape[1]) if other != seat)
        best = first
        for column in others:
            best = kit.where(column > best, column, best)
        columns.append((points[:, seat] - best) / SCALE)
    return kit.stacked(columns)


def chances(lesson: Lesson, net: Net, moments: Moments, index: Array, orders: Array) -> Array:
    """What the network thinks of these moments from each learner's side; among equals, made to add up to one."""
    many, kit, found = lesson.many, lesson.many.kit, []
    for first in range(0, len(index), MOST_AT_ONCE):
        part = index[first : first + MOST_AT_ONCE]
        columns = []
        for seat in range(many.seats):
            if seat in lesson.learners:
                samples = kit.stacked([part, 0 * part + seat, 0 * part])
                columns.append(net.chance(many.inputs(samples, orders, moments), many.seats - 1))
            else:
                columns.append(kit.zeros(len(part), "float32"))
        found.append(kit.stacked(columns))
    values = kit.joined(found)
    return values / values.sum(1)[:, None] if lesson.among_equals else values


def teach(
    lesson: Lesson, net: Net, rounds: Sequence[Round], orders: Array, steps: int, size: int, rate: float
) -> float:
    """So many steps over moments of these rounds, from any learner's side and through any symmetry; the mean error."""
    many, kit = lesson.many, lesson.many.kit
    learners, error = kit.put(np.array(lesson.learners)), 0.0
    for step in range(steps):
        part = rounds[step % len(rounds)]
        lines, seats = kit.below(len(part.chance), size), learners[kit.below(len(learners), size)]
        inputs = many.inputs(kit.stacked([lines, seats, kit.below(len(orders), size)]), orders, part.moments)
        error += net.learn(inputs, many.seats - 1, part.chance[lines, seats], part.margin[lines, seats], rate)
    return float(error) / max(steps, 1)

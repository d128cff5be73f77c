"""Rounds of games, and what they teach."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qwixx.kernel.book import MOST_ROWS
from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.index import symmetries
from qwixx.kernel.kits import Array, Kit
from qwixx.kernel.many import Many, Value
from qwixx.kernel.minds import Mind
from qwixx.rules import Variant
from qwixx.train.net import Net

ASKED = Mind(OUTSIDE)
SCALE = 30.0
"""So many points count as one."""
MOST_AT_ONCE = 1 << 18
"""States that are valued in one go."""


class Round(NamedTuple):
    """The states of many games before each roll; and what each was worth to each seat, as the games went on: the chance
    to win, and the points it was ahead or behind."""

    rows: Array
    misthrows: Array
    lucky: Array
    active: Array
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


def orders_of(variant: Variant, kit: Kit) -> Array:
    """The board's symmetries: where each row goes, and whether the numbers are turned upside down."""
    lines = [[*order, *[0] * (MOST_ROWS - len(order)), int(mirror)] for order, mirror in symmetries(variant)]
    return kit.put(np.array(lines, np.int64))


def play_out(many: Many, values: Sequence[Value | None], number: int, explore: float = 0.0) -> list[Round]:
    """Plays the games from this number on to their end; their states, turn by turn."""
    many.start(number)
    seen: list[Round] = []
    while True:
        many.turn(values, explore=explore)
        if many.over:
            return seen
        seen.append(Round(1 * many.rows, 1 * many.misthrows, many.lucky, 1 * many.active, None, None))


def study(lesson: Lesson, net: Net, number: int, explore: float, decay: float, orders: Array) -> Round:
    """Plays a round; what it teaches. A state is worth what the states after it are, the later the less, and in the end
    what the game brought (λ-returns)."""
    many, kit = lesson.many, lesson.many.kit
    seen = play_out(many, lesson.values, number, explore)
    shares, points = many.finish()
    turns, games, seats = len(seen), many.games, many.seats
    active = kit.joined([state.active for state in seen])
    kept = kit.where_true(active >= 0)
    rows, misthrows = (kit.joined([state[which] for state in seen])[kept] for which in range(2))
    states = Round(rows, misthrows, many.lucky[kept % games], active[kept], None, None)
    values = kit.zeros((turns * games, seats), "float32")
    values[kept] = chances(lesson, net, states, orders)
    values, going = values.reshape(turns, games, seats), (active >= 0).reshape(turns, games)
    chance, returned = kit.zeros((turns, games, seats), "float32"), shares
    for turn in range(turns - 1, -1, -1):
        chance[turn] = returned
        returned = kit.where(going[turn][:, None], decay * returned + (1 - decay) * values[turn], returned)
    return states._replace(chance=chance.reshape(-1, seats)[kept], margin=margins(kit, points)[kept % games])


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


def chances(lesson: Lesson, net: Net, states: Round, orders: Array) -> Array:
    """What the network thinks of every state from each learner's side; among equals, made to add up to one."""
    many, kit, found = lesson.many, lesson.many.kit, []
    for first in range(0, len(states.active), MOST_AT_ONCE):
        index = kit.put(np.arange(first, min(first + MOST_AT_ONCE, len(states.active))))
        columns = []
        for seat in range(many.seats):
            if seat in lesson.learners:
                samples = kit.stacked([index, 0 * index + seat, 0 * index])
                lines = many.inputs(samples, orders, states.rows, states.misthrows, states.lucky, states.active)
                columns.append(net.chance(lines, many.seats - 1))
            else:
                columns.append(kit.zeros(len(index), "float32"))
        found.append(kit.stacked(columns))
    values = kit.joined(found)
    return values / values.sum(1)[:, None] if lesson.among_equals else values


def teach(
    lesson: Lesson, net: Net, rounds: Sequence[Round], orders: Array, steps: int, size: int, rate: float
) -> float:
    """So many steps over states of these rounds, from any learner's side and through any symmetry; the mean error."""
    many, kit = lesson.many, lesson.many.kit
    learners, error = kit.put(np.array(lesson.learners)), 0.0
    for step in range(steps):
        part = rounds[step % len(rounds)]
        states, seats = kit.below(len(part.active), size), learners[kit.below(len(learners), size)]
        samples = kit.stacked([states, seats, kit.below(len(orders), size)])
        lines = many.inputs(samples, orders, part.rows, part.misthrows, part.lucky, part.active)
        error += net.learn(lines, many.seats - 1, part.chance[states, seats], part.margin[states, seats], rate)
    return float(error) / max(steps, 1)

"""A network without the units that never answer: it thinks the same, in less time."""

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.kits import Array
from qwixx.kernel.moment import Moments
from qwixx.kernel.valuenet import Weights, layers
from qwixx.train.net import Net
from qwixx.train.selfplay import Lesson, watch

GAMES = 1024
"""Games for two in which units are listened to; with more seats fewer."""
STRAYS = (0.0, 0.1, 0.5, 1.0)
"""How many of the choices are left to chance: odd tables are seen, too."""
Mask = NDArray[np.bool_]


def units_that_answer(lesson: Lesson, net: Net, orders: Array) -> tuple[Mask, Mask]:
    """Which units of the first and of the second layer answer anything in games of a lesson."""
    many, kit, found = lesson.many, lesson.many.kit, []
    for strays in STRAYS:
        seen = watch(many, lesson.values, 0, strays)
        moments = Moments(*(kit.joined(list(parts)) for parts in zip(*seen, strict=True)))
        going = kit.where_true(moments.active >= 0)
        for seat in lesson.learners:
            for begin in range(0, len(going), kit.at_once):
                part = going[begin : begin + kit.at_once]
                samples = kit.stacked([part, 0 * part + seat, 0 * part])
                first, _, second, _ = layers(kit, net.layer, many.inputs(samples, orders, moments), many.seats - 1)
                found.append((kit.get((first > 0).any(0)), kit.get((second > 0).any(0))))
    one, two = zip(*found, strict=True)
    return np.any(one, axis=0), np.any(two, axis=0)


def trimmed(weights: Weights, first: Mask, second: Mask, copies: int) -> Weights:
    """Without the units of which no copy answers: units come in groups, one for each symmetry of the board."""
    one, two = (np.tile(mask.reshape(copies, -1).any(0), copies) for mask in (first, second))
    return {
        "first": weights["first"][:, one],
        "first_bias": weights["first_bias"][one],
        "second": weights["second"][one][:, two],
        "second_bias": weights["second_bias"][two],
        "last": weights["last"][two],
        "last_bias": weights["last_bias"],
    }

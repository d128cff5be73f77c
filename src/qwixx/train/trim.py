"""A network without the units that never answer: it thinks the same, in less time."""

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many
from qwixx.kernel.valuenet import Weights, layers
from qwixx.train.net import Net

GAMES, EVERY = 1024, 8
"""Games for two in which units are listened to (with more seats fewer), and of how many choices to one."""
STRAYS = (0.0, 0.1, 0.5, 1.0)
"""How many of the choices are left to chance: odd tables are seen, too."""
Mask = NDArray[np.bool_]


def units_that_answer(many: Many, net: Net) -> tuple[Mask, Mask]:
    """Which units of the first and of the second layer answer anything, whatever could be chosen in such games."""
    kit, found = many.kit, []
    layer = {name: kit.light(array) for name, array in net.layer.items()}

    def listen(inputs: Array, lines: int) -> Array:
        some = inputs.reshape(-1, lines, inputs.shape[1])[::EVERY].reshape(-1, inputs.shape[1])
        first, _, second, _ = layers(kit, layer, some, lines)
        found.append((kit.get((first > 0).any(0)), kit.get((second > 0).any(0))))
        return net.chance(inputs, lines)

    for strays in STRAYS:
        many.play([listen] * many.seats, 0, strays)
    one, two = zip(*found, strict=True)
    return np.any(one, axis=0), np.any(two, axis=0)


def trimmed(weights: Weights, first: Mask, second: Mask, copies: int) -> Weights:
    """Without the units of which no copy answers: units come in groups, one for each symmetry of the board."""
    one, two = (_kept(mask, copies) for mask in (first, second))
    return {
        "first": weights["first"][:, one],
        "first_bias": weights["first_bias"][one],
        "second": weights["second"][one][:, two],
        "second_bias": weights["second_bias"][two],
        "last": weights["last"][two],
        "last_bias": weights["last_bias"],
    }


def _kept(mask: Mask, copies: int) -> Mask:
    """Whole groups; one where none answers, as no layer is empty."""
    group: Mask = np.any(mask.reshape(copies, -1), axis=0)
    return np.tile(group if group.any() else np.arange(len(group)) == 0, copies)

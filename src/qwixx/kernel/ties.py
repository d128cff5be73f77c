"""Which weights of a network are one and the same, so that it thinks of a table what it thinks of its mirror image."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.valuenet import NAMES, Weights
from qwixx.rules import MalformedError

Places = NDArray[np.intp]


class Ties(NamedTuple):
    """Which free weight each weight of a network is, and the places of each free weight among all."""

    which: Places
    places: Places

    def hold(self, weights: Weights) -> bool:
        """Whether these weights are tied so."""
        whole = joined(weights)
        return np.allclose(whole, whole[self.places[:, 0]][self.which], atol=1e-6)


def joined(weights: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
    """All weights in one line."""
    return np.concatenate([weights[name].reshape(-1) for name in NAMES]).astype(np.float32)


def untied(weights: Weights) -> Ties:
    """Every weight is free."""
    every = np.arange(len(joined(weights)))
    return Ties(every, every[:, None])


def ties_of(moves: Places, units: Sequence[int]) -> Ties:
    """How a network is tied by the board's symmetries: units come in groups, a unit for each symmetry, which all see
    the same, each through its own. What a unit has from one of the layer before depends on how their two symmetries
    lie to each other."""
    count = len(moves)
    if any(each % count for each in units):
        raise MalformedError(f"the board has {count} symmetries, so the units must be multiples of {count}")
    first, second = (each // count for each in units)
    named = {move.tobytes(): number for number, move in enumerate(moves)}
    after = np.array([[named[one[other].tobytes()] for other in moves] for one in moves])
    back = np.argmin(after, axis=1)
    between = after[:, back][:, None, :, None]
    one, two = np.arange(first), np.arange(second)
    return _numbered(
        [
            moves.T[:, :, None] * first + one,
            np.tile(one, count),
            (between * first + one[:, None, None]) * second + two,
            np.tile(two, count),
            np.tile(np.arange(2 * second), count),
            np.arange(2),
        ],
        count,
    )


def ties_in(weights: Weights, moves: Places) -> Ties | None:
    """How a network is tied by the board's symmetries, if it is."""
    units = [len(weights["first_bias"]), len(weights["second_bias"])]
    if any(each % len(moves) for each in units):
        return None
    ties = ties_of(moves, units)
    return ties if ties.hold(weights) else None


def _numbered(parts: Sequence[Places], count: int) -> Ties:
    """From which free weight of its part each weight is; a free weight that has few places is there again and again."""
    begins = np.cumsum([0, *(part.max() + 1 for part in parts[:-1])])
    which = np.concatenate([begin + part.reshape(-1) for begin, part in zip(begins, parts, strict=True)])
    times = np.bincount(which)[:, None]
    starts = np.cumsum(times)[:, None] - times
    return Ties(which, np.argsort(which, kind="stable")[starts + np.arange(count) % times])

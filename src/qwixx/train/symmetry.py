"""What a board's symmetries mean to a network: where they take each input, and which of its weights are one and the
same, so that it thinks of a table what it thinks of its mirror image."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_SEATS, book_of
from qwixx.kernel.index import card_moves, symmetries
from qwixx.kernel.inputs import CARDS, MIRRORED, line_size, side_size
from qwixx.kernel.many import unchanged
from qwixx.kernel.valuenet import NAMES, Weights
from qwixx.rules import Dice, MalformedError, Variant

Places = NDArray[np.intp]


def order_lines(variant: Variant) -> NDArray[np.int64]:
    """The board's symmetries, a line each: where each row goes, whether the numbers are turned upside down, where each
    card goes. The first one changes nothing."""
    lines = []
    for order, mirror in symmetries(variant):
        line = unchanged()
        line[: len(order)], line[MIRRORED] = order, int(mirror)
        line[CARDS : CARDS + len(variant.cards)] = card_moves(variant, order, mirror)
        lines.append(line)
    return np.array(lines, np.int64)


def input_moves(variant: Variant) -> Places:
    """Where each input goes, a line for each symmetry."""
    return np.array([_moves(variant, order) for order in order_lines(variant)], np.intp)


def _moves(variant: Variant, order: NDArray[np.int64]) -> Places:
    book, cards = book_of(variant), len(variant.cards)
    side, row = int(side_size(book)), 2 * max(map(len, variant.rows)) + 3
    moves = np.arange(line_size(book))

    def turn(begin: int, lowest: int, both: int) -> None:
        """Numbers that stand upside down, from the lowest on; what a number and the same one upside down make."""
        numbers = np.arange(lowest, both - lowest + 1)
        moves[begin + numbers] = begin + (both - numbers if order[MIRRORED] else numbers)

    lowest, both = min(variant.by_number), min(variant.by_number) + max(variant.by_number)
    for begin in (0, side):
        for each in range(len(variant.rows)):
            moves[begin + each * row : begin + (each + 1) * row] += (order[each] - each) * row
        numbers = begin + len(variant.rows) * row + variant.end.misthrows + 2 * MOST_SEATS
        if isinstance(variant.source, Dice) and variant.source.lucky:
            turn(numbers, 2, 2 * variant.source.sides + 2)
        if cards:
            turn(numbers, lowest, both)
    if cards:
        moved, known = order[CARDS : CARDS + cards], 2 * side
        moves[known : known + cards], moves[known + cards : known + 2 * cards] = known + moved, known + cards + moved
        turn(known + 2 * cards, lowest, both)
        turn(known + 2 * cards + both - lowest + 1, lowest, both)
    return moves


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


def _numbered(parts: Sequence[Places], count: int) -> Ties:
    """From which free weight of its part each weight is; a free weight that has few places is there again and again."""
    begins = np.cumsum([0, *(part.max() + 1 for part in parts[:-1])])
    which = np.concatenate([begin + part.reshape(-1) for begin, part in zip(begins, parts, strict=True)])
    times = np.bincount(which)[:, None]
    starts = np.cumsum(times)[:, None] - times
    return Ties(which, np.argsort(which, kind="stable")[starts + np.arange(count) % times])

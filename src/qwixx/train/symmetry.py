"""What a board's symmetries mean to a network: where they take each input."""

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_SEATS, book_of
from qwixx.kernel.index import card_moves, symmetries
from qwixx.kernel.inputs import CARDS, MIRRORED, line_size, side_size
from qwixx.kernel.many import unchanged
from qwixx.kernel.ties import Places
from qwixx.rules import Dice, Variant


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

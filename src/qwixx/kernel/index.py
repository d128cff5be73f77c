"""Sheets as numbers: every sheet that can be told apart by what is still to come gets an index of its own.

A row is known by its next place and its crosses; a closed row by that alone. Rows that the board lets one swap (red and
yellow on the classic sheet) form a family, and only the multiset of their states counts: a family has one number, and a
sheet is as many numbers as there are families.
"""

from itertools import permutations
from math import prod
from typing import Protocol, cast

import numpy as np

from qwixx.kernel.book import FAR, MOST_ROWS, Book, Ints, crosses, next_place
from qwixx.kernel.compile import compiled, inlined
from qwixx.rules import Cell, Dice, Mark, Variant

MOST_PLACES = 32
MOST_STATES = 256
MOST_SHEETS = 2**31
MOST_IN_FAMILY = 2
"""Two rows are enough for every printed board, and keep the counting simple."""


LAYOUT = np.dtype(
    [
        ("states", np.int64),
        ("size", np.int64),
        ("row_state", np.int32, (MOST_PLACES, MOST_PLACES)),
        ("family", np.int64, MOST_ROWS),
        ("stride", np.int64, MOST_ROWS),
        ("partner", np.int64, MOST_ROWS),
    ],
    align=True,
)


class SheetIndex(Protocol):
    """How many states a row has, the closed one last; how many sheets there are, whatever their misthrows; the state of
    a row by its next place and its crosses; the family of each row and its partner there (itself if it has none); and
    what a family's number counts for in the index."""

    states: int
    size: int
    row_state: Ints
    family: Ints
    stride: Ints
    partner: Ints


def row_states(variant: Variant) -> list[tuple[int, int]]:
    """Every (next place counted from 1, crosses) of an open row, the empty row first."""
    longest = max(map(len, variant.rows)) - variant.lock.closing
    return [(1, 0), *((place + 2, crosses) for place in range(longest) for crosses in range(1, place + 2))]


def _mirrored(variant: Variant, number: int) -> int:
    """The number that is as likely and lies on the other side of the middle."""
    if isinstance(variant.source, Dice):
        return 2 * (variant.source.sides + 1) - number
    return min(variant.by_number) + max(variant.by_number) - number


def _maps(variant: Variant, order: tuple[int, ...], mirror: bool) -> bool:
    """Whether the board stays the same when row r goes to row order[r], with some colours renamed."""
    renamed: dict[str, str] = {}
    for row, target in zip(variant.rows, (variant.rows[to] for to in order), strict=True):
        if len(row) != len(target):
            return False
        if not all(_fits(variant, *pair, mirror, renamed) for pair in zip(row, target, strict=True)):
            return False
    return len(set(renamed.values())) == len(renamed)


def _fits(variant: Variant, cell: Cell, target: Cell, mirror: bool, renamed: dict[str, str]) -> bool:
    number = _mirrored(variant, cell.number) if mirror else cell.number
    colour = renamed.setdefault(cell.mark.colour, target.mark.colour)
    return number == target.number and colour == target.mark.colour


def families(variant: Variant) -> list[list[int]]:
    """The rows, in groups that one may swap among themselves."""
    groups: list[list[int]] = []
    for row in range(len(variant.rows)):
        for group in [group for group in groups if len(group) < MOST_IN_FAMILY]:
            order = list(range(len(variant.rows)))
            order[row], order[group[0]] = group[0], row
            if _maps(variant, tuple(order), mirror=False):
                group.append(row)
                break
        else:
            groups.append([row])
    return groups


def mirror_of(variant: Variant, lucky: tuple[int, ...]) -> list[int] | None:
    """Where each family goes when all dice are turned upside down; None where the board knows no such symmetry."""
    if {_mirrored(variant, number) for number in lucky} != set(lucky):
        return None
    groups = families(variant)
    family = {row: index for index, rows in enumerate(groups) for row in rows}
    for order in permutations(range(len(variant.rows))):
        together = all(len({family[order[row]] for row in rows}) == 1 for rows in groups)
        if together and _maps(variant, order, mirror=True):
            return [family[order[rows[0]]] for rows in groups]
    return None


def symmetries(variant: Variant) -> list[tuple[tuple[int, ...], bool]]:
    """Every way to put the rows in another order, also with all dice upside down, that leaves the game as it is."""
    pairs = variant.source.lucky if isinstance(variant.source, Dice) else ()
    upside_down = {tuple(sorted(_mirrored(variant, number) for number in pair)) for pair in pairs} == set(pairs)
    return [
        (order, mirror)
        for mirror in (False, True)
        if upside_down or not mirror
        for order in permutations(range(len(variant.rows)))
        if _maps(variant, order, mirror)
    ]


def card_moves(variant: Variant, order: tuple[int, ...], mirror: bool) -> list[int]:
    """Where a symmetry takes each card: to the card of the cell that its own cell goes to, a joker to a joker."""
    index = {card: place for place, card in enumerate(variant.cards)}
    moved = []
    for card in variant.cards:
        if card in variant.cells:
            cell = variant.cells[card]
            moved.append(index[variant.rows[order[cell.row]][cell.place].mark])
        else:
            moved.append(index[Mark(card.colour, _mirrored(variant, card.number) if mirror else card.number)])
    return moved


def family_size(states: int, rows: list[int]) -> int:
    """How many numbers a family has."""
    return states if len(rows) == 1 else states * (states + 1) // 2


def fits_index(variant: Variant) -> bool:
    """Whether the sheets can be counted at all."""
    states = len(row_states(variant)) + 1
    return states < MOST_STATES and prod(family_size(states, rows) for rows in families(variant)) < MOST_SHEETS


def sheet_index(variant: Variant) -> SheetIndex:
    """How the sheets of a board are numbered."""
    open_states = row_states(variant)
    states = len(open_states) + 1
    groups = families(variant)
    index = np.zeros(1, LAYOUT)[0]
    index["row_state"] = states - 1
    for state, (place, made) in enumerate(open_states):
        index["row_state"][place, made] = state
    sizes = [family_size(states, rows) for rows in groups]
    index["states"], index["size"] = states, prod(sizes)
    for family, rows in enumerate(groups):
        index["family"][rows], index["partner"][rows] = family, rows[::-1]
        index["stride"][family] = prod(sizes[family + 1 :])
    return cast("SheetIndex", index)


@compiled
def state_of_row(index: SheetIndex, row: int) -> int:
    place = next_place(row)
    return index.states - 1 if place == FAR else index.row_state[place, crosses(row)]


def pair_number(state: int, other: int) -> int:
    """The number of two rows that may be swapped."""
    return state + other * (other + 1) // 2 if state <= other else other + state * (state + 1) // 2


family_number = inlined(pair_number)


@compiled
def index_of(book: Book, index: SheetIndex, rows: Ints, sheet: int) -> int:
    """The index of the sheet whose rows begin there."""
    total = 0
    for row in range(book.rows):
        partner, number = index.partner[row], state_of_row(index, rows[sheet + row])
        if partner >= row:
            if partner > row:
                number = family_number(number, state_of_row(index, rows[sheet + partner]))
            total += index.stride[index.family[row]] * number
    return total

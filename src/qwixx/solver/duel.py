"""Two players, exactly: the equilibrium of a small dice game, by backward induction.

A position is both sheets before the mover's roll. All choose the called number at once, so each roll is a small matrix
game: the mover's options against the other's, each pair worth what the mover's best coloured die makes of it. What is
kept is the mover's share of the win when both play their best mixture.
"""

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numba.typed import Dict as TypedDict
from numpy.typing import NDArray

from qwixx.kernel.book import CROSS, FAR, MOST_ROWS, NO_DIE, Book, Ints, book_of, crosses, next_place, whole
from qwixx.kernel.candidates import SCRATCH, copy_table, share_of
from qwixx.kernel.candidates_dice import act
from qwixx.kernel.dice import remove_dice
from qwixx.kernel.kits import Array
from qwixx.kernel.table import Table, gone_colours, list_called, list_coloured, settle_called
from qwixx.rules import Dice, MalformedError, State, Variant, closed_rows, new_game
from qwixx.rules.sheet import crosses as crosses_in

SHUT = 15
"""The next place of a closed row, where a key has four bits for it."""
ROW_BITS, HALF_ROW, MISTHROW_BITS = 8, 4, 3
MOST_OPTIONS = 3
DEEPEST = 64
"""No game has so many turns on boards that are small enough."""
TINY = 1e-12

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")
# Functions that call each other do not survive being kept for the next process.
compiled_anew = numba.njit(nogil=True, error_model="numpy")


class Duel(NamedTuple):
    """Every position that can come up, sorted, and the mover's share of the win there."""

    variant: Variant
    keys: Ints
    values: NDArray[np.float64]

    @property
    def value(self) -> float:
        """The share of who moves first."""
        return self.of(key_of(new_game(self.variant, 2), 0))

    def of(self, key: int) -> float:
        place = int(np.searchsorted(self.keys, key))
        if place == len(self.keys) or self.keys[place] != key:
            raise MalformedError("this position does not come up")
        return float(self.values[place])


def key_of(state: State, mover: int) -> int:
    """A position of the rules as a number."""
    key = 0
    for seat in (mover, 1 - mover):
        sheet, closed = state.sheets[seat], closed_rows(state, seat)
        for row, crossed in enumerate(sheet.rows):
            place = SHUT if closed >> row & 1 else crossed.bit_length() + 1
            key = key << ROW_BITS | place << HALF_ROW | crosses_in(sheet, row)
        key = key << MISTHROW_BITS | sheet.misthrows
    return key


@compiled
def pack(book: Book, table: Table, mover: int) -> int:
    """A position of the kernel as a number."""
    key = 0
    for which in range(2):
        seat = mover if which == 0 else 1 - mover
        for row in range(book.rows):
            bits = whole(table.rows[MOST_ROWS * seat + row])
            place = SHUT if next_place(bits) == FAR else next_place(bits)
            key = key << ROW_BITS | place << HALF_ROW | crosses(bits)
        key = key << MISTHROW_BITS | whole(table.misthrows[seat])
    return key


@compiled
def unpack(book: Book, key: int, table: Table) -> None:
    """Lays a position out; seat 0 is its mover."""
    for which in range(2):
        seat = 1 - which
        table.misthrows[seat] = key & ((1 << MISTHROW_BITS) - 1)
        key >>= MISTHROW_BITS
        for index in range(book.rows):
            row = book.rows - 1 - index
            place, made = key >> HALF_ROW & SHUT, key & SHUT
            table.rows[MOST_ROWS * seat + row] = (0 if place == SHUT else FAR - place) | made << CROSS
            key >>= ROW_BITS
        table.lucky[2 * seat] = 0
        table.lucky[2 * seat + 1] = 0
    for seat in range(2):
        table.gone[seat] = gone_colours(book, table.rows, MOST_ROWS * seat)


@compiled
def matrix_game(matrix: Array, rows: int, columns: int, mixed: Array) -> float:
    """The value of a matrix game of at most three options each. Both players' best mixtures are written to the first
    two lines: they are found in some square part of the matrix (Shapley and Snow), where neither can improve."""
    for row in range(rows):
        for column in range(columns):
            if _is_saddle(matrix, rows, columns, row, column):
                mixed[0, :] = 0.0
                mixed[1, :] = 0.0
                mixed[0, row], mixed[1, column] = 1.0, 1.0
                return matrix[row, column]
    value, least = 0.0, 2.0
    for part in range(10):
        one, left = part // 3, part % 3
        two, right = (one + 1) % 3, (left + 1) % 3
        if part == 9:
            fits = rows == 3 and columns == 3 and _all_three(matrix, mixed)
        else:
            inside = one < rows and two < rows and left < columns and right < columns
            fits = inside and _two_each(matrix, one, two, left, right, mixed)
        if fits:
            low, high = _bounds(matrix, rows, columns, mixed)
            if high - low < least:
                value, least = (low + high) / 2.0, high - low
                mixed[4, :] = mixed[0, :]
                mixed[5, :] = mixed[1, :]
    mixed[0, :] = mixed[4, :]
    mixed[1, :] = mixed[5, :]
    return value


@compiled
def _is_saddle(matrix: Array, rows: int, columns: int, row: int, column: int) -> bool:
    """Whether neither player would rather be elsewhere."""
    here, good = matrix[row, column], True
    for other in range(columns):
        good &= matrix[row, other] >= here
    for other in range(rows):
        good &= matrix[other, column] <= here
    return good


@compiled
def _two_each(matrix: Array, one: int, two: int, left: int, right: int, mixed: Array) -> bool:
    """The mixtures that make two options of each player equal; whether there are any."""
    a, b, c, d = matrix[one, left], matrix[one, right], matrix[two, left], matrix[two, right]
    spread = a + d - b - c
    mixed[0, :] = 0.0
    mixed[1, :] = 0.0
    if abs(spread) < TINY:
        return False
    mixed[0, one], mixed[1, left] = (d - c) / spread, (d - b) / spread
    mixed[0, two], mixed[1, right] = 1.0 - mixed[0, one], 1.0 - mixed[1, left]
    return 0.0 <= mixed[0, one] <= 1.0 and 0.0 <= mixed[1, left] <= 1.0


@compiled
def _all_three(matrix: Array, mixed: Array) -> bool:
    """Mixtures of all three options, from the adjugate; the matrix is raised by one so that it has an inverse."""
    total = 0.0
    mixed[0, :] = 0.0
    mixed[1, :] = 0.0
    for row in range(3):
        for column in range(3):
            r, s, c, d = (row + 1) % 3, (row + 2) % 3, (column + 1) % 3, (column + 2) % 3
            minor = (matrix[r, c] + 1.0) * (matrix[s, d] + 1.0) - (matrix[r, d] + 1.0) * (matrix[s, c] + 1.0)
            mixed[0, row] += minor
            mixed[1, column] += minor
            total += minor
    if abs(total) < TINY:
        return False
    fits = True
    for option in range(3):
        mixed[0, option] /= total
        mixed[1, option] /= total
        fits &= mixed[0, option] >= 0.0 and mixed[1, option] >= 0.0
    return fits


@compiled
def _bounds(matrix: Array, rows: int, columns: int, mixed: Array) -> tuple[float, float]:
    """What the first mixture is worth at least, and the second at most."""
    low, high = 2.0, -1.0
    for column in range(columns):
        worth = 0.0
        for row in range(rows):
            worth += mixed[0, row] * matrix[row, column]
        low = worth if worth < low else low
    for row in range(rows):
        worth = 0.0
        for column in range(columns):
            worth += mixed[1, column] * matrix[row, column]
        high = worth if worth > high else high
    return low, high


@compiled
def lay_dice(book: Book, table: Table, white: int, other: int, roll: int) -> float:
    """Lays a roll out, the coloured dice by number; how often it comes up. Of rolls that differ in a die that is gone,
    one stands for all."""
    table.dice[0], table.dice[1] = white + 1, other + 1
    weight = 1.0 if white == other else 2.0
    for colour in range(book.colours):
        face, roll = roll % book.sides, roll // book.sides
        gone = table.gone[0] >> colour & 1
        table.dice[2 + colour] = NO_DIE if gone else face + 1
        weight *= (book.sides if face == 0 else 0.0) if gone else 1.0
    return weight


@compiled_anew
def _value(book: Book, key: int, memo: Array, tables: Array, matrices: Array, mixed: Array, depth: int) -> float:
    """The mover's share of the win in a position, from those that can follow it."""
    if key in memo:
        return memo[key]
    table, total = tables[3 * depth], 0.0
    unpack(book, key, table)
    faces = book.sides**book.colours
    for white in range(book.sides):
        for other in range(white, book.sides):
            for roll in range(faces):
                weight = lay_dice(book, table, white, other, roll)
                if weight > 0.0:
                    total += weight * _roll(book, memo, tables, matrices, mixed, depth)
    result = total / (faces * book.sides * book.sides)
    memo[key] = result
    return result


@compiled_anew
def _roll(book: Book, memo: Array, tables: Array, matrices: Array, mixed: Array, depth: int) -> float:
    """What a roll is worth to the mover."""
    table, after, last = tables[3 * depth], tables[3 * depth + 1], tables[3 * depth + 2]
    matrix, number = matrices[depth], whole(table.dice[0]) + whole(table.dice[1])
    rows = list_called(book, table, 0, number)
    for row in range(rows):
        mixed[depth, 2, row] = table.options[row]
    columns = list_called(book, table, 1, number)
    for column in range(columns):
        mixed[depth, 3, column] = table.options[column]
    for row in range(rows):
        for column in range(columns):
            copy_table(book, table, after, 2)
            after.chosen[0] = whole(mixed[depth, 2, row])
            after.chosen[1] = whole(mixed[depth, 3, column])
            called = after.chosen[0] != 0
            if settle_called(book, after, 2):
                matrix[row, column] = share_of(book, after, 2, 0)
                continue
            if after.gone[0] != table.gone[0]:
                remove_dice(book, after, after.gone[0])
            best = 0.0
            for option in range(list_coloured(book, after, 0)):
                copy_table(book, after, last, 2)
                if act(book, last, 2, 0, after.options[option], called):
                    worth = share_of(book, last, 2, 0)
                else:
                    worth = 1.0 - _value(book, pack(book, last, 1), memo, tables, matrices, mixed, depth + 1)
                best = worth if worth > best else best
            matrix[row, column] = best
    return matrix_game(matrix, rows, columns, mixed[depth])


def solve_duel(variant: Variant) -> Duel:
    """The equilibrium of a small board for two."""
    dice = variant.source
    if not isinstance(dice, Dice) or dice.lucky or 2 not in variant.seat_counts:
        raise MalformedError(f"{variant.name} is not solved for two: a dice game without lucky numbers is")
    if max(map(len, variant.rows)) >= SHUT or len(variant.rows) > 3 or _most_options(variant) > MOST_OPTIONS:
        raise MalformedError(f"{variant.name} is too large to be solved for two")
    memo = TypedDict.empty(types.int64, types.float64)
    tables, matrices = np.zeros(3 * DEEPEST, SCRATCH), np.zeros((DEEPEST, MOST_OPTIONS, MOST_OPTIONS))
    _value(
        book_of(variant),
        key_of(new_game(variant, 2), 0),
        memo,
        tables,
        matrices,
        np.zeros((DEEPEST, 6, MOST_OPTIONS)),
        0,
    )
    keys = np.fromiter(memo.keys(), np.int64, len(memo))
    values = np.fromiter(memo.values(), np.float64, len(memo))
    order = np.argsort(keys)
    return Duel(variant, keys[order], values[order])


def _most_options(variant: Variant) -> int:
    return 1 + max(map(len, variant.by_number.values()))

"""One game's state while it is played, in arrays that are made once and used for game after game."""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import (
    BYTE,
    FAR,
    LUCKY,
    MOST_CARDS,
    MOST_NUMBERS,
    MOST_OPTIONS,
    MOST_ROWS,
    MOST_SEATS,
    NO_DIE,
    Book,
    Ints,
    at,
    closes,
    crossed,
    crosses,
    is_open,
    next_place,
    row_of,
    whole,
)
from qwixx.kernel.compile import compiled, inlined

Log = Ints | None
MOST_HAND = 8
MOST_HIDDEN = 128
EMPTY = FAR - 1
"""A row without a cross, whose next place is the first."""
SPARE = MOST_SEATS * MOST_ROWS
"""Where a sheet lies on which choices are tried out."""
STARTS, DEALS, ROLLS, SHUFFLES, TAKES, CHOOSES, STANDS = range(7)
"""What a log tells of."""
BY_ROWS, BY_MISTHROWS, GOES_ON = 0, 1, 2
"""What a turn ended the game by, if it did."""


LAYOUT = np.dtype(
    [
        (name, kind, shape)
        for name, kind, shape in (
            ("rows", np.int32, (MOST_SEATS + 1) * MOST_ROWS),
            ("misthrows", np.int32, MOST_SEATS),
            ("gone", np.int32, MOST_SEATS),
            ("chosen", np.int32, MOST_SEATS),
            ("lucky", np.int32, 2 * MOST_SEATS),
            ("options", np.int32, MOST_OPTIONS),
            ("dice", np.uint32, MOST_OPTIONS),
            ("hands", np.int32, MOST_SEATS * MOST_HAND),
            ("held", np.int32, MOST_SEATS),
            ("laid", np.int32, 16),
            ("pile", np.int32, MOST_CARDS),
            ("aside", np.int32, MOST_CARDS),
            ("cards_left", np.int32, 4),
            ("hidden", np.float64, MOST_HIDDEN),
        )
    ],
    align=True,
)


class Table(Protocol):
    """By seat: rows (a spare sheet's after the last), misthrows, colours whose die is gone, lucky numbers, what was
    chosen. Then what may be chosen now, the dice (white first), and the cards: each hand, the tableau, the pile, and
    the rest."""

    rows: Ints
    misthrows: Ints
    gone: Ints
    lucky: Ints
    chosen: Ints
    options: Ints
    dice: Ints
    hands: Ints
    held: Ints
    laid: Ints
    pile: Ints
    aside: Ints
    cards_left: Ints
    hidden: NDArray[np.float64]


def new_table() -> Table:
    """Room for any game."""
    return cast("Table", np.zeros(1, LAYOUT)[0])


@inlined
def note(log: Log, what: int) -> None:
    """Writes into the log, where there is one; its first number counts the others."""
    if log is not None:
        log[0] += 1
        log[log[0]] = what


@compiled
def note_sheets(log: Log, table: Table, seats: int, rows: int) -> None:
    if log is not None:
        note(log, STANDS)
        for seat in range(seats):
            note(log, table.misthrows[seat])
            for row in range(rows):
                note(log, table.rows[MOST_ROWS * seat + row])


@compiled
def note_dice(log: Log, table: Table, dice: int) -> None:
    if log is not None:
        note(log, ROLLS)
        for die in range(dice):
            if table.dice[die] < NO_DIE:
                note(log, table.dice[die])


@compiled
def note_choice(log: Log, table: Table, seat: int, count: int) -> None:
    if log is not None:
        note(log, CHOOSES)
        note(log, seat)
        note(log, table.chosen[seat])
        note(log, count)
        for option in range(count):
            note(log, table.options[option])


@inlined
def clear(table: Table, seats: int) -> None:
    """Empty sheets for so many seats."""
    for row in range(seats * MOST_ROWS):
        table.rows[at(row)] = EMPTY
    for seat in range(seats):
        table.misthrows[at(seat)] = 0
        table.gone[at(seat)] = 0
        table.lucky[at(2 * seat)] = 0
        table.lucky[at(2 * seat + 1)] = 0


@inlined
def list_called(book: Book, table: Table, seat: int, number: int) -> int:
    """Writes every cell of a called number that a seat may cross to the options, then 0 for the pass; how many."""
    sheet, count, place = MOST_ROWS * seat, 0, 0
    while place < book.wide:
        cell = whole(book.called[at(number * book.wide + place)])
        table.options[at(count)] = cell
        count += is_open(table.rows[at(sheet + row_of(cell))], cell)
        place += 1
    if book.pairs != 0 and ((table.lucky[at(2 * seat)] == number) | (table.lucky[at(2 * seat + 1)] == number)):
        count = _list_lucky(book, table, sheet, number, count)
    table.options[at(count)] = 0
    return count + 1


@compiled
def _list_lucky(book: Book, table: Table, sheet: int, number: int, count: int) -> int:
    """Adds the next cell of the open rows with the fewest crosses (T7, X5)."""
    fewest = FAR
    for index in range(book.rows):
        row = table.rows[sheet + index]
        if next_place(row) != FAR and crosses(row) < fewest:
            fewest = crosses(row)
    for index in range(book.rows):
        row = table.rows[sheet + index]
        if next_place(row) != FAR and crosses(row) == fewest:
            cell = whole(book.cells[index, next_place(row) - 1])
            if is_open(row, cell) and book.numbers[index, next_place(row) - 1] != number:
                table.options[count] = cell | 1 << LUCKY
                count += 1
    return count


@inlined
def whites(table: Table) -> tuple[int, int]:
    """Both white dice; the second is not there where it shows what the first does."""
    first, second = whole(table.dice[0]), whole(table.dice[1])
    return first, second + NO_DIE * (first == second)


@inlined
def coloured_cell(book: Book, table: Table, colour: int, white: int) -> int:
    """The cell that a white die and a colour's die make; 0 if there is none, or a die is not there."""
    return whole(book.coloured[at(colour * MOST_NUMBERS + white + whole(table.dice[at(2 + colour)]))])


@inlined
def list_coloured(book: Book, table: Table, seat: int) -> int:
    """Writes every cell that the active seat may cross with a coloured die to the options, then 0; how many."""
    sheet, count, colour = MOST_ROWS * seat, 0, 0
    first, second = whites(table)
    while colour < book.colours:
        cell, other = coloured_cell(book, table, colour, first), coloured_cell(book, table, colour, second)
        table.options[at(count)] = cell
        count += is_open(table.rows[at(sheet + row_of(cell))], cell)
        table.options[at(count)] = other
        count += is_open(table.rows[at(sheet + row_of(other))], other)
        colour += 1
    table.options[at(count)] = 0
    return count + 1


@inlined
def gone_colours(book: Book, rows: Ints, sheet: int) -> int:
    """A bit for each colour whose die has left the game with a closed row (L1)."""
    gone = 0
    for row in range(book.rows):
        gone |= (next_place(rows[sheet + row]) == FAR) << book.lock_colour[row]
    return gone


@inlined
def closed_rows(book: Book, rows: Ints, sheet: int) -> int:
    """How many rows are closed for the sheet's seat."""
    count = 0
    for row in range(book.rows):
        count += next_place(rows[sheet + row]) == FAR
    return count


@inlined
def cross(table: Table, seat: int, cell: int) -> int:
    """Crosses a cell on a seat's sheet; the bit of the row that this closes, 0 if none."""
    row = at(MOST_ROWS * seat + row_of(cell))
    table.rows[row] = crossed(table.rows[row], cell)
    return closes(cell) << row_of(cell)


@compiled
def settle_closed(book: Book, table: Table, seats: int, closing: int) -> bool:
    """Rows that were closed are closed for everybody (L1), or for their own player (C9); whether that ends the game."""
    ends = False
    for seat in range(seats):
        sheet = MOST_ROWS * seat
        for row in range(book.rows if book.shared else 0):
            if closing >> row & 1:
                table.rows[sheet + row] &= ~BYTE
        table.gone[seat] = gone_colours(book, table.rows, sheet)
        ends |= closed_rows(book, table.rows, sheet) >= book.end_rows
    return ends


@inlined
def settle_called(book: Book, table: Table, seats: int) -> bool:
    """Crosses what everybody chose, all together (X1); whether that ends the game."""
    closing, seat = 0, 0
    while seat < seats:
        closing |= cross(table, seat, table.chosen[at(seat)])
        seat += 1
    return closing != 0 and settle_closed(book, table, seats, closing)


@inlined
def end_turn(book: Book, table: Table, active: int, has_crossed: bool) -> int:
    """The misthrow if nothing was crossed (T5, C7); what ended the game, if that did."""
    table.misthrows[at(active)] += not has_crossed
    return BY_MISTHROWS if table.misthrows[at(active)] >= book.end_misthrows else GOES_ON


@inlined
def try_out(book: Book, table: Table, seat: int, cell: int) -> None:
    """Copies a seat's sheet to the spare one and crosses a cell there."""
    for row in range(book.rows):
        table.rows[SPARE + row] = table.rows[MOST_ROWS * seat + row]
    cross(table, MOST_SEATS, cell)

"""One game's state while it is played, in arrays that are made once and used for game after game."""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import (
    FAR,
    LUCKY,
    MOST_CARDS,
    MOST_OPTIONS,
    MOST_SEATS,
    NO_DIE,
    ROW_BITS,
    ROW_MASK,
    ROWS_A_WORD,
    Book,
    Ints,
    closes,
    crossed,
    crosses,
    is_open,
    next_place,
    row_at,
    row_of,
    whole,
    word_of,
)
from qwixx.kernel.compile import compiled, inlined

Log = Ints | None
MOST_HAND = 8
MOST_HIDDEN = 128
EMPTY = 0x007E007E007E007E
"""Four rows without a cross, whose next place is the first."""
STARTS, DEALS, ROLLS, SHUFFLES, TAKES, CHOOSES, STANDS = range(7)
"""What a log tells of."""
BY_ROWS, BY_MISTHROWS, GOES_ON = 0, 1, 2
"""What a turn ended the game by, if it did."""


LAYOUT = np.dtype(
    [
        (name, kind, shape)
        for name, kind, shape in (
            ("sheets", np.int64, 2 * MOST_SEATS),
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
    """By seat: packed sheets (two words each), misthrows, colours whose die is gone, lucky numbers, what was chosen.
    Then what may be chosen now, the dice (white first), and the cards: each hand, the tableau, the pile, the rest."""

    sheets: Ints
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
def note_sheets(log: Log, table: Table, seats: int) -> None:
    if log is not None:
        note(log, STANDS)
        for seat in range(seats):
            note(log, table.sheets[2 * seat])
            note(log, table.sheets[2 * seat + 1])
            note(log, table.misthrows[seat])


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
    for seat in range(seats):
        table.sheets[2 * seat] = EMPTY
        table.sheets[2 * seat + 1] = EMPTY
        table.misthrows[seat] = 0
        table.gone[seat] = 0
        table.lucky[2 * seat] = 0
        table.lucky[2 * seat + 1] = 0


@inlined
def list_called(book: Book, table: Table, seat: int, number: int) -> int:
    """Writes every cell of a called number that a seat may cross to the options, then 0 for the pass; how many."""
    count = 0
    for index in range(book.called_from[number], book.called_from[number + 1]):
        cell = whole(book.called[index])
        table.options[count] = cell
        count += is_open(table.sheets[2 * seat + word_of(cell)], cell)
    if (table.lucky[2 * seat] == number) | (table.lucky[2 * seat + 1] == number):
        count = _list_lucky(book, table, seat, number, count)
    table.options[count] = 0
    return count + 1


@compiled
def _list_lucky(book: Book, table: Table, seat: int, number: int, count: int) -> int:
    """Adds the next cell of the open rows with the fewest crosses (T7, X5)."""
    low, high, fewest = table.sheets[2 * seat], table.sheets[2 * seat + 1], FAR
    for index in range(book.rows):
        row = row_at(low, high, index)
        if next_place(row) != FAR:
            fewest = crosses(row) if crosses(row) < fewest else fewest
    for index in range(book.rows):
        row = row_at(low, high, index)
        if next_place(row) != FAR and crosses(row) == fewest:
            cell = whole(book.cells[index, next_place(row) - 1])
            if is_open(high if word_of(cell) else low, cell) and book.numbers[index, next_place(row) - 1] != number:
                table.options[count] = cell | 1 << LUCKY
                count += 1
    return count


@inlined
def coloured_cell(book: Book, table: Table, colour: int, white: int) -> int:
    """The cell that a white die and a colour's die make; 0 if there is none, a die is gone, or the dice are twins."""
    pips = whole(table.dice[white])
    pips += NO_DIE * ((white == 1) & (pips == table.dice[0]))
    return whole(book.coloured[colour, pips + whole(table.dice[2 + colour])])


@inlined
def list_coloured(book: Book, table: Table, seat: int) -> int:
    """Writes every cell that the active seat may cross with a coloured die to the options, then 0; how many."""
    count = 0
    for colour in range(book.colours):
        for white in range(2):
            cell = coloured_cell(book, table, colour, white)
            table.options[count] = cell
            count += is_open(table.sheets[2 * seat + word_of(cell)], cell)
    table.options[count] = 0
    return count + 1


@inlined
def gone_colours(book: Book, low: int, high: int) -> int:
    """A bit for each colour whose die has left the game with a closed row (L1)."""
    gone = 0
    for row in range(book.rows):
        gone |= (next_place(row_at(low, high, row)) == FAR) << book.lock_colour[row]
    return gone


@inlined
def closed_rows(book: Book, low: int, high: int) -> int:
    """How many rows are closed for the sheet's seat."""
    count = 0
    for row in range(book.rows):
        count += next_place(row_at(low, high, row)) == FAR
    return count


@inlined
def cross(table: Table, seat: int, cell: int) -> int:
    """Crosses a cell on a seat's sheet; the bit of the row that this closes, 0 if none."""
    place = 2 * seat + word_of(cell)
    table.sheets[place] = crossed(table.sheets[place], cell)
    return closes(cell) << row_of(cell)


@compiled
def settle_closed(book: Book, table: Table, seats: int, closing: int) -> bool:
    """Rows that were closed are closed for everybody (L1), or for their own player (C9); whether that ends the game."""
    ends = False
    for seat in range(seats):
        if book.shared:
            for row in range(book.rows):
                if closing >> row & 1:
                    place = 2 * seat + row // ROWS_A_WORD
                    table.sheets[place] &= ~(ROW_MASK << ROW_BITS * (row % ROWS_A_WORD))
        low, high = table.sheets[2 * seat], table.sheets[2 * seat + 1]
        table.gone[seat] = gone_colours(book, low, high)
        ends |= closed_rows(book, low, high) >= book.end_rows
    return ends


@inlined
def settle_called(book: Book, table: Table, seats: int) -> bool:
    """Crosses what everybody chose, all together (X1); whether that ends the game."""
    closing = 0
    for seat in range(seats):
        closing |= cross(table, seat, table.chosen[seat])
    return closing != 0 and settle_closed(book, table, seats, closing)


@inlined
def end_turn(book: Book, table: Table, active: int, has_crossed: bool) -> int:
    """The misthrow if nothing was crossed (T5, C7); what ended the game, if that did."""
    table.misthrows[active] += not has_crossed
    return BY_MISTHROWS if table.misthrows[active] >= book.end_misthrows else GOES_ON

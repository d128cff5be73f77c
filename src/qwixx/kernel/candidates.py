"""What a seat could choose, and the table that each choice leads to, for players who value their choices by a network.

A candidate is, for a seat that is not active, each cell of the called number; for the active seat, each pair of both
its actions. What the others do at the same moment is taken as nothing, or as what they were seen to prefer. A candidate
that ends the game counts as what it is; every other one is written down as a network's inputs.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_ROWS, Book, Ints, is_open, row_of, score, whole
from qwixx.kernel.compile import compiled
from qwixx.kernel.dice import remove_dice
from qwixx.kernel.inputs import write_state
from qwixx.kernel.kits import Array
from qwixx.kernel.policies import Minds
from qwixx.kernel.table import GOES_ON, Table, cross, end_turn, list_called, list_coloured, settle_called, settle_closed
from qwixx.kernel.table import LAYOUT as TABLE_LAYOUT

OUTSIDE = -1
"""The kind of mind that is asked outside the kernel."""
UNKNOWN = np.float32(-1.0)

SCRATCH = np.dtype(
    [(name, TABLE_LAYOUT[name]) for name in ("rows", "misthrows", "gone", "chosen", "options", "dice", "lucky")],
    align=True,
)
"""A table on which choices are tried out; a seat needs so many of them."""
TRIED = 3
LAYOUT = np.dtype([("game", np.int64), ("turn", np.int32), ("active", np.int32), ("end", np.int32)], align=True)


class Course(Protocol):
    """Where a game is: its number, how many turns it has had, whose the next is, and what ended it, if anything."""

    game: int
    turn: int
    active: int
    end: int


class Candidates(Protocol):
    """What may be chosen, one after the other: the cells of both actions, the share of the win where the game is over
    (else UNKNOWN), and the network's inputs for each opponent."""

    called: Ints
    coloured: Ints
    known: NDArray[np.float32]
    inputs: NDArray[np.float32]


@compiled
def copy_table(book: Book, source: Table, target: Table, seats: int) -> None:
    for seat in range(seats):
        for row in range(book.rows):
            target.rows[MOST_ROWS * seat + row] = source.rows[MOST_ROWS * seat + row]
        target.misthrows[seat] = source.misthrows[seat]
        target.gone[seat] = source.gone[seat]
        target.lucky[2 * seat] = source.lucky[2 * seat]
        target.lucky[2 * seat + 1] = source.lucky[2 * seat + 1]
    for die in range(2 + book.colours):
        target.dice[die] = source.dice[die]


@compiled
def share_of(book: Book, table: Table, seats: int, seat: int) -> float:
    """The seat's share of the win on a finished table (X4)."""
    own = score(book, table.rows, MOST_ROWS * seat, table.misthrows[seat])
    sharing = 1
    for other in range(seats):
        points = score(book, table.rows, MOST_ROWS * other, table.misthrows[other])
        if points > own:
            return 0.0
        sharing += (points == own) & (other != seat)
    return 1.0 / sharing


@compiled
def emit(
    book: Book,
    course: Course,
    table: Table,
    lucky: Ints,
    seats: int,
    seat: int,
    over: bool,
    called: int,
    coloured: int,
    found: Candidates,
    index: int,
    order: Ints,
) -> None:
    """Writes a candidate down."""
    found.called[index] = called
    found.coloured[index] = coloured
    if over:
        found.known[index] = share_of(book, table, seats, seat)
        return
    found.known[index] = UNKNOWN
    active = course.active + 1 if course.active + 1 < seats else 0
    write_state(book, found.inputs, index, table.rows, 0, table.misthrows, 0, lucky, 0, active, seats, seat, order, 0)


@compiled
def act(book: Book, table: Table, seats: int, active: int, cell: int, has_crossed: bool) -> bool:
    """The active seat's second action, and the end of its turn; whether that ends the game."""
    closing = cross(table, active, cell)
    if closing and settle_closed(book, table, seats, closing):
        return True
    return end_turn(book, table, active, has_crossed or cell != 0) != GOES_ON


@compiled
def call_out(
    book: Book,
    course: Course,
    table: Table,
    after: Table,
    choices: Ints,
    seats: int,
    seat: int,
    cell: int,
    guessed: int,
) -> bool:
    """Copies the table and lets everybody cross the called number: the seat a cell, the others nothing, or what they
    are guessed to. Whether that ends the game."""
    copy_table(book, table, after, seats)
    for other in range(seats):
        after.chosen[other] = cell if other == seat else choices[2 * other] * guessed
    if settle_called(book, after, seats):
        return True
    if after.gone[course.active] != table.gone[course.active]:
        remove_dice(book, after, after.gone[course.active])
    return False


@compiled
def guess_act(book: Book, course: Course, after: Table, choices: Ints, seats: int) -> bool:
    """The active seat's guessed second action; whether that ends the game. A cell that has closed since is left out."""
    called, cell = choices[2 * course.active], choices[2 * course.active + 1]
    if not is_open(after.rows[MOST_ROWS * course.active + row_of(cell)], cell):
        cell = 0
    return act(book, after, seats, course.active, cell, called != 0)


@compiled
def emit_acts(
    book: Book,
    course: Course,
    table: Table,
    after: Table,
    lucky: Ints,
    seats: int,
    called: int,
    count: int,
    has_crossed: bool,
    found: Candidates,
    first: int,
    order: Ints,
) -> None:
    """Writes down what each of the active seat's options with a coloured die leads to."""
    for option in range(count):
        cell = table.options[option]
        copy_table(book, table, after, seats)
        over = act(book, after, seats, course.active, cell, has_crossed)
        emit(book, course, after, lucky, seats, course.active, over, called, cell, found, first + option, order)


@compiled
def list_calls(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    choices: Ints,
    seats: int,
    seat: int,
    guessed: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """A seat's candidates once the white dice lie there; how many. Other seats may be looking at the same table."""
    here, after, last, count, active = scratch[0], scratch[1], scratch[2], 0, course.active
    copy_table(book, table, here, seats)
    options = list_called(book, here, seat, whole(table.dice[0]) + whole(table.dice[1]))
    for option in range(options):
        cell = here.options[option]
        over = call_out(book, course, table, after, choices, seats, seat, cell, guessed)
        if over or seat != active:
            if not over and guessed:
                over = guess_act(book, course, after, choices, seats)
            if found is not None:
                emit(book, course, after, table.lucky, seats, seat, over, cell, 0, found, first + count, order)
            count += 1
            continue
        acts = list_coloured(book, after, seat)
        if found is not None:
            emit_acts(book, course, after, last, table.lucky, seats, cell, acts, cell != 0, found, first + count, order)
        count += acts
    return count


@compiled
def list_acts(
    book: Book,
    course: Course,
    table: Table,
    after: Table,
    has_crossed: bool,
    seats: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """The active seat's candidates for its second action; how many."""
    count = list_coloured(book, table, course.active)
    if found is not None:
        emit_acts(book, course, table, after, table.lucky, seats, 0, count, has_crossed, found, first, order)
    return count


@compiled
def find(
    book: Book,
    minds: Minds,
    course: Course,
    table: Table,
    scratch: Array,
    choices: Ints,
    seats: int,
    seat: int,
    guessed: int,
    acting: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """The candidates of a seat that is asked outside, in either action; how many."""
    if course.end != GOES_ON or minds.kinds[seat] != OUTSIDE:
        return 0
    if not acting:
        return list_calls(book, course, table, scratch, choices, seats, seat, guessed, found, first, order)
    if seat != course.active:
        return 0
    return list_acts(book, course, table, scratch[0], choices[2 * seat] != 0, seats, found, first, order)

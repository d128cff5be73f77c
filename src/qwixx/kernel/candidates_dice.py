"""What a seat could choose with dice.

The active seat's candidates are all pairs of both its actions, as if nobody else crossed; another seat's are the cells
of the called number, given the pair that would be best for the active one.
"""

from qwixx.kernel.book import Book, Ints, whole
from qwixx.kernel.candidates import (
    ANSWERS,
    LEADS,
    Candidates,
    Course,
    Trial,
    copy_table,
    emit,
    next_seat,
)
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.dice import remove_dice
from qwixx.kernel.kits import Array
from qwixx.kernel.table import GOES_ON, Table, cross, end_turn, list_called, list_coloured, settle_called, settle_closed
from qwixx.kernel.valuenet import BEFORE


@inlined
def called_number(table: Table) -> int:
    """What the white dice make."""
    return whole(table.dice[0]) + whole(table.dice[1])


@compiled
def act(book: Book, table: Table, seats: int, active: int, cell: int, has_crossed: bool) -> bool:
    """The active seat's second action, and the end of its turn; whether that ends the game."""
    closing = cross(table, active, cell)
    if closing and settle_closed(book, table, seats, closing):
        return True
    return end_turn(book, table, active, has_crossed or cell != 0) != GOES_ON


@compiled
def call_out(
    book: Book, course: Course, table: Table, after: Trial, seats: int, seat: int, cell: int, leading: int
) -> bool:
    """Copies the table and lets two cross the called number: the seat a cell, and the active one what it is guessed to,
    where that is another. Whether that ends the game."""
    copy_table(book, table, after, seats)
    for other in range(seats):
        after.chosen[other] = cell if other == seat else leading if other == course.active else 0
    if settle_called(book, after, seats):
        return True
    if after.gone[course.active] != table.gone[course.active]:
        remove_dice(book, after, after.gone[course.active])
    return False


@compiled
def guess_act(book: Book, after: Table, seats: int, active: int, called: int, coloured: int) -> bool:
    """The active seat's guessed second action; whether that ends the game. What cannot be crossed any more is left
    out."""
    cell = 0
    for option in range(list_coloured(book, after, active)):
        if after.options[option] == coloured:
            cell = coloured
    return act(book, after, seats, active, cell, called != 0)


@compiled
def emit_acts(
    book: Book,
    course: Course,
    table: Table,
    after: Trial,
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
        emit(
            book,
            after,
            seats,
            course.active,
            over,
            next_seat(course, seats),
            BEFORE,
            called,
            cell,
            found,
            first + option,
            order,
        )


@compiled
def list_pairs(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    seats: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """The active seat's candidates once the dice lie there, if nobody else crosses the called number; how many."""
    here, after, last, count, active = scratch[0], scratch[1], scratch[2], 0, course.active
    copy_table(book, table, here, seats)
    for option in range(list_called(book, here, active, called_number(table))):
        cell = here.options[option]
        if call_out(book, course, table, after, seats, active, cell, 0):
            if found is not None:
                emit(book, after, seats, active, True, 0, BEFORE, cell, 0, found, first + count, order)
            count += 1
            continue
        acts = list_coloured(book, after, active)
        if found is not None:
            emit_acts(book, course, after, last, seats, cell, acts, cell != 0, found, first + count, order)
        count += acts
    return count


@compiled
def list_answers(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    guess: Ints,
    seats: int,
    seat: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """Another seat's candidates, given what the active one is guessed to do; how many. Others may be looking at the
    same table."""
    here, after = scratch[0], scratch[1]
    copy_table(book, table, here, seats)
    count = list_called(book, here, seat, called_number(table))
    if found is not None:
        for option in range(count):
            cell = here.options[option]
            over = call_out(book, course, table, after, seats, seat, cell, guess[0])
            if not over:
                over = guess_act(book, after, seats, course.active, guess[0], guess[1])
            emit(
                book, after, seats, seat, over, next_seat(course, seats), BEFORE, cell, 0, found, first + option, order
            )
    return count


@compiled
def list_acts(
    book: Book,
    course: Course,
    table: Table,
    after: Trial,
    has_crossed: bool,
    seats: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """The active seat's candidates for its second action; how many."""
    count = list_coloured(book, table, course.active)
    if found is not None:
        emit_acts(book, course, table, after, seats, 0, count, has_crossed, found, first, order)
    return count


@compiled
def find_dice(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    guess: Ints,
    choices: Ints,
    seats: int,
    seat: int,
    asked: int,
    stage: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """A seat's candidates at a stage, for the seats that are asked (a bit each); how many. What the active seat will do
    is guessed whether it is asked or not."""
    if (stage == ANSWERS) == (seat == course.active):
        return 0
    if stage == LEADS:
        return list_pairs(book, course, table, scratch, seats, found, first, order)
    if not asked >> seat & 1:
        return 0
    if stage == ANSWERS:
        return list_answers(book, course, table, scratch, guess, seats, seat, found, first, order)
    return list_acts(book, course, table, scratch[0], choices[2 * seat] != 0, seats, found, first, order)

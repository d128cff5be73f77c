"""What a seat could choose with dice.

The active seat's candidates are all pairs of both its actions, first as if nobody else crossed; another seat's are the
cells of the called number, given the pair that would be best for the active one; then the active seat's once more,
given the others' answers.
"""

from qwixx.kernel.book import Book, Ints, whole
from qwixx.kernel.candidates import (
    ACTS,
    ANSWERED,
    ANSWERS,
    LEADS,
    PAIRS,
    Candidates,
    Course,
    Trial,
    copy_table,
    note_candidate,
)
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.dice import remove_dice
from qwixx.kernel.kits import Array
from qwixx.kernel.table import GOES_ON, Table, cross, end_turn, list_called, list_coloured, settle_called, settle_closed


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


@inlined
def expected(course: Course, guess: Ints, other: int, stage: int) -> int:
    """What another seat is taken to cross of the called number."""
    if stage == PAIRS:
        return whole(guess[ANSWERED + other])
    return whole(guess[0]) if stage == ANSWERS and other == course.active else 0


@compiled
def call_out(
    book: Book,
    course: Course,
    table: Table,
    after: Trial,
    guess: Ints,
    seats: int,
    seat: int,
    stage: int,
    cell: int,
) -> bool:
    """Copies the table and lets all cross the called number: the seat a cell, the others what they are expected to.
    Whether that ends the game."""
    copy_table(book, table, after, seats)
    for other in range(seats):
        after.chosen[other] = cell if other == seat else expected(course, guess, other, stage)
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
def list_pairs(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    guess: Ints,
    seats: int,
    stage: int,
    place: int,
    found: Candidates | None,
    first: int,
) -> int:
    """The active seat's candidates once the dice lie there; how many."""
    here, after, count, active = scratch[0], scratch[1], 0, course.active
    copy_table(book, table, here, seats)
    for option in range(list_called(book, here, active, called_number(table))):
        cell = here.options[option]
        acts = 1
        after.options[0] = 0
        if not call_out(book, course, table, after, guess, seats, active, stage, cell):
            acts = list_coloured(book, after, active)
        if found is not None:
            for each in range(acts):
                note_candidate(found, first + count + each, place, cell, after.options[each])
        count += acts
    return count


@compiled
def list_answers(
    book: Book, table: Table, here: Trial, seats: int, seat: int, place: int, found: Candidates | None, first: int
) -> int:
    """Another seat's candidates; how many. Others may be looking at the same table."""
    copy_table(book, table, here, seats)
    count = list_called(book, here, seat, called_number(table))
    if found is not None:
        for option in range(count):
            note_candidate(found, first + option, place, here.options[option], 0)
    return count


@compiled
def list_acts(book: Book, table: Table, active: int, place: int, found: Candidates | None, first: int) -> int:
    """The active seat's candidates for its second action; how many."""
    count = list_coloured(book, table, active)
    if found is not None:
        for option in range(count):
            note_candidate(found, first + option, place, 0, table.options[option])
    return count


@compiled
def list_dice(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    guess: Ints,
    seats: int,
    seat: int,
    asked: int,
    stage: int,
    place: int,
    found: Candidates | None,
    first: int,
) -> int:
    """A seat's candidates at a stage, for the seats that are asked (a bit each); how many. What the active seat will do
    is guessed whether it is asked or not, and what the others answer if the active one is."""
    if (stage == ANSWERS) == (seat == course.active):
        return 0
    if stage == LEADS:
        return list_pairs(book, course, table, scratch, guess, seats, stage, place, found, first)
    if not (asked >> seat | asked >> course.active) & 1:
        return 0
    if stage == ANSWERS:
        return list_answers(book, table, scratch[0], seats, seat, place, found, first)
    if stage == ACTS:
        return list_acts(book, table, seat, place, found, first)
    if somebody_crosses(course, guess, seats):
        return list_pairs(book, course, table, scratch, guess, seats, stage, place, found, first)
    return 0


@compiled
def somebody_crosses(course: Course, guess: Ints, seats: int) -> bool:
    """Whether any of the others is guessed to; else the active seat's best pair is known already."""
    crossing = 0
    for other in range(seats):
        crossing += (other != course.active) & (guess[ANSWERED + other] != 0)
    return crossing > 0


@compiled
def try_dice(
    book: Book,
    course: Course,
    table: Table,
    after: Trial,
    guess: Ints,
    choices: Ints,
    seats: int,
    seat: int,
    stage: int,
    called: int,
    coloured: int,
) -> bool:
    """Tries a candidate out, to the end of the turn; whether that ends the game."""
    active = course.active
    if stage == ACTS:
        copy_table(book, table, after, seats)
        return act(book, after, seats, active, coloured, choices[2 * active] != 0)
    if call_out(book, course, table, after, guess, seats, seat, stage, called):
        return True
    if stage == ANSWERS:
        return guess_act(book, after, seats, active, guess[0], guess[1])
    return act(book, after, seats, active, coloured, called != 0)

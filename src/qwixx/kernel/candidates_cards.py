"""What a seat could choose with cards.

Nobody sees the others' colours. What the active seat takes it values by the numbers on the backs; then it looks at all
pairs of a cross and a play, as if nobody else crossed. Another seat's candidates are the cells of the called number,
each worth what follows on average, whatever the others do.
"""

from qwixx.kernel.book import MOST_ROWS, Book, Ints, whole
from qwixx.kernel.candidates import (
    ANSWERS,
    LEADS,
    TAKES,
    Candidates,
    Course,
    Trial,
    copy_table,
    emit,
    next_seat,
)
from qwixx.kernel.cards import TOP
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.kits import Array
from qwixx.kernel.moment import FRESH, LAID, OUT, locate
from qwixx.kernel.plays import CROSSED, HAND_MASK, bits_in, card_at, following, played
from qwixx.kernel.table import GOES_ON, MOST_HAND, SPARE, Table, cross, end_turn, list_called, settle_closed
from qwixx.kernel.valuenet import BEFORE, CALLED, TAKEN


@inlined
def number_on_top(book: Book, table: Table) -> int:
    """What the pile calls out."""
    return whole(book.card_number[table.pile[table.cards_left[TOP]]])


@compiled
def copy_hand(source: Table, target: Trial, seat: int) -> None:
    target.held[seat] = source.held[seat]
    for place in range(source.held[seat]):
        target.hands[MOST_HAND * seat + place] = card_at(source, seat, place)


@compiled
def copy_trial(book: Book, source: Trial, target: Trial, seats: int, seat: int) -> None:
    """Copies what a seat can know of a table."""
    copy_table(book, source, target, seats)
    copy_hand(source, target, seat)
    for card in range(book.cards):
        target.cards[card] = source.cards[card]


@compiled
def try_table(book: Book, table: Table, trial: Trial, seats: int, seat: int) -> None:
    """Copies the table, to try out what a seat could choose."""
    copy_table(book, table, trial, seats)
    copy_hand(table, trial, seat)
    locate(book, seats, table, trial.cards)


@compiled
def list_takes(
    book: Book,
    course: Course,
    table: Table,
    after: Trial,
    seats: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """What the active seat may take from the tableau; how many ways."""
    active, count = course.active, 0
    missing = book.hand - table.held[active]
    if found is not None:
        try_table(book, table, after, seats, active)
    for slots in range(1 << book.tableau):
        if bits_in(slots) == missing:
            if found is not None:
                for slot in range(book.tableau):
                    after.cards[table.laid[slot]] = FRESH + active if slots >> slot & 1 else LAID
                emit(book, after, seats, active, False, active, TAKEN, 0, slots, found, first + count, order)
            count += 1
    return count


@compiled
def play_out(book: Book, after: Trial, seats: int, active: int, play: int, has_crossed: bool) -> bool:
    """The active seat's play, and the end of its turn; whether that ends the game."""
    closing = played(book, after, active, play).closing
    for row in range(book.rows):
        after.rows[MOST_ROWS * active + row] = after.rows[SPARE + row]
    for place in range(after.held[active]):
        if play >> place & 1:
            after.cards[card_at(after, active, place)] = OUT
    if closing and settle_closed(book, after, seats, closing):
        return True
    return end_turn(book, after, active, has_crossed or play >> CROSSED & HAND_MASK != 0) != GOES_ON


@compiled
def list_plays(
    book: Book,
    course: Course,
    here: Trial,
    after: Trial,
    seats: int,
    called: int,
    has_crossed: bool,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """What the active seat may play; how many ways."""
    active, count, play = course.active, 0, following(book, here, course.active, 0)
    while play != 0:
        if found is not None:
            copy_trial(book, here, after, seats, active)
            over = play_out(book, after, seats, active, play, has_crossed)
            active_next = next_seat(course, seats)
            emit(book, after, seats, active, over, active_next, BEFORE, called, play, found, first + count, order)
        count += 1
        play = following(book, here, active, play)
    return count


@compiled
def list_crosses(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    seats: int,
    seat: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """What a seat may do with the called number, and the active one with its cards after that; how many ways."""
    here, after, last, count = scratch[0], scratch[1], scratch[2], 0
    try_table(book, table, here, seats, seat)
    for option in range(list_called(book, here, seat, number_on_top(book, table))):
        cell = here.options[option]
        copy_trial(book, here, after, seats, seat)
        closing = cross(after, seat, cell)
        over = closing != 0 and settle_closed(book, after, seats, closing)
        if seat == course.active and not over:
            count += list_plays(book, course, after, last, seats, cell, cell != 0, found, first + count, order)
        else:
            if found is not None:
                emit(book, after, seats, seat, over, course.active, CALLED, cell, 0, found, first + count, order)
            count += 1
    return count


@compiled
def find_cards(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    choices: Ints,
    seats: int,
    seat: int,
    asked: int,
    stage: int,
    found: Candidates | None,
    first: int,
    order: Ints,
) -> int:
    """A seat's candidates at a stage, for the seats that are asked (a bit each); how many."""
    if not asked >> seat & 1 or (stage == ANSWERS) == (seat == course.active):
        return 0
    if stage == TAKES:
        return list_takes(book, course, table, scratch[0], seats, found, first, order)
    if stage in (LEADS, ANSWERS):
        return list_crosses(book, course, table, scratch, seats, seat, found, first, order)
    here = scratch[0]
    try_table(book, table, here, seats, seat)
    return list_plays(book, course, here, scratch[1], seats, 0, choices[2 * seat] != 0, found, first, order)

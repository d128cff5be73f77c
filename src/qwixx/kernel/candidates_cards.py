"""What a seat could choose with cards.

Nobody sees the others' colours. What the active seat takes it values by the numbers on the backs; then it looks at all
pairs of a cross and a play, as if nobody else crossed. Another seat's candidates are the cells of the called number,
each worth what follows on average, whatever the others do.
"""

from qwixx.kernel.book import MOST_ROWS, Book, Ints, whole
from qwixx.kernel.candidates import ACTS, ANSWERS, LEADS, TAKES, Candidates, Course, Trial, copy_table, note_candidate
from qwixx.kernel.cards import TOP
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.kits import Array
from qwixx.kernel.moment import FRESH, OUT, locate
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
def list_takes(book: Book, course: Course, table: Table, place: int, found: Candidates | None, first: int) -> int:
    """What the active seat may take from the tableau; how many ways."""
    count, missing = 0, book.hand - table.held[course.active]
    for slots in range(1 << book.tableau):
        if bits_in(slots) == missing:
            if found is not None:
                note_candidate(found, first + count, place, 0, slots)
            count += 1
    return count


@compiled
def list_plays(
    book: Book, here: Trial, seat: int, called: int, place: int, found: Candidates | None, first: int
) -> int:
    """What the active seat may play; how many ways."""
    count, play = 0, following(book, here, seat, 0)
    while play != 0:
        if found is not None:
            note_candidate(found, first + count, place, called, play)
        count += 1
        play = following(book, here, seat, play)
    return count


@compiled
def list_crosses(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    seats: int,
    seat: int,
    place: int,
    found: Candidates | None,
    first: int,
) -> int:
    """What a seat may do with the called number, and the active one with its cards after that; how many ways."""
    here, after, count = scratch[0], scratch[1], 0
    copy_table(book, table, here, seats)
    for option in range(list_called(book, here, seat, number_on_top(book, table))):
        cell = here.options[option]
        copy_table(book, here, after, seats)
        if seat == course.active and not answer(book, after, seats, seat, cell):
            copy_hand(table, after, seat)
            count += list_plays(book, after, seat, cell, place, found, first + count)
        else:
            if found is not None:
                note_candidate(found, first + count, place, cell, 0)
            count += 1
    return count


@compiled
def list_cards(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    seats: int,
    seat: int,
    asked: int,
    stage: int,
    place: int,
    found: Candidates | None,
    first: int,
) -> int:
    """A seat's candidates at a stage, for the seats that are asked (a bit each); how many."""
    if not asked >> seat & 1 or (stage == ANSWERS) == (seat == course.active):
        return 0
    if stage == TAKES:
        return list_takes(book, course, table, place, found, first)
    if stage in (LEADS, ANSWERS):
        return list_crosses(book, course, table, scratch, seats, seat, place, found, first)
    here = scratch[0]
    copy_table(book, table, here, seats)
    copy_hand(table, here, seat)
    return list_plays(book, here, seat, 0, place, found, first)


@compiled
def answer(book: Book, after: Trial, seats: int, seat: int, cell: int) -> bool:
    """A seat crosses the called number; whether that ends the game."""
    closing = cross(after, seat, cell)
    return closing != 0 and settle_closed(book, after, seats, closing)


@compiled
def play_cards(book: Book, after: Trial, seats: int, active: int, play: int, has_crossed: bool) -> bool:
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
def try_cards(
    book: Book,
    table: Table,
    after: Trial,
    choices: Ints,
    seats: int,
    seat: int,
    stage: int,
    called: int,
    coloured: int,
) -> bool:
    """Tries a candidate out, as far as the seat can see; whether that ends the game."""
    copy_table(book, table, after, seats)
    copy_hand(table, after, seat)
    locate(book, seats, table, after.cards)
    if stage == TAKES:
        for slot in range(book.tableau):
            if coloured >> slot & 1:
                after.cards[table.laid[slot]] = FRESH + seat
        return False
    if stage == ACTS:
        return play_cards(book, after, seats, seat, coloured, choices[2 * seat] != 0)
    if answer(book, after, seats, seat, called):
        return True
    return stage == LEADS and play_cards(book, after, seats, seat, coloured, called != 0)


@inlined
def moment_after(stage: int) -> int:
    """Which moment of a turn a candidate leads to."""
    return TAKEN if stage == TAKES else CALLED if stage == ANSWERS else BEFORE

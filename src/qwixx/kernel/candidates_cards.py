"""What a seat could choose with cards.

Nobody sees the others' colours. What the active seat may take is tried in every colour that it may have; then that seat
looks at all pairs of a cross and a play, as if nobody else crossed. Another seat's candidates are the cells of the
called number, each worth what follows on average, whatever the others do.
"""

from qwixx.kernel.book import MOST_ROWS, Book, Ints, whole
from qwixx.kernel.candidates import ACTS, ANSWERS, LEADS, TAKES, Candidates, Course, Trial, copy_table, note_candidate
from qwixx.kernel.cards import TOP
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.inputs import is_unseen, play_card, take_card
from qwixx.kernel.kits import Array
from qwixx.kernel.plays import CROSSED, HAND_MASK, bits_in, card_at, following, played
from qwixx.kernel.table import GOES_ON, MOST_HAND, SPARE, Table, cross, end_turn, list_called, settle_closed
from qwixx.kernel.valuenet import APART, BEFORE, CALLED, MOST_DEALS, TAKEN


@inlined
def number_on_top(book: Book, table: Table) -> int:
    """What the pile calls out."""
    return whole(book.card_number[table.pile[table.cards_left[TOP]]])


@compiled
def copy_hand(source: Table, target: Trial, seat: int) -> None:
    target.held[seat] = source.held[seat]
    for place in range(source.held[seat]):
        target.hands[MOST_HAND * seat + place] = card_at(source, seat, place)


@inlined
def number_laid(book: Book, table: Table, slot: int) -> int:
    """The number that lies at a place of the tableau."""
    return whole(book.card_number[table.laid[slot]])


@compiled
def count_unseen(book: Book, lines: Array, index: int, seats: int, number: int) -> int:
    """How many cards of a number a seat has not seen."""
    count, card = 0, whole(book.first_card[number])
    while card > 0:
        count += is_unseen(book, lines, index, seats, card - 1)
        card = whole(book.next_card[card - 1])
    return count


@compiled
def find_unseen(book: Book, lines: Array, index: int, seats: int, number: int, which: int) -> int:
    """One of the cards of a number that a seat has not seen."""
    card = whole(book.first_card[number])
    while which > 0 or not is_unseen(book, lines, index, seats, card - 1):
        which -= is_unseen(book, lines, index, seats, card - 1)
        card = whole(book.next_card[card - 1])
    return card - 1


@compiled
def count_deals(book: Book, table: Table, lines: Array, index: int, seats: int, slots: int) -> int:
    """In how many ways a seat may find colours under the numbers of some cards in the tableau."""
    deals = 1
    for slot in range(book.tableau):
        if slots >> slot & 1:
            number = number_laid(book, table, slot)
            left = count_unseen(book, lines, index, seats, number)
            for other in range(slot):
                left -= (slots >> other & 1) & (number_laid(book, table, other) == number)
            deals *= left
    return deals


@compiled
def deal(book: Book, table: Table, lines: Array, index: int, seats: int, slots: int, which: int) -> None:
    """Lets a seat take cards from the tableau and find one of those ways under their numbers."""
    for slot in range(book.tableau):
        if slots >> slot & 1:
            number = number_laid(book, table, slot)
            left = count_unseen(book, lines, index, seats, number)
            take_card(book, lines, index, seats, find_unseen(book, lines, index, seats, number, which % left))
            which //= left


@compiled
def list_takes(
    book: Book, table: Table, known: Array, seats: int, seat: int, place: int, found: Candidates | None, first: int
) -> int:
    """What the active seat may take from the tableau, and colours that may lie there; how many ways."""
    count, missing = 0, book.hand - table.held[seat]
    for slots in range(1 << book.tableau):
        if bits_in(slots) + bits_in(slots >> MOST_HAND) == missing:
            deals = count_deals(book, table, known, place, seats, slots)
            deals = deals if deals < MOST_DEALS else MOST_DEALS
            if found is not None:
                for which in range(deals):
                    note_candidate(found, first + count + which, place, which, slots)
            count += deals
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


@inlined
def is_asked(course: Course, seat: int, asked: int, stage: int) -> bool:
    """Whether a seat has something to choose at a stage, of the seats that are asked (a bit each)."""
    return asked >> seat & 1 != 0 and (stage == ANSWERS) != (seat == course.active)


@compiled
def list_cards(
    book: Book,
    course: Course,
    table: Table,
    scratch: Array,
    known: Array,
    seats: int,
    seat: int,
    asked: int,
    stage: int,
    place: int,
    found: Candidates | None,
    first: int,
) -> int:
    """A seat's candidates at a stage, by what it knows of the cards; how many."""
    if not is_asked(course, seat, asked, stage):
        return 0
    if stage == TAKES:
        return list_takes(book, table, known, seats, seat, place, found, first)
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
    found: Candidates,
    index: int,
) -> bool:
    """Tries a candidate out, as far as the seat can see, and notes what it then knows of the cards; whether that ends
    the game."""
    called, coloured, lines = found.called[index], found.coloured[index], found.inputs
    copy_table(book, table, after, seats)
    if stage == TAKES:
        deals = count_deals(book, table, lines, index, seats, coloured)
        deal(book, table, lines, index, seats, coloured, called * APART % deals)
        return False
    if stage != ACTS and answer(book, after, seats, seat, called):
        return True
    if stage == ANSWERS:
        return False
    copy_hand(table, after, seat)
    for place in range(after.held[seat]):
        if coloured >> place & 1:
            play_card(book, lines, index, seats, card_at(after, seat, place))
    has_crossed = choices[2 * seat] != 0 if stage == ACTS else called != 0
    return play_cards(book, after, seats, seat, coloured, has_crossed)


@inlined
def moment_after(stage: int) -> int:
    """Which moment of a turn a candidate leads to."""
    return TAKEN if stage == TAKES else CALLED if stage == ANSWERS else BEFORE

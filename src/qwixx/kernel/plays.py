"""The plays that a hand of cards allows (C5), one after the other.

A play is one number: the cards, a bit for each place in the hand; those whose numbers are crossed, likewise; and the
colour they are played in, counted from 1.
"""

from typing import NamedTuple

from qwixx.kernel.book import JOKER_COLOUR, MOST_NUMBERS, MOST_SEATS, Book, is_open, next_place, place_of, row_of, whole
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.table import MOST_HAND, SPARE, Table, cross, try_out

CROSSED, COLOUR, HAND_MASK = 8, 16, 255


FARTHEST = 1 << 40


class Played(NamedTuple):
    """Whether the crosses are allowed, a bit for each row they close, and the cells they skip."""

    allowed: bool
    closing: int
    skipped: int


@inlined
def card_at(table: Table, seat: int, place: int) -> int:
    return table.hands[MOST_HAND * seat + place]


@inlined
def bits_in(mask: int) -> int:
    count = 0
    for place in range(MOST_HAND):
        count += mask >> place & 1
    return count


@compiled
def _fitting(book: Book, table: Table, seat: int, colour: int) -> int:
    """The cards of a hand that may be played in a colour: its own and the jokers."""
    fitting = 0
    for place in range(table.held[seat] if colour >= 0 else 0):
        printed = book.card_colour[card_at(table, seat, place)]
        fitting |= ((printed == colour) | (printed == JOKER_COLOUR)) << place
    return fitting


@compiled
def _distinct(book: Book, table: Table, seat: int, cards: int) -> int:
    """Of the cards, one for each number: a joker beside its twin makes one cross (X10)."""
    distinct = 0
    for place in range(table.held[seat]):
        if cards >> place & 1:
            number, twin = book.card_number[card_at(table, seat, place)], False
            for other in range(place):
                twin |= bool(cards >> other & 1) and book.card_number[card_at(table, seat, other)] == number
            if not twin:
                distinct |= 1 << place
    return distinct


@compiled
def following(book: Book, table: Table, seat: int, play: int) -> int:
    """The next allowed play after this one, the first after 0; 0 when there is no other."""
    cards, crosses, colour = play & HAND_MASK, play >> CROSSED & HAND_MASK, (play >> COLOUR) - 1
    fitting = _fitting(book, table, seat, colour)
    distinct = _distinct(book, table, seat, cards)
    while True:
        crosses = (crosses - distinct) & distinct
        if crosses == 0:
            cards = (cards - fitting) & fitting
            while cards == 0:
                colour += 1
                if colour >= book.colours:
                    return 0
                fitting = _fitting(book, table, seat, colour)
                cards = (cards - fitting) & fitting
            distinct = _distinct(book, table, seat, cards) if bits_in(cards) <= book.most else 0
            if distinct == 0:
                continue
        made = cards | crosses << CROSSED | (colour + 1) << COLOUR
        if played(book, table, seat, made).allowed:
            return made


@compiled
def played(book: Book, table: Table, seat: int, play: int) -> Played:
    """Crosses a play's numbers on the spare sheet, from left to right, row by row (X8), and minds the gap (C6)."""
    left, colour = play >> CROSSED & HAND_MASK, (play >> COLOUR) - 1
    closing, skips, row, first, last, count = 0, 0, -1, 0, 0, 0
    try_out(book, table, seat, 0)
    while left:
        chosen = _leftmost(book, table, seat, left, colour)
        left &= ~(1 << chosen)
        cell = _cell_of(book, table, seat, chosen, colour)
        if not is_open(table.rows[SPARE + row_of(cell)], cell):
            return Played(False, closing, skips)
        place = place_of(cell)
        if row_of(cell) != row:
            row, first, last, count = row_of(cell), place, next_place(table.rows[SPARE + row_of(cell)]) - 1, 0
        skips += place - last - 1
        last, count = place, count + 1
        if last - first + 1 - count > book.gap:
            return Played(False, closing, skips)
        closing |= cross(table, MOST_SEATS, cell)
    return Played(True, closing, skips)


@inlined
def _cell_of(book: Book, table: Table, seat: int, place: int, colour: int) -> int:
    """The cell of a card's number in a colour."""
    return whole(book.coloured[colour * MOST_NUMBERS + book.card_number[card_at(table, seat, place)]])


@compiled
def _leftmost(book: Book, table: Table, seat: int, cards: int, colour: int) -> int:
    """Of some cards, the one whose cell comes first; any whose cell does not exist comes before all."""
    nearest, chosen = FARTHEST, 0
    for place in range(table.held[seat]):
        if cards >> place & 1:
            cell = _cell_of(book, table, seat, place, colour)
            key = row_of(cell) << 8 | place_of(cell)
            if key < nearest:
                nearest, chosen = key, place
    return chosen

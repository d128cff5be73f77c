"""A moment of a game, written down for a network to learn from: what a seat could know then, and what it could not."""

from typing import NamedTuple

from qwixx.kernel.book import MOST_ROWS, Book, Ints
from qwixx.kernel.cards import ASIDE, NOTHING, TOP
from qwixx.kernel.compile import compiled
from qwixx.kernel.kits import Array
from qwixx.kernel.plays import card_at
from qwixx.kernel.table import Table
from qwixx.kernel.valuenet import BEFORE

IN_PILE, ON_TOP, LAID, OUT, HELD = range(5)
"""Where a card is: in the pile, on top of it, in the tableau, played; in a seat's hand (the last, and the seat)."""


class Moments(NamedTuple):
    """Moments, one in a line: each seat's rows after its own choice, and as the others still know them; misthrows,
    lucky numbers; who is active (−1 once the game is over), which moment of the turn it is, and where each card is."""

    rows: Array
    still: Array
    misthrows: Array
    lucky: Array
    active: Array
    which: Array
    cards: Array


@compiled
def write_down(book: Book, seats: int, table: Table, line: int, active: int, which: int, moments: Moments) -> None:
    """Writes a table into a line."""
    moments.active[line] = active
    moments.which[line] = which
    for seat in range(seats):
        moments.misthrows[line, seat] = table.misthrows[seat]
        moments.lucky[line, 2 * seat] = table.lucky[2 * seat]
        moments.lucky[line, 2 * seat + 1] = table.lucky[2 * seat + 1]
        for row in range(MOST_ROWS * seat, MOST_ROWS * seat + book.rows):
            moments.rows[line, row] = table.rows[row]
            if which == BEFORE:
                moments.still[line, row] = table.rows[row]
    locate(book, seats, table, moments.cards[line])


@compiled
def locate(book: Book, seats: int, table: Table, places: Ints) -> None:
    """Where each card is."""
    if book.cards == 0:
        return
    for card in range(book.cards):
        places[card] = IN_PILE
    places[table.pile[table.cards_left[TOP]]] = ON_TOP
    for slot in range(book.tableau):
        if table.laid[slot] != NOTHING:
            places[table.laid[slot]] = LAID
    for index in range(table.cards_left[ASIDE]):
        places[table.aside[index]] = OUT
    for seat in range(seats):
        for place in range(table.held[seat]):
            places[card_at(table, seat, place)] = HELD + seat

"""A table as a network sees it: for a seat and each opponent a line of numbers, the seat's own side, then the
opponent's, then what the seat knows of the cards."""

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import FAR, MOST_ROWS, MOST_SEATS, Book, Ints, crosses, next_place, score, whole
from qwixx.kernel.compile import compiled, entry, inlined
from qwixx.kernel.moment import HELD, LAID, ON_TOP, OUT, Moments
from qwixx.kernel.valuenet import ALIGNED, CALLED

POINTS_SCALE = 0.02
MIRRORED, CARDS = MOST_ROWS, MOST_ROWS + 1
"""A symmetry in one line: where each row goes, whether the numbers are turned upside down, and where each card goes."""


@inlined
def longest(book: Book) -> int:
    most = 0
    for row in range(book.rows):
        most = whole(book.length[row]) if whole(book.length[row]) > most else most
    return most


@entry
def side_size(book: Book) -> int:
    """How many inputs a side has: for each row its next place and its crosses; misthrows, turns until its own, seats;
    lucky numbers; the numbers of cards held; points."""
    numbers = 2 * book.sides + 1 if book.pairs != 0 else 0
    return book.rows * (2 * longest(book) + 3) + book.end_misthrows + 2 * MOST_SEATS + numbers + book.faces + 1


@entry
def line_size(book: Book) -> int:
    """How many inputs a line has: two sides; with cards, also those that the seat holds and those it has not seen, the
    numbers in the tableau and on top of the pile, and which moment of the turn it is; then zeros."""
    known = 2 * book.cards + 2 * book.faces + CALLED + 1 if book.cards != 0 else 0
    return (2 * side_size(book) + known + ALIGNED - 1) // ALIGNED * ALIGNED


@inlined
def number_of(book: Book, card: int, order: Ints) -> int:
    number = whole(book.card_number[card])
    return book.turned - number if order[MIRRORED] else number


@compiled
def write_side(
    book: Book,
    inputs: NDArray[np.float32],
    place: int,
    rows: Ints,
    misthrows: Ints,
    lucky: Ints,
    cards: Ints,
    seat: int,
    ahead: int,
    seats: int,
    order: Ints,
) -> None:
    """Writes one sheet's side from a place on; rows may be put in another order, numbers turned upside down."""
    length, sheet = longest(book), MOST_ROWS * seat
    for row in range(book.rows):
        bits = whole(rows[sheet + row])
        start = place + whole(order[row]) * (2 * length + 3)
        inputs[start + (0 if next_place(bits) == FAR else next_place(bits))] = 1.0
        inputs[start + length + 1 + crosses(bits)] = 1.0
    place += book.rows * (2 * length + 3)
    inputs[place + whole(misthrows[seat])] = 1.0
    place += book.end_misthrows
    inputs[place + ahead] = 1.0
    inputs[place + MOST_SEATS + seats - 1] = 1.0
    place += 2 * MOST_SEATS
    if book.pairs != 0:
        for which in range(2):
            number = whole(lucky[2 * seat + which])
            inputs[place + (2 * book.sides + 2 - number if order[MIRRORED] else number)] = 1.0
        place += 2 * book.sides + 1
    for card in range(book.cards):
        if cards[card] == HELD + seat:
            inputs[place + number_of(book, card, order)] += 1.0
    inputs[place + book.faces] = POINTS_SCALE * score(book, rows, sheet, whole(misthrows[seat]))


@compiled
def write_known(
    book: Book, inputs: NDArray[np.float32], place: int, cards: Ints, seat: int, which: int, order: Ints
) -> None:
    """What a seat knows of the cards."""
    for card in range(book.cards):
        if cards[card] == HELD + seat:
            inputs[place + whole(order[CARDS + card])] = 1.0
        elif cards[card] != OUT:
            inputs[place + book.cards + whole(order[CARDS + card])] = 1.0
        number = place + 2 * book.cards + number_of(book, card, order)
        if cards[card] == LAID:
            inputs[number] += 1.0
        elif cards[card] == ON_TOP:
            inputs[number + book.faces] = 1.0
    inputs[place + 2 * book.cards + 2 * book.faces + which] = 1.0


@compiled
def write_state(
    book: Book,
    inputs: NDArray[np.float32],
    index: int,
    rows: Ints,
    still: Ints,
    misthrows: Ints,
    lucky: Ints,
    cards: Ints,
    active: int,
    which: int,
    seats: int,
    seat: int,
    order: Ints,
) -> None:
    """A table as a seat sees it: a line of inputs for each of the others. It knows its own rows, and the others' as
    they still are to it."""
    side, size, line = side_size(book), line_size(book), 0
    for other in range(seats):
        if other != seat:
            place = (index * (seats - 1) + line) * size
            ahead = seat - active if seat >= active else seat - active + seats
            write_side(book, inputs, place, rows, misthrows, lucky, cards, seat, ahead, seats, order)
            ahead = other - active if other >= active else other - active + seats
            write_side(book, inputs, place + side, still, misthrows, lucky, cards, other, ahead, seats, order)
            if book.cards != 0:
                write_known(book, inputs, place + 2 * side, cards, seat, which, order)
            line += 1


@compiled
def write_sample(
    book: Book,
    seats: int,
    deck: object,
    scratch: object,
    index: int,
    samples: Ints,
    orders: Ints,
    moments: Moments,
    inputs: NDArray[np.float32],
) -> None:
    """The inputs of a sample: a moment that was written down, the seat that looks at it, and a symmetry of the
    board."""
    line, seat, symmetry = samples[index, 0], samples[index, 1], samples[index, 2]
    write_state(
        book,
        inputs,
        index,
        moments.rows[line],
        moments.still[line],
        moments.misthrows[line],
        moments.lucky[line],
        moments.cards[line],
        whole(moments.active[line]),
        whole(moments.which[line]),
        seats,
        seat,
        orders[symmetry],
    )

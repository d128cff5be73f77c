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
def write_sheet(
    book: Book,
    inputs: NDArray[np.float32],
    place: int,
    rows: Ints,
    misthrows: Ints,
    lucky: Ints,
    seat: int,
    ahead: int,
    seats: int,
    order: Ints,
) -> None:
    """Writes what a side has because of its sheet; rows may be put in another order, numbers turned upside down."""
    length, sheet, last = longest(book), MOST_ROWS * seat, place + side_size(book) - 1
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
    inputs[last] = POINTS_SCALE * score(book, rows, sheet, whole(misthrows[seat]))


@compiled
def write_sheets(
    book: Book,
    inputs: NDArray[np.float32],
    index: int,
    rows: Ints,
    still: Ints,
    misthrows: Ints,
    lucky: Ints,
    active: int,
    which: int,
    seats: int,
    seat: int,
    order: Ints,
) -> None:
    """A table as a seat sees it, but for the cards: a line of inputs for each of the others. It knows its own rows, and
    the others' as they still are to it; with cards, which moment of the turn it is."""
    side, start = side_size(book), first_place(book, index, seats)
    for other in range(seats):
        if other != seat:
            ahead = seat - active if seat >= active else seat - active + seats
            write_sheet(book, inputs, start, rows, misthrows, lucky, seat, ahead, seats, order)
            ahead = other - active if other >= active else other - active + seats
            write_sheet(book, inputs, start + side, still, misthrows, lucky, other, ahead, seats, order)
            if book.cards != 0:
                inputs[start + 2 * side + 2 * book.cards + 2 * book.faces + which] = 1.0
            start += line_size(book)


@compiled
def write_cards(
    book: Book, inputs: NDArray[np.float32], index: int, cards: Ints, seats: int, seat: int, order: Ints
) -> None:
    """What a seat knows of the cards, in the same lines: the numbers that both hold, its own cards, those that it
    has not seen, and the numbers that lie around."""
    side, start = side_size(book), first_place(book, index, seats)
    for other in range(seats):
        if other != seat:
            known = start + 2 * side
            for card in range(book.cards):
                number, place = number_of(book, card, order), whole(order[CARDS + card])
                if cards[card] == HELD + seat:
                    inputs[numbers_held(book, start) + number] += 1.0
                    inputs[known + place] = 1.0
                elif cards[card] != OUT:
                    inputs[known + book.cards + place] = 1.0
                if cards[card] == HELD + other:
                    inputs[numbers_held(book, start + side) + number] += 1.0
                elif cards[card] == LAID:
                    inputs[known + 2 * book.cards + number] += 1.0
                elif cards[card] == ON_TOP:
                    inputs[known + 2 * book.cards + book.faces + number] = 1.0
            start += line_size(book)


@inlined
def first_place(book: Book, index: int, seats: int) -> int:
    """Where the lines of a table begin."""
    return index * (seats - 1) * line_size(book)


@inlined
def numbers_held(book: Book, side: int) -> int:
    """Where a side tells the numbers of the cards held; its last input are the points."""
    return side + side_size(book) - 1 - book.faces


# What changes in lines through no symmetry when the seat whose lines they are looks a step further.


@inlined
def is_unseen(book: Book, inputs: NDArray[np.float32], index: int, seats: int, card: int) -> bool:
    """Whether it has not seen a card."""
    return inputs[first_place(book, index, seats) + 2 * side_size(book) + book.cards + card] > 0.0


@compiled
def take_card(book: Book, inputs: NDArray[np.float32], index: int, seats: int, card: int) -> None:
    """It takes a card that it has not seen, whose number lies in the tableau."""
    side, start, number = side_size(book), first_place(book, index, seats), whole(book.card_number[card])
    for _ in range(seats - 1):
        known = start + 2 * side
        inputs[numbers_held(book, start) + number] += 1.0
        inputs[known + card] = 1.0
        inputs[known + book.cards + card] = 0.0
        inputs[known + 2 * book.cards + number] -= 1.0
        start += line_size(book)


@compiled
def play_card(book: Book, inputs: NDArray[np.float32], index: int, seats: int, card: int) -> None:
    """It plays a card."""
    start, number = first_place(book, index, seats), whole(book.card_number[card])
    for _ in range(seats - 1):
        inputs[numbers_held(book, start) + number] -= 1.0
        inputs[start + 2 * side_size(book) + card] = 0.0
        start += line_size(book)


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
    if book.cards != 0:
        write_cards(book, inputs, index, moments.cards[line], seats, seat, orders[symmetry])
    write_sheets(
        book,
        inputs,
        index,
        moments.rows[line],
        moments.still[line],
        moments.misthrows[line],
        moments.lucky[line],
        whole(moments.active[line]),
        whole(moments.which[line]),
        seats,
        seat,
        orders[symmetry],
    )

"""A table as a network sees it: for a seat and each opponent a line of numbers, the seat's own side, then the
opponent's."""

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import FAR, MOST_ROWS, MOST_SEATS, Book, Ints, crosses, next_place, score, whole
from qwixx.kernel.compile import compiled, entry, inlined

POINTS_SCALE = 0.02


@inlined
def longest(book: Book) -> int:
    most = 0
    for row in range(book.rows):
        most = whole(book.length[row]) if whole(book.length[row]) > most else most
    return most


@entry
def side_size(book: Book) -> int:
    """How many inputs a side has: for each row its next place and its crosses; misthrows, turns until its own, seats;
    lucky numbers; points."""
    numbers = 2 * book.sides + 1 if book.pairs != 0 else 0
    return book.rows * (2 * longest(book) + 3) + book.end_misthrows + 2 * MOST_SEATS + numbers + 1


@compiled
def write_side(
    book: Book,
    inputs: NDArray[np.float32],
    place: int,
    rows: Ints,
    sheet: int,
    misthrows: int,
    lucky: Ints,
    seat: int,
    ahead: int,
    seats: int,
    order: Ints,
    mirrored: int,
) -> None:
    """Writes one sheet's side from a place on; rows may be put in another order, numbers turned upside down."""
    length = longest(book)
    for row in range(book.rows):
        bits = whole(rows[sheet + row])
        start = place + whole(order[row]) * (2 * length + 3)
        inputs[start + (0 if next_place(bits) == FAR else next_place(bits))] = 1.0
        inputs[start + length + 1 + crosses(bits)] = 1.0
    place += book.rows * (2 * length + 3)
    inputs[place + misthrows] = 1.0
    place += book.end_misthrows
    inputs[place + ahead] = 1.0
    inputs[place + MOST_SEATS + seats - 1] = 1.0
    place += 2 * MOST_SEATS
    if book.pairs != 0:
        for which in range(2):
            number = whole(lucky[2 * seat + which])
            inputs[place + (2 * book.sides + 2 - number if mirrored else number)] = 1.0
        place += 2 * book.sides + 1
    inputs[place] = POINTS_SCALE * score(book, rows, sheet, misthrows)


@compiled
def write_state(
    book: Book,
    inputs: NDArray[np.float32],
    index: int,
    rows: Ints,
    first_row: int,
    misthrows: Ints,
    first_seat: int,
    lucky: Ints,
    first_lucky: int,
    active: int,
    seats: int,
    seat: int,
    order: Ints,
    mirrored: int,
) -> None:
    """A table as a seat sees it before the active seat's roll: a line of inputs for each of the others."""
    side, line = side_size(book), 0
    for other in range(seats):
        if other != seat:
            place = (index * (seats - 1) + line) * 2 * side
            for which in range(2):
                who = seat if which == 0 else other
                ahead = who - active if who >= active else who - active + seats
                write_side(
                    book,
                    inputs,
                    place,
                    rows,
                    first_row + MOST_ROWS * who,
                    whole(misthrows[first_seat + who]),
                    lucky,
                    first_lucky + who,
                    ahead,
                    seats,
                    order,
                    mirrored,
                )
                place += side
            line += 1


@compiled
def write_sample(
    book: Book,
    seats: int,
    scratch: object,
    index: int,
    samples: Ints,
    orders: Ints,
    rows: Ints,
    misthrows: Ints,
    lucky: Ints,
    active: Ints,
    inputs: NDArray[np.float32],
) -> None:
    """The inputs of a sample: a state that was written down, the seat that looks at it, and a symmetry of the board."""
    state, seat, symmetry = samples[index, 0], samples[index, 1], samples[index, 2]
    write_state(
        book,
        inputs,
        index,
        rows,
        state * seats * MOST_ROWS,
        misthrows,
        state * seats,
        lucky,
        state * seats,
        active[state],
        seats,
        seat,
        orders[symmetry],
        orders[symmetry, MOST_ROWS],
    )

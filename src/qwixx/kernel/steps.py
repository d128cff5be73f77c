"""The steps of many games that are played side by side: what is done with one game, or with one seat of one.

All have the same first parameters, so that the CPU runs them in a loop (many.py) and a device in many threads
(many_gpu.py). A place is a game's seat: game · seats + seat.
"""

import numpy as np

from qwixx.kernel.book import MOST_ROWS, Book, Ints, score
from qwixx.kernel.candidates import ACTS, LEADS, OUTSIDE, Candidates, Course, called_number, find, share_of
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.dice import remove_dice, roll, start_dice
from qwixx.kernel.draws import ACT, CALL, EXPLORE, TURN, below, draw, mix, stream_of
from qwixx.kernel.kits import Array
from qwixx.kernel.policies import Minds, Store, choose_called, choose_coloured
from qwixx.kernel.table import (
    BY_ROWS,
    GOES_ON,
    Table,
    cross,
    end_turn,
    list_called,
    list_coloured,
    settle_called,
    settle_closed,
)

ONE_IN = 1 << 20


@compiled
def start(
    book: Book, seats: int, scratch: Array, game: int, courses: Array, tables: Array, seed: int, number: int
) -> None:
    """A new game."""
    course = courses[game]
    course.game, course.turn, course.end = number + game, 0, GOES_ON
    course.active = start_dice(book, seats, stream_of(seed, number + game), tables[game], None)


@compiled
def begin(
    book: Book,
    seats: int,
    scratch: Array,
    game: int,
    courses: Array,
    tables: Array,
    seed: int,
    rows: Array,
    misthrows: Array,
    lucky: Array,
    active: Array,
) -> None:
    """Writes down how a game stands (nobody is active once it is over), and rolls."""
    course, table = courses[game], tables[game]
    active[game] = course.active if course.end == GOES_ON else -1
    for seat in range(seats):
        misthrows[game, seat] = table.misthrows[seat]
        lucky[game, 2 * seat] = table.lucky[2 * seat]
        lucky[game, 2 * seat + 1] = table.lucky[2 * seat + 1]
        for row in range(book.rows):
            rows[game, MOST_ROWS * seat + row] = table.rows[MOST_ROWS * seat + row]
    if course.end == GOES_ON:
        course.turn += 1
        roll(book, table, table.gone[course.active], stream_of(seed, course.game), course.turn)


@compiled
def count(
    book: Book,
    seats: int,
    scratch: Array,
    place: int,
    courses: Array,
    tables: Array,
    guesses: Array,
    choices: Array,
    asked: int,
    stage: int,
    order: Ints,
    counts: Ints,
) -> None:
    """How many candidates a seat has."""
    game, seat = place // seats, place % seats
    counts[place] = find(
        book,
        courses[game],
        tables[game],
        scratch,
        guesses[game],
        choices[game],
        seats,
        seat,
        asked,
        stage,
        None,
        0,
        order,
    )


@compiled
def write(
    book: Book,
    seats: int,
    scratch: Array,
    place: int,
    courses: Array,
    tables: Array,
    guesses: Array,
    choices: Array,
    asked: int,
    stage: int,
    order: Ints,
    counts: Ints,
    ends: Ints,
    found: Candidates,
) -> None:
    """Writes a seat's candidates down."""
    if counts[place] > 0:
        game, seat, first = place // seats, place % seats, ends[place] - counts[place]
        find(
            book,
            courses[game],
            tables[game],
            scratch,
            guesses[game],
            choices[game],
            seats,
            seat,
            asked,
            stage,
            found,
            first,
            order,
        )


@compiled
def choose(
    book: Book,
    seats: int,
    scratch: Array,
    place: int,
    courses: Array,
    guesses: Array,
    choices: Array,
    counts: Ints,
    ends: Ints,
    found: Candidates,
    values: Array,
    seed: int,
    asked: int,
    stage: int,
    explore: float,
) -> None:
    """The best of a seat's candidates, or now and then any; what the active seat would do is guessed to be its best."""
    if counts[place] == 0:
        return
    game, seat, first = place // seats, place % seats, ends[place] - counts[place]
    best = first
    for index in range(first + 1, ends[place]):
        if values[index] > values[best]:
            best = index
    if stage == LEADS:
        guesses[game, 0], guesses[game, 1] = found.called[best], found.coloured[best]
        if not asked >> seat & 1:
            return
    bits = _straying(courses[game], seat, seed, stage == ACTS)
    if _strays(bits, explore):
        best = first + below(mix(bits), counts[place])
    if stage == ACTS:
        choices[game, 2 * seat + 1] = found.coloured[best]
    else:
        choices[game, 2 * seat] = found.called[best]


@compiled
def advance(
    book: Book,
    seats: int,
    scratch: Array,
    game: int,
    minds: Array,
    store: Store,
    courses: Array,
    tables: Array,
    choices: Array,
    seed: int,
    acting: int,
    explore: float,
) -> None:
    """Lets the kernel's own minds choose, then settles what all have chosen."""
    course = courses[game]
    if course.end != GOES_ON:
        return
    for seat in range(seats):
        if minds[0].kinds[seat] != OUTSIDE and (not acting or seat == course.active):
            _choose_inside(
                book, minds[0], store, course, tables[game], choices[game], seats, seat, seed, acting, explore
            )
    if acting:
        _settle_act(book, course, tables[game], choices[game], seats)
    else:
        _settle_call(book, course, tables[game], choices[game], seats)


@compiled
def finish(book: Book, seats: int, scratch: Array, game: int, tables: Array, shares: Array, points: Array) -> None:
    """Each seat's share of the win, and its points."""
    for seat in range(seats):
        shares[game, seat] = share_of(book, tables[game], seats, seat)
        points[game, seat] = score(book, tables[game].rows, MOST_ROWS * seat, tables[game].misthrows[seat])


@inlined
def _straying(course: Course, seat: int, seed: int, acting: int) -> np.uint64:
    """What decides whether a choice is left to chance."""
    return draw(stream_of(seed, course.game), EXPLORE + course.turn * TURN + 2 * seat + acting)


@inlined
def _strays(bits: np.uint64, explore: float) -> bool:
    return below(bits, ONE_IN) < explore * ONE_IN


@compiled
def _choose_inside(
    book: Book,
    minds: Minds,
    store: Store,
    course: Course,
    table: Table,
    choices: Ints,
    seats: int,
    seat: int,
    seed: int,
    acting: int,
    explore: float,
) -> None:
    """The choice of a seat whose mind the kernel knows, or now and then any."""
    stream, counter = stream_of(seed, course.game), course.turn * TURN
    count = list_coloured(book, table, seat) if acting else list_called(book, table, seat, called_number(table))
    bits = _straying(course, seat, seed, acting)
    if _strays(bits, explore):
        choices[2 * seat + acting] = table.options[below(mix(bits), count)]
    elif acting:
        choices[2 * seat + 1] = choose_coloured(
            book, minds, store, table, seats, seat, count, choices[2 * seat] != 0, stream, counter + ACT
        )
    else:
        choices[2 * seat] = choose_called(
            book, minds, store, table, seats, seat, course.active, count, stream, counter + CALL + seat
        )


@compiled
def _settle_call(book: Book, course: Course, table: Table, choices: Ints, seats: int) -> None:
    """Everybody crosses what they chose; the dice of rows that closed are taken off."""
    active = course.active
    gone = table.gone[active]
    for seat in range(seats):
        table.chosen[seat] = choices[2 * seat]
    if settle_called(book, table, seats):
        course.end = BY_ROWS
    elif table.gone[active] != gone:
        remove_dice(book, table, table.gone[active])


@compiled
def _settle_act(book: Book, course: Course, table: Table, choices: Ints, seats: int) -> None:
    """The active seat's second action, and the next seat's turn."""
    active, cell = course.active, choices[2 * course.active + 1]
    closing = cross(table, active, cell)
    if closing and settle_closed(book, table, seats, closing):
        course.end = BY_ROWS
        return
    course.end = end_turn(book, table, active, choices[2 * active] != 0 or cell != 0)
    course.active = active + 1 if active + 1 < seats else 0

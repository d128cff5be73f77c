"""The steps of many games that are played side by side: what is done with one game, or with one seat of one.

All have the same first parameters, so that the CPU runs them in a loop (many.py) and a device in many threads
(many_gpu.py). A place is a game's seat: game · seats + seat. Where a game is played with dice there is no deck, and the
steps never hear of cards.
"""

import numpy as np

from qwixx.kernel.book import MOST_ROWS, MOST_SEATS, Book, Ints, score
from qwixx.kernel.candidates import (
    ACTS,
    ANSWERED,
    ANSWERS,
    LEADS,
    OUTSIDE,
    TAKES,
    Candidates,
    Course,
    emit,
    is_better,
    next_seat,
    share_of,
)
from qwixx.kernel.candidates_cards import is_asked, list_cards, moment_after, number_on_top, try_cards
from qwixx.kernel.candidates_dice import called_number, list_dice, try_dice
from qwixx.kernel.cards import any_slots, refill, settle_play, start_cards
from qwixx.kernel.cards import take as take_cards
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.dice import remove_dice, roll, start_dice
from qwixx.kernel.draws import ACT, CALL, EXPLORE, TAKE, TURN, below, draw, mix, stream_of
from qwixx.kernel.inputs import write_cards
from qwixx.kernel.kits import Array
from qwixx.kernel.moment import Moments, locate, write_down
from qwixx.kernel.policies import Minds, Store, any_play, choose_called, choose_coloured, choose_play
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
from qwixx.kernel.valuenet import BEFORE, CALLED, TAKEN, WORST

Deck = int | None
ONE_IN = 1 << 20


@compiled
def start(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    game: int,
    courses: Array,
    tables: Array,
    seed: int,
    number: int,
) -> None:
    """A new game."""
    course, stream = courses[game], stream_of(seed, number + game)
    course.game, course.turn, course.end = number + game, 0, GOES_ON
    if deck is None:
        course.active = start_dice(book, seats, stream, tables[game], None)
    else:
        course.active = start_cards(book, seats, stream, tables[game], None)


@compiled
def begin(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    game: int,
    courses: Array,
    tables: Array,
    seed: int,
    moments: Moments,
) -> None:
    """Writes down how a game stands (nobody is active once it is over), and rolls."""
    course, table = courses[game], tables[game]
    write_down(book, seats, table, game, course.active if course.end == GOES_ON else -1, BEFORE, moments)
    if course.end == GOES_ON:
        course.turn += 1
        if deck is None:
            roll(book, table, table.gone[course.active], stream_of(seed, course.game), course.turn)


@compiled
def take(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    game: int,
    minds: Array,
    courses: Array,
    tables: Array,
    choices: Array,
    seed: int,
    moments: Moments,
) -> None:
    """The active seat takes cards, and the tableau is filled up; in between, what is known is written down."""
    course, table = courses[game], tables[game]
    if course.end != GOES_ON:
        moments.active[game], moments.which[game] = -1, TAKEN
        return
    active, stream = course.active, stream_of(seed, course.game)
    if minds[0].kinds[active] != OUTSIDE:
        choices[game, 2 * active + 1] = any_slots(book, table, active, stream, course.turn * TURN + TAKE)
    take_cards(book, table, active, choices[game, 2 * active + 1])
    write_down(book, seats, table, game, active, TAKEN, moments)
    refill(book, table, stream, None)


@compiled
def know(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    place: int,
    courses: Array,
    tables: Array,
    asked: int,
    stage: int,
    order: Ints,
    known: Array,
) -> None:
    """What a seat knows of the cards, where it has something to choose, as a network's inputs."""
    game, seat = place // seats, place % seats
    if courses[game].end == GOES_ON and is_asked(courses[game], seat, asked, stage):
        locate(book, seats, tables[game], scratch[0].cards)
        write_cards(book, known, place, scratch[0].cards, seats, seat, order)


@compiled
def list_choices(
    book: Book,
    deck: Deck,
    course: Course,
    table: Table,
    scratch: Array,
    guess: Ints,
    known: Array,
    seats: int,
    place: int,
    asked: int,
    stage: int,
    found: Candidates | None,
    first: int,
) -> int:
    """A seat's candidates at a stage; how many."""
    seat = place % seats
    if course.end != GOES_ON:
        return 0
    if deck is None:
        return list_dice(book, course, table, scratch, guess, seats, seat, asked, stage, place, found, first)
    return list_cards(book, course, table, scratch, known, seats, seat, asked, stage, place, found, first)


@compiled
def count(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    place: int,
    courses: Array,
    tables: Array,
    guesses: Array,
    known: Array,
    asked: int,
    stage: int,
    counts: Ints,
) -> None:
    """How many candidates a seat has."""
    game = place // seats
    course, table, guess = courses[game], tables[game], guesses[game]
    counts[place] = list_choices(book, deck, course, table, scratch, guess, known, seats, place, asked, stage, None, 0)


@compiled
def write(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    place: int,
    courses: Array,
    tables: Array,
    guesses: Array,
    known: Array,
    asked: int,
    stage: int,
    counts: Ints,
    ends: Ints,
    found: Candidates,
) -> None:
    """Lists a seat's candidates."""
    if counts[place] > 0:
        game, first = place // seats, ends[place] - counts[place]
        course, table, guess = courses[game], tables[game], guesses[game]
        list_choices(book, deck, course, table, scratch, guess, known, seats, place, asked, stage, found, first)


@compiled
def attempt(
    book: Book,
    seats: int,
    deck: Deck,
    scratch: Array,
    index: int,
    courses: Array,
    tables: Array,
    guesses: Array,
    choices: Array,
    stage: int,
    order: Ints,
    found: Candidates,
) -> None:
    """Tries a candidate out, and writes down what it leads to."""
    game, seat = found.place[index] // seats, found.place[index] % seats
    course, table, after, mine = courses[game], tables[game], scratch[0], choices[game]
    if deck is None:
        called, coloured = found.called[index], found.coloured[index]
        over = try_dice(book, course, table, after, guesses[game], mine, seats, seat, stage, called, coloured)
        emit(book, after, seats, seat, over, next_seat(course, seats), BEFORE, found, index, order)
    else:
        over = try_cards(book, table, after, mine, seats, seat, stage, found, index)
        which = moment_after(stage)
        active = next_seat(course, seats) if which == BEFORE else course.active
        emit(book, after, seats, seat, over, active, which, found, index, order)


@compiled
def best_of(found: Candidates, values: Array, stage: int, first: int, end: int) -> int:
    """Of candidates, the one that is worth most; what is taken from the tableau, by the mean of all its colours."""
    best, most, index = first, WORST, first
    while index < end:
        begin, total, going = index, 0.0, True
        while going:
            total += values[index]
            index += 1
            going = stage == TAKES and index < end and found.coloured[index] == found.coloured[begin]
        if is_better(total / (index - begin), most):
            best, most = begin, total / (index - begin)
    return best


@compiled
def choose(
    book: Book,
    seats: int,
    deck: Deck,
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
    """The best of a seat's candidates, or now and then any; what others would do is guessed to be their best."""
    if counts[place] == 0:
        return
    game, seat, first = place // seats, place % seats, ends[place] - counts[place]
    best = best_of(found, values, stage, first, ends[place])
    if stage == LEADS:
        guesses[game, 0], guesses[game, 1] = found.called[best], found.coloured[best]
    if stage == ANSWERS:
        guesses[game, ANSWERED + seat] = found.called[best]
    if not asked >> seat & 1:
        return
    bits = _straying(courses[game], 2 * MOST_SEATS if stage == TAKES else 2 * seat + (stage == ACTS), seed)
    if _strays(bits, explore):
        best = first + below(mix(bits), counts[place])
    if stage in (ACTS, TAKES):
        choices[game, 2 * seat + 1] = found.coloured[best]
    else:
        choices[game, 2 * seat] = found.called[best]


@compiled
def advance(
    book: Book,
    seats: int,
    deck: Deck,
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
    moments: Moments,
) -> None:
    """Lets the kernel's own minds choose, then settles what all have chosen. With cards, what was answered is written
    down even where it has ended the game: nobody knew that before."""
    course, table = courses[game], tables[game]
    active = course.active if course.end == GOES_ON else -1
    if course.end == GOES_ON:
        for seat in range(seats):
            if minds[0].kinds[seat] != OUTSIDE and (not acting or seat == course.active):
                _choose_inside(
                    book, deck, minds[0], store, course, table, choices[game], seats, seat, seed, acting, explore
                )
        if acting:
            _settle_act(book, deck, course, table, choices[game], seats)
        else:
            _settle_call(book, deck, course, table, choices[game], seats)
    if deck is not None and not acting:
        write_down(book, seats, table, game, active, CALLED, moments)


@compiled
def finish(
    book: Book, seats: int, deck: Deck, scratch: Array, game: int, tables: Array, shares: Array, points: Array
) -> None:
    """Each seat's share of the win, and its points."""
    for seat in range(seats):
        shares[game, seat] = share_of(book, tables[game], seats, seat)
        points[game, seat] = score(book, tables[game].rows, MOST_ROWS * seat, tables[game].misthrows[seat])


@inlined
def _straying(course: Course, choice: int, seed: int) -> np.uint64:
    """What decides whether a choice is left to chance."""
    return draw(stream_of(seed, course.game), EXPLORE + course.turn * TURN + choice)


@inlined
def _strays(bits: np.uint64, explore: float) -> bool:
    return below(bits, ONE_IN) < explore * ONE_IN


@compiled
def _choose_inside(
    book: Book,
    deck: Deck,
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
    bits = _straying(course, 2 * seat + acting, seed)
    strays, has_crossed = _strays(bits, explore), choices[2 * seat] != 0
    stream, counter = stream_of(seed, course.game), course.turn * TURN
    if not acting:
        count = list_called(book, table, seat, _number(book, deck, table))
        choices[2 * seat] = (
            table.options[below(mix(bits), count)]
            if strays
            else choose_called(
                book, minds, store, table, seats, seat, course.active, count, stream, counter + CALL + seat
            )
        )
    elif deck is None:
        count = list_coloured(book, table, seat)
        choices[2 * seat + 1] = (
            table.options[below(mix(bits), count)]
            if strays
            else choose_coloured(book, minds, store, table, seats, seat, count, has_crossed, stream, counter + ACT)
        )
    else:
        choices[2 * seat + 1] = (
            any_play(book, table, seat, mix(bits))
            if strays
            else choose_play(book, minds, store, table, seats, seat, has_crossed, stream, counter + ACT)
        )


@inlined
def _number(book: Book, deck: Deck, table: Table) -> int:
    """What is called out."""
    if deck is None:
        return called_number(table)
    return number_on_top(book, table)


@compiled
def _settle_call(book: Book, deck: Deck, course: Course, table: Table, choices: Ints, seats: int) -> None:
    """Everybody crosses what they chose; the dice of rows that closed are taken off."""
    active = course.active
    gone = table.gone[active]
    for seat in range(seats):
        table.chosen[seat] = choices[2 * seat]
    if settle_called(book, table, seats):
        course.end = BY_ROWS
    elif deck is None and table.gone[active] != gone:
        remove_dice(book, table, table.gone[active])


@compiled
def _settle_act(book: Book, deck: Deck, course: Course, table: Table, choices: Ints, seats: int) -> None:
    """The active seat's last action, and the next seat's turn."""
    active, chosen = course.active, choices[2 * course.active + 1]
    has_crossed = choices[2 * active] != 0
    if deck is None:
        closing = cross(table, active, chosen)
        if closing and settle_closed(book, table, seats, closing):
            course.end = BY_ROWS
            return
        course.end = end_turn(book, table, active, has_crossed or chosen != 0)
    else:
        course.end = settle_play(book, table, seats, active, chosen, has_crossed)
        if course.end == BY_ROWS:
            return
    course.active = next_seat(course, seats)

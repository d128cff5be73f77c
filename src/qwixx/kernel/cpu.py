"""The kernel on the CPU: game after game, on as many cores as there are."""

from collections.abc import Callable

import numpy as np

from qwixx.kernel.book import MOST_SEATS, Book, Ints
from qwixx.kernel.cards import start_cards, turn_cards
from qwixx.kernel.compile import entry, inlined
from qwixx.kernel.cores import in_parts
from qwixx.kernel.dice import start_dice, turn_dice
from qwixx.kernel.draws import stream_of
from qwixx.kernel.policies import Minds, Store
from qwixx.kernel.table import GOES_ON, Log, Table, new_table
from qwixx.kernel.tally import ENDS, SCORES, TURNS, WINS, rate

Run = Callable[[Book, Minds, Store, int, int, int, int, Table, Ints, Log], None]


@inlined
def add_up(book: Book, table: Table, seats: int, turns: int, end: int, counts: Ints) -> None:
    """Counts a finished game."""
    best, sharing = rate(book, table, seats)
    counts[TURNS] += turns
    counts[ENDS + end] += 1
    for seat in range(seats):
        points = table.chosen[seat]
        counts[WINS + seat * MOST_SEATS + sharing - 1] += points == best
        counts[SCORES + seat * book.spread + points - book.lowest] += 1


# Twice the same loop: what is compiled is kept for the next process only where it closes over nothing.


@entry
def run_dice(
    book: Book,
    minds: Minds,
    store: Store,
    seats: int,
    seed: int,
    first: int,
    games: int,
    table: Table,
    counts: Ints,
    log: Log,
) -> None:
    """Plays dice games from the first number on."""
    for game in range(first, first + games):
        stream, turn, end = stream_of(seed, game), 0, GOES_ON
        active = start_dice(book, seats, stream, table, log)
        while end == GOES_ON:
            turn += 1
            end = turn_dice(book, minds, store, seats, active, turn, stream, table, log)
            active = active + 1 if active + 1 < seats else 0
        add_up(book, table, seats, turn, end, counts)


@entry
def run_cards(
    book: Book,
    minds: Minds,
    store: Store,
    seats: int,
    seed: int,
    first: int,
    games: int,
    table: Table,
    counts: Ints,
    log: Log,
) -> None:
    """Plays card games from the first number on."""
    for game in range(first, first + games):
        stream, turn, end = stream_of(seed, game), 0, GOES_ON
        active = start_cards(book, seats, stream, table, log)
        while end == GOES_ON:
            turn += 1
            end = turn_cards(book, minds, store, seats, active, turn, stream, table, log)
            active = active + 1 if active + 1 < seats else 0
        add_up(book, table, seats, turn, end, counts)


def run_of(book: Book) -> Run:
    return run_dice if book["sides"] else run_cards  # type: ignore[index] # a record, seen from Python


def play(
    book: Book, minds: Minds, store: Store, seats: int, seed: int, first: int, games: int, length: int, cores: int
) -> Ints:
    """The counts of some games, shared among the cores."""
    run = run_of(book)

    def part(_: int, begin: int, end: int) -> Ints:
        counts = np.zeros(length, np.int64)
        run(book, minds, store, seats, seed, first + begin, end - begin, new_table(), counts, None)
        return counts

    return np.sum(in_parts(games, part, cores), axis=0)

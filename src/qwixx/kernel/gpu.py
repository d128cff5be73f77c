"""The kernel on a CUDA device: the same compiled functions, one game after the other in each of many threads."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

import numba
import numpy as np

from qwixx.kernel.book import MOST_SEATS, Book, Ints
from qwixx.kernel.cards import start_cards, turn_cards
from qwixx.kernel.dice import start_dice, turn_dice
from qwixx.kernel.draws import stream_of
from qwixx.kernel.policies import Minds, Store
from qwixx.kernel.table import GOES_ON, LAYOUT, Log
from qwixx.kernel.tally import ENDS, SCORES, TURNS, WINS, rate
from qwixx.rules import MalformedError

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba's CUDA part looks for the old name
cuda: Any = import_module("numba.cuda")

TABLE = numba.from_dtype(LAYOUT)
THREADS, BLOCKS_A_PROCESSOR, REGISTERS = 128, 16, 96
NEAR = 4096
"""So many counts are added up within a block before they go to the device's memory."""


@cuda.jit(device=True)
def add_up(book: Book, table: Any, seats: int, turns: int, end: int, counts: Ints) -> None:
    """Counts a finished game, while other threads count theirs."""
    best, sharing = rate(book, table, seats)
    cuda.atomic.add(counts, TURNS, turns)
    cuda.atomic.add(counts, ENDS + end, 1)
    for seat in range(seats):
        points = table.chosen[seat]
        if points == best:
            cuda.atomic.add(counts, WINS + seat * MOST_SEATS + sharing - 1, 1)
        cuda.atomic.add(counts, SCORES + seat * book.spread + points - book.lowest, 1)


Start = Callable[..., int]
Turn = Callable[..., int]


def _thoughtless(turn: Turn) -> Turn:
    """Turns without a store, which a CUDA kernel cannot be told by an argument."""

    def without(
        book: Book, minds: Minds, store: Store, seats: int, active: int, number: int, stream: Any, table: Any, log: Log
    ) -> int:
        return turn(book, minds, None, seats, active, number, stream, table, log)

    return cast("Turn", cuda.jit(device=True)(without))


def _player(start: Start, turn: Turn) -> Any:
    """Game after game in one thread."""

    @cuda.jit(device=True)
    def play(
        books: Any, minds: Any, store: Store, seats: int, seed: int, first: int, last: int, table: Any, counts: Ints
    ) -> None:
        for game in range(first + cuda.grid(1), last, cuda.gridsize(1)):
            stream, number, end = stream_of(seed, game), 0, GOES_ON
            active = start(books[0], seats, stream, table, None)
            while end == GOES_ON:
                number += 1
                end = turn(books[0], minds[0], store, seats, active, number, stream, table, None)
                active = active + 1 if active + 1 < seats else 0
            add_up(books[0], table, seats, number, end, counts)

    return play


@cache
def kernel_of(start: Start, turn: Turn, thinks: bool) -> Any:
    """The CUDA kernel that plays games of one kind. A block counts on its own first, where there is room for that."""
    play = _player(start, turn if thinks else _thoughtless(turn))

    @cuda.jit(max_registers=REGISTERS)
    def run(books: Any, minds: Any, store: Store, seats: int, seed: int, first: int, last: int, counts: Ints) -> None:
        table = cuda.local.array(1, TABLE)[0]
        near = cuda.shared.array(NEAR, numba.int32)
        if counts.size > NEAR:
            play(books, minds, store, seats, seed, first, last, table, counts)
            return
        for place in range(cuda.threadIdx.x, NEAR, cuda.blockDim.x):
            near[place] = 0
        cuda.syncthreads()
        play(books, minds, store, seats, seed, first, last, table, near)
        cuda.syncthreads()
        for place in range(cuda.threadIdx.x, counts.size, cuda.blockDim.x):
            cuda.atomic.add(counts, place, near[place])

    return run


class Table:
    """A table on the device: what does not change from call to call lies there already."""

    def __init__(self, book: Book, minds: Minds, store: Store) -> None:
        if not cuda.is_available():
            raise MalformedError("there is no CUDA device here; leave out --device cuda to use the CPU")
        dice = book["sides"] > 0  # type: ignore[index] # a record, seen from Python
        steps = (start_dice, turn_dice) if dice else (start_cards, turn_cards)
        self.run = kernel_of(*steps, store is not None)
        self.books = cuda.to_device(np.array([book]))
        self.minds = cuda.to_device(np.array([minds]))
        self.store = cuda.to_device(np.zeros(1) if store is None else store)
        self.blocks = BLOCKS_A_PROCESSOR * cuda.get_current_device().MULTIPROCESSOR_COUNT

    def play(self, seats: int, seed: int, first: int, games: int, length: int) -> Ints:
        """The counts of some games."""
        counts = cuda.to_device(np.zeros(length, np.int64))
        self.run[self.blocks, THREADS](self.books, self.minds, self.store, seats, seed, first, first + games, counts)
        return counts.copy_to_host()

"""The kernel on a CUDA device: the same compiled functions, one game after the other in each of many threads.

A device likes to know things before it compiles. So a kernel is made for one book, whose plain numbers it is told as
constants, and one number of seats; loops of known length unroll and what they do not need falls away.
"""

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

import numba
import numpy as np

from qwixx.kernel.book import LAYOUT as BOOK_LAYOUT
from qwixx.kernel.book import MOST_ROWS, MOST_SEATS, Book, Ints
from qwixx.kernel.cards import start_cards, turn_cards
from qwixx.kernel.dice import start_dice, turn_dice
from qwixx.kernel.draws import DICE_A_DRAW, stream_of
from qwixx.kernel.policies import Minds, Store
from qwixx.kernel.table import GOES_ON, LAYOUT, Log
from qwixx.kernel.tally import ENDS, SCORES, TURNS, WINS, rate
from qwixx.rules import MalformedError

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba's CUDA part looks for the old name
cuda: Any = import_module("numba.cuda")

TABLE = numba.from_dtype(LAYOUT)
THREADS, BLOCKS_A_PROCESSOR, REGISTERS = 128, 48, 64
NEAR = 4096
"""So many counts are added up within a block before they go to the device's memory."""


def names_in(layout: np.dtype[np.void], plain: bool) -> tuple[str, ...]:
    """The plain numbers of a layout, or its tables."""
    return tuple(name for name in layout.names or () if (layout[name].shape == ()) == plain)


# A book whose plain numbers are constants and whose tables lie on the device; a dice table that lies near the threads.
PLAIN, TABLES = names_in(BOOK_LAYOUT, True), names_in(BOOK_LAYOUT, False)
_Book = namedtuple("_Book", PLAIN + TABLES)  # type: ignore[misc] # its names are the layout's
DeviceBook: Any = _Book
NearTable = namedtuple("NearTable", ("rows", "misthrows", "gone", "chosen", "lucky", "options", "dice"))


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
        book: Any, minds: Any, store: Store, seats: int, seed: int, first: int, last: int, table: Any, counts: Ints
    ) -> None:
        game, step = first + cuda.grid(1), cuda.gridsize(1)
        while game < last:
            stream, number, end = stream_of(seed, game), 0, GOES_ON
            active = start(book, seats, stream, table, None)
            while end == GOES_ON:
                number += 1
                end = turn(book, minds[0], store, seats, active, number, stream, table, None)
                active = active + 1 if active + 1 < seats else 0
            add_up(book, table, seats, number, end, counts)
            game += step

    return play


def _near_table(plain: tuple[int, ...], seats: int) -> Any:
    """A table in the memory that a block's threads share, where each thread's part lies beside the next thread's."""
    numbers = dict(zip(PLAIN, plain, strict=True))
    rows, dice = seats * MOST_ROWS, -(-(2 + numbers["colours"]) // DICE_A_DRAW) * DICE_A_DRAW
    options = max(numbers["wide"] + numbers["rows"], 2 * numbers["colours"]) + 1
    pairs = 2 * seats

    @cuda.jit(device=True)
    def make() -> Any:
        thread = cuda.threadIdx.x
        return NearTable(
            cuda.shared.array((rows, THREADS), numba.int16)[:, thread],
            cuda.shared.array((seats, THREADS), numba.int8)[:, thread],
            cuda.shared.array((seats, THREADS), numba.int32)[:, thread],
            cuda.shared.array((seats, THREADS), numba.int32)[:, thread],
            cuda.shared.array((pairs, THREADS), numba.uint8)[:, thread],
            cuda.shared.array((options, THREADS), numba.int32)[:, thread],
            cuda.shared.array((dice, THREADS), numba.uint8)[:, thread],
        )

    return make


@cuda.jit(device=True)
def _far_table() -> Any:
    return cuda.local.array(1, TABLE)[0]


@cache
def kernel_of(plain: tuple[int, ...], seats: int, thinks: bool, near: int) -> Any:
    """The CUDA kernel that plays games of one kind. A block counts on its own first, where there is room for that."""
    dice = plain[PLAIN.index("sides")] > 0
    start, turn = (start_dice, turn_dice) if dice else (start_cards, turn_cards)
    play = _player(start, turn if thinks else _thoughtless(turn))
    make_table = _near_table(plain, seats) if dice and not thinks else _far_table

    @cuda.jit(max_registers=REGISTERS)
    def run(tables: Any, minds: Any, store: Store, seed: int, first: int, last: int, counts: Ints) -> None:
        book, table = DeviceBook(*(plain + tables)), make_table()
        if near == 0:
            play(book, minds, store, seats, seed, first, last, table, counts)
            return
        here = cuda.shared.array(near, numba.int32)
        for place in range(cuda.threadIdx.x, near, cuda.blockDim.x):
            here[place] = 0
        cuda.syncthreads()
        play(book, minds, store, seats, seed, first, last, table, here)
        cuda.syncthreads()
        for place in range(cuda.threadIdx.x, near, cuda.blockDim.x):
            cuda.atomic.add(counts, place, here[place])

    return run


class Table:
    """A table on the device: what does not change from call to call lies there already."""

    def __init__(self, book: Book, minds: Minds, store: Store, seats: int, length: int) -> None:
        if not cuda.is_available():
            raise MalformedError("there is no CUDA device here; leave out --device cuda to use the CPU")
        plain = tuple(int(book[name]) for name in PLAIN)  # type: ignore[index] # a record, seen from Python
        self.run = kernel_of(plain, seats, store is not None, length if length <= NEAR else 0)
        self.tables = tuple(
            cuda.to_device(np.ascontiguousarray(book[name]))  # type: ignore[index]
            for name in TABLES
        )
        self.minds = cuda.to_device(np.array([minds]))
        self.store = cuda.to_device(np.zeros(1) if store is None else store)
        self.blocks = BLOCKS_A_PROCESSOR * cuda.get_current_device().MULTIPROCESSOR_COUNT
        self.length = length

    def play(self, seed: int, first: int, games: int) -> Ints:
        """The counts of some games."""
        counts = cuda.to_device(np.zeros(self.length, np.int64))
        self.run[self.blocks, THREADS](self.tables, self.minds, self.store, seed, first, first + games, counts)
        return cast("Ints", counts.copy_to_host())

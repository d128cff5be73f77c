"""Games side by side, turn by turn: what is done with them (see steps.py), and how the CPU does it on all its cores.

The arrays are numpy's here and torch's on a device (many_gpu.py).
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_ROWS, Book, book_of
from qwixx.kernel.candidates import ACTS, ANSWERS, LAYOUT, LEADS, SCRATCH, TRIED
from qwixx.kernel.compile import entry
from qwixx.kernel.inputs import side_size, write_sample
from qwixx.kernel.kits import Array, Kit, NumpyKit
from qwixx.kernel.minds import Mind, seat_minds
from qwixx.kernel.simulate import cores
from qwixx.kernel.steps import advance, begin, choose, count, finish, start, write
from qwixx.kernel.table import LAYOUT as TABLE_LAYOUT
from qwixx.rules import Variant

Value = Callable[[Array, int], Array]
"""What candidates are worth to who chooses: from the inputs, and how many lines of them each candidate has."""


class Columns(NamedTuple):
    """All candidates of a moment, see Candidates."""

    called: Array
    coloured: Array
    known: Array
    inputs: Array


# One loop for each step: what is compiled is kept for the next process only where it closes over nothing.


@entry
def _start(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        start(book, seats, scratch, item, *given)


@entry
def _begin(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        begin(book, seats, scratch, item, *given)


@entry
def _count(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        count(book, seats, scratch, item, *given)


@entry
def _write(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        write(book, seats, scratch, item, *given)


@entry
def _choose(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        choose(book, seats, scratch, item, *given)


@entry
def _advance(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        advance(book, seats, scratch, item, *given)


@entry
def _finish(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        finish(book, seats, scratch, item, *given)


@entry
def _write_sample(book: Book, seats: int, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        write_sample(book, seats, scratch, item, *given)


class Many:
    """So many games of one table, played side by side.

    After a turn, `rows`, `misthrows`, `lucky` and `active` tell how each game stood before it; `active` is −1 where the
    game was over."""

    def __init__(self, variant: Variant, minds: Sequence[Mind], games: int, seed: int = 0) -> None:
        self.variant, self.seats, self.games, self.seed = variant, len(minds), games, seed % 2**63
        self.kit = self._kit(seed)
        book = book_of(variant)
        self.side = int(side_size(book))
        self._compile(book)
        record, store = seat_minds(variant, minds)
        self.minds, self.store = self._place(np.array([record])), self._place(np.zeros(1) if store is None else store)
        self.courses = self._place(np.zeros(games, LAYOUT))
        self.tables = self._place(np.zeros(games, TABLE_LAYOUT))
        self.order = self._place(np.arange(MOST_ROWS))
        self.choices = self.kit.zeros((games, 2 * self.seats), "int32")
        self.guesses = self.kit.zeros((games, 2), "int32")
        self.rows = self.kit.zeros((games, self.seats * MOST_ROWS), "int16")
        self.misthrows = self.kit.zeros((games, self.seats), "int8")
        self.lucky = self.kit.zeros((games, 2 * self.seats), "int8")
        self.active = self.kit.zeros(games, "int8")

    # --- how the CPU does it

    def _kit(self, seed: int) -> Kit:
        return NumpyKit(seed)

    def _compile(self, book: Book) -> None:
        self.workers = cores()
        self.book = book
        self.scratch = [np.zeros(TRIED, SCRATCH) for _ in range(self.workers)]

    def _place(self, array: NDArray[Any]) -> Array:
        """An array that only the steps look at."""
        return array

    def _launch(self, step: str, items: int, *given: Array) -> None:
        run, cuts = STEPS[step], [items * part // self.workers for part in range(self.workers + 1)]

        def part(worker: int) -> None:
            run(self.book, self.seats, self.scratch[worker], given, cuts[worker], cuts[worker + 1])

        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(part, range(self.workers)))

    # --- what is done

    @property
    def over(self) -> bool:
        """Whether all games were over before the last turn."""
        return not bool((self.active >= 0).any())

    def start(self, number: int) -> None:
        """New games from this number on."""
        self._launch("start", self.games, self.courses, self.tables, self.seed, number)

    def turn(self, values: Sequence[Value | None], explore: float = 0.0) -> None:
        """One turn of every game. Each network that is asked finds the active seat's best pair, whoever sits there, and
        then the others' best answers to it."""
        self._launch(
            "begin",
            self.games,
            self.courses,
            self.tables,
            self.seed,
            self.rows,
            self.misthrows,
            self.lucky,
            self.active,
        )
        asked = {id(value): (value, _seats_of(value, values)) for value in values if value}
        for value, seats in asked.values():
            self._decide(value, seats, LEADS, explore)
            self._decide(value, seats, ANSWERS, explore)
        self._advance(False, explore)
        for value, seats in asked.values():
            self._decide(value, seats, ACTS, explore)
        self._advance(True, explore)

    def _decide(self, value: Value, asked: int, stage: int, explore: float) -> None:
        """The choices of the seats that ask this network."""
        places, zeros = self.games * self.seats, self.kit.zeros
        counts = zeros(places, "int64")
        given = (self.courses, self.tables, self.guesses, self.choices, asked, stage, self.order, counts)
        self._launch("count", places, *given)
        ends = counts.cumsum(0)
        total = int(ends[-1])
        if total == 0:
            return
        inputs = zeros((total * (self.seats - 1), 2 * self.side), "float32")
        found = Columns(zeros(total, "int32"), zeros(total, "int32"), zeros(total, "float32"), inputs.reshape(-1))
        self._launch("write", places, *given, ends, found)
        worth = self.kit.where(found.known < 0, value(inputs, self.seats - 1), found.known)
        self._launch(
            "choose",
            places,
            self.courses,
            self.guesses,
            self.choices,
            counts,
            ends,
            found,
            worth,
            self.seed,
            asked,
            stage,
            explore,
        )

    def _advance(self, acting: bool, explore: float) -> None:
        self._launch(
            "advance",
            self.games,
            self.minds,
            self.store,
            self.courses,
            self.tables,
            self.choices,
            self.seed,
            int(acting),
            explore,
        )

    def finish(self) -> tuple[Any, Any]:
        """Each seat's share of the win and its points, in games that are over."""
        shares, points = (self.kit.zeros((self.games, self.seats), "float32") for _ in range(2))
        self._launch("finish", self.games, self.tables, shares, points)
        return shares, points

    def inputs(
        self, samples: Array, orders: Array, rows: Array, misthrows: Array, lucky: Array, active: Array
    ) -> Array:
        """The network's inputs for samples (state, seat, symmetry) of states as `begin` tells of them."""
        lines = self.kit.zeros((len(samples) * (self.seats - 1), 2 * self.side), "float32")
        self._launch(
            "write_sample",
            len(samples),
            samples,
            orders,
            rows.reshape(-1),
            misthrows.reshape(-1),
            lucky.reshape(-1),
            active.reshape(-1),
            lines.reshape(-1),
        )
        return lines


def _seats_of(value: Value, values: Sequence[Value | None]) -> int:
    """The seats that ask a network, a bit each."""
    return sum(1 << seat for seat, each in enumerate(values) if each is value)


STEPS: dict[str, Callable[..., None]] = {
    "start": _start,
    "begin": _begin,
    "count": _count,
    "write": _write,
    "choose": _choose,
    "advance": _advance,
    "finish": _finish,
    "write_sample": _write_sample,
}

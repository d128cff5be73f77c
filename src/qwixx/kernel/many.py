"""Games side by side, turn by turn: what is done with them (see steps.py), and how the CPU does it on all its cores.

The arrays are numpy's here and torch's on a device (many_gpu.py).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_CARDS, MOST_ROWS, Book, book_of
from qwixx.kernel.candidates import ACTS, ANSWERED, ANSWERS, LAYOUT, LEADS, PAIRS, SCRATCH, TAKES, TRIED
from qwixx.kernel.compile import entry
from qwixx.kernel.cores import cores, in_parts
from qwixx.kernel.inputs import line_size, write_sample
from qwixx.kernel.kits import Array, Kit, NumpyKit
from qwixx.kernel.minds import Mind, seat_minds
from qwixx.kernel.moment import Moments
from qwixx.kernel.steps import Deck, advance, attempt, begin, choose, count, finish, know, start, take, write
from qwixx.kernel.table import LAYOUT as TABLE_LAYOUT
from qwixx.kernel.valuenet import BEFORE, CALLED
from qwixx.rules import Dice, Variant

Value = Callable[[Array, int], Array]
"""What candidates are worth to who chooses: from the inputs, and how many lines of them each candidate has."""


class Columns(NamedTuple):
    """All candidates of a moment, see Candidates."""

    place: Array
    called: Array
    coloured: Array
    known: Array
    inputs: Array


# One loop for each step: what is compiled is kept for the next process only where it closes over nothing.


@entry
def _start(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        start(book, seats, deck, scratch, item, *given)


@entry
def _begin(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        begin(book, seats, deck, scratch, item, *given)


@entry
def _take(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        take(book, seats, deck, scratch, item, *given)


@entry
def _know(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        know(book, seats, deck, scratch, item, *given)


@entry
def _count(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        count(book, seats, deck, scratch, item, *given)


@entry
def _write(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        write(book, seats, deck, scratch, item, *given)


@entry
def _attempt(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        attempt(book, seats, deck, scratch, item, *given)


@entry
def _choose(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        choose(book, seats, deck, scratch, item, *given)


@entry
def _advance(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        advance(book, seats, deck, scratch, item, *given)


@entry
def _finish(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        finish(book, seats, deck, scratch, item, *given)


@entry
def _write_sample(book: Book, seats: int, deck: Deck, scratch: Array, given: Array, first: int, last: int) -> None:
    for item in range(first, last):
        write_sample(book, seats, deck, scratch, item, *given)


class Many:
    """So many games of one table, played side by side.

    `moments` tells how each game stood before its last turn; with cards, how it stood once the called number was
    settled, and before that what `watch` is called for (see turn)."""

    def __init__(self, variant: Variant, minds: Sequence[Mind], games: int, seed: int = 0) -> None:
        self.variant, self.seats, self.games, self.seed = variant, len(minds), games, seed % 2**63
        self.kit = self._kit(seed)
        book = book_of(variant)
        self.line, self.deck = int(line_size(book)), None if isinstance(variant.source, Dice) else 1
        self._compile(book)
        record, store = seat_minds(variant, minds)
        self.minds, self.store = self._place(np.array([record])), self._place(np.zeros(1) if store is None else store)
        self.courses = self._place(np.zeros(games, LAYOUT))
        self.tables = self._place(np.zeros(games, TABLE_LAYOUT))
        self.order = self._place(np.array(unchanged()))
        self.choices = self.kit.zeros((games, 2 * self.seats), "int32")
        self.guesses = self.kit.zeros((games, ANSWERED + self.seats), "int32")
        self.moments = Moments(
            self.kit.zeros((games, self.seats * MOST_ROWS), "int16"),
            self.kit.zeros((games, self.seats * MOST_ROWS), "int16"),
            self.kit.zeros((games, self.seats), "int8"),
            self.kit.zeros((games, 2 * self.seats), "int8"),
            self.kit.zeros(games, "int8"),
            self.kit.zeros(games, "int8"),
            self.kit.zeros((games, max(1, len(variant.cards))), "uint8"),
        )

    # --- how the CPU does it

    def _kit(self, seed: int) -> Kit:
        return NumpyKit(seed)

    def _compile(self, book: Book) -> None:
        self.book = book
        self.scratch = [np.zeros(TRIED, SCRATCH) for _ in range(cores())]

    def _place(self, array: NDArray[Any]) -> Array:
        """An array that only the steps look at."""
        return array

    def _launch(self, step: str, items: int, *given: Array) -> None:
        def part(worker: int, begin: int, end: int) -> None:
            STEPS[step](self.book, self.seats, self.deck, self.scratch[worker], given, begin, end)

        in_parts(items, part, len(self.scratch))

    # --- what is done

    def start(self, number: int) -> None:
        """New games from this number on."""
        self._launch("start", self.games, self.courses, self.tables, self.seed, number)

    def turn(
        self, values: Sequence[Value | None], explore: float = 0.0, watch: Callable[[], None] = lambda: None
    ) -> None:
        """One turn of every game. Each network that is asked finds the active seat's best pair, with dice whoever sits
        there, then the others' best answers, and with dice the best pair among those. `watch` is called whenever
        `moments` is new: before the turn; with cards, also when some have been taken, and when the called number is
        settled."""
        self._launch("begin", self.games, self.courses, self.tables, self.seed, self.moments)
        watch()
        self.go_on(values, BEFORE, explore, watch)

    def go_on(
        self,
        values: Sequence[Value | None],
        since: int,
        explore: float = 0.0,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """The rest of a turn since a moment (see turn): before anything is taken, with dice the same as before the
        called number is answered, or before the last action."""
        networks = {id(value): value for value in values if value}.values()
        asked = [(value, _seats_of(value, values)) for value in networks]
        if self.deck and since == BEFORE:
            for value, seats in asked:
                self._decide(value, seats, TAKES, explore)
            given = (self.courses, self.tables, self.choices, self.seed, self.moments)
            self._launch("take", self.games, self.minds, *given)
            watch()
        if since != CALLED:
            for value, seats in asked:
                for stage in (LEADS, ANSWERS) if self.deck else (LEADS, ANSWERS, PAIRS):
                    self._decide(value, seats, stage, explore)
            self._advance(False, explore)
            if self.deck:
                watch()
        for value, seats in asked:
            self._decide(value, seats, ACTS, explore)
        self._advance(True, explore)

    def play(
        self,
        values: Sequence[Value | None],
        number: int,
        explore: float = 0.0,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """Plays the games from this number on to their end."""
        self.start(number)
        going = True
        while going:
            self.turn(values, explore, watch)
            going = bool((self.moments.active >= 0).any())

    def _decide(self, value: Value, asked: int, stage: int, explore: float) -> None:
        """The choices of the seats that ask this network."""
        places, zeros = self.games * self.seats, self.kit.zeros
        cards, counts = self._known(asked, stage), zeros(places, "int64")
        given = (self.courses, self.tables, self.guesses, cards.reshape(-1), asked, stage, counts)
        self._launch("count", places, *given)
        ends = counts.cumsum(0)
        total = int(ends[-1])
        if total == 0:
            return
        place, called, coloured = (zeros(total, "int32") for _ in range(3))
        # Whoever lists candidates looks at no inputs, but at what is known of the cards.
        found = Columns(place, called, coloured, zeros(total, "float32"), cards.reshape(-1))
        self._launch("write", places, *given, ends, found)
        worth = self._tried(value, stage, found, cards)
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

    def _tried(self, value: Value, stage: int, found: Columns, cards: Array) -> Array:
        """What candidates are worth, tried out so many at a time."""
        parts, size = [], self.kit.tried // self.seats
        for first in range(0, len(found.place), size):
            place, called, coloured, known = (column[first : first + size] for column in found[:-1])
            inputs = self._begun(cards, place)
            part = Columns(place, called, coloured, known, inputs.reshape(-1))
            given = (self.courses, self.tables, self.guesses, self.choices, stage, self.order)
            self._launch("attempt", len(place), *given, part)
            parts.append(self.kit.where(known < 0, value(inputs, self.seats - 1), known))
        return self.kit.joined(parts)

    def _known(self, asked: int, stage: int) -> Array:
        """With cards, what each seat that has something to choose knows of them; it is the same in all its candidates'
        inputs, but for what they take or play."""
        if not self.deck:
            return self.kit.zeros((1, 1), self.kit.small)
        places = self.games * self.seats
        known = self.kit.zeros((places, (self.seats - 1) * self.line), self.kit.small)
        given = (self.courses, self.tables, asked, stage, self.order, known.reshape(-1))
        self._launch("know", places, *given)
        return known

    def _begun(self, known: Array, place: Array) -> Array:
        """The inputs of candidates, as far as they are known before they are tried out."""
        if self.deck:
            return self.kit.taken(known, place).reshape(-1, self.line)
        return self.kit.zeros((len(place) * (self.seats - 1), self.line), self.kit.small)

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
            self.moments,
        )

    def ends(self) -> NDArray[np.int32]:
        """What has ended each game."""
        return np.asarray(self.courses["end"])

    def finish(self) -> tuple[Any, Any]:
        """Each seat's share of the win and its points, in games that are over."""
        shares, points = (self.kit.zeros((self.games, self.seats), "float32") for _ in range(2))
        self._launch("finish", self.games, self.tables, shares, points)
        return shares, points

    def inputs(self, samples: Array, orders: Array, moments: Moments) -> Array:
        """The network's inputs for samples (moment, seat, symmetry)."""
        lines = self.kit.zeros((len(samples) * (self.seats - 1), self.line), "float32")
        self._launch("write_sample", len(samples), samples, orders, moments, lines.reshape(-1))
        return lines


def unchanged() -> list[int]:
    """The symmetry that leaves everything where it is."""
    return [*range(MOST_ROWS), 0, *range(MOST_CARDS)]


def _seats_of(value: Value, values: Sequence[Value | None]) -> int:
    """The seats that ask a network, a bit each."""
    return sum(1 << seat for seat, each in enumerate(values) if each is value)


STEPS: dict[str, Callable[..., None]] = {
    "start": _start,
    "begin": _begin,
    "take": _take,
    "know": _know,
    "count": _count,
    "write": _write,
    "attempt": _attempt,
    "choose": _choose,
    "advance": _advance,
    "finish": _finish,
    "write_sample": _write_sample,
}


def many_on(device: str) -> type[Many]:
    """Games side by side on a device: cpu or cuda."""
    if device == "cuda":
        from qwixx.kernel.many_gpu import ManyOnDevice  # only with a device

        return ManyOnDevice
    return Many

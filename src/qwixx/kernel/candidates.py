"""What a seat could choose, and the table that each choice leads to, for players who value their choices by a network:
what dice (candidates_dice.py) and cards (candidates_cards.py) have in common.

Candidates are listed first, seat by seat; then each is tried out on a table of its own. One that ends the game counts
as what it is; every other one is written down as a network's inputs.
"""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_CARDS, MOST_ROWS, Book, Ints, score
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.inputs import write_sheets
from qwixx.kernel.table import LAYOUT as TABLE_LAYOUT
from qwixx.kernel.table import Table
from qwixx.kernel.valuenet import better

is_better = inlined(better)
OUTSIDE = -1
"""The kind of mind that is asked outside the kernel."""
TAKES, LEADS, ANSWERS, PAIRS, ACTS = range(5)
"""The stages of a turn: cards from the tableau; the active seat's pair of actions if nobody else crossed, the others'
answers to what is called, with dice the active seat's pair among those, and the last action once all is settled."""
ANSWERED = 2
"""Where guesses at the others' answers begin; before them is the pair that the active seat is guessed to take."""
UNKNOWN = np.float32(-1.0)

SCRATCH = np.dtype(
    [
        *(
            (name, TABLE_LAYOUT[name])
            for name in ("rows", "misthrows", "gone", "chosen", "options", "dice", "lucky", "hands", "held")
        ),
        ("cards", np.uint8, MOST_CARDS),
    ],
    align=True,
)
"""A table on which choices are tried out; so many of them are needed at once."""
TRIED = 2
LAYOUT = np.dtype([("game", np.int64), ("turn", np.int32), ("active", np.int32), ("end", np.int32)], align=True)


class Course(Protocol):
    """Where a game is: its number, how many turns it has had, whose the next is, and what ended it, if anything."""

    game: int
    turn: int
    active: int
    end: int


class Trial(Table, Protocol):
    """A table on which choices are tried out; it also knows where each card is."""

    cards: Ints


class Candidates(Protocol):
    """What may be chosen, one after the other: a game's seat, the cells of both actions (or a play, or places in the
    tableau, and as the called one which of the colours that lie there they may have), the share of the win where the
    game is over (else UNKNOWN), and the network's inputs for each opponent."""

    place: Ints
    called: Ints
    coloured: Ints
    known: NDArray[np.float32]
    inputs: NDArray[np.float32]


@compiled
def copy_table(book: Book, source: Table, target: Table, seats: int) -> None:
    for seat in range(seats):
        for row in range(book.rows):
            target.rows[MOST_ROWS * seat + row] = source.rows[MOST_ROWS * seat + row]
        target.misthrows[seat] = source.misthrows[seat]
        target.gone[seat] = source.gone[seat]
        target.lucky[2 * seat] = source.lucky[2 * seat]
        target.lucky[2 * seat + 1] = source.lucky[2 * seat + 1]
    for die in range(2 + book.colours):
        target.dice[die] = source.dice[die]


@compiled
def share_of(book: Book, table: Table, seats: int, seat: int) -> float:
    """The seat's share of the win on a finished table (X4)."""
    own = score(book, table.rows, MOST_ROWS * seat, table.misthrows[seat])
    sharing = 1
    for other in range(seats):
        points = score(book, table.rows, MOST_ROWS * other, table.misthrows[other])
        if points > own:
            return 0.0
        sharing += (points == own) & (other != seat)
    return 1.0 / sharing


@compiled
def note_candidate(found: Candidates, index: int, place: int, called: int, coloured: int) -> None:
    found.place[index] = place
    found.called[index] = called
    found.coloured[index] = coloured


@compiled
def emit(
    book: Book,
    after: Trial,
    seats: int,
    seat: int,
    over: bool,
    active: int,
    which: int,
    found: Candidates,
    index: int,
    order: Ints,
) -> None:
    """Writes down what a candidate leads to: a table, who is active there, and which moment of the turn it is."""
    if over:
        found.known[index] = share_of(book, after, seats, seat)
        return
    found.known[index] = UNKNOWN
    write_sheets(
        book,
        found.inputs,
        index,
        after.rows,
        after.rows,
        after.misthrows,
        after.lucky,
        active,
        which,
        seats,
        seat,
        order,
    )


@compiled
def next_seat(course: Course, seats: int) -> int:
    return course.active + 1 if course.active + 1 < seats else 0

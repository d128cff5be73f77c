"""What games added up to. Everything is counted in whole numbers, so the order of the games does not matter."""

from dataclasses import dataclass

import numpy as np

from qwixx.kernel.book import MOST_ROWS, MOST_SEATS, Book, Ints, score, score_range, whole
from qwixx.kernel.compile import inlined
from qwixx.kernel.table import Table
from qwixx.rules import Variant

TURNS, ENDS, WINS = 0, 1, 3
"""Where the counts begin: turns, what ended the game, wins by seat and by how many shared them; then the scores."""
SCORES = WINS + MOST_SEATS * MOST_SEATS
ENDS_BY = ("rows", "misthrows")


@inlined
def rate(book: Book, table: Table, seats: int) -> tuple[int, int]:
    """Puts every seat's score where its choice was; the best of them and how many have it (X4)."""
    best, sharing = whole(book.lowest) - 1, 0
    for seat in range(seats):
        points = score(book, table.rows, MOST_ROWS * seat, table.misthrows[seat])
        table.chosen[seat] = points
        sharing = 1 if points > best else sharing + (points == best)
        best = points if points > best else best
    return best, sharing


@dataclass(frozen=True)
class Tally:
    variant: Variant
    seats: int
    counts: Ints

    @classmethod
    def empty(cls, variant: Variant, seats: int) -> "Tally":
        return cls(variant, seats, np.zeros(SCORES + seats * score_range(variant)[1], np.int64))

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.variant, self.seats, self.counts + other.counts)

    @property
    def games(self) -> int:
        return int(self.counts[ENDS:WINS].sum())

    @property
    def scores(self) -> Ints:
        """How often each seat had each score, from the lowest there can be."""
        return self.counts[SCORES:].reshape(self.seats, -1)

    @property
    def points(self) -> Ints:
        """The scores that `scores` counts."""
        lowest, spread = score_range(self.variant)
        return np.arange(lowest, lowest + spread)

    @property
    def mean_score(self) -> list[float]:
        return [float(counts @ self.points / max(self.games, 1)) for counts in self.scores]

    @property
    def score_spread(self) -> list[float]:
        """The standard deviation of each seat's score."""
        return [
            float(np.sqrt(counts @ (self.points - mean) ** 2 / max(self.games, 1)))
            for counts, mean in zip(self.scores, self.mean_score, strict=True)
        ]

    @property
    def win_share(self) -> list[float]:
        """Each seat's wins, a shared one counted in parts."""
        wins = self.counts[WINS:SCORES].reshape(MOST_SEATS, MOST_SEATS)[: self.seats]
        return [float((row / np.arange(1, MOST_SEATS + 1)).sum() / max(self.games, 1)) for row in wins]

    @property
    def mean_turns(self) -> float:
        return float(self.counts[TURNS] / max(self.games, 1))

    @property
    def ends_by(self) -> dict[str, int]:
        return dict(zip(ENDS_BY, self.counts[ENDS:WINS].tolist(), strict=True))

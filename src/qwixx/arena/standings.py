"""What matches came to: shares of the wins with intervals, points, ratings."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from qwixx.arena.matches import Match
from qwixx.arena.play import Games

CONFIDENT = 1.96
"""Standard errors on each side of a 95 % interval."""
ELO = 400 / log(10)


@dataclass
class Sum:
    """A mean with its interval, of numbers that come one after the other."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: NDArray[np.float64]) -> None:
        self.count += len(values)
        self.total += float(values.sum())
        self.squares += float((values * values).sum())

    @property
    def mean(self) -> float:
        return self.total / max(self.count, 1)

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        if self.count < 2:
            return float("inf")
        spread = (self.squares - self.total * self.mean) / (self.count - 1)
        return sqrt(max(spread, 0.0) / self.count)


def interval(share: float, error: float, count: int) -> tuple[float, float]:
    """A share's 95 % interval after Wilson, which stays within 0 and 1 and is never a point for who has won everything
    so far: as wide as so many single games would make it that have this standard error. Few numbers may be alike by
    chance, so two more count, one half a win above the share and one as much below it."""
    evens = share * (1 - share)
    if count < 2 or error == float("inf"):
        return 0.0, 1.0
    games = count if evens < 1e-12 else evens / ((count * error**2 + 0.5 / count) / (count + 2))
    square = CONFIDENT**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    width = CONFIDENT * sqrt(evens / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - width), min(1.0, middle + width)


@dataclass
class Line:
    """How a bot did in a match. A game number counts once, with all its rotations: that is where the luck cancels."""

    share: Sum = field(default_factory=Sum)
    points: Sum = field(default_factory=Sum)
    won: int = 0
    decided: int = 0

    @property
    def interval(self) -> tuple[float, float]:
        return interval(self.share.mean, self.share.error, self.share.count)


@dataclass
class Result:
    """A match so far."""

    match: Match
    games: int = 0
    ends: dict[str, int] = field(default_factory=dict)
    forfeits: list[str] = field(default_factory=list)
    lines: dict[str, Line] = field(default_factory=dict)

    def add(self, rotations: Sequence[Games]) -> None:
        """The same game numbers in every rotation."""
        seatings = self.match.rotations
        self.games += sum(len(games.shares) for games in rotations)
        for games in rotations:
            self.forfeits += games.forfeits
            for end, count in games.ends.items():
                self.ends[end] = self.ends.get(end, 0) + count
        for bot in dict.fromkeys(self.match.seats):
            line = self.lines.setdefault(bot, Line())
            mine = [[seat for seat, name in enumerate(seating) if name == bot] for seating in seatings]
            shares = [games.shares[:, seats] for games, seats in zip(rotations, mine, strict=True)]
            points = [games.points[:, seats] for games, seats in zip(rotations, mine, strict=True)]
            line.share.add(np.mean([share.mean(axis=1) for share in shares], axis=0))
            line.points.add(np.mean([point.mean(axis=1) for point in points], axis=0))
            line.won += sum(int((share == 1).any(axis=1).sum()) for share in shares)
            line.decided += sum(int((games.shares == 1).any(axis=1).sum()) for games in rotations)

    def settled(self, width: float) -> bool:
        """Whether all shares are known to within so much."""
        return all(high - low <= 2 * width for low, high in (line.interval for line in self.lines.values()))


@dataclass(frozen=True)
class Standing:
    """A bot in all its matches."""

    bot: str
    win_share: float
    win_low: float
    win_high: float
    decided_share: float
    mean_score: float
    rating: float
    rating_low: float
    rating_high: float


def standings(results: Sequence[Result], bots: Sequence[str]) -> list[Standing]:
    """The bots, the best first."""
    ratings = rate(results, bots)
    found = []
    for bot in bots:
        lines = [result.lines[bot] for result in results if bot in result.match.measured and bot in result.lines]
        share = float(np.mean([line.share.mean for line in lines])) if lines else 0.0
        error = sqrt(sum(line.share.error**2 for line in lines)) / max(len(lines), 1)
        low, high = interval(share, error, sum(line.share.count for line in lines)) if lines else (0.0, 1.0)
        decided = sum(line.decided for line in lines)
        rating, spread = ratings[bot]
        found.append(
            Standing(
                bot,
                share,
                low,
                high,
                sum(line.won for line in lines) / max(decided, 1),
                float(np.mean([line.points.mean for line in lines])) if lines else 0.0,
                rating,
                rating - CONFIDENT * spread,
                rating + CONFIDENT * spread,
            )
        )
    return sorted(found, key=lambda standing: -standing.win_share)


def rate(results: Sequence[Result], bots: Sequence[str], rounds: int = 2000) -> dict[str, tuple[float, float]]:
    """Bradley–Terry ratings on the Elo scale, their mean 0, and their standard errors: a seat wins in proportion to its
    strength among all that sit there (Luce's choice), whatever the number of seats."""
    index = {bot: place for place, bot in enumerate(bots)}
    tables: list[tuple[NDArray[np.float64], float]] = []
    wins = np.full(len(bots), 0.5)  # half a win against a bot of middling strength keeps ratings finite
    for result in results:
        heads = np.zeros(len(bots))
        for bot in result.match.seats:
            heads[index[bot]] += 1
        tables.append((heads, float(result.games)))
        for bot, line in result.lines.items():
            wins[index[bot]] += line.share.mean * heads[index[bot]] * result.games
    strength = np.ones(len(bots))
    for _ in range(rounds):
        expected = sum(games * heads / (heads @ strength) for heads, games in tables) + 1 / (strength + 1)
        strength = wins / expected
        strength /= np.exp(np.log(strength).mean())
    information = np.diag(strength / (strength + 1) ** 2)
    for heads, games in tables:
        chances = heads * strength / (heads @ strength)
        information += games * (np.diag(chances) - np.outer(chances, chances))
    centred = np.eye(len(bots)) - 1 / len(bots)
    errors = np.sqrt(np.diag(centred @ np.linalg.inv(information) @ centred))
    return {bot: (ELO * float(np.log(strength[at])), ELO * float(errors[at])) for bot, at in index.items()}

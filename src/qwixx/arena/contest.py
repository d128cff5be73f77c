"""A contest: all matches, part by part, until enough is known."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context

import numpy as np

from qwixx.arena.matches import Match, matches
from qwixx.arena.play import Games, Player, is_fast, player_of
from qwixx.arena.standings import Result, Standing, standings
from qwixx.rules import Variant

FAST_PART, SLOW_PART = 4096, 32
"""Game numbers that are played between two looks."""
FEWEST = 256
"""So many game numbers are played before a question may count as settled."""


@dataclass
class Contest:
    """Bots, a game, and how the matches stand."""

    variant: Variant
    bots: Sequence[str]
    players: int
    games: int
    """Games in each match, all rotations counted."""
    seed: int = 0
    until: float = 0.0
    """Half the width of the interval with which a match is settled; 0 plays all games."""
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.matches = matches(self.variant, self.bots, self.players)
        self.players_of = {
            match: [player_of(self.variant, seating, self.seed) for seating in match.rotations]
            for match in self.matches
        }

    @property
    def total(self) -> int:
        return self.games * len(self.matches)

    @property
    def played(self) -> int:
        return sum(result.games for result in self.results)

    def run(self) -> Iterator[Result]:
        """Plays match after match; tells of the one that is played after every part."""
        with _helpers(all(is_fast(player) for players in self.players_of.values() for player in players)) as pool:
            for match in self.matches:
                result = Result(match)
                self.results.append(result)
                yield from self._play(match, result, pool)

    def _play(self, match: Match, result: Result, pool: Executor | None) -> Iterator[Result]:
        players, first = self.players_of[match], 0
        numbers = max(1, self.games // len(players))
        size = FAST_PART if all(map(is_fast, players)) else SLOW_PART * (os.cpu_count() or 1)
        while first < numbers:
            count = min(size, numbers - first)
            result.add([_played(player, first, count, pool) for player in players])
            first += count
            yield result
            if self.until and first >= FEWEST and result.settled(self.until):
                return

    def standings(self) -> list[Standing]:
        return standings(self.results, self.bots)


def _played(player: Player, first: int, count: int, pool: Executor | None) -> Games:
    """Plays some games, one by one on all cores where the fast core cannot."""
    if pool is None or is_fast(player):
        return player(first, count)
    begins = range(first, first + count, SLOW_PART)
    parts = list(pool.map(player, begins, [min(SLOW_PART, first + count - begin) for begin in begins]))
    ends: dict[str, int] = {}
    for part in parts:
        for end, times in part.ends.items():
            ends[end] = ends.get(end, 0) + times
    return Games(
        np.concatenate([part.shares for part in parts]),
        np.concatenate([part.points for part in parts]),
        ends,
        [lost for part in parts for lost in part.forfeits],
    )


@contextmanager
def _helpers(all_fast: bool) -> Iterator[Executor | None]:
    """Processes for bots that only Python knows."""
    if all_fast:
        yield None
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield pool

"""A contest: all matches, part by part, until enough is known."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread

import numpy as np

from qwixx.arena.matches import Match, matches
from qwixx.arena.play import Games, Player, is_fast, player_of
from qwixx.arena.standings import Result, Standing, standings
from qwixx.arena.thinking import thinking_time
from qwixx.kernel.cluster import connect
from qwixx.kernel.simulate import Device
from qwixx.rules import Dice, Variant

FAST_PART, SLOW_PART = {"cpu": 4096, "cuda": 32_768}, 32
"""Game numbers that are played in one go: side by side, on a device more; one by one, at first fewer: as many as there
have been, so that slow programs soon show something."""
CARDS_COST = 8
"""With cards there is so much more to choose from, all of which lies in memory at once."""
SPREAD = 16
"""So many goes at a time are spread over a cluster."""
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
    device: Device = "cpu"
    cluster: str = ""
    """The address of a dask.distributed scheduler whose workers play."""
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.matches = matches(self.variant, self.bots, self.players)
        self.players_of = {
            match: [player_of(self.variant, seating, self.seed, self.device) for seating in match.rotations]
            for match in self.matches
        }

    @property
    def total(self) -> int:
        """Games to be played: in every match, each rotation equally often."""
        rotations = [self.players_of[match] for match in self.matches]
        return sum(self._numbers(each) * len(each) for each in rotations)

    def _numbers(self, rotations: Sequence[Player]) -> int:
        return max(1, self.games // len(rotations))

    @property
    def played(self) -> int:
        return sum(result.games for result in self.results)

    def run(self) -> Iterator[Result]:
        """Plays match after match; tells of the one that is played after every part."""
        all_fast = all(is_fast(player) for players in self.players_of.values() for player in players)
        with _helpers(all_fast, self.cluster) as pool:
            for match in self.matches:
                result = Result(match)
                self.results.append(result)
                yield from self._play(match, result, pool)

    def _play(self, match: Match, result: Result, pool: Executor | None) -> Iterator[Result]:
        players, first = self.players_of[match], 0
        numbers = self._numbers(players)
        fast = all(map(is_fast, players))
        cost = 1 if isinstance(self.variant.source, Dice) else CARDS_COST
        spread = SPREAD if self.cluster else 1 if fast else os.cpu_count() or 1
        if fast and not self.cluster:
            pool = None
        while first < numbers:
            part = FAST_PART[self.device] // cost if fast else min(SLOW_PART, max(1, first // spread))
            count = min(part * spread, numbers - first)
            result.add([_played(player, first, count, part, pool) for player in players])
            first += count
            yield result
            if self.until and first >= FEWEST and result.settled(self.until):
                return

    def standings(self) -> list[Standing]:
        return standings(self.results, self.bots)

    @cached_property
    def thinking(self) -> dict[str, float | None]:
        """Seconds that each bot takes for a decision, where that can be told."""
        return {bot: thinking_time(self.variant, bot, self.players) for bot in self.bots}

    @property
    def forfeits(self) -> list[str]:
        """Which games programs gave up, and why."""
        return [lost for result in self.results for lost in result.forfeits]

    @property
    def ends(self) -> dict[str, float]:
        """How many of all games each end came to, as a share."""
        kinds = dict.fromkeys(end for result in self.results for end in result.ends)
        return {kind: sum(result.ends.get(kind, 0) for result in self.results) / max(self.played, 1) for kind in kinds}


def _played(player: Player, first: int, count: int, part: int, pool: Executor | None) -> Games:
    """Plays some games, here or by helpers in parts."""
    if pool is None:
        return player(first, count)
    begins = range(first, first + count, part)
    done = list(pool.map(player, begins, [min(part, first + count - begin) for begin in begins]))
    ends: dict[str, int] = {}
    for games in done:
        for end, times in games.ends.items():
            ends[end] = ends.get(end, 0) + times
    return Games(
        np.concatenate([games.shares for games in done]),
        np.concatenate([games.points for games in done]),
        ends,
        [lost for games in done for lost in games.forfeits],
    )


@contextmanager
def _helpers(all_fast: bool, cluster: str) -> Iterator[Executor | None]:
    """A cluster's workers, or processes for bots that only Python knows."""
    if cluster:
        with connect(cluster) as client:
            yield client.get_executor(pure=False, retries=10)
        return
    if all_fast:
        yield None
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=_helps) as pool:
        yield pool


def _helps() -> None:
    """A helper does not outlive the arena, however that ends."""
    Thread(target=_leave_with, args=[parent_process()], daemon=True).start()


def _leave_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)

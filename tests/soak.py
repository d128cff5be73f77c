"""Random games over all variants and seat counts with every invariant checked: `python -m tests.soak`."""

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from random import Random

from rich.progress import Progress

from qwixx.boards import all_variants
from qwixx.match import RandomSource, next_event, stream
from qwixx.record import Game, read_record, write_record
from qwixx.rules import Action, Node, Phase, State, node
from tests.invariants import Watcher, check_offers

LONGEST = 5000
"""More events than any game can have."""


class Shuffler:
    """Chooses at random, and leans towards crossing, so that many games get far."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        eager = self.stream.random() < 0.5
        return self.stream.choice(legal[: len(legal) - 1] or legal) if eager else self.stream.choice(legal)


def play_checked(key: str, seats: int, seed: int, *, offers: bool = True) -> Game:
    """One random game with every invariant checked after every event."""
    variant = all_variants()[key]
    game = Game(variant, [f"Player {seat + 1}" for seat in range(seats)], "2026-11-15")
    players = [Shuffler(stream(seed, f"{key} {seats} seat {seat}")) for seat in range(seats)]
    source = RandomSource(stream(seed, f"{key} {seats} chance"))
    watcher = Watcher(game.state)
    while game.state.phase is not Phase.OVER:
        if offers and node(game.state) is not Node.CHANCE:
            check_offers(game.state)
        event = next_event(game, players, source)
        before = game.state
        watcher.watch(before, event, game.apply(event))
        assert len(game.events) < LONGEST, "the game does not end"
    return game


def tables() -> list[tuple[str, int]]:
    """Every variant with every number of seats."""
    return [(key, seats) for key, variant in all_variants().items() for seats in variant.seat_counts]


def _batch(work: list[tuple[str, int, int]]) -> int:
    for key, seats, seed in work:
        game = play_checked(key, seats, seed, offers=seed % 10 == 0)
        if seed % 10 == 0:
            text = write_record(game)
            assert read_record(text).states == game.states, "the record does not replay"
    return len(work)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plan = [
        (key, seats, options.seed + number)
        for number, (key, seats) in enumerate(islice(cycle(tables()), options.games))
    ]
    batches = [plan[start : start + 200] for start in range(0, len(plan), 200)]
    began = time.perf_counter()
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool, Progress() as progress:
        task = progress.add_task("random games", total=len(plan))
        for done in pool.map(_batch, batches):
            progress.advance(task, done)
    seconds = time.perf_counter() - began
    print(f"{len(plan)} games over {len(tables())} tables, no violation, {seconds:.0f} s")


if __name__ == "__main__":
    main()

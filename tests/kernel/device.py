"""The same games here and on a CUDA device: `make device` (needs one, and torch).

Seats of the kernel's own minds, one game after the other and many side by side, and seats that ask for values outside.
Those values are sums of whole numbers, which every machine adds up to the same: so every choice must be the same, and
every game.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from qwixx.arena.contest import Contest
from qwixx.boards import all_variants, find_variant
from qwixx.bots.tdnet import knows
from qwixx.kernel.book import book_of
from qwixx.kernel.inputs import side_size
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many, Value, many_on
from qwixx.kernel.minds import ANY, Mind, skip
from qwixx.kernel.simulate import Device, Simulator
from qwixx.rules import Variant
from qwixx.train.selfplay import ASKED

TABLES = ([ASKED, ASKED], [ASKED, skip(2)], [ASKED, skip(1), ASKED], [skip(2), ASKED, ANY, ASKED])
STRAYS = 0.02
NEAR = 0.01
BOTH: tuple[Device, Device] = ("cpu", "cuda")


def whole_numbers(many: Many, seed: int) -> Value:
    """What a seat likes: so much of each input, but for the points, which are no whole numbers there."""
    likes = np.random.default_rng(seed).integers(-8, 9, many.line)
    side = int(side_size(book_of(many.variant)))
    likes[[side - 1, 2 * side - 1]] = 0
    weights = many.kit.put(likes.astype(np.float32))

    def value(inputs: Array, lines: int) -> Array:
        return ((inputs * weights).sum(1).reshape(-1, lines).sum(1) + 4096) / 16384

    return value


def played(variant: Variant, minds: list[Mind], games: int, device: Device) -> tuple[Array, Array, Array]:
    """Each seat's share of the win and its points, and what ended each game."""
    many = many_on(device)(variant, minds, games, seed=7)
    values = [whole_numbers(many, seat % 2) if mind is ASKED else None for seat, mind in enumerate(minds)]
    many.play(values, 0, STRAYS)
    shares, points = map(many.kit.get, many.finish())
    return shares, points, many.ends()


def differences(keys: Sequence[str], games: int) -> Iterator[tuple[str, int]]:
    """For each of these and every table: how many games do not go the same."""
    for key in keys:
        variant = find_variant(key)
        for minds in TABLES:
            here, there = (played(variant, minds, games, place) for place in BOTH)
            unlike = np.any(
                [(one != other).reshape(games, -1).any(1) for one, other in zip(here, there, strict=True)], 0
            )
            yield f"{key}, {len(minds)} seats, {minds.count(ASKED)} of them ask", int(unlike.sum())
        if knows(variant):
            apart = abs(meet(variant, "cpu") - meet(variant, "cuda"))
            yield f"{key}, what td-net wins, where a few choices may differ", int(apart > NEAR)
        one, other = (Simulator(variant, [skip(2), ANY], seed=7, device=place).play(0, games) for place in BOTH)
        yield f"{key}, the kernel's own minds", int((one.counts != other.counts).sum())


def meet(variant: Variant, device: Device) -> float:
    """What a network of the arena's wins."""
    contest = Contest(variant, ["td-net", "evolved"], 2, 4096, 7, device=device)
    for _ in contest.run():
        pass
    return contest.results[0].lines["td-net"].share.mean


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1024, help="at each table")
    parser.add_argument("variants", nargs="*", metavar="GAME", help="all if you name none")
    given, unlike = parser.parse_args(), 0
    for table, count in differences(given.variants or list(all_variants()), given.games):
        print(f"{table}: {count or 'none'} of {given.games} are unlike", flush=True)
        unlike += count
    sys.exit(unlike > 0)


if __name__ == "__main__":
    main()

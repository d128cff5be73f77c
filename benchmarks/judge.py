"""How fast champions play side by side on the CPU: `make bench-judge`.

Champions against themselves for two, each network asked line by line, where zeros cost nothing, and layer by layer with
numpy's matrices, on all cores. Stored beside this file.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.judge import Judge, SparseJudge
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.many import Many, Value
from qwixx.train.selfplay import ASKED

GAMES = ("classic", "mixx-a", "mixx-b", "longo", "card", "card-joker", "card-mixx-b")
ROUNDS = 3
"""Each way has its best of so many turns, one after the other: machines are noisy."""


def seconds(many: Many, value: Value) -> float:
    began = perf_counter()
    many.play([value, value], 0)
    return perf_counter() - began


def compared(key: str, games: int) -> dict[str, float]:
    """Games a second in both ways."""
    many, weights = Many(find_variant(key), [ASKED, ASKED], games, 1), weights_of(FAMILIES[key])
    ways: list[Value] = [SparseJudge(weights).chance, Judge(NumpyKit(), weights).chance]
    times = [[seconds(many, way) for way in ways] for _ in range(ROUNDS + 1)][1:]
    sparse, dense = (min(column) for column in zip(*times, strict=True))
    return {
        "games_a_second": round(games / sparse),
        "with_matrices": round(games / dense),
        "ratio": round(dense / sparse, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    given = parser.parse_args()
    found = {key: compared(key, given.games) for key in GAMES}
    text = json.dumps({"command": "make bench-judge", "games": given.games, "two seats": found}, indent=1)
    print(text)
    Path(__file__).with_name("judge.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

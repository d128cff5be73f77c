"""How fast champions play side by side on the CPU, and learn from it: `make bench-judge`.

Champions against themselves for two, on all cores: games a second where they only play, and where they learn from a
round as `qwixx train` does. Networks are asked and taught line by line, where zeros cost nothing, and layer by layer
with numpy's matrices. Stored beside this file.
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.judge import judge_on
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.many import Many
from qwixx.train.school import School, Syllabus
from qwixx.train.selfplay import ASKED

GAMES = ("classic", "mixx-a", "mixx-b", "longo", "card", "card-joker", "card-mixx-b")
TIMES = 3
"""Each way has its best of so many, one after the other: machines are noisy. What is compiled first does not count."""


def played(key: str, games: int) -> float:
    """Seconds to play."""
    many, value = Many(find_variant(key), [ASKED, ASKED], games, 1), judge_on(NumpyKit(), weights_of(FAMILIES[key]))
    began = perf_counter()
    many.play([value, value], 0)
    return perf_counter() - began


def learnt(key: str, games: int) -> float:
    """Seconds to play and to learn from it."""
    school = School(Syllabus(find_variant(key), rounds=1, games=games), weights=weights_of(FAMILIES[key]))
    return next(school.run()).seconds


def compared(seconds: Callable[[str, int], float], key: str, games: int) -> dict[str, float]:
    """Games a second in both ways."""
    times: list[list[float]] = []
    for _ in range(TIMES + 1):
        times.append([])
        for NumpyKit.sparse in (True, False):
            times[-1].append(seconds(key, games))
    sparse, dense = (min(column) for column in zip(*times[1:], strict=True))
    return {"a second": round(games / sparse), "with matrices": round(games / dense), "ratio": round(dense / sparse, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    given = parser.parse_args()
    found = {key: {way.__name__: compared(way, key, given.games) for way in (played, learnt)} for key in GAMES}
    text = json.dumps({"command": "make bench-judge", "games each": given.games, "games": found}, indent=1)
    print(text)
    Path(__file__).with_name("judge.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

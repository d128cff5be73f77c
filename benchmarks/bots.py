"""How long bots think: `make bench-bots`. One core; the result is stored beside this file.

For every level, the decisions of whole games at the smallest and the largest table of each family; and in a process of
its own the first decision, with everything that has to be loaded for it.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import numpy as np

from qwixx.arena.thinking import thinking_times
from qwixx.boards import find_variant
from qwixx.bots import LEVELS
from qwixx.bots.levels import FAMILIES

TABLES = [(key, seats) for key in FAMILIES for seats in find_variant(key).seats]
"""Every game that a champion has been trained for, with as few and as many seats as it has."""
FIRST = """
from time import perf_counter
began = perf_counter()
from random import Random
from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.match import RandomSource, stream
from qwixx.rules import acting_seats, apply_chance, chance, legal_actions, new_game, view
state, source = new_game(find_variant("{key}"), 2), RandomSource(stream(1, "dice"))
while not acting_seats(state):
    state = apply_chance(state, source.draw(chance(state)))
seat = acting_seats(state)[0]
BOTS["{level}"](Random(1)).choose(view(state, seat), seat, legal_actions(state, seat))
print(perf_counter() - began)
"""


def first(key: str, level: str) -> float:
    """Seconds until the first decision in a new process, in the middle of five."""
    code = FIRST.format(key=key, level=level)
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    return median(float(done.stdout) for done in runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20, help="games of each table")
    games = parser.parse_args().games
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    result: dict[str, object] = {"command": "make bench-bots", "games": games, "unit": "milliseconds, one core"}
    for level in LEVELS:
        thinking_times(find_variant("classic"), level, 2, 1)
        lines = {}
        for key, seats in TABLES:
            taken = np.array(thinking_times(find_variant(key), level, seats, games)) * 1000
            lines[f"{key}, {seats} seats"] = {
                "decisions": len(taken),
                "median": round(float(np.median(taken)), 2),
                "p99": round(float(np.percentile(taken, 99)), 2),
            }
            print(level, key, seats, lines[f"{key}, {seats} seats"], flush=True)
        result[level] = lines
    result["first decision of a new process"] = {
        key: round(1000 * first(key, "champion")) for key in ("classic", "mixx-a", "longo", "card-joker")
    }
    Path(__file__).with_name("bots.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    print(json.dumps(result["first decision of a new process"]))


if __name__ == "__main__":
    main()

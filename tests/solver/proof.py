"""Every dice board: solved, and a million games played as the solution says. `make proof` writes what it finds."""

import argparse
import json
import resource
from pathlib import Path

import numpy as np

from qwixx.boards import find_variant
from qwixx.bots.minds import with_lucky
from qwixx.kernel.minds import by_values
from qwixx.kernel.simulate import Device, Simulator
from qwixx.rules.catalogue import LUCKY_PAIRS
from qwixx.solver.store import Problem, solution_of

RESULT = Path(__file__).parents[2] / "benchmarks" / "solved.json"
GAMES = 1_000_000
BOARDS: list[tuple[str, tuple[int, ...]]] = [
    ("mini", ()),
    ("classic", ()),
    ("mixx-a", ()),
    ("mixx-b", ()),
    *(("longo", pair) for pair in LUCKY_PAIRS),
]


def prove(key: str, lucky: tuple[int, ...], device: Device) -> dict[str, object]:
    variant = find_variant(key)
    solution = solution_of(Problem(variant, lucky), device=device)
    mind = by_values(np.asarray(solution.values))
    tally = Simulator(with_lucky(variant, lucky), [mind], seed=1, device=device).play(0, GAMES)
    error = tally.score_spread[0] / GAMES**0.5
    off = (tally.mean_score[0] - solution.value) / error
    if abs(off) > 3:
        raise AssertionError(
            f"{key} {lucky}: {tally.mean_score[0]} played, {solution.value} solved: {off:.1f} errors off"
        )
    return {
        "variant": key,
        "lucky": list(lucky),
        "value": solution.value,
        "spread": tally.score_spread[0],
        "turns": tally.mean_turns,
        "ends_by": tally.ends_by,
        "million_games": tally.mean_score[0],
        "errors_off": round(off, 2),
        "states": solution.states,
        "seconds": round(solution.seconds, 1),
        "megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    device = parser.parse_args().device
    found = []
    for key, lucky in BOARDS:
        found.append(prove(key, lucky, device))
        print(json.dumps(found[-1]), flush=True)
    command = "python -m tests.solver.proof --device cuda" if device == "cuda" else "make proof"
    RESULT.write_text(json.dumps({"command": command, "boards": found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""How close training comes to exact play where exact play is known: `make bench-mini`.

Solves the mini board for two, trains a network there from nothing on the CPU, and works out what games against exact
play come to, and the best response to the network. The same for the network that ships, also if it looked a roll
further than it does. Stored beside this file.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.judge import SparseJudge
from qwixx.kernel.valuenet import Weights
from qwixx.solver.duel import Duel, solve_duel
from qwixx.solver.exploit import Thoughts, best_response, thoughts_of
from qwixx.solver.meeting import meet_exactly
from qwixx.solver.outlook import look_further
from qwixx.train.school import School, Syllabus

MINI = find_variant("mini")


def asked(duel: Duel, weights: Weights) -> Thoughts:
    """What a network thinks of every position."""
    return thoughts_of(duel, SparseJudge(weights).chance)


def judged(duel: Duel, thoughts: Thoughts) -> dict[str, float]:
    """Who thinks so against exact play, and against who knows what it will do."""
    meeting = meet_exactly(duel, thoughts)
    return {
        "wins_against_exact_play": round(meeting.won, 5),
        "losses": round(meeting.lost, 5),
        "share_of_decided_games": round(meeting.decided, 5),
        "best_responses_share": round(sum(best_response(duel, thoughts)) / 2, 5),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=160)
    arguments = parser.parse_args()
    began = perf_counter()
    duel = solve_duel(MINI)
    solved = perf_counter() - began
    school = School(Syllabus(MINI, rounds=arguments.rounds, games=4000, units=(256, 256), batch=256))
    for report in school.run():
        print(f"round {report.round}: error {report.error:.4f}, {report.seconds:.0f} s", end="\r", flush=True)
    shipped = asked(duel, weights_of(FAMILIES["mini"]))
    result = {
        "command": "make bench-mini",
        "positions": len(duel.keys),
        "first_movers_share": duel.value,
        "seconds_to_solve": round(solved, 1),
        "training": {"rounds": school.round, "games": school.games, "seconds": round(school.seconds)},
        "trained here": judged(duel, asked(duel, school.net.weights)),
        "in the package": judged(duel, shipped),
        "in the package, a roll further": judged(duel, look_further(duel, shipped)),
        "exact values": judged(duel, Thoughts(duel.keys, duel.values, 1 - duel.values)),
    }
    text = json.dumps(result, indent=1)
    print(text)
    Path(__file__).with_name("mini.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""How close training comes to exact play where exact play is known: `make bench-mini`.

Solves the mini board for two, trains a network there from nothing on the CPU, lets both meet, and works out the best
response to the network. The result is stored beside this file.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from qwixx.boards import find_variant
from qwixx.bots.champion import ChampionBot
from qwixx.bots.exact import ExactBot
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.valuenet import Judge, Weights
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import winners
from qwixx.solver.duel import Duel, solve_duel
from qwixx.solver.exploit import best_response, thoughts_of
from qwixx.train.school import School, Syllabus

MINI = find_variant("mini")
PART = 250


def meet(weights: Weights, duel: Duel, first: int, count: int) -> tuple[int, int]:
    """Games in both seatings on the same dice: how many the network wins, and loses."""
    won = lost = 0
    for number in range(first, first + count):
        for seat in range(2):
            net = ChampionBot(stream(number, "net"), weights)
            exact = ExactBot(stream(number, f"exact {seat}"), duel)
            game = Game(MINI, ["one", "two"], "2000-01-01")
            state = run(game, [net, exact] if seat == 0 else [exact, net], RandomSource(stream(number, "dice"))).state
            best = winners(state)
            won, lost = won + (best == (seat,)), lost + (best == (1 - seat,))
    return won, lost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=160)
    parser.add_argument("--games", type=int, default=20_000, help="games against exact play")
    arguments = parser.parse_args()
    began = perf_counter()
    duel = solve_duel(MINI)
    solved = perf_counter() - began
    school = School(Syllabus(MINI, rounds=arguments.rounds, games=4000, units=(128, 64), batch=1024))
    for report in school.run():
        print(f"round {report.round}: error {report.error:.4f}, {report.seconds:.0f} s", end="\r", flush=True)
    weights = school.net.weights
    begins = range(0, arguments.games // 2, PART)
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        count = len(begins)
        parts = list(pool.map(meet, [weights] * count, [duel] * count, begins, [PART] * count))
    won, lost = (sum(part[which] for part in parts) for which in range(2))
    share = won / (won + lost)
    first, second = best_response(duel, thoughts_of(duel, Judge(NumpyKit(), weights).chance))
    result = {
        "command": "make bench-mini",
        "positions": len(duel.keys),
        "first_movers_share": duel.value,
        "seconds_to_solve": round(solved, 1),
        "training": {"rounds": school.round, "games": school.games, "seconds": round(school.seconds)},
        "decided_games": won + lost,
        "share_of_decided_games": round(share, 4),
        "standard_error": round((share * (1 - share) / (won + lost)) ** 0.5, 4),
        "best_responses_share": round((first + second) / 2, 4),
    }
    text = json.dumps(result, indent=1)
    print(text)
    Path(__file__).with_name("mini.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

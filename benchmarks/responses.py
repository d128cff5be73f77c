"""How much a best response wins: `make bench-responses VARIANT=card-joker DEVICE=cuda`, with `ARGS="--against skip-2"`
to somebody else than the champion, with `--seats 4` to a table of such.

A network that begins as the champion learns against nothing but one kind of opponent: against the champion for as many
games as that has had, against another bot for 2.5 million, or as many as you name. Then it sits alone among them. Where
that is not the champion, what the champion itself wins there stands beside it; against the champion on mini, what the
best response of all wins. A checkpoint is kept on the way and when it is interrupted: start the same command again to
go on. Stored beside this file, question by question.
"""

import argparse
import json
from math import ceil
from pathlib import Path
from sys import argv

from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.valuenet import Judge, Weights
from qwixx.rules import Variant
from qwixx.solver.duel import solve_duel
from qwixx.solver.exploit import best_response, thoughts_of
from qwixx.train.net import fingerprint
from qwixx.train.school import Rival, School, Syllabus, rival_named

MILLIONS = {
    "classic": 8.5,
    "mixx-a": 7.6,
    "mixx-b": 7.6,
    "longo": 7.2,
    "card": 6.9,
    "card-joker": 16.2,
    "card-mixx-a": 9.1,
    "card-mixx-b": 7.3,
    "card-joker-mixx-a": 6.4,
    "card-joker-mixx-b": 7.0,
    "mini": 10.5,
}
"""Games that went into each champion (docs/champions.md), all its parts together."""
ELSE = 2_500_000
"""Games against another bot."""
KEPT = Path(__file__).with_name("responses.json")
OFTEN = 20
"""A checkpoint after so many rounds."""


def learn(school: School, checkpoint: Path) -> None:
    """Trains to the end, or goes on to it."""
    if checkpoint.exists():
        school.resume(checkpoint)
    try:
        for report in school.run():
            if report.round % OFTEN == 0:
                school.save(checkpoint)
                print(f"{report.games:,} games, error {report.error:.4f}, {report.seconds:.0f} s", flush=True)
    finally:
        school.save(checkpoint)


def exactly(variant: Variant, weights: Weights) -> float:
    """What the best response of all wins against the champion, on a board that is small enough to know."""
    duel = solve_duel(variant)
    return sum(best_response(duel, thoughts_of(duel, Judge(NumpyKit(), weights).chance))) / 2


def scored(school: School, seats: int, rival: Rival, games: int) -> dict[str, float]:
    """How the network does among those it learns against."""
    wins, decided = school.share(seats, rival, games)
    return {"share_of_wins": round(wins, 5), "share_of_decided_games": round(decided, 5)}


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="mini", choices=MILLIONS)
    parser.add_argument("--against", default="champion", help="who everybody else at the table is")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, help="games to learn from")
    parser.add_argument(
        "--each", type=int, default=1 << 16, help="games in a round of two seats; with more seats fewer"
    )
    parser.add_argument("--batch", type=int, default=1 << 12, help="states in one step of learning")
    parser.add_argument("--scored", type=int, default=1 << 17, help="games that count in the end")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--folder", type=Path, default=Path("build/responses"), help="where checkpoints are kept")
    return parser.parse_args()


def main() -> None:
    given = asked()
    variant, weights, seats = find_variant(given.variant), weights_of(FAMILIES[given.variant]), given.seats
    each, batch, had = given.each, given.batch, round(1e6 * MILLIONS[variant.key])
    to_champion = given.against == "champion"
    wanted = given.games or (had if to_champion else ELSE)
    rival = rival_named(given.against, variant, seats, given.device)
    syllabus = Syllabus(variant, (seats,), ceil(wanted / (2 * each // seats)), each, batch=batch, rival=rival)
    school = School(syllabus, given.device, weights)
    result: dict[str, object] = {
        "command": f"python -m benchmarks.responses {' '.join(argv[1:])}",
        "device": given.device,
        "scored": given.scored,
        "champions_games": had,
    }
    if not to_champion:
        result["champion"] = scored(school, seats, rival, given.scored)
    given.folder.mkdir(parents=True, exist_ok=True)
    # Another champion's best response is another one, and so is one that learns otherwise.
    plan = f"{given.against}-{seats}-{syllabus.rounds}x{each}-{batch}"
    learn(school, given.folder / f"{variant.key}-{fingerprint(weights)}-{plan}.npz")
    result |= {"games": school.games, "seconds": round(school.seconds)}
    result["best_response"] = scored(school, seats, rival, given.scored)
    if to_champion and variant.key == "mini" and seats == 2:
        result["best_response_of_all"] = round(exactly(variant, weights), 5)
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept[f"{variant.key}, {seats} seats, against {given.against}"] = result
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

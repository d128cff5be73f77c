"""How much a best response to a champion wins: `make bench-responses VARIANT=card-joker DEVICE=cuda`.

A network that begins as the champion learns against nothing but it, for as many games as the champion has had or as
many as you name, and then meets it at two seats. A checkpoint is kept on the way and when it is interrupted: start the
same command again to go on. On mini, what the best response of all wins stands beside it. Stored beside this file,
game by game.
"""

import argparse
import json
from math import ceil
from pathlib import Path
from sys import argv
from zlib import crc32

from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.kits import NumpyKit, kit_on
from qwixx.kernel.ties import joined
from qwixx.kernel.valuenet import Judge, Weights
from qwixx.rules import Dice, Variant
from qwixx.solver.duel import solve_duel
from qwixx.solver.exploit import best_response, thoughts_of
from qwixx.train.school import Rival, School, Syllabus

MILLIONS = {
    "classic": 12.3,
    "mixx-a": 9.1,
    "mixx-b": 14.5,
    "longo": 10.5,
    "card": 6.9,
    "card-joker": 13.6,
    "card-mixx-a": 6.6,
    "card-mixx-b": 7.3,
    "card-joker-mixx-a": 6.4,
    "card-joker-mixx-b": 7.0,
    "mini": 12.8,
}
"""Games that went into each champion (docs/champions.md), all its parts together."""
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


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="mini", choices=MILLIONS)
    parser.add_argument("--games", type=int, help="games to learn from; as many as the champion has had")
    parser.add_argument("--each", type=int, help="games in a round")
    parser.add_argument("--batch", type=int, help="states in one step of learning")
    parser.add_argument("--scored", type=int, default=1 << 17, help="games against the champion in the end")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--folder", type=Path, default=Path("build/responses"), help="where checkpoints are kept")
    return parser.parse_args()


def main() -> None:
    given = asked()
    variant, weights = find_variant(given.variant), weights_of(FAMILIES[given.variant])
    each, batch = (1 << 16, 1 << 14) if isinstance(variant.source, Dice) else (1 << 14, 1 << 11)
    each, had = given.each or each, round(1e6 * MILLIONS[variant.key])
    rival = Rival(value=Judge(kit_on(given.device), weights).chance)
    syllabus = Syllabus(
        variant, rounds=ceil((given.games or had) / each), games=each, batch=given.batch or batch, rival=rival
    )
    school = School(syllabus, given.device, weights)
    given.folder.mkdir(parents=True, exist_ok=True)
    # Another champion's best response is another one, and so is one that learns otherwise.
    plan = f"{syllabus.rounds}x{each}-{syllabus.batch}"
    learn(school, given.folder / f"{variant.key}-{crc32(joined(weights).tobytes()):08x}-{plan}.npz")
    wins, decided = school.share(2, rival, given.scored)
    result: dict[str, object] = {
        "command": f"python -m benchmarks.responses {' '.join(argv[1:])}",
        "games": school.games,
        "champions_games": had,
        "seconds": round(school.seconds),
        "device": given.device,
        "scored": given.scored,
        "share_of_wins": round(wins, 5),
        "share_of_decided_games": round(decided, 5),
    }
    if variant.key == "mini":
        result["best_response_of_all"] = round(exactly(variant, weights), 5)
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    KEPT.write_text(json.dumps(kept | {variant.key: result}, indent=1) + "\n", "utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()

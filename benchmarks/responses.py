"""How much a best response wins: `make bench-responses VARIANT=card-joker DEVICE=cuda`, with `ARGS="--against skip-2"`
to somebody else than the champion, with `--seats 4` to a table of such.

A network that begins as the champion learns against nothing but one kind of opponent: against the champion for as many
games as that has had, against another bot for 2.5 million, or as many as you name. Then it sits alone among them. Where
that is not the champion, what the champion itself wins there stands beside it; against the champion on mini, what the
best response of all wins. A checkpoint is kept on the way and when it is interrupted: start the same command again to
go on. What it wins is stored in best-responses/ beside this file, question by question.
"""

import argparse
import json
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from sys import argv

from qwixx.arena.play import WEIGHTS
from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.judge import SparseJudge
from qwixx.kernel.netfile import read_weights
from qwixx.kernel.simulate import Device
from qwixx.kernel.valuenet import Weights
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
KEPT = Path(__file__).with_name("best-responses")
FOLDER = Path("build/responses")
"""Where checkpoints are kept."""
CHAMPION = "champion"
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
    return sum(best_response(duel, thoughts_of(duel, SparseJudge(weights).chance))) / 2


def scored(school: School, seats: int, rival: Rival, games: int) -> dict[str, float]:
    """How the network does among those it learns against."""
    wins, decided = school.share(seats, rival, games)
    return {"share_of_wins": round(wins, 5), "share_of_decided_games": round(decided, 5)}


@dataclass(frozen=True)
class Question:
    """What does who knows a table best win there?"""

    variant: Variant
    champion: str
    """Whose network a best response begins as: the champion, or one in a file (`weights:FILE.npz`)."""
    against: str
    """Everybody else at the table."""
    games: int
    seats: int = 2
    each: int = 1 << 16
    """Games in a round of two seats."""
    batch: int = 1 << 12
    scored: int = 1 << 17
    device: Device = "cpu"
    folder: Path = FOLDER

    @property
    def among_champions(self) -> bool:
        return self.against == self.champion

    @property
    def who(self) -> str:
        """The opponent, as a part of a file's name."""
        if self.among_champions:
            return CHAMPION
        known = self.against.startswith(WEIGHTS)
        return fingerprint(weights_named(self.against, self.variant)) if known else self.against

    def answer(self) -> dict[str, object]:
        """Trains a best response, or goes on to it; what it wins, and what the champion wins in its place."""
        weights = weights_named(self.champion, self.variant)
        rival = rival_named(self.against, self.variant, self.seats, self.device)
        rounds = ceil(self.games / (2 * self.each // self.seats))
        syllabus = Syllabus(self.variant, (self.seats,), rounds, self.each, batch=self.batch, rival=rival)
        school = School(syllabus, self.device, weights)
        result: dict[str, object] = {"device": self.device, "scored": self.scored}
        if not self.among_champions:
            result["champion"] = scored(school, self.seats, rival, self.scored)
        # Another champion's best response is another one, and so is one that learns otherwise.
        plan = f"{self.who}-{self.seats}-{rounds}x{self.each}-{self.batch}"
        self.folder.mkdir(parents=True, exist_ok=True)
        learn(school, self.folder / f"{self.variant.key}-{fingerprint(weights)}-{plan}.npz")
        result |= {"games": school.games, "seconds": round(school.seconds)}
        result["best_response"] = scored(school, self.seats, rival, self.scored)
        if self.among_champions and self.variant.key == "mini" and self.seats == 2:
            result["best_response_of_all"] = round(exactly(self.variant, weights), 5)
        return result


def weights_named(name: str, variant: Variant) -> Weights:
    """The champion's network, or one in a file."""
    return weights_of(FAMILIES[variant.key]) if name == CHAMPION else read_weights(Path(name.removeprefix(WEIGHTS)))


def asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="mini", choices=MILLIONS)
    parser.add_argument("--against", default=CHAMPION, help="who everybody else at the table is")
    parser.add_argument("--seats", type=int, default=Question.seats)
    parser.add_argument("--games", type=int, help="games to learn from")
    parser.add_argument(
        "--each", type=int, default=Question.each, help="games in a round of two seats; with more seats fewer"
    )
    parser.add_argument("--batch", type=int, default=Question.batch, help="states in one step of learning")
    parser.add_argument("--scored", type=int, default=Question.scored, help="games that count in the end")
    parser.add_argument("--device", choices=("cpu", "cuda"), default=Question.device)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where checkpoints are kept")
    return parser.parse_args()


def main() -> None:
    given = vars(asked())
    key = given.pop("variant")
    had = round(1e6 * MILLIONS[key])
    games = given.pop("games") or (had if given["against"] == CHAMPION else ELSE)
    question = Question(find_variant(key), CHAMPION, games=games, **given)
    result = {
        "command": f"python -m benchmarks.responses {' '.join(argv[1:])}",
        "champions_games": had,
        **question.answer(),
    }
    KEPT.mkdir(exist_ok=True)
    text = json.dumps(result, indent=1)
    (KEPT / f"{key}-{question.seats}-{question.who}.json").write_text(text + "\n", "utf-8")
    print(text)


if __name__ == "__main__":
    main()

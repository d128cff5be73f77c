"""Champions from nothing, and how strong they are: `make champions DEVICE=cuda`, or some: `VARIANT="card card-joker"`.

All these games at once: a network is trained as `qwixx train` does it; it meets the champion that ships, and the public
bot that does best against champions; then best responses are looked for, to itself and to that bot, as responses.py
does it. All is in build/champions, a trial (`--part`) in build/trials: networks, what they win, what is said. Nothing
in the package changes. What is done is not done again, and what was interrupted goes on when the same command starts
again: where a device is to be had for minutes at a time, stop it with `ARGS="--seconds 560"`.
"""

import argparse
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from math import ceil, sqrt
from multiprocessing import get_context
from pathlib import Path
from signal import SIG_IGN, SIGINT, SIGTERM, default_int_handler, signal
from time import monotonic
from traceback import print_exc

from benchmarks.responses import CHAMPION, ELSE, Question, learn, scored
from qwixx.arena.play import WEIGHTS
from qwixx.boards import find_variant
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.simulate import Device
from qwixx.rules import Dice
from qwixx.train.recipes import syllabus_of
from qwixx.train.school import School, rival_named

TRAINED_AS = {"classic": "deluxe"}
"""Where more can sit at the same sheet."""
KINDS = sorted(set(FAMILIES.values()) - {"mini"})
IN_A_ROUND = 1 << 15
"""Games in a round of a best response: fewer than with dice, as cards need more memory."""
SEATS = (2, 4)
"""How many sit where a champion is alone among others."""
COMPARED = 1 << 14
"""Games of a new champion among others at each table: a first look, as the arena needs no device."""
GRACE = 30.0
"""Seconds in which who is stopped writes a checkpoint."""


@dataclass(frozen=True)
class Course:
    """From nothing to a measured champion of one game."""

    key: str
    device: Device
    folder: Path
    part: float = 1.0
    """So much of all games, in as many times fewer rounds as each has fewer games: less than one is a trial."""

    @property
    def hardest(self) -> str:
        """The public bot that does best against champions."""
        dice = isinstance(find_variant(self.key).source, Dice)
        return "evolved" if dice and self.key != "mixx-b" else "skip-2"

    @property
    def net(self) -> Path:
        return self.folder / f"{self.key}.npz"

    def some(self, games: int) -> int:
        return max(2, round(games * self.part))

    def in_a_round(self, games: int) -> int:
        return max(1, round(games * sqrt(self.part)))

    def run(self) -> None:
        """Takes the steps that have not been taken, and writes down what came of each."""
        report = self.folder / f"{self.key}.json"
        found = json.loads(report.read_text("utf-8")) if report.exists() else {}
        if "champion" not in found:
            found["champion"] = self.train()
            _write(report, found)
        itself, others = f"{WEIGHTS}{self.net}", self.some(ELSE)
        for against, games in ((itself, found["champion"]["games"]), (self.hardest, others)):
            name = f"best response to {'itself' if against == itself else against}"
            if name not in found:
                found[name] = self.ask(against, games).answer()
                _write(report, found)

    def train(self) -> dict[str, object]:
        """The champion, and what it wins."""
        syllabus = syllabus_of(find_variant(TRAINED_AS.get(self.key, self.key)))
        rounds, games = ceil(syllabus.rounds * sqrt(self.part)), self.in_a_round(syllabus.games)
        school = School(replace(syllabus, rounds=rounds, games=games), self.device)
        learn(school, self.folder / f"{self.key}-checkpoint.npz")
        school.pack(self.net, trim=True)
        result: dict[str, object] = {"games": school.games, "seconds": round(school.seconds)}
        for name in (CHAMPION, self.hardest):
            for seats in SEATS:
                rival = rival_named(name, find_variant(self.key), seats, self.device)
                result[f"{seats} seats, among {name}"] = scored(school, seats, rival, self.some(COMPARED))
        return result

    def ask(self, against: str, games: int) -> Question:
        each, count = self.in_a_round(IN_A_ROUND), self.some(Question.scored)
        game, begin, folder = find_variant(self.key), f"{WEIGHTS}{self.net}", self.folder
        return Question(game, begin, against, games, each=each, scored=count, device=self.device, folder=folder)


def _write(report: Path, found: dict[str, object]) -> None:
    part, text = report.with_suffix(".part"), json.dumps(found, indent=1)
    part.write_text(text + "\n", "utf-8")
    part.replace(report)
    print(text, flush=True)


def take(course: Course) -> None:
    """One course in a process of its own, which stops when it is told to, not whenever somebody presses Ctrl-C."""
    signal(SIGINT, SIG_IGN)
    signal(SIGTERM, default_int_handler)
    log = (course.folder / f"{course.key}.log").open("a", encoding="utf-8")
    with log, redirect_stdout(log), redirect_stderr(log):
        try:
            course.run()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
            sys.exit(1)
        except Exception:  # whatever it is, it stands in the log
            print_exc()
            sys.exit(1)


def take_all(courses: list[Course], seconds: float | None) -> list[str]:
    """All at once, for so many seconds at most; which are not done."""
    until = None if seconds is None else monotonic() + seconds
    processes = [get_context("spawn").Process(target=take, args=(course,)) for course in courses]
    for process in processes:
        process.start()
    try:
        for process in processes:
            process.join(None if until is None else max(0.0, until - monotonic()))
    except KeyboardInterrupt:
        print("Stopping …", flush=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(GRACE)
        process.kill()
    return [course.key for course, process in zip(courses, processes, strict=True) if process.exitcode != 0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variants", nargs="*", metavar="GAME", help="whose champions; all if you name none")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--folder", type=Path, help="build/champions, for a part build/trials")
    parser.add_argument("--seconds", type=float, help="stop after so many")
    parser.add_argument("--part", type=float, default=Course.part, help="so much of all games; 0.0001 to try it out")
    given = parser.parse_args()
    folder = given.folder or Path("build/champions" if given.part == Course.part else "build/trials")
    signal(SIGTERM, default_int_handler)
    for key in given.variants:
        if key not in KINDS:
            parser.error(f"no champion is called {key}; there are {', '.join(KINDS)}")
    folder.mkdir(parents=True, exist_ok=True)
    courses = [Course(key, given.device, folder, given.part) for key in given.variants or KINDS]
    print(f"Training {len(courses)} champions; how far each is stands in {folder}/GAME.log", flush=True)
    undone = take_all(courses, given.seconds)
    for course in courses:
        state = f"not done: see {course.key}.log, and start again to go on" if course.key in undone else "done"
        print(f"{course.key}: {state}", flush=True)
    sys.exit(bool(undone))


if __name__ == "__main__":
    main()

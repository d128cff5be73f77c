"""Solutions on disk: written whole or not at all, known by what they solve, and checked when they are read."""

import hashlib
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qwixx.kernel.compile import cache_folder
from qwixx.kernel.policies import Floats
from qwixx.kernel.simulate import Device
from qwixx.rules import Variant
from qwixx.solver.plan import LAYOUT, plan_of
from qwixx.solver.solve import Progress, Solution, solve

VERSION = 1
HEADER = 4096
"""The bytes before the values: one line of JSON, then blanks."""
BLOCK = 1 << 14


@dataclass(frozen=True)
class Problem:
    """What is to be solved."""

    variant: Variant
    lucky: tuple[int, ...] = ()
    players: int = 1
    rate: float = 0.0

    @property
    def fingerprint(self) -> str:
        """Tells apart all problems, even of boards with the same name."""
        plan = plan_of(self.variant, self.lucky)
        told = b"".join(np.asarray(plan[name]).tobytes() for name in LAYOUT.names or ())  # type: ignore[index]
        return hashlib.sha256(told + f"{self.players} {self.rate!r}".encode()).hexdigest()

    @property
    def file(self) -> Path:
        """Where the solution is kept."""
        lucky = "".join(f"-{number}" for number in self.lucky)
        pace = f"-of-{self.players}-at-{self.rate:g}" if self.players > 1 else ""
        return cache_folder() / "solved" / f"{self.variant.key}{lucky}{pace}.values"


def checksum(values: Floats) -> str:
    """Of sums over blocks, so that it takes a few milliseconds; swapped blocks show, too."""
    words = values.reshape(-1).view(np.uint64)
    whole = len(words) // BLOCK * BLOCK
    sums = words[:whole].reshape(-1, BLOCK).sum(axis=1, dtype=np.uint64)
    return hashlib.sha256(sums.tobytes() + words[whole:].tobytes()).hexdigest()


def save(problem: Problem, solution: Solution) -> None:
    """Keeps a solution; a reader sees the old file or the new one, never half of it."""
    problem.file.parent.mkdir(parents=True, exist_ok=True)
    head = {
        "version": VERSION,
        "fingerprint": problem.fingerprint,
        "shape": solution.values.shape,
        "states": solution.states,
        "seconds": solution.seconds,
        "checksum": checksum(solution.values),
    }
    handle, name = tempfile.mkstemp(dir=problem.file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(head).encode().ljust(HEADER - 1) + b"\n")
            solution.values.tofile(file)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(problem.file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load(problem: Problem) -> Solution | None:
    """The kept solution; None if there is none, or if it is broken, old or of another board."""
    try:
        with problem.file.open("rb") as file:
            head = json.loads(file.read(HEADER))
        if head["version"] != VERSION or head["fingerprint"] != problem.fingerprint:
            return None
        values = np.memmap(problem.file, np.float64, "r", HEADER, tuple(head["shape"]))
        if checksum(values) != head["checksum"]:
            return None
        solved = (problem.variant, problem.lucky, problem.players, problem.rate)
        return Solution(*solved, int(head["states"]), float(head["seconds"]), values)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def solution_of(problem: Problem, progress: Progress | None = None, device: Device = "cpu") -> Solution:
    """The kept solution, or a new one, which is kept where that is possible."""
    kept = load(problem)
    if kept:
        return kept
    made = solve(problem.variant, problem.lucky, problem.players, problem.rate, progress, device)
    try:
        save(problem, made)
    except OSError:
        return made
    return made

"""A champion's training from nothing: rounds of games, lessons from the last few, checkpoints on the way."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import cos, pi
from pathlib import Path
from time import perf_counter

import numpy as np

from qwixx.arena.play import fast_mind
from qwixx.kernel.kits import kit_on
from qwixx.kernel.many import Many, Value, many_on
from qwixx.kernel.minds import EVOLVED_BOT, Mind, skip
from qwixx.kernel.netfile import BROKEN, check_size, pack_weights
from qwixx.kernel.simulate import Device
from qwixx.kernel.ties import Ties, ties_in, ties_of
from qwixx.kernel.valuenet import Weights
from qwixx.rules import Dice, MalformedError, Variant
from qwixx.train.net import Net, fingerprint, new_weights
from qwixx.train.selfplay import ASKED, Lesson, Round, study, teach
from qwixx.train.symmetry import input_moves, order_lines
from qwixx.train.trim import GAMES, trimmed, units_that_answer

TEACHER_ROUNDS, TEACHER_STRAYS, STRAYS = 4, 0.05, 0.01
DECAY = 0.7
FASTEST, FAST, SLOWEST = 16e-3, 4e-3, 1e-5
"""How long a step of learning is: from nothing at first, from given weights at first, in the end."""
REMEMBERED = 4
"""So many rounds of each number of seats are learnt from."""


def teacher_of(variant: Variant) -> Mind:
    """Whose games a network learns from first, and with whom it spars: a strategy that the kernel knows."""
    return EVOLVED_BOT if isinstance(variant.source, Dice) else skip(2)


@dataclass(frozen=True)
class Rival:
    """Who a best response is looked for against: a mind of the kernel, or a network."""

    mind: Mind = ASKED
    value: Value | None = None
    name: str = ""


def rival_named(name: str, variant: Variant, seats: int, device: Device) -> Rival:
    """A bot of the fast core, or a network from a file, as an opponent."""
    known = fast_mind(name, variant, seats, device)
    if known is None:
        raise MalformedError(f"the fast core does not know “{name}” in {variant.name}")
    return Rival(*known, name)


@dataclass(frozen=True)
class Syllabus:
    """What is to be learnt, and how long."""

    variant: Variant
    seats: tuple[int, ...] = (2,)
    rounds: int = 240
    games: int = 1 << 16
    """In a round with two seats; with more seats fewer."""
    units: tuple[int, int] = (512, 512)
    batch: int = 1 << 12
    seed: int = 1
    rival: Rival | None = None
    """Everybody else at the table; without one, the network plays against itself."""
    sparring: int = 0
    """After so many rounds against itself, it plays one among its teachers: others do not play as it does."""

    def __post_init__(self) -> None:
        for seats in self.seats:
            if seats < 2 or seats not in self.variant.seat_counts:
                raise MalformedError(f"{self.variant.name} is not trained with {seats} seats")

    @property
    def plan(self) -> dict[str, object]:
        """What must not change on the way; a training may become longer."""
        return {
            "variant": self.variant.key,
            "seats": list(self.seats),
            "games": self.games,
            "batch": self.batch,
            "seed": self.seed,
            "sparring": self.sparring,
            "opponent": self.rival.name if self.rival else "itself",
        }


@dataclass
class Report:
    """How far training is."""

    round: int
    games: int
    seconds: float
    error: float
    turns: float


@dataclass
class School:
    """One training, in memory."""

    syllabus: Syllabus
    device: Device = "cpu"
    weights: Weights | None = None
    """What to begin with, if not with nothing."""
    history: list[dict[str, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        plan = self.syllabus
        self.kit = kit_on(self.device, plan.seed)
        self.orders, self.moves = self.kit.put(order_lines(plan.variant)), input_moves(plan.variant)
        first = self._many(plan.seats[0], [ASKED] * plan.seats[0], 1, 0)
        self.from_nothing = self.weights is None
        beginning = fingerprint(self.weights) if self.weights else "nothing"
        self.plan = plan.plan | {"beginning": beginning}
        weights = self.weights or new_weights(first.line, plan.units, plan.seed)
        check_size(weights, first.line, plan.variant.name)
        self.net = Net(self.kit, weights, self._ties(weights))
        self.round, self.games, self.seconds = 0, 0, 0.0
        self.lessons: dict[tuple[int, bool], Lesson] = {}
        self.memory: dict[tuple[int, bool], list[Round]] = {}

    def _ties(self, weights: Weights) -> Ties | None:
        """A network has the board's symmetries, unless it begins with weights that do not."""
        return ties_of(self.moves, self.syllabus.units) if self.from_nothing else ties_in(weights, self.moves)

    def _many(self, seats: int, minds: Sequence[Mind], games: int, seed: int) -> Many:
        return many_on(self.device)(self.syllabus.variant, minds, games, seed)

    def _lesson(self, seats: int, spars: bool) -> Lesson:
        rival, games = self.syllabus.rival, max(1, self.syllabus.games * 2 // seats)
        if spars:
            rival = Rival(teacher_of(self.syllabus.variant))
        if rival is None:
            many = self._many(seats, [ASKED] * seats, games, self.syllabus.seed)
            return Lesson(many, tuple(range(seats)), [self.net.chance] * seats)
        many = self._many(seats, [ASKED, *[rival.mind] * (seats - 1)], games, self.syllabus.seed)
        return Lesson(many, (0,), [self.net.chance, *[rival.value] * (seats - 1)])

    def run(self) -> Iterator[Report]:
        """Trains to the end of the syllabus, round by round."""
        while self.round < self.syllabus.rounds:
            yield self._one_round()

    def _one_round(self) -> Report:
        began, plan = perf_counter(), self.syllabus
        seats, done = plan.seats[self.round % len(plan.seats)], self.round / plan.rounds
        taught = self.from_nothing and self._rounds_at(seats) < TEACHER_ROUNDS
        kind = seats, bool(plan.sparring) and not taught and self.round % (plan.sparring + 1) == plan.sparring
        if kind not in self.lessons:
            self.lessons[kind], self.memory[kind] = self._lesson(*kind), []
        lesson, memory, number = self.lessons[kind], self.memory[kind], self.round * 2 * plan.games
        if taught:
            teacher = self._many(seats, [teacher_of(plan.variant)] * seats, lesson.many.games, plan.seed + 1)
            shown = Lesson(teacher, lesson.learners, [None] * seats)
            memory.append(study(shown, self.net, number, TEACHER_STRAYS, 1.0, self.orders))
        else:
            memory.append(study(lesson, self.net, number, STRAYS * (1 - done), DECAY, self.orders))
        del memory[:-REMEMBERED]
        states = len(memory[-1].chance)
        steps = max(1, states * len(lesson.learners) // plan.batch)
        fast = FASTEST if self.from_nothing else FAST
        rate = SLOWEST + (fast - SLOWEST) * (1 + cos(pi * done)) / 2
        error = teach(lesson, self.net, memory, self.orders, steps, plan.batch, rate)
        self.round, self.games = self.round + 1, self.games + lesson.many.games
        self.seconds += perf_counter() - began
        report = Report(self.round, self.games, self.seconds, error, states / lesson.many.games)
        self.history.append({"round": self.round, "games": self.games, "error": error, "seats": seats})
        return report

    def _rounds_at(self, seats: int) -> int:
        """How many rounds there have been with so many seats."""
        cycle = self.syllabus.seats
        whole, rest = divmod(self.round, len(cycle))
        return whole * cycle.count(seats) + cycle[:rest].count(seats)

    def share(self, seats: int, rival: Rival, games: int, seed: int = 99) -> tuple[float, float]:
        """How the network does, alone among rivals in each seat: its share of the wins, and of games with one winner
        those it wins."""
        wins, decided, won, each = 0.0, 0, 0, max(1, games // seats)
        for seat in range(seats):
            minds = [ASKED if other == seat else rival.mind for other in range(seats)]
            values = [self.net.chance if other == seat else rival.value for other in range(seats)]
            many = self._many(seats, minds, each, seed)
            many.play(values, 0)
            shares = self.kit.get(many.finish()[0])
            wins += float(shares[:, seat].sum())
            sole = (shares == 1).any(axis=1)
            decided, won = decided + int(sole.sum()), won + int((shares[:, seat] == 1).sum())
        return wins / (each * seats), won / max(decided, 1)

    # --- kept on disk

    def pack(self, file: Path, trim: bool = False) -> None:
        """Writes the network alone; as it ships, without the units that never answer."""
        pack_weights(self.trimmed() if trim else self.net.weights, file, self.moves)

    def trimmed(self) -> Weights:
        """The network without the units that never answer, at however many seats."""
        weights, answering = self.net.weights, []
        for seats in self.syllabus.variant.seat_counts:
            if seats > 1:
                many = self._many(seats, [ASKED] * seats, max(1, GAMES * 2 // seats), self.syllabus.seed)
                answering.append(units_that_answer(many, self.net))
        first, second = (np.any(masks, axis=0) for masks in zip(*answering, strict=True))
        return trimmed(weights, first, second, len(self.moves) if ties_in(weights, self.moves) else 1)

    def save(self, file: Path) -> None:
        """Writes a checkpoint, from which training goes on."""
        state = {
            "round": self.round,
            "games": self.games,
            "seconds": self.seconds,
            "steps": self.net.steps,
            "plan": self.plan,
        }
        arrays = {name: self.kit.get(getattr(self.net, name)) for name in ("flat", "mean", "square")}
        part = file.with_suffix(".part.npz")
        np.savez(part, state=json.dumps(state), history=json.dumps(self.history), **arrays, **self.net.weights)  # type: ignore[arg-type]
        part.replace(file)

    def resume(self, file: Path) -> None:
        """Goes on from a checkpoint. Games that were to be learnt from again are not kept: the next rounds learn from
        fewer, and not everything goes as it would have gone."""
        try:
            with file.open("rb") as opened, np.load(opened) as kept:
                state, history = json.loads(str(kept["state"])), json.loads(str(kept["history"]))
                arrays, plan = {name: kept[name] for name in ("flat", "mean", "square")}, dict(state["plan"])
        except BROKEN as error:
            raise MalformedError(f"{file} is not a checkpoint: {error}") from None
        if arrays["flat"].shape != tuple(self.net.flat.shape):
            raise MalformedError(f"{file} is of a network of another size")
        for name, wanted in self.plan.items():
            if plan.get(name) != wanted:
                raise MalformedError(f"{file} was trained with {name} {plan.get(name)}, not {wanted}")
        for name, array in arrays.items():
            getattr(self.net, name)[:] = self.kit.put(array)
        self.round, self.games, self.seconds = state["round"], state["games"], state["seconds"]
        self.net.steps, self.history = state["steps"], history
        self.net.spread()

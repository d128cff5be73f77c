"""Bots by name for the fast core, so that one name means one way of playing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from qwixx.kernel.minds import ANY, EVOLVED_BOT, EXPECT_BOT, GAP_COST_BOT, Mind, by_values, linear, net, skip
from qwixx.kernel.netfile import BROKEN
from qwixx.kernel.policies import CROSSES, MISTHROWS, PLACES
from qwixx.kernel.simulate import Device, Simulator
from qwixx.kernel.table import MOST_HIDDEN
from qwixx.rules import Dice, MalformedError, Variant
from qwixx.solver.solve import MOST_PLAYERS, Progress
from qwixx.solver.store import Problem, solution_of

NAMES = "random, skip-K (like skip-2), linear, gap-cost, expect-1, evolved, solo, pace, or net:FILE.npz"
SKIP = re.compile(r"skip-(\d)")
_KNOWN = {"linear": linear(), "evolved": EVOLVED_BOT, "gap-cost": GAP_COST_BOT, "expect-1": EXPECT_BOT}
_DICE_ONLY = ("evolved", "gap-cost", "expect-1")


def mind_named(name: str, variant: Variant, seats: int, progress: Progress | None = None) -> Mind:
    """The bot of that name at a table with so many seats."""
    if name == "random":
        return ANY
    if match := SKIP.fullmatch(name):
        return skip(int(match[1]))
    if name in _KNOWN:
        return _known(name, variant)
    if name in ("solo", "pace"):
        problem = problem_of(variant, min(seats, MOST_PLAYERS) if name == "pace" else 1)
        return by_values(np.asarray(solution_of(problem, progress).values))
    if name.startswith("net:"):
        return read_net(Path(name.removeprefix("net:")), variant)
    raise MalformedError(f"there is no bot “{name}” here; there are {NAMES}")


def kernel_plays(name: str, variant: Variant) -> bool:
    """Whether the fast core plays a bot in a game as it plays elsewhere."""
    return name not in _DICE_ONLY or isinstance(variant.source, Dice)


def _known(name: str, variant: Variant) -> Mind:
    if not kernel_plays(name, variant):
        raise MalformedError(f"the fast core plays “{name}” with dice, not {variant.name}")
    return _KNOWN[name]


def problem_of(variant: Variant, players: int = 1) -> Problem:
    """What has to be solved for a table of values."""
    return Problem(variant, _lucky(variant), players)


def _lucky(variant: Variant) -> tuple[int, ...]:
    """The lucky pair that a table of values is for."""
    pairs = variant.source.lucky if isinstance(variant.source, Dice) else ()
    if len(pairs) > 1:
        raise MalformedError(f"in {variant.name} a table of values is for one lucky pair: name it with --lucky A,B")
    return pairs[0] if pairs else ()


def read_net(path: Path, variant: Variant) -> Mind:
    """A network from a file with the arrays first, second and last (see docs/fast-core.md)."""
    try:
        with path.open("rb") as opened, np.load(opened) as file:
            first, second, last = (np.asarray(file[name], np.float64) for name in ("first", "second", "last"))
    except BROKEN as error:
        raise MalformedError(f"{path} is not a network: {error}") from None
    inputs = 2 * (len(variant.rows) * (PLACES + CROSSES) + MISTHROWS)
    shapes = first.shape == (inputs + 1, len(second) - 1) and last.shape == (second.shape[-1] + 1,)
    if not shapes or first.shape[1] > MOST_HIDDEN:
        raise MalformedError(
            f"{path}: for {variant.name} first must be {inputs + 1} × n (n at most {MOST_HIDDEN}), "
            f"second n + 1 × m, last m + 1"
        )
    return net(first, second, last)


def with_lucky(variant: Variant, lucky: tuple[int, ...]) -> Variant:
    """The same game with one lucky pair alone, for one player."""
    if not lucky:
        return variant
    if not isinstance(variant.source, Dice) or lucky not in variant.source.lucky:
        raise MalformedError(f"{variant.name} has no lucky pair {','.join(map(str, lucky))}")
    return replace(variant, source=replace(variant.source, lucky=(lucky,)), seats=(1, 1), solo=False)


def simulator(
    variant: Variant,
    names: Sequence[str],
    seed: int,
    device: Device = "cpu",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Simulator:
    """A table of named bots."""
    minds = {name: mind_named(name, variant, len(names), progress) for name in dict.fromkeys(names)}
    return Simulator(variant, [minds[name] for name in names], seed, device, workers)

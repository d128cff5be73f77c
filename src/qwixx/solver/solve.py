"""Backward induction over all sheets: fullest first, each from those that can follow it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.index import families, row_states, sheet_index
from qwixx.kernel.policies import Floats
from qwixx.kernel.simulate import Device, cores
from qwixx.rules import MalformedError, Variant
from qwixx.solver.induct import new_work, solve_part
from qwixx.solver.plan import Plan, plan_of

Progress = Callable[[float], None]
MOST_PLAYERS = 5
EMPTY = 0
"""The index of the empty sheet."""


@dataclass(frozen=True)
class Solution:
    """The value of every sheet of a board for one seat, by rolls of others before its own, index and misthrows."""

    variant: Variant
    lucky: tuple[int, ...]
    players: int
    rate: float
    states: int
    """How many positions were valued: sheets on which the game goes on, by misthrows."""
    seconds: float
    values: Floats

    @property
    def value(self) -> float:
        """The best expected score, from the empty sheet and whoever begins."""
        return float(self.values[:, EMPTY, 0].mean())


def reachable_order(variant: Variant) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The indices of all sheets on which the game goes on, fullest first, and where each rank of fullness begins."""
    index = sheet_index(variant)
    states = row_states(variant)
    closed_state = len(states)
    rank = np.array([place - 1 for place, _ in states] + [max(map(len, variant.rows)) + 1], np.int16)
    closed = np.array([0] * closed_state + [1], np.int16)
    total_rank, total_closed = np.zeros(1, np.int16), np.zeros(1, np.int16)
    for rows in families(variant):
        high, low = np.tril_indices(closed_state + 1) if len(rows) == 2 else (np.arange(closed_state + 1),) * 2
        family_rank, family_closed = (
            (each[high] + each[low] if len(rows) == 2 else each[high]) for each in (rank, closed)
        )
        total_rank = np.add.outer(total_rank, family_rank).reshape(-1)
        total_closed = np.add.outer(total_closed, family_closed).reshape(-1)
    assert len(total_rank) == index["size"]  # type: ignore[index] # a record, seen from Python
    sheets = np.flatnonzero(total_closed < variant.end.rows).astype(np.int32)
    order = sheets[np.argsort(-total_rank[sheets], kind="stable")]
    starts = np.flatnonzero(np.diff(total_rank[order], prepend=-1))
    return order, np.append(starts, len(order))


def solve(
    variant: Variant,
    lucky: tuple[int, ...] = (),
    players: int = 1,
    rate: float = 0.0,
    progress: Progress | None = None,
    device: Device = "cpu",
    plays_on: bool = False,
) -> Solution:
    """The exact values of a board. `plays_on` bends one rule, for comparison with what others published: a coloured
    cross may follow the lock that has ended the game."""
    began = perf_counter()
    if players not in range(1, MOST_PLAYERS + 1) or not 0 <= rate < 1:
        raise MalformedError(f"players go from 1 to {MOST_PLAYERS}, a rate from 0 to less than 1")
    plan = plan_of(variant, lucky, plays_on)
    values = np.zeros((players, plan["size"], plan["misthrows"]))  # type: ignore[index]
    every, starts = reachable_order(variant)
    order, starts = _without_mirrors(plan, every, starts)
    states = len(every) * variant.end.misthrows
    del every
    run = _on_device if device == "cuda" else _on_cpu
    run(plan, values.reshape(-1), players, rate, order, starts, progress or (lambda share: None))
    return Solution(variant, tuple(lucky), players, rate, states, perf_counter() - began, values)


def _without_mirrors(
    plan: Plan, order: NDArray[np.int32], starts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Of each sheet and its mirror image, the one that comes first."""
    strides, mirrors, families_ = plan["stride"], plan["mirror"], int(plan["family"].max()) + 1  # type: ignore[index]
    rest, mirrored = order.copy(), np.zeros_like(order)
    for family in range(families_):
        number, rest = np.divmod(rest, strides[family])
        mirrored += number * mirrors[family]
    kept = order <= mirrored
    return order[kept], np.concatenate([[0], np.cumsum(kept)])[starts]


def _on_cpu(
    plan: Plan,
    values: Floats,
    players: int,
    rate: float,
    order: NDArray[np.int32],
    starts: NDArray[np.int64],
    progress: Progress,
) -> None:
    workers = cores()
    works = [new_work() for _ in range(workers)]

    def part(job: tuple[int, int, int]) -> None:
        worker, first, last = job
        solve_part(plan, values, players, rate, works[worker], order, first, last)

    with ThreadPoolExecutor(workers) as pool:
        for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            cuts = [first + (last - first) * cut // workers for cut in range(workers + 1)]
            list(pool.map(part, zip(range(workers), cuts[:-1], cuts[1:], strict=True)))
            progress(last / len(order))


def _on_device(
    plan: Plan,
    values: Floats,
    players: int,
    rate: float,
    order: NDArray[np.int32],
    starts: NDArray[np.int64],
    progress: Progress,
) -> None:
    from qwixx.solver import gpu  # only with a device

    gpu.solve(plan, values, players, rate, order, starts, progress)

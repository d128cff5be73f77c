"""Backward induction over all sheets: fullest first, each from those that can follow it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.cores import cores, in_parts
from qwixx.kernel.index import families, family_size, row_states
from qwixx.kernel.policies import Floats
from qwixx.kernel.simulate import Device
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


class Order(NamedTuple):
    """The sheets to value, fullest first: their indices, where each rank of fullness begins, and how many sheets there
    are with those whose mirror image is valued instead."""

    sheets: NDArray[np.int32]
    starts: list[int]
    total: int


def order_of(variant: Variant, plan: Plan) -> Order:
    """All sheets on which the game goes on."""
    states = row_states(variant)
    closed = np.array([0] * len(states) + [1], np.int16)
    rank = np.array([place - 1 for place, _ in states] + [max(map(len, variant.rows)) + 1], np.int16)
    mirrors: NDArray[np.int32] = plan["mirror"]  # type: ignore[index] # a record, seen from Python
    all_closed, all_ranks = np.zeros(1, np.int16), np.zeros(1, np.int16)
    mirrored = np.zeros(1, np.int32)
    for family, rows in enumerate(families(variant)):
        all_closed = np.add.outer(all_closed, _together(closed, rows)).reshape(-1)
        all_ranks = np.add.outer(all_ranks, _together(rank, rows)).reshape(-1)
        numbers = np.arange(family_size(len(closed), rows), dtype=np.int32)
        mirrored = np.add.outer(mirrored, numbers * mirrors[family]).reshape(-1)
    goes_on = all_closed < variant.end.rows
    sheets = np.flatnonzero(goes_on & (np.arange(len(mirrored), dtype=np.int32) <= mirrored)).astype(np.int32)
    emptiness = -all_ranks[sheets]
    sheets = sheets[np.argsort(emptiness, kind="stable")]
    sizes = np.bincount(emptiness - emptiness.min())
    return Order(sheets, [0, *np.cumsum(sizes[sizes > 0]).tolist()], int(np.count_nonzero(goes_on)))


def _together(by_state: NDArray[np.int16], rows: list[int]) -> NDArray[np.int16]:
    """What a family's rows have together, by the family's number."""
    if len(rows) == 1:
        return by_state
    high, low = np.tril_indices(len(by_state))
    return by_state[high] + by_state[low]


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
    order = order_of(variant, plan)
    run = _on_device if device == "cuda" else _on_cpu
    run(plan, values.reshape(-1), players, rate, order, progress or (lambda share: None))
    states = order.total * variant.end.misthrows
    return Solution(variant, tuple(lucky), players, rate, states, perf_counter() - began, values)


def _on_cpu(
    plan: Plan,
    values: Floats,
    players: int,
    rate: float,
    order: Order,
    progress: Progress,
) -> None:
    works = [new_work() for _ in range(cores())]

    def part(first: int, worker: int, begin: int, end: int) -> None:
        solve_part(plan, values, players, rate, works[worker], order.sheets, first + begin, first + end)

    for first, last in pairwise(order.starts):
        in_parts(last - first, partial(part, first), len(works))
        progress(last / len(order.sheets))


def _on_device(
    plan: Plan,
    values: Floats,
    players: int,
    rate: float,
    order: Order,
    progress: Progress,
) -> None:
    from qwixx.solver import gpu  # only with a device

    gpu.solve(plan, values, players, rate, order.sheets, order.starts, progress)

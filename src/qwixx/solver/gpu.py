"""The solver on a CUDA device: one thread a position, in waves. A kernel is made for one plan, whose plain numbers it
is told as constants."""

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import Ints, whole
from qwixx.kernel.gpu import cuda, names_in
from qwixx.kernel.policies import Floats
from qwixx.rules import MalformedError
from qwixx.solver.induct import LAYOUT, read_sheet, solve_position
from qwixx.solver.plan import LAYOUT as PLAN_LAYOUT
from qwixx.solver.plan import Plan

WORK = numba.from_dtype(LAYOUT)
THREADS, MANY = 64, 4096


PLAIN = names_in(PLAN_LAYOUT, True)
_Plan = namedtuple("_Plan", PLAIN + names_in(PLAN_LAYOUT, False))  # type: ignore[misc]
DevicePlan: Any = _Plan


@cuda.jit(device=True)
def tables_of(plan: Any) -> Any:
    """The plan's tables, as the layout orders them."""
    return (
        plan.lucky,
        plan.family,
        plan.partner,
        plan.stride,
        plan.mirror,
        plan.lock_colour,
        plan.step,
        plan.gain,
        plan.next_place,
        plan.crosses,
        plan.called_from,
        plan.called,
        plan.cell,
        plan.share,
    )


@cache
def kernel_of(plain: tuple[int, ...], players: int) -> Any:
    """The CUDA kernel that solves one wave of a plan."""
    most = plain[PLAIN.index("misthrows")] - 1

    @cuda.jit
    def solve_wave(plans: Any, values: Floats, rate: float, sheets: NDArray[np.int32], starts: Ints, wave: int) -> None:
        """One thread a position. A position needs fuller sheets and the same one with a misthrow more: while a rank of
        fullness is solved with the most misthrows, the rank before it is solved with one less, and so on."""
        plan = DevicePlan(*(plain + tables_of(plans[0])))
        works = cuda.local.array(1, WORK)
        rank = wave - cuda.blockIdx.y
        if rank < 0 or rank >= starts.size - 1:
            return
        place = starts[rank] + cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
        if place < starts[rank + 1]:
            mirrored = read_sheet(plan, works[0], whole(sheets[place]))
            solve_position(plan, values, players, rate, works[0], mirrored, most - cuda.blockIdx.y)

    return solve_wave


@cuda.jit
def clear(values: Floats) -> None:
    for place in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        values[place] = 0.0


def solve(
    plan: Plan,
    values: Floats,
    players: int,
    rate: float,
    sheets: NDArray[np.int32],
    starts: list[int],
    progress: Callable[[float], None],
) -> None:
    """Fills the values, rank by rank."""
    if not cuda.is_available():
        raise MalformedError("there is no CUDA device here; leave out --device cuda to use the CPU")
    plans, there = cuda.to_device(np.array([plan])), cuda.device_array_like(values)
    ordered, ranks = cuda.to_device(sheets), cuda.to_device(np.array(starts))
    clear[MANY, THREADS](there)
    plain = tuple(int(plan[name]) for name in PLAIN)  # type: ignore[index] # a record, seen from Python
    solve_wave = kernel_of(plain, players)
    misthrows, longest = plain[PLAIN.index("misthrows")], max(last - first for first, last in pairwise(starts))
    blocks, waves = (longest + THREADS - 1) // THREADS, len(starts) + misthrows - 2
    for wave in range(waves):
        solve_wave[(blocks, misthrows), THREADS](plans, there, rate, ordered, ranks, wave)
        progress((wave + 1) / waves)
    values.fill(0.0)  # while the device is at work, its answer gets room to come back to
    there.copy_to_host(values)

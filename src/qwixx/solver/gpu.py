"""The solver on a CUDA device: one thread a position, in waves."""

from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import Ints, whole
from qwixx.kernel.policies import Floats
from qwixx.rules import MalformedError
from qwixx.solver.induct import LAYOUT, read_sheet, solve_position
from qwixx.solver.plan import Plan

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba's CUDA part looks for the old name
cuda: Any = import_module("numba.cuda")
WORK = numba.from_dtype(LAYOUT)
THREADS, MANY = 64, 4096


@cuda.jit
def solve_wave(
    plans: Any, values: Floats, players: int, rate: float, sheets: NDArray[np.int32], starts: Ints, wave: int
) -> None:
    """One thread a position. A position needs fuller sheets and the same one with a misthrow more: while a rank of
    fullness is solved with the most misthrows, the rank before it is solved with one less, and so on."""
    works = cuda.local.array(1, WORK)
    misthrows = plans[0].misthrows - 1 - cuda.blockIdx.y
    rank = wave - cuda.blockIdx.y
    if rank < 0 or rank >= starts.size - 1:
        return
    place = starts[rank] + cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    if place < starts[rank + 1]:
        mirrored = read_sheet(plans[0], works[0], whole(sheets[place]))
        solve_position(plans[0], values, players, rate, works[0], mirrored, misthrows)


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
    misthrows, longest = int(plan["misthrows"]), max(last - first for first, last in pairwise(starts))  # type: ignore[index]
    blocks, waves = (longest + THREADS - 1) // THREADS, len(starts) + misthrows - 2
    for wave in range(waves):
        solve_wave[(blocks, misthrows), THREADS](plans, there, players, rate, ordered, ranks, wave)
        progress((wave + 1) / waves)
    there.copy_to_host(values)

"""The solver on a CUDA device: one thread a sheet, one launch for each rank of fullness."""

from collections.abc import Callable
from importlib import import_module
from itertools import pairwise
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import whole
from qwixx.kernel.policies import Floats
from qwixx.rules import MalformedError
from qwixx.solver.induct import LAYOUT, solve_sheet
from qwixx.solver.plan import Plan

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # numba's CUDA part looks for the old name
cuda: Any = import_module("numba.cuda")
WORK = numba.from_dtype(LAYOUT)
THREADS, MANY = 64, 4096


@cuda.jit
def solve_part(
    plans: Any, values: Floats, players: int, rate: float, order: NDArray[np.int32], first: int, last: int
) -> None:
    """The same as on the CPU, each thread one sheet."""
    works = cuda.local.array(1, WORK)
    place = first + cuda.grid(1)
    if place < last:
        solve_sheet(plans[0], values, players, rate, works[0], whole(order[place]))


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
    plans, there, ordered = cuda.to_device(np.array([plan])), cuda.device_array_like(values), cuda.to_device(sheets)
    clear[MANY, THREADS](there)
    for first, last in pairwise(starts):
        blocks = (last - first + THREADS - 1) // THREADS
        solve_part[blocks, THREADS](plans, there, players, rate, ordered, first, last)
        progress(last / len(sheets))
    there.copy_to_host(values)

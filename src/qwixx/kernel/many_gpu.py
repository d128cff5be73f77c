"""Games side by side on a CUDA device: one thread an item. Arrays are torch's, so that a network can read them."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from qwixx.kernel import steps
from qwixx.kernel.book import Book
from qwixx.kernel.candidates import SCRATCH, TRIED
from qwixx.kernel.gpu import PLAIN, TABLES, DeviceBook, cuda
from qwixx.kernel.inputs import write_sample
from qwixx.kernel.kits import Array, Kit, TorchKit
from qwixx.kernel.many import STEPS, Columns, Many
from qwixx.kernel.minds import Mind
from qwixx.kernel.moment import Moments
from qwixx.rules import Variant

THREADS = 128
TRIAL = numba.from_dtype(SCRATCH)


@cache
def step_of(name: str, plain: tuple[int, ...], deck: int | None) -> Array:
    """A step for one book, with any number of seats."""
    one = {"write_sample": write_sample}.get(name) or getattr(steps, name)

    @cuda.jit
    def run(items: int, seats: int, book: Array, given: Array) -> None:
        item = cuda.grid(1)
        if item < items:
            one(DeviceBook(*(plain + book)), seats, deck, cuda.local.array(TRIED, TRIAL), item, *given)

    return run


def seen(array: Array) -> Array:
    """A torch tensor, or a tuple of them, as the steps see it."""
    if isinstance(array, Columns | Moments):
        return type(array)(*map(seen, array))
    return cuda.as_cuda_array(array) if hasattr(array, "data_ptr") else array


def _is_seen(array: Array) -> bool:
    return isinstance(array, Moments) or hasattr(array, "data_ptr")


class ManyOnDevice(Many):
    """So many games of one table on the device."""

    def __init__(self, variant: Variant, minds: Sequence[Mind], games: int, seed: int = 0) -> None:
        self.kept: dict[int, Array] = {}
        super().__init__(variant, minds, games, seed)
        # Looking at a tensor through numba's eyes takes longer than many a step.
        self.kept = {id(array): seen(array) for array in vars(self).values() if _is_seen(array)}

    def _kit(self, seed: int) -> Kit:
        return TorchKit(seed)

    def _compile(self, book: Book) -> None:
        plain = tuple(int(book[name]) for name in PLAIN)  # type: ignore[index] # a record, seen from Python
        self.steps = {name: step_of(name, plain, self.deck) for name in STEPS}
        self.book = tuple(cuda.to_device(np.ascontiguousarray(book[name])) for name in TABLES)  # type: ignore[index,assignment]

    def _place(self, array: NDArray[Any]) -> Array:
        return cuda.to_device(array)

    def ends(self) -> NDArray[np.int32]:
        return np.asarray(self.courses.copy_to_host()["end"])

    def _launch(self, step: str, items: int, *given: Array) -> None:
        arrays = tuple(self.kept[id(array)] if id(array) in self.kept else seen(array) for array in given)
        self.steps[step][(items + THREADS - 1) // THREADS, THREADS](items, self.seats, self.book, arrays)

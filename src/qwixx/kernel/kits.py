"""What games side by side, and the networks that play them, need of numpy here and of torch on a device."""

from importlib import import_module
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.cores import in_parts
from qwixx.rules import MalformedError

Array: TypeAlias = Any
"""An array of numpy, numba or torch."""
SMALL = 1e-7
STEEPEST = 80
"""The exponential function bears as much with 32 bits; a chance that small is none."""


class Kit(Protocol):
    """Arrays are made and used through this; what both kinds of arrays know by the same name is used directly."""

    at_once: int
    """So many lines of inputs go through a network at once: with more, what its layers make leaves the cache."""
    tried: int
    """So many candidates are tried out at once, a seat of the table each: on the CPU their inputs stay in the cache."""
    small: str
    """The kind of number that is enough to value tables."""
    sparse: bool
    """Whether networks go faster line by line, where what is zero costs nothing (judge.py, slope.py)."""

    def zeros(self, shape: int | tuple[int, ...], kind: str) -> Array: ...
    def put(self, array: NDArray[Any]) -> Array: ...
    def get(self, array: Array) -> NDArray[Any]: ...
    def where(self, condition: Array, yes: Array, no: Array) -> Array: ...
    def where_true(self, array: Array) -> Array: ...
    def taken(self, array: Array, rows: Array) -> Array: ...
    def joined(self, arrays: list[Array]) -> Array: ...
    def stacked(self, columns: list[Array]) -> Array: ...
    def repeated(self, array: Array, times: Array) -> Array: ...
    def below(self, limit: int, size: int) -> Array: ...
    def affine(self, inputs: Array, weights: Array, bias: Array) -> Array: ...
    def raised(self, inputs: Array, weights: Array, bias: Array) -> Array: ...
    def light(self, array: Array) -> Array: ...
    def full(self, array: Array) -> Array: ...
    def sigmoid(self, array: Array) -> Array: ...
    def cross_entropy(self, guess: Array, truth: Array) -> Array: ...


class NumpyKit:
    """Arrays in this machine's memory."""

    at_once, tried, small, sparse = 1 << 13, 1 << 13, "float32", True

    def __init__(self, seed: int = 0) -> None:
        self.stream = np.random.default_rng(seed)

    def zeros(self, shape: int | tuple[int, ...], kind: str) -> Array:
        return np.zeros(shape, kind)

    def put(self, array: NDArray[Any]) -> Array:
        return array

    def get(self, array: Array) -> NDArray[Any]:
        return np.asarray(array)

    def where(self, condition: Array, yes: Array, no: Array) -> Array:
        return np.where(condition, yes, no)

    def where_true(self, array: Array) -> Array:
        return np.flatnonzero(array)

    def taken(self, array: Array, rows: Array) -> Array:
        made = np.empty((len(rows), *array.shape[1:]), array.dtype)
        in_parts(len(rows), lambda _, begin, end: array.take(rows[begin:end], 0, made[begin:end], "clip"))
        return made

    def joined(self, arrays: list[Array]) -> Array:
        return np.concatenate(arrays)

    def stacked(self, columns: list[Array]) -> Array:
        return np.stack(columns, axis=1)

    def repeated(self, array: Array, times: Array) -> Array:
        return np.repeat(array, times, axis=0)

    def below(self, limit: int, size: int) -> Array:
        return self.stream.integers(limit, size=size)

    def affine(self, inputs: Array, weights: Array, bias: Array) -> Array:
        return inputs @ weights + bias

    def raised(self, inputs: Array, weights: Array, bias: Array) -> Array:
        made = self.affine(inputs, weights, bias)
        return np.maximum(made, 0, out=made)

    def light(self, array: Array) -> Array:
        return array

    def full(self, array: Array) -> Array:
        return array

    def sigmoid(self, array: Array) -> Array:
        return 1 / (1 + np.exp(np.minimum(-array, STEEPEST)))

    def cross_entropy(self, guess: Array, truth: Array) -> Array:
        guess = np.clip(guess, SMALL, 1 - SMALL)
        return -(truth * np.log(guess) + (1 - truth) * np.log(1 - guess)).mean()


class TorchKit:
    """Arrays on a CUDA device."""

    at_once, tried, small, sparse = 1 << 16, 1 << 30, "float16", False

    def __init__(self, seed: int = 0) -> None:
        try:
            self.torch: Any = import_module("torch")
        except ImportError:
            raise MalformedError("games side by side on a CUDA device need torch; it is not installed here") from None
        self.torch.backends.cuda.matmul.allow_tf32 = True
        self.torch.manual_seed(seed)

    def zeros(self, shape: int | tuple[int, ...], kind: str) -> Array:
        return self.torch.zeros(shape, dtype=getattr(self.torch, kind), device="cuda")

    def put(self, array: NDArray[Any]) -> Array:
        return self.torch.as_tensor(array, device="cuda")

    def get(self, array: Array) -> NDArray[Any]:
        return np.asarray(array.cpu())

    def where(self, condition: Array, yes: Array, no: Array) -> Array:
        return self.torch.where(condition, yes, no)

    def where_true(self, array: Array) -> Array:
        return array.nonzero().reshape(-1)

    def taken(self, array: Array, rows: Array) -> Array:
        return array[rows]

    def joined(self, arrays: list[Array]) -> Array:
        return self.torch.cat(arrays)

    def stacked(self, columns: list[Array]) -> Array:
        return self.torch.stack(columns, 1)

    def repeated(self, array: Array, times: Array) -> Array:
        return array.repeat_interleave(times, 0)

    def below(self, limit: int, size: int) -> Array:
        return self.torch.randint(limit, (size,), device="cuda")

    def affine(self, inputs: Array, weights: Array, bias: Array) -> Array:
        return self.torch.addmm(bias, inputs, weights)

    def raised(self, inputs: Array, weights: Array, bias: Array) -> Array:
        # In one go: what leaves the processor in between takes longer to write and read than to work out.
        return self.torch._addmm_activation(bias, inputs, weights)

    def light(self, array: Array) -> Array:
        return array.half()

    def full(self, array: Array) -> Array:
        return array.float()

    def sigmoid(self, array: Array) -> Array:
        return self.torch.sigmoid(array.float())

    def cross_entropy(self, guess: Array, truth: Array) -> Array:
        return self.torch.nn.functional.binary_cross_entropy(guess, truth)


def kit_on(device: str, seed: int = 0) -> Kit:
    """Arrays for a device: cpu or cuda."""
    return TorchKit(seed) if device == "cuda" else NumpyKit(seed)

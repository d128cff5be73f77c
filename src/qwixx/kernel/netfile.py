"""A network in a file."""

import zlib
from collections.abc import Sequence
from lzma import LZMAError
from pathlib import Path
from tokenize import TokenError
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.ties import Places, joined, ties_in, ties_of
from qwixx.kernel.valuenet import NAMES, Weights
from qwixx.rules import MalformedError

BROKEN = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    EOFError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    TokenError,
    BadZipFile,
    zlib.error,
    LZMAError,
)
"""What numpy says of files that are none of its own, or not as they should be."""


def pack_weights(weights: Weights, file: Path, moves: Places | None = None) -> None:
    """Writes weights with 16 bits each; those that are one by the board's symmetries once, if it is told where these
    take the inputs."""
    units = [len(weights["first_bias"]), len(weights["second_bias"])]
    if moves is None or ties_in(weights, moves) is None:
        moves = np.arange(len(weights["first"]))[None]
    free = joined(weights)[ties_of(moves, units).places[:, 0]]
    np.savez_compressed(file, free=free.astype(np.float16), moves=moves.astype(np.int16), units=np.array(units))


def check_size(weights: Weights, inputs: int, game: str) -> None:
    """Refuses a network of another game, as far as that can be told."""
    own = len(weights["first"])
    if own != inputs:
        raise MalformedError(f"the network is for another game: {game} has {inputs} inputs, not {own}")


def read_weights(file: Path) -> Weights:
    """A network's weights, packed or from a checkpoint."""
    try:
        with file.open("rb") as opened, np.load(opened) as kept:
            if "free" in kept:
                return _spread(kept["free"], kept["moves"].astype(np.intp), kept["units"].tolist())
            return _fitting({name: np.asarray(kept[name], np.float32) for name in NAMES})
    except BROKEN as error:
        raise MalformedError(f"{file} has no network: {error}") from None


def _fitting(weights: Weights) -> Weights:
    """Refuses layers that do not fit each other: compiled code trusts them."""
    inputs, first, second = len(weights["first"]), len(weights["first_bias"]), len(weights["second_bias"])
    shapes = [(inputs, first), (first,), (first, second), (second,), (second, 2), (2,)]
    if [weights[name].shape for name in NAMES] != shapes:
        raise ValueError("its layers do not fit each other")
    return weights


def _spread(free: NDArray[np.float16], moves: Places, units: Sequence[int]) -> Weights:
    """Every weight in its places."""
    first, second = units
    which = ties_of(moves, units).which
    if len(free) != which.max() + 1:
        raise ValueError(f"it has {len(free)} weights of {which.max() + 1}")
    whole = free.astype(np.float32)[which]
    shapes = [(moves.shape[1], first), (first,), (first, second), (second,), (second, 2), (2,)]
    parts = np.split(whole, np.cumsum([np.prod(shape) for shape in shapes])[:-1])
    return {name: part.reshape(shape) for name, part, shape in zip(NAMES, parts, shapes, strict=True)}

"""Compiles the kernel's functions, for the CPU here and for CUDA in gpu.py, and keeps what was compiled.

What is kept depends on the text of all of this folder: numba by itself looks at one file at a time, and a change in
another file would go unnoticed.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config

Function = TypeVar("Function", bound=Callable[..., object])


def cache_folder() -> Path:
    """Where things are kept that can be made again."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "qwixx"


def _fingerprint() -> str:
    """The text of every compiled source, in a few digits."""
    folders = (Path(__file__).parent, Path(__file__).parents[1] / "solver")
    sources = sorted(source for folder in folders for source in folder.glob("*.py"))
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


if not os.environ.get("NUMBA_CACHE_DIR"):
    config.CACHE_DIR = str(cache_folder() / "compiled" / _fingerprint())  # type: ignore[attr-defined]


# Nothing is allocated in compiled code, so nothing needs to be counted.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
SUMS: dict[str, Any] = {"fastmath": {"contract", "reassoc", "nsz"}}


def entry(function: Function) -> Function:
    """The function as machine code, to be called from Python. It lets other threads run."""
    return cast("Function", numba.njit(**OPTIONS, forceinline=False)(function))


def compiled(function: Function) -> Function:
    """The same, to be called from compiled code alone: here, and in CUDA kernels."""
    return cast("Function", numba.njit(**OPTIONS, **INNER, forceinline=False)(function))


def summed(function: Function) -> Function:
    """The same for sums of numbers, in whatever order is fastest."""
    return cast("Function", numba.njit(**OPTIONS, **INNER, **SUMS, forceinline=False)(function))


def inlined(function: Function) -> Function:
    """The same for a small function that is worth copying to wherever it is called."""
    return cast("Function", numba.njit(**OPTIONS, **INNER, forceinline=True)(function))

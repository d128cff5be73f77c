"""Work shared among the machine's cores. Compiled code lets other threads run, so threads are enough."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(items: int, run: Callable[[int, int, int], Result], workers: int | None = None) -> list[Result]:
    """Shares items among the cores: each is told its own number, and runs them from one number to another."""
    workers = workers or cores()
    cuts = [items * part // workers for part in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(run, range(workers), cuts[:-1], cuts[1:]))

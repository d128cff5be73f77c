"""Work shared among the machine's cores. Compiled code lets other threads run, so threads are enough."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from typing import TypeVar

Result = TypeVar("Result")


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_parts(items: int, run: Callable[[int, int, int], Result], workers: int | None = None) -> list[Result]:
    """Shares items among the cores: each is told its own number, and runs them from one number to another. Parts have
    no parts: they would wait for each other."""
    workers = workers or cores()
    cuts = [items * part // workers for part in range(workers + 1)]
    others = [_threads(workers - 1).submit(run, part, cuts[part], cuts[part + 1]) for part in range(1, workers)]
    try:
        first = run(0, 0, cuts[1])
    finally:
        wait(others)
    return [first, *(other.result() for other in others)]


@cache
def _threads(count: int) -> ThreadPoolExecutor:
    """Threads that stay: to start them takes longer than many a piece of work."""
    return ThreadPoolExecutor(count)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_threads.cache_clear)

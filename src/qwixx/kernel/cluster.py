"""A simulation spread over a dask.distributed cluster. Which worker plays which games changes nothing in the result."""

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

from qwixx.kernel.simulate import Simulator
from qwixx.kernel.tally import Tally
from qwixx.rules import MalformedError

PARTS = 64
"""So many tasks a simulation becomes, about: enough for every worker, and little is lost with one."""


def _part(make: Callable[[], Simulator], first: int, games: int) -> Tally:
    return make().play(first, games)


def connect(address: str) -> Any:  # noqa: ANN401
    """A client of the cluster at this address."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise MalformedError("--dask needs dask.distributed: pip install 'qwixx[cluster]'") from None
    try:
        return distributed.Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise MalformedError(f"no dask scheduler answers at {address}: {error}") from None


def parts(address: str, make: Callable[[], Simulator], games: int) -> Iterator[Tally]:
    """Plays so many games on the cluster and tells how things stand whenever a part is done."""
    with connect(address) as client:
        here = make()
        tally, cuts = Tally.empty(here.variant, here.seats), [games * part // PARTS for part in range(PARTS + 1)]
        jobs = [
            client.submit(_part, make, first, last - first, pure=False, retries=10)
            for first, last in pairwise(cuts)
            if last > first
        ]
        for job in import_module("distributed").as_completed(jobs):
            tally += job.result()
            yield tally

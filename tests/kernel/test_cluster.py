"""A real cluster of two worker processes, one of which is killed while it plays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from qwixx.arena.contest import Contest
from qwixx.boards import find_variant
from qwixx.bots.minds import simulator
from qwixx.kernel.cluster import connect, parts
from qwixx.kernel.tally import Tally
from qwixx.rules import MalformedError
from tests.server.process import free_port

GAMES = 600_000
MAKE = partial(simulator, find_variant("classic"), ["skip-2", "random", "linear"], 11)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler's address and its two workers."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    scheduler = subprocess.Popen([*dask, "--no-dashboard"], **quiet)  # type: ignore[call-overload]
    workers = [subprocess.Popen([*worker, "--no-dashboard"], **quiet) for _ in range(2)]  # type: ignore[call-overload]
    yield address, workers
    for process in (*workers, scheduler):
        process.kill()
        process.wait()


def test_a_killed_worker_costs_nothing_but_time(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    counts, killed = np.zeros(0, np.int64), False
    for tally in _when_ready(address):
        counts = tally.counts
        if not killed:
            os.kill(workers[0].pid, signal.SIGKILL)
            killed = True
    assert killed
    assert workers[0].wait() == -signal.SIGKILL
    assert np.array_equal(counts, MAKE().play(0, GAMES).counts)


def _when_ready(address: str) -> Iterator[Tally]:
    _wait_for(address)
    yield from parts(address, MAKE, GAMES)


def _wait_for(address: str) -> None:
    for attempt in range(30):
        try:
            connect(address).close()
            return
        except MalformedError:
            if attempt == 29:
                raise
            time.sleep(1)


def test_a_contest_on_a_cluster_is_the_same_contest(cluster: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    """By the fast core, and one by one."""
    _wait_for(cluster[0])
    for bots in (["evolved", "skip-2"], ["easy", "medium"]):
        there, here = (Contest(find_variant("mini"), bots, 2, 100, 1, cluster=address) for address in (cluster[0], ""))
        for contest in (there, here):
            assert [result.games for result in contest.run()][-1] == 100
        assert there.standings() == here.standings()


def test_a_scheduler_that_does_not_answer_is_named() -> None:
    with pytest.raises(MalformedError, match="no dask scheduler answers"):
        list(parts(f"tcp://127.0.0.1:{free_port()}", MAKE, 10))

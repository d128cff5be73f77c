"""Work is shared among the cores: every item once, and nobody goes on when it is over."""

import subprocess
import sys
from time import sleep

import pytest

from qwixx.kernel.cores import in_parts


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("items", [0, 1, 7])
def test_every_item_is_done_once_and_in_order(items: int, workers: int) -> None:
    parts = in_parts(items, lambda worker, begin, end: [(worker, item) for item in range(begin, end)], workers)
    assert [item for part in parts for _, item in part] == list(range(items))
    assert all(worker == number for number, part in enumerate(parts) for worker, _ in part)


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_is_told_once_all_others_are_done(failing: int) -> None:
    done: list[int] = []

    def part(worker: int, begin: int, end: int) -> None:
        if worker == failing:
            raise ValueError("no")
        sleep(0.05)
        done.append(worker)

    with pytest.raises(ValueError, match="no"):
        in_parts(3, part, 3)
    assert sorted(done) == [worker for worker in range(3) if worker != failing]


def test_a_forked_process_has_threads_of_its_own() -> None:
    """Those of its parent stay behind."""
    code = """
import os
from qwixx.kernel.cores import in_parts
assert in_parts(4, lambda worker, begin, end: end - begin, 2) == [2, 2]
child = os.fork()
if child == 0:
    os._exit(in_parts(4, lambda worker, begin, end: end - begin, 2) != [2, 2])
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)

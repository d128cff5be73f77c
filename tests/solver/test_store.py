"""Solutions on disk: kept, found again, and made again when they are broken."""

import os
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.solver.solve import Solution
from qwixx.solver.store import HEADER, Problem, load, save, solution_of

MINI = Problem(find_variant("mini"))


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_a_solution_is_kept_and_found_again() -> None:
    assert load(MINI) is None
    made = solution_of(MINI)
    kept = load(MINI)
    assert kept is not None
    assert np.array_equal(kept.values, made.values)
    assert (kept.states, kept.seconds, kept.value) == (made.states, made.seconds, made.value)


@pytest.mark.parametrize("place", [10, HEADER - 2, HEADER + 8, -3])
def test_a_broken_file_is_noticed_and_made_again(place: int) -> None:
    value = solution_of(MINI).value
    content = bytearray(MINI.file.read_bytes())
    content[place] ^= 0x41
    MINI.file.write_bytes(content)
    assert load(MINI) is None
    assert solution_of(MINI).value == value
    assert load(MINI) is not None


@pytest.mark.parametrize("size", [0, 100, HEADER, HEADER + 100])
def test_a_file_cut_short_is_noticed(size: int) -> None:
    solution_of(MINI)
    MINI.file.write_bytes(MINI.file.read_bytes()[:size])
    assert load(MINI) is None


def test_a_board_of_the_same_name_is_another_problem() -> None:
    solution_of(MINI)
    dearer = replace(MINI, variant=replace(MINI.variant, end=replace(MINI.variant.end, cost=9)))
    assert dearer.file == MINI.file
    assert load(dearer) is None


def test_each_pace_has_a_file_of_its_own() -> None:
    files = {Problem(MINI.variant, players=players, rate=rate).file for players in (2, 3) for rate in (0.0, 0.1)}
    assert len(files | {MINI.file}) == 5


def test_nothing_half_written_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    made = solution_of(MINI)
    before = MINI.file.read_bytes()

    def fails(handle: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="disk is full"):
        save(MINI, made)
    assert [file.name for file in MINI.file.parent.iterdir()] == [MINI.file.name]
    assert MINI.file.read_bytes() == before


def test_a_folder_that_cannot_be_written_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "qwixx").write_text("a file where the folder should be")
    assert solution_of(MINI).value == pytest.approx(20.0766, abs=1e-4)


def test_a_solution_as_large_as_classics_is_there_at_once() -> None:
    """87 MB, as many values as the classic board has."""
    values = np.random.default_rng(1).random((1, 2_732_409, 4))
    save(MINI, Solution(MINI.variant, (), 1, 0.0, 1, 1.0, values))
    waits = []
    for _ in range(5):
        began = time.perf_counter()
        assert load(MINI) is not None
        waits.append(time.perf_counter() - began)
    assert min(waits) < 0.05


def test_a_problem_is_known_by_what_it_is_alone() -> None:
    """Not by what happened to lie in memory before."""
    seen = set()
    for _ in range(50):
        noise = [np.random.default_rng(1).integers(1 << 60, size=size) for size in range(1000, 40000, 3000)]
        del noise
        seen.add(MINI.fingerprint)
    assert len(seen) == 1

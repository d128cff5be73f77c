"""Networks value many tables in parts, each the same as alone, and the CPU's way comes to what the layers come to."""

import numpy as np
import pytest

from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.judge import BLOCK, Judge, SparseJudge, judge_on
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.valuenet import chance
from qwixx.train.net import new_weights


@pytest.mark.parametrize("lines", [1, 3])
def test_many_tables_are_valued_in_parts(lines: int) -> None:
    weights, kit = new_weights(16, (8, 8), 1), NumpyKit()
    tables = 2 * kit.at_once // lines + 5
    inputs = np.random.default_rng(1).standard_normal((tables * lines, 16)).astype(np.float32)
    for judge in (Judge(kit, weights), SparseJudge(weights)):
        found = judge.chance(inputs, lines)
        assert found.shape == (tables,)
        assert found.std() > 0.01
        assert np.allclose(found, chance(kit, weights, inputs, lines), atol=1e-6)


@pytest.mark.parametrize("family", sorted(set(FAMILIES.values())))
@pytest.mark.parametrize("lines", [1, 4])
def test_what_is_zero_costs_nothing_and_changes_nothing(family: str, lines: int) -> None:
    weights, stream = weights_of(family), np.random.default_rng(2)
    inputs = (stream.random((40 * lines, len(weights["first"]))) < 0.1).astype(np.float32)
    found = judge_on(NumpyKit(), weights)(inputs, lines)
    assert found.std() > 0.01
    assert np.allclose(found, chance(NumpyKit(), weights, inputs, lines), atol=1e-5)


@pytest.mark.parametrize("units", [(1, 1), (5, 3), (16, 17)])
def test_any_number_of_units(units: tuple[int, int]) -> None:
    weights = new_weights(9, units, 3)
    weights |= {f"{name}_bias": weights[f"{name}_bias"] + np.float32(0.1) for name in ("first", "second", "last")}
    inputs = np.random.default_rng(3).standard_normal((7, 9)).astype(np.float32)
    assert np.allclose(SparseJudge(weights).chance(inputs, 1), chance(NumpyKit(), weights, inputs, 1), atol=1e-6)


@pytest.mark.parametrize("lines", [1, 3])
def test_what_has_not_changed_is_not_heard_again(lines: int) -> None:
    """Tables that differ little from those before them, over many blocks and in a number that none divides; whoever
    works them out, the digits are the same."""
    weights, stream, tables = new_weights(40, (24, 8), 1), np.random.default_rng(5), 3 * BLOCK + 7
    changes = stream.random((tables, lines, 40)) < 0.03
    inputs = (np.cumsum(changes, axis=0) % 2 * 0.5).astype(np.float32).reshape(-1, 40)
    found = SparseJudge(weights).chance(inputs, lines)
    assert found.std() > 0.001
    assert np.allclose(found, chance(NumpyKit(), weights, inputs, lines), atol=1e-6)
    begun = [SparseJudge(weights).chance(inputs[: lines * BLOCK * part], lines) for part in (1, 2, 3)]
    assert all((found[: len(each)] == each).all() for each in begun)


def test_a_table_of_another_game_is_refused() -> None:
    """Compiled code would look beyond the weights."""
    weights = new_weights(16, (8, 8), 1)
    for inputs in (15, 17):
        with pytest.raises(ValueError, match=f"{inputs} inputs"):
            SparseJudge(weights).chance(np.ones((4, inputs), np.float32), 1)


def test_no_table_has_no_value() -> None:
    weights = new_weights(16, (8, 8), 1)
    for judge in (Judge(NumpyKit(), weights), SparseJudge(weights)):
        assert len(judge.chance(np.zeros((0, 16), np.float32), 2)) == 0


def test_hopeless_tables_are_told_apart() -> None:
    """Also where a chance is next to nothing, and without a warning where it is nothing."""
    lost = NumpyKit().sigmoid(np.array([-1000.0, -60.0, -50.0, 0.0, 1000.0], np.float32))
    assert (np.diff(lost) > 0).all()
    assert lost[[0, 3, 4]].tolist() == pytest.approx([0, 0.5, 1])

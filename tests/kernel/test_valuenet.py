"""A network values many tables in parts, each the same as alone."""

import numpy as np
import pytest

from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.valuenet import Judge, chance
from qwixx.train.net import new_weights


@pytest.mark.parametrize("lines", [1, 3])
def test_many_tables_are_valued_in_parts(lines: int) -> None:
    weights, kit = new_weights(16, (8, 8), 1), NumpyKit()
    tables = 2 * kit.at_once // lines + 5
    inputs = np.random.default_rng(1).standard_normal((tables * lines, 16)).astype(np.float32)
    found = Judge(kit, weights).chance(inputs, lines)
    assert found.shape == (tables,)
    assert found.std() > 0.01
    assert np.allclose(found, chance(kit, weights, inputs, lines), atol=1e-6)


def test_no_table_has_no_value() -> None:
    assert len(Judge(NumpyKit(), new_weights(16, (8, 8), 1)).chance(np.zeros((0, 16), np.float32), 2)) == 0


def test_hopeless_tables_are_told_apart() -> None:
    """Also where a chance is next to nothing, and without a warning where it is nothing."""
    lost = NumpyKit().sigmoid(np.array([-1000.0, -60.0, -50.0, 0.0, 1000.0], np.float32))
    assert (np.diff(lost) > 0).all()
    assert lost[[0, 3, 4]].tolist() == pytest.approx([0, 0.5, 1])

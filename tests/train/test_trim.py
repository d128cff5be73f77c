"""A network is left with the units that answer something, and thinks what it thought."""

from pathlib import Path

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.book import MOST_SEATS
from qwixx.kernel.kits import NumpyKit
from qwixx.kernel.netfile import pack_weights, read_weights
from qwixx.kernel.ties import ties_in
from qwixx.kernel.valuenet import Weights, chance
from qwixx.rules import Variant
from qwixx.train.net import new_weights
from qwixx.train.school import School, Syllabus
from qwixx.train.symmetry import input_moves
from qwixx.train.trim import trimmed
from tests.cli.run import qwixx

SILENT = np.float32(-50_000)
KIT = NumpyKit()


def silenced(weights: Weights, first: list[int], second: list[int]) -> Weights:
    """A network in which some units never answer, and all others always."""
    biases = {"first_bias": weights["first_bias"] + 10, "second_bias": weights["second_bias"] + 1000}
    biases["first_bias"][first], biases["second_bias"][second] = SILENT, SILENT
    return weights | biases


def sizes(weights: Weights) -> tuple[int, int]:
    return len(weights["first_bias"]), len(weights["second_bias"])


def test_no_layer_is_left_empty() -> None:
    weights = new_weights(16, (8, 6), 1)
    assert sizes(trimmed(weights, np.zeros(8, bool), np.zeros(6, bool), 2)) == (2, 2)


@pytest.mark.usefixtures("few")
def test_the_boards_symmetries_stay() -> None:
    """Of a tied network, units are left out together with their mirror images."""
    plan = Syllabus(find_variant("mini"), rounds=0, units=(12, 6))
    tied, copies = School(plan).net.weights, len(input_moves(plan.variant))
    silent = silenced(tied, [1, 7], [0, 3])
    assert copies == 2
    assert ties_in(silent, input_moves(plan.variant))
    less = School(plan, weights=silent).trimmed()
    assert sizes(less) == (10, 4)
    assert ties_in(less, input_moves(plan.variant))
    half = silenced(tied, [1], [0])
    assert ties_in(half, input_moves(plan.variant)) is None
    assert sizes(School(plan, weights=half).trimmed()) == (11, 5)


def test_without_its_silent_units_it_thinks_the_same() -> None:
    weights = silenced(new_weights(16, (8, 6), 1), [0, 5], [3])
    first, second = (weights[f"{layer}_bias"] != SILENT for layer in ("first", "second"))
    less, inputs = trimmed(weights, first, second, 1), np.random.default_rng(1).random((30, 16)).astype(np.float32)
    assert sizes(less) == (6, 5)
    assert np.allclose(chance(KIT, less, inputs, 2), chance(KIT, weights, inputs, 2), atol=1e-6)


def test_a_unit_stays_while_one_of_its_mirror_images_answers() -> None:
    """Units lie copy by copy: of four units in two copies, the first and the third are one, through two symmetries."""
    weights, first = new_weights(16, (4, 4), 1), np.array([True, False, False, False])
    less = trimmed(weights, first, np.array([False, True, False, True]), 2)
    assert sizes(less) == (2, 2)
    assert np.array_equal(less["first"], weights["first"][:, [0, 2]])
    assert np.array_equal(less["second"], weights["second"][np.ix_([0, 2], [1, 3])])


def inputs_of(variant: Variant) -> int:
    return len(School(Syllabus(variant)).net.weights["first"])


def three_seats(variant: Variant) -> int:
    """The input that says that three sit at the table: after the rows, the misthrows and the turns until one's own."""
    longest = max(map(len, variant.rows))
    return len(variant.rows) * (2 * longest + 3) + variant.end.misthrows + MOST_SEATS + 2


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.train.school.GAMES", 8)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("key", ["mini", "card"])
def test_units_are_listened_to_at_every_number_of_seats(key: str) -> None:
    """Also where the training has two: a unit that hears nothing but that three sit there stays, one that would hear
    that nine do goes."""
    variant = find_variant(key)
    silent = silenced(new_weights(inputs_of(variant), (12, 6), 1), [2, 3, 8], [1])
    first, bias = silent["first"].copy(), silent["first_bias"].copy()
    first[:, 6:8], bias[6:8] = 0, -1
    first[three_seats(variant), 7], first[three_seats(variant) + 5, 6] = 2, 2
    school = School(Syllabus(variant, (2,), rounds=0), weights=silent | {"first": first, "first_bias": bias})
    assert sizes(school.trimmed()) == (8, 5)


@pytest.mark.usefixtures("few")
def test_the_command_leaves_silent_units_out_where_it_is_told_to(tmp_path: Path) -> None:
    pack_weights(silenced(new_weights(inputs_of(find_variant("mini")), (12, 6), 1), [2], [1, 4]), tmp_path / "all.npz")
    command = ("--variant", "mini", "--begin", str(tmp_path / "all.npz"), "--rounds", "0", "--scored", "1")
    assert qwixx("train", str(tmp_path / "kept"), *command) == 0
    assert qwixx("train", str(tmp_path / "less"), *command, "--trim") == 0
    kept, less = (read_weights(tmp_path / name / "net.npz") for name in ("kept", "less"))
    assert (sizes(kept), sizes(less)) == ((12, 6), (11, 4))

"""A network thinks of a table what it thinks of its mirror image, and learns that way, too."""

import numpy as np
import pytest

from qwixx.boards import all_variants, find_variant
from qwixx.kernel.kits import Array, NumpyKit
from qwixx.kernel.many import Many
from qwixx.kernel.minds import skip
from qwixx.kernel.moment import Moments
from qwixx.kernel.ties import joined, ties_of
from qwixx.rules import Dice, MalformedError, Variant
from qwixx.train.net import Net, new_weights
from qwixx.train.school import School, Syllabus
from qwixx.train.symmetry import input_moves, order_lines

GAMES = 4
CLASSIC, CARD = find_variant("classic"), find_variant("card")
PAIRED = [key for key, variant in all_variants().items() if isinstance(variant.source, Dice) and variant.source.lucky]


def views(variant: Variant, symmetry: int) -> Array:
    """Many tables as both seats see them, through a symmetry."""
    many, lines = Many(variant, [skip(2), skip(2)], GAMES, seed=5), []
    samples = np.array([[game, seat, symmetry] for game in range(GAMES) for seat in range(2)])

    def look() -> None:
        lines.append(many.inputs(samples, order_lines(variant), Moments(*(array.copy() for array in many.moments))))

    many.play([None, None], 0, 0.0, look)
    return np.concatenate(lines)


def test_some_game_has_lucky_numbers() -> None:
    assert PAIRED


@pytest.mark.parametrize("key", list(all_variants()))
def test_a_symmetry_moves_inputs(key: str) -> None:
    variant = find_variant(key)
    plain = views(variant, 0)
    for symmetry, moves in enumerate(input_moves(variant)):
        assert sorted(moves) == list(range(plain.shape[1]))
        assert np.array_equal(views(variant, symmetry)[:, moves], plain)


@pytest.mark.parametrize("variant", [CLASSIC, CARD], ids=["classic", "card"])
def test_a_tied_network_thinks_the_same_of_all_views(variant: Variant) -> None:
    moves = input_moves(variant)
    assert len(moves) == 8
    net = Net(NumpyKit(), new_weights(moves.shape[1], (32, 16), 1), ties_of(moves, (32, 16)))
    plain, stream = views(variant, 0), np.random.default_rng(1)
    before = net.chance(plain.copy(), 1)
    for _ in range(30):
        net.learn(plain.copy(), 1, stream.random(len(plain)).astype(np.float32), stream.random(len(plain)), 0.01)
    after = net.chance(plain.copy(), 1)
    assert np.abs(after - before).max() > 0.01
    assert after.std() > 0.005
    for symmetry in range(8):
        assert np.allclose(net.chance(views(variant, symmetry), 1), after, atol=1e-5)
    assert ties_of(moves, (32, 16)).hold(net.weights)


def test_a_free_weight_learns_from_all_its_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its gradient is the mean slope over the places it stands in."""
    moves = input_moves(CARD)
    ties, found = ties_of(moves, (16, 8)), list[Array]()
    weights, plain = new_weights(moves.shape[1], (16, 8), 1), views(CARD, 0)
    target = np.random.default_rng(2).random(len(plain)).astype(np.float32)
    tied = Net(NumpyKit(), weights, ties)
    monkeypatch.setattr(Net, "_adam", lambda self, gradient, rate: found.append(gradient))
    tied.learn(plain.copy(), 1, target, target, 0.1)
    Net(NumpyKit(), tied.weights).learn(plain.copy(), 1, target, target, 0.1)
    of_free, of_all = found
    times = np.bincount(ties.which)
    assert set(times) == {1, 8}
    assert np.allclose(of_free, np.bincount(ties.which, of_all) / times, atol=1e-6)


def test_units_come_in_groups() -> None:
    with pytest.raises(MalformedError, match="multiples of 8"):
        School(Syllabus(CLASSIC, units=(20, 16)))


def test_who_begins_without_symmetry_stays_so() -> None:
    weights = new_weights(input_moves(CLASSIC).shape[1], (16, 8), 1)
    assert len(School(Syllabus(CLASSIC), weights=weights).net.flat) == len(joined(weights))
    tied = School(Syllabus(CLASSIC, units=(16, 8))).net
    assert len(tied.flat) < len(joined(weights)) / 7
    assert len(School(Syllabus(CLASSIC), weights=tied.weights).net.flat) == len(tied.flat)

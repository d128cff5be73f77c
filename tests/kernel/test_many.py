"""Games side by side: the same games as one after the other, and seats that are asked outside."""

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.index import symmetries
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many
from qwixx.kernel.minds import ANY, EVOLVED_BOT, Mind, skip
from qwixx.kernel.simulate import Simulator

ASKED = Mind(OUTSIDE)


def played(many: Many, values: list[object], looks: int = 1, explore: float = 0.0) -> tuple[Array, Array]:
    many.start(0)
    while True:
        many.turn(values, looks, explore)  # type: ignore[arg-type]
        if many.over:
            return many.finish()


def points(inputs: Array, lines: int) -> Array:
    """Who likes points above all: they are the last input of its own side."""
    own = inputs[:, inputs.shape[1] // 2 - 1]
    return own.reshape(-1, lines).mean(1)


def no_points(inputs: Array, lines: int) -> Array:
    """Who likes them least of all."""
    return -points(inputs, lines)


@pytest.mark.parametrize(("key", "minds"), [("classic", [ANY, skip(2)]), ("longo", [EVOLVED_BOT, ANY, skip(1)])])
def test_the_kernels_minds_play_the_same_games(key: str, minds: list[Mind]) -> None:
    variant = find_variant(key)
    shares, scores = played(Many(variant, minds, 300, seed=3), [None] * len(minds))
    tally = Simulator(variant, minds, seed=3).play(0, 300)
    assert np.allclose(shares.mean(0), tally.win_share)
    assert np.allclose(scores.mean(0), tally.mean_score)


def test_each_seat_is_asked_its_own_question() -> None:
    variant = find_variant("classic")
    _, scores = played(Many(variant, [ASKED, ASKED], 200, seed=3), [points, no_points])
    assert scores[:, 0].mean() > scores[:, 1].mean() + 5
    _, turned = played(Many(variant, [ASKED, ASKED], 200, seed=3), [no_points, points])
    assert turned[:, 1].mean() > turned[:, 0].mean() + 5


def test_a_second_look_sees_what_the_others_would_do() -> None:
    """Inputs of the opponent's side differ once its likely choice is taken in."""
    variant = find_variant("classic")
    seen: list[Array] = []

    def watching(inputs: Array, lines: int) -> Array:
        seen.append(inputs.copy())
        return points(inputs, lines)

    many = Many(variant, [ASKED, ASKED], 50, seed=3)
    many.start(0)
    many.turn([watching, watching], looks=2)
    first, second, acting = seen
    side = first.shape[1] // 2
    empty = 0.0
    assert (first[:, -1] == empty).all()
    assert (second[:, -1] > empty).any()
    assert first.shape[0] > acting.shape[0]
    assert side == many.side


def test_who_strays_plays_at_random() -> None:
    variant = find_variant("classic")
    strict = played(Many(variant, [EVOLVED_BOT] * 2, 200, seed=3), [None] * 2)[1].mean()
    loose = played(Many(variant, [EVOLVED_BOT] * 2, 200, seed=3), [None] * 2, explore=1.0)[1].mean()
    asked = played(Many(variant, [ASKED] * 2, 200, seed=3), [points] * 2, explore=1.0)[1].mean()
    assert strict > 40
    assert loose < 15
    assert asked < 15


@pytest.mark.parametrize(
    ("key", "count"), [("classic", 8), ("deluxe", 8), ("longo", 8), ("mixx-a", 2), ("mixx-b", 1), ("mini", 2)]
)
def test_the_boards_symmetries_are_found(key: str, count: int) -> None:
    found = symmetries(find_variant(key))
    assert len(found) == count
    assert found[0] == (tuple(range(len(find_variant(key).rows))), False)

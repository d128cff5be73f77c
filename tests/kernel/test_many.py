"""Games side by side: the same games as one after the other, and seats that are asked outside."""

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.book import book_of
from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.index import symmetries
from qwixx.kernel.inputs import side_size
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many
from qwixx.kernel.minds import ANY, EVOLVED_BOT, Mind, skip
from qwixx.kernel.simulate import Simulator

ASKED = Mind(OUTSIDE)
SIDE = int(side_size(book_of(find_variant("classic"))))


def played(many: Many, values: list[object], explore: float = 0.0) -> tuple[Array, Array]:
    many.play(values, 0, explore)  # type: ignore[arg-type]
    return many.finish()


def points(inputs: Array, lines: int) -> Array:
    """Who likes points above all: they are the last input of its own side."""
    own = inputs[:, SIDE - 1]
    return own.reshape(-1, lines).mean(1)


def no_points(inputs: Array, lines: int) -> Array:
    """Who likes them least of all."""
    return -points(inputs, lines)


@pytest.mark.parametrize(
    ("key", "minds"),
    [
        ("classic", [ANY, skip(2)]),
        ("longo", [EVOLVED_BOT, ANY, skip(1)]),
        ("card", [skip(2), ANY]),
        ("card-joker", [ANY, skip(1), skip(2)]),
    ],
)
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


def test_the_others_answer_the_active_seats_best_pair() -> None:
    """First the active seat's pairs, nobody else crossing; then each other seat's cells, and the pair is there; then
    the active seat's pairs once more, where another crosses."""
    seen: list[Array] = []

    def watching(inputs: Array, lines: int) -> Array:
        seen.append(inputs.copy())
        return points(inputs, lines)

    many = Many(find_variant("classic"), [ASKED, ASKED], 50, seed=3)
    many.start(0)
    many.turn([watching, watching])
    pairs, answers, again, acts = (inputs[:, : 2 * SIDE].reshape(-1, 2, SIDE)[:, :, -1] for inputs in seen)
    assert (pairs[:, 1] == 0).all()
    assert (answers[:, 1] > 0).all()
    assert (again[:, 1] > 0).all()
    assert pairs.shape[0] == again.shape[0] > acts.shape[0] > 50
    assert (acts[:, 1] > 0).any()


def test_where_nobody_else_crosses_the_active_seat_looks_once() -> None:
    looks: list[int] = []

    def watching(inputs: Array, lines: int) -> Array:
        looks.append(len(inputs))
        return no_points(inputs, lines)

    many = Many(find_variant("classic"), [ASKED, ASKED], 50, seed=3)
    many.start(0)
    many.turn([watching, watching])
    assert len(looks) == 3


def test_a_network_guesses_at_whoever_is_active() -> None:
    """Also at a mind of the kernel; and each network for itself."""
    lines: list[int] = []

    def watching(inputs: Array, lines_each: int) -> Array:
        lines.append(len(inputs))
        return points(inputs, lines_each)

    many = Many(find_variant("classic"), [ASKED, EVOLVED_BOT, ASKED], 60, seed=3)
    many.start(0)
    many.turn([watching, None, no_points])
    first = np.asarray(many.moments.active)
    assert len(lines) == 4
    assert 0 < (first == 0).sum() < 60
    choices = np.asarray(many.choices)
    passive = first != 2
    assert (choices[passive][:, 4] == 0).all()  # who likes points least never crosses on another's roll
    assert (choices[first != 0][:, 0] != 0).all()


@pytest.mark.parametrize("key", ["classic", "card"])
def test_the_last_digits_do_not_decide(key: str) -> None:
    """Whoever adds up in another order plays the same games, also where all is almost lost."""
    stream, found = np.random.default_rng(1), []
    for wrong in (0, 1e-6):

        def value(inputs: Array, lines: int, wrong: float = wrong) -> Array:
            worth = 1e-9 * (1 + (inputs[::lines, :40] > 0).sum(1) % 3)
            return worth * (1 + wrong * stream.standard_normal(len(worth)))

        many = Many(find_variant(key), [Mind(OUTSIDE)] * 2, 20, seed=3)
        many.play([value] * 2, 0)
        found.append(many.finish()[1])
    assert np.array_equal(*found)
    assert found[0].std() > 5


def test_who_strays_plays_at_random() -> None:
    variant = find_variant("classic")
    strict = played(Many(variant, [EVOLVED_BOT] * 2, 200, seed=3), [None] * 2)[1].mean()
    loose = played(Many(variant, [EVOLVED_BOT] * 2, 200, seed=3), [None] * 2, explore=1.0)[1].mean()
    asked = played(Many(variant, [ASKED] * 2, 200, seed=3), [points] * 2, explore=1.0)[1].mean()
    assert strict > 40
    assert loose < 15
    assert asked < 15


@pytest.mark.parametrize(
    ("key", "count"),
    [("classic", 8), ("deluxe", 8), ("longo", 8), ("mixx-a", 2), ("mixx-b", 1), ("mini", 2), ("card-joker", 8)],
)
def test_the_boards_symmetries_are_found(key: str, count: int) -> None:
    found = symmetries(find_variant(key))
    assert len(found) == count
    assert found[0] == (tuple(range(len(find_variant(key).rows))), False)

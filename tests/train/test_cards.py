"""Training with cards: the moments of a turn, what they are worth, and the symmetries of cards."""

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.book import MOST_ROWS
from qwixx.kernel.inputs import CARDS
from qwixx.kernel.many import Many
from qwixx.kernel.minds import skip
from qwixx.kernel.moment import Moments
from qwixx.kernel.valuenet import BEFORE, CALLED, TAKEN
from qwixx.train.net import Net, new_weights
from qwixx.train.school import School, Syllabus
from qwixx.train.selfplay import Lesson, study, watch
from qwixx.train.symmetry import order_lines

CARD = find_variant("card")


def lesson(games: int) -> Lesson:
    return Lesson(Many(CARD, [skip(2), skip(2)], games, seed=2), (0, 1), [None, None])


def test_every_turn_has_three_moments_even_the_last() -> None:
    """A game that ends when the called number is settled has an answered moment in its last turn: nobody knew."""
    many = lesson(60).many
    seen = watch(many, [None, None], 0, 0.0)
    assert [int(moments.which[0]) for moments in seen[:4]] == [BEFORE, TAKEN, CALLED, BEFORE]
    going = np.array([moments.active >= 0 for moments in seen]).reshape(-1, 3, 60)
    assert (going[:, 0] == going[:, 1]).all()
    assert (going[:, 0] == going[:, 2]).all()
    assert all(turn.any() for turn in going[:-1])


def test_all_moments_of_a_turn_are_worth_the_same() -> None:
    taught = lesson(40)
    net = Net(taught.many.kit, new_weights(taught.many.line, (16, 8), 1))
    learnt = study(taught, net, 0, 0.0, 0.7, order_lines(CARD))
    by_moment = [learnt.chance[learnt.moments.which == which] for which in (BEFORE, TAKEN, CALLED)]
    assert np.array_equal(by_moment[0], by_moment[1])
    assert np.array_equal(by_moment[0], by_moment[2])
    assert np.allclose(learnt.chance.sum(1), 1)


@pytest.mark.parametrize("key", ["card", "card-joker", "card-mixx-a"])
def test_a_symmetry_moves_rows_and_cards_together(key: str) -> None:
    """Inputs through a symmetry are the inputs of the table on which rows and cards have been moved."""
    variant = find_variant(key)
    many = Many(variant, [skip(2), skip(2)], 5, seed=3)
    orders, checked = order_lines(variant), 0
    for moments in watch(many, [None, None], 0, 0.0)[3:30]:
        for symmetry, order in enumerate(orders):
            samples = np.array([[game, seat, symmetry] for game in range(5) for seat in range(2)])
            through = many.inputs(samples, orders, moments)
            samples[:, 2] = 0
            assert np.array_equal(through, many.inputs(samples, orders, moved(moments, order, len(variant.cards))))
            checked += 1
    assert checked == 27 * len(orders)


def moved(moments: Moments, order: np.ndarray, cards: int) -> Moments:
    """The same table with rows and cards put elsewhere."""
    arrays = {name: array.copy() for name, array in moments._asdict().items()}
    for row in range(4):
        for seat in range(2):
            for name in ("rows", "still"):
                to = MOST_ROWS * seat + int(order[row])
                arrays[name][:, to] = getattr(moments, name)[:, MOST_ROWS * seat + row]
    for card in range(cards):
        arrays["cards"][:, int(order[CARDS + card])] = moments.cards[:, card]
    return Moments(**arrays)


def test_a_school_for_cards() -> None:
    school = School(Syllabus(CARD, (2, 3), rounds=10, games=40, units=(16, 8), batch=64))
    reports = list(school.run())
    assert [report.round for report in reports] == list(range(1, 11))
    assert all(0.1 < report.error < 0.9 for report in reports)

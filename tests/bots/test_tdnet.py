"""The yardstick td-net: what it sees, and what it prefers."""

import numpy as np
import pytest

from qwixx.arena.play import fast_mind, side_by_side
from qwixx.boards import find_variant
from qwixx.bots.champion import inputs_of
from qwixx.bots.tdnet import CHANCE, CLOSED, FEATURES, GOES_ON, TdNet, td_weights
from qwixx.kernel.kits import NumpyKit
from qwixx.rules import MalformedError, Phase, Sheet, State

CLASSIC = find_variant("classic")
# Red: 2 and 4 are crossed; yellow is closed with six crosses and the lock, which all see.
OWN = Sheet((0b101, 0b10000111110, 0, 0), locks=2, misthrows=1)
OTHER = Sheet((0b1, 0, 0b1000, 0), misthrows=2)
THIRD = Sheet((0b1000000, 0, 0, 0b1))


def seen(*sheets: Sheet, active: int = 0) -> tuple[TdNet, list[np.ndarray]]:
    net = TdNet(NumpyKit(), td_weights())
    inputs = inputs_of(State(CLASSIC, Phase.ROLL, sheets, active), 0)
    return net, net.sides(inputs, len(sheets) - 1)


def test_what_it_sees_by_hand() -> None:
    net, sides = seen(OWN, OTHER)
    features = net.features(sides, 0)[0]
    assert len(features) == FEATURES
    own = [3 / 11, 1, 0, 0, 2 / 12, 7 / 12, 0, 0, 0, 1, 0, 0, 1 / 4, 0.02 * (3 + 28 - 5), 1]
    other = [1 / 11, 1, 4 / 11, 0, 1 / 12, 0, 1 / 12, 0, 2 / 4, 0.02 * (1 + 1 - 10)]
    assert features == pytest.approx([*own, *other], abs=1e-6)


def test_of_several_others_it_sees_the_most() -> None:
    net, sides = seen(OWN, OTHER, THIRD, active=1)
    features = net.features(sides, 0)[0]
    assert features[14] == 0
    assert features[15:] == pytest.approx(
        [7 / 11, 1, 4 / 11, 1 / 11, 1 / 12, 0, 1 / 12, 1 / 12, 2 / 4, 0.02 * 2], abs=1e-6
    )


def test_it_goes_on_rather_than_end_level_and_closes_rows() -> None:
    net = TdNet(NumpyKit(), td_weights())
    values = [
        float(net.value(inputs_of(State(CLASSIC, Phase.ROLL, (own, OTHER)), 0), 1)[0])
        for own in (Sheet((0, 0, 0, 0), misthrows=3), Sheet((0b11111, 0, 0, 0)), OWN)
    ]
    assert 0.5 < values[0] < values[1] < values[2] < 1
    assert values[1] < GOES_ON + CHANCE < GOES_ON + CLOSED < values[2]


def test_it_is_a_strong_player_of_the_classic_sheet_alone() -> None:
    games = [side_by_side(CLASSIC, pair, 3, "cpu", 0, 400) for pair in (("td-net", "evolved"), ("evolved", "td-net"))]
    won = (games[0].shares[:, 0] == 1).sum() + (games[1].shares[:, 1] == 1).sum()
    assert won / sum((part.shares == 1).any(axis=1).sum() for part in games) > 0.54
    with pytest.raises(MalformedError, match="“td-net” knows the classic sheet only"):
        fast_mind("td-net", find_variant("longo"), 2)

"""Simulation: the same games on one core or many, in one part or many, and minds that play as they should."""

from random import Random

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.kernel.minds import ANY, Mind, linear, net, skip
from qwixx.kernel.policies import CROSSES, MISTHROWS, PLACES
from qwixx.kernel.simulate import Simulator
from qwixx.kernel.tally import Tally
from qwixx.match import RandomSource, run
from qwixx.record import Game
from qwixx.rules import MalformedError, scores
from qwixx.rules.boardfile import parse_board

CLASSIC, CARD = find_variant("classic"), find_variant("card")


def test_the_tally_depends_on_the_seed_alone() -> None:
    whole = Simulator(CLASSIC, [ANY] * 2, seed=5, workers=1).play(0, 3000).counts
    shared = Simulator(CLASSIC, [ANY] * 2, seed=5, workers=3).play(0, 3000).counts
    table = Simulator(CLASSIC, [ANY] * 2, seed=5)
    parts = (table.play(0, 1000) + table.play(1000, 2000)).counts
    *_, last = table.parts(3000)
    for other in (shared, parts, last.counts):
        assert np.array_equal(whole, other)
    assert not np.array_equal(whole, Simulator(CLASSIC, [ANY] * 2, seed=6).play(0, 3000).counts)


def test_a_tally_adds_up() -> None:
    tally = Simulator(CLASSIC, [skip(2), ANY, linear()], seed=1).play(0, 2000)
    assert tally.games == 2000 == sum(tally.ends_by.values())
    assert tally.scores.sum(axis=1).tolist() == [2000] * 3
    assert sum(tally.win_share) == pytest.approx(1)
    assert tally.win_share[0] > tally.win_share[2] > tally.win_share[1]
    assert Tally.empty(CLASSIC, 3).mean_score == [0, 0, 0]


@pytest.mark.parametrize("key", ["classic", "longo", "card", "card-joker"])
@pytest.mark.parametrize("name", ["random", "skip-2"])
def test_a_mind_plays_like_the_bot_of_its_name(key: str, name: str) -> None:
    """The same way of playing, in the rules' own games: the means must be close."""
    variant, games = find_variant(key), 300
    slow = []
    for number in range(games):
        players = [BOTS[name](Random(f"{seat} {number}")) for seat in range(2)]
        game = run(Game(variant, ["A", "B"], "2026-01-01"), players, RandomSource(Random(number)))
        slow.append(np.mean([score.total for score in scores(game.state)]))
    mind = ANY if name == "random" else skip(2)
    fast = Simulator(variant, [mind] * 2, seed=9).play(0, 20_000)
    error = np.std(slow) / games**0.5 + fast.score_spread[0] / 20_000**0.5
    assert abs(np.mean(slow) - np.mean(fast.mean_score)) < 4 * error


def linear_net(rows: int) -> Mind:
    """A network that computes what `linear` does: crosses − half the cells used up − 2.5 misthrows, above 1000."""
    side = rows * (PLACES + CROSSES) + MISTHROWS
    first, second, last = np.zeros((2 * side + 1, 3)), np.zeros((4, 2)), np.array([1.0, 0.0, -1000.0])
    for row in range(rows):
        start = row * (PLACES + CROSSES)
        used = np.minimum(np.arange(PLACES) - 1, 11)
        first[start : start + PLACES, 0] = 0.5 * (11 - used)
        first[start + PLACES : start + PLACES + CROSSES, 1] = np.arange(CROSSES)
    first[side - MISTHROWS : side, 2] = 2.5 * np.arange(MISTHROWS)
    second[:, 0] = [1, 1, -1, 1000 - 0.5 * 11 * rows]
    return net(first, second, last)


def test_a_network_plays_by_its_weights() -> None:
    by_net = Simulator(CLASSIC, [linear_net(4), ANY], seed=3).play(0, 3000)
    by_hand = Simulator(CLASSIC, [linear(), ANY], seed=3).play(0, 3000)
    assert np.array_equal(by_net.counts, by_hand.counts)


def test_a_network_sees_the_others() -> None:
    mind = linear_net(4)
    side, units = 4 * (PLACES + CROSSES) + MISTHROWS, 3
    weights = mind.reads.copy()
    weights[side * units : 2 * side * units] = 0.25
    changed = Mind(mind.kind, mind.parameters, weights)
    same = Simulator(CLASSIC, [changed, ANY], seed=3).play(0, 500)
    assert np.array_equal(same.counts, Simulator(CLASSIC, [linear(), ANY], seed=3).play(0, 500).counts)
    weights[side * units + PLACES + 2 :: 7] = 900.0
    other = Simulator(CLASSIC, [changed, ANY], seed=3).play(0, 500)
    assert not np.array_equal(same.counts, other.counts)


def test_cards_are_played_by_weights_too() -> None:
    tally = Simulator(CARD, [linear(), ANY], seed=3).play(0, 500)
    assert tally.win_share[0] > 0.9


def test_a_table_with_too_many_seats_is_refused() -> None:
    with pytest.raises(MalformedError, match="seats, not 6"):
        Simulator(CLASSIC, [ANY] * 6)


def test_a_missing_device_is_named() -> None:
    with pytest.raises(MalformedError, match="no CUDA device"):
        Simulator(CLASSIC, [ANY] * 2, device="cuda").play(0, 10)


def test_a_board_with_too_many_lucky_pairs_is_refused() -> None:
    pairs = [[low, high] for low in range(2, 14) for high in range(low + 1, 14)]
    board = f"""
        key = "lucky-all"
        name = "All"
        rows = ["R2 R3 R4"]
        colours = {{ R = "red" }}
        dice = {{ sides = 7, lucky = {pairs} }}
        lock = {{ needed = 1 }}
        end = {{ rows = 1 }}
    """
    with pytest.raises(MalformedError, match="at most 64 lucky pairs"):
        Simulator(parse_board(board), [ANY] * 2)

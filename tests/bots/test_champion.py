"""The champion: it sees and chooses the same as the kernel that trained it, fast, and with nothing but numpy."""

import subprocess
import sys
from collections.abc import Sequence
from random import Random
from time import perf_counter

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.bots.champion import KIT, ChampionBot, best, chances, inputs_of, weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.bots.plans import answers, plans
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many
from qwixx.kernel.minds import EVOLVED_BOT
from qwixx.kernel.valuenet import chance
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import Action, Phase, State, legal_actions
from qwixx.train.selfplay import ASKED, play_out
from tests.bots.replay import decisions

SAME_ROWS = np.array([[*range(8), 0]])


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("deluxe", 4), ("mixx-a", 2), ("mixx-b", 3), ("longo", 3)])
def test_it_sees_and_chooses_what_the_kernel_does(key: str, seats: int) -> None:
    checked = 0
    for many, game, state, seat, legal, action in decisions(
        find_variant(key), [ASKED] * seats, [lambda inputs, lines: value(key, inputs, lines)] * seats, 5
    ):
        if state.phase is Phase.WHITE:
            seen = many.inputs(
                np.array([[game, seat, 0]]), SAME_ROWS, many.rows, many.misthrows, many.lucky, many.active
            )
            assert np.allclose(inputs_of(state, seat, state.active), seen)
        chosen = ChampionBot(Random(1)).choose(state, seat, legal)
        # Two ways to the same table are worth the same, but for the last digit.
        assert worth(state, seat, legal, action) > worth(state, seat, legal, chosen) - 1e-5
        checked += len(legal) > 1
    assert checked > 60


def value(key: str, inputs: Array, lines: int) -> Array:
    return chance(KIT, weights_of(FAMILIES[key]), inputs, lines)


def worth(state: State, seat: int, legal: Sequence[Action], action: Action) -> float:
    """What a choice is worth to the champion."""
    found = plans(state, seat, legal)
    if state.phase is Phase.WHITE and seat != state.active:
        weights = weights_of(FAMILIES[state.variant.key])
        lead = best(weights, state, state.active, plans(state, state.active, legal_actions(state, state.active)))
        found = answers(state, seat, legal, lead)
    values = [float(each) for each in chances(weights_of(FAMILIES[state.variant.key]), state, seat, found)]
    return max(each for plan, each in zip(found, values, strict=True) if plan.action == action)


@pytest.mark.parametrize(("key", "least"), [("classic", 0.59), ("mixx-a", 0.58), ("longo", 0.64)])
def test_it_beats_the_best_that_was_public(key: str, least: float) -> None:
    """A small sample; docs/champions.md has the real figures."""
    won = decided = 0
    for seat in range(2):
        minds = [ASKED, EVOLVED_BOT] if seat == 0 else [EVOLVED_BOT, ASKED]
        many = Many(find_variant(key), minds, 600, seed=7)
        play_out(many, [lambda inputs, lines: value(key, inputs, lines)] * 2, 0)
        shares, _ = many.finish()
        won, decided = won + int((shares[:, seat] == 1).sum()), decided + int((shares == 1).any(axis=1).sum())
    assert won / decided > least


def test_it_needs_no_compiler() -> None:
    code = """
import sys
from random import Random
from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.match import RandomSource, run
from qwixx.record import Game
game = Game(find_variant("classic"), ["a", "b"], "2026-01-01")
run(game, [BOTS["champion"](Random(1))] * 2, RandomSource(Random(2)))
print("numba" in sys.modules, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("deluxe", 8), ("longo", 5)])
def test_a_decision_takes_no_time(key: str, seats: int) -> None:
    game = Game(find_variant(key), [f"bot {seat}" for seat in range(seats)], "2026-01-01")
    taken: list[float] = []

    class Timed(ChampionBot):
        def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
            began = perf_counter()
            action = super().choose(view, seat, legal)
            taken.append(perf_counter() - began)
            return action

    run(game, [Timed(Random(1)) for _ in range(seats)], RandomSource(stream(3, "dice")))
    assert np.median(taken) < 0.02  # the slowest of a hundred: benchmarks/bots.json

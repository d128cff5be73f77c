"""The champion: it sees and chooses the same as the kernel that trained it, fast, and with nothing but numpy."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.resources import files
from itertools import product
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np
import pytest
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.bots.champion import ChampionBot, best, inputs_of, valued, weigh, weights_of
from qwixx.bots.levels import FAMILIES, family_of
from qwixx.bots.plans import Plan, plans
from qwixx.kernel.kits import Array, NumpyKit
from qwixx.kernel.many import Many, unchanged
from qwixx.kernel.minds import EVOLVED_BOT, Mind, skip
from qwixx.kernel.valuenet import Weights, chance
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import PASS, Action, Phase, Start, State, apply_chance, legal_actions, new_game, parse_outcome, view
from qwixx.rules.boardfile import board_text, parse_board
from qwixx.train.net import new_weights
from qwixx.train.selfplay import ASKED
from tests.bots.replay import decisions
from tests.bots.replay_cards import played, watched


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("deluxe", 4), ("mixx-a", 2), ("mixx-b", 3), ("longo", 3)])
def test_it_sees_and_chooses_what_the_kernel_does(key: str, seats: int) -> None:
    checked, weights = 0, weights_of(FAMILIES[key])
    for many, game, state, seat, legal, action in decisions(
        find_variant(key), [ASKED] * seats, [lambda inputs, lines: value(key, inputs, lines)] * seats, 5
    ):
        if state.phase is Phase.WHITE:
            seen = many.inputs(np.array([[game, seat, 0]]), np.array([unchanged()]), many.moments)
            assert np.allclose(inputs_of(state, seat), seen)
        chosen = ChampionBot(Random(1)).choose(state, seat, legal)
        # Two ways to the same table are worth the same, but for the last digit.
        assert worth(weights, state, seat, action) > worth(weights, state, seat, chosen) - 1e-5
        checked += len(legal) > 1
    assert checked > 60


KIT = NumpyKit()


def test_a_board_of_ones_own_has_no_champion_whatever_its_key() -> None:
    """A copy of mini with its key, but other dice and rows, is played as by an expert. Who begins does not matter."""
    mini = find_variant("mini")
    lines = [line for line in board_text(mini).splitlines() if not line.startswith("points")]
    text = "\n".join(lines).replace("R5 R6", "R5 R6 R7 R8").replace("B6 B5", "B8 B7 B6 B5")
    text = text.replace("sides = 3", "sides = 4")
    copy = parse_board(text)
    assert (family_of(mini), family_of(copy), copy.key) == ("mini", "", "mini")
    classic = find_variant("classic")
    assert family_of(replace(classic, start=Start.FIRST_SIX)) == "classic"
    assert not family_of(replace(classic, end=replace(classic.end, cost=4)))
    game = Game(copy, ["A", "B"], "2026-01-01")
    run(game, [BOTS["champion"](stream(1, "a")), BOTS["hard"](stream(1, "b"))], RandomSource(stream(1, "dice")))
    assert game.state.phase is Phase.OVER


def value(key: str, inputs: Array, lines: int) -> Array:
    return chance(KIT, weights_of(FAMILIES[key]), inputs, lines)


def worth(weights: Weights, state: State, seat: int, action: Action) -> float:
    """What a choice is worth to the champion, also one that leads to the same table as another it looks at."""
    return float(max(weigh(partial(valued, weights), state, seat, [action])[1]))


@pytest.mark.parametrize(("key", "seats"), [("card", 2), ("card-joker", 3)])
def test_it_sees_and_chooses_what_the_kernel_does_with_cards(key: str, seats: int) -> None:
    """Also what it cannot see: its view of the table is enough."""
    variant = find_variant(key)
    many = watched(variant, [ASKED] * seats, 4)
    weights = new_weights(many.line, (32, 16), seed=5)
    decisions = played(many, [partial(chance, KIT, weights)] * seats)
    for state, seat, action in decisions:
        seen, legal = view(state, seat), legal_actions(state, seat)
        chosen = ChampionBot(Random(1), weights).choose(seen, seat, legal)
        assert worth(weights, seen, seat, action) > worth(weights, seen, seat, chosen) - 1e-5
    assert {state.phase for state, _, _ in decisions} == {Phase.TAKE, Phase.CALL, Phase.PLAY}
    assert len(decisions) > 100


def rolled() -> State:
    """A classic game in which the first seat has rolled."""
    state = new_game(find_variant("classic"), 2)
    for outcome in ("begins 1", "roll 4 1 R3 Y6 G5 B6"):
        state = apply_chance(state, parse_outcome(outcome))
    return state


def test_the_last_digits_do_not_decide() -> None:
    """Of plans that are worth the same it takes the first, as the kernel does, also where all is almost lost."""
    first, second, third = (Plan(PASS, PASS, rolled()) for _ in range(3))
    for worth in (1.0, 1e-9):
        assert best(([first, second, third], worth * np.array([0.5, 0.5 + 1e-6, 0.5]))) is first
        assert best(([first, second, third], worth * np.array([0.5, 0.5 + 1e-4, 0.5]))) is second


def test_it_thinks_in_one_thread() -> None:
    """Where all cores are busy, more would wait for each other."""
    threads, used = ThreadpoolController(), set[int]()

    def count(seat: int, states: Sequence[State]) -> NDArray[np.float64]:
        used.update(pool["num_threads"] for pool in threads.info())
        return np.zeros(len(states))

    state = rolled()
    with threads.limit(limits=2):
        for seat in range(2):
            weigh(count, state, seat, legal_actions(state, seat))
        assert {pool["num_threads"] for pool in threads.info()} == {2}
    assert used == {1}


AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from time import sleep
import numpy as np
from threadpoolctl import ThreadpoolController
from qwixx.bots.champion import weigh
from qwixx.rules import legal_actions
from tests.bots.test_champion import rolled

threads, used = ThreadpoolController(), set()
counted = lambda: {pool["num_threads"] for pool in threads.info()}

def count(seat, states):
    sleep(0.002)
    used.update(counted())
    return np.zeros(len(states))

state, before = rolled(), counted()
with ThreadPoolExecutor(4) as pool:
    list(pool.map(lambda seat: weigh(count, state, seat % 2, legal_actions(state, seat % 2)), range(20)))
print(used == {1}, counted() == before)
"""


def test_champions_that_think_at_once_think_in_one_thread_each() -> None:
    """The limit is the process's: it must neither end while somebody thinks nor stay behind."""
    threads = os.environ | {"OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=True, env=threads)
    assert done.stdout.split() == ["True", "True"]


def test_pairs_are_valued_once_where_nobody_else_is_expected_to_cross() -> None:
    """As the kernel does; where somebody is, the active seat looks twice."""
    looks: list[int] = []

    def crossing_is_bad(seat: int, states: Sequence[State]) -> NDArray[np.float64]:
        looks.append(seat)
        return np.array([-float(sum(state.sheets[seat].rows)) for state in states])

    def crossing_is_good(seat: int, states: Sequence[State]) -> NDArray[np.float64]:
        return -crossing_is_bad(seat, states)

    state = rolled()
    legal = legal_actions(state, 0)
    found, values = weigh(crossing_is_bad, state, 0, legal)
    assert looks == [0, 1]
    assert [plan.action for plan in found] == [plan.action for plan in plans(state, 0, legal)]
    assert values.tolist() == crossing_is_bad(0, [plan.after for plan in found]).tolist()
    assert {plan.action for plan in weigh(crossing_is_bad, state, 0, legal[:1])[0]} == set(legal[:1])
    looks.clear()
    weigh(crossing_is_good, state, 0, legal)
    assert looks == [0, 1, 0]


@pytest.mark.parametrize("key", ["card", "card-joker"])
def test_moments_of_card_games_are_what_the_bot_sees(key: str) -> None:
    many = watched(find_variant(key), [ASKED] * 3, 6)
    values = [partial(chance, KIT, new_weights(many.line, (32, 16), seed=5))] * 3
    compared: list[int] = []

    def compare() -> None:
        which = int(many.moments.which[0])
        for game, seat in product(range(many.games), range(3)):
            state = many.seen_by(game, seat, which)
            if state and many.moments.active[game] >= 0:
                samples = np.array([[game, seat, 0]])
                written = many.inputs(samples, np.array([unchanged()]), many.moments)
                assert np.allclose(inputs_of(state, seat), written)
                compared.append(which)

    many.play(values, 0, watch=compare)
    assert min(compared.count(which) for which in range(3)) > 50


@pytest.mark.parametrize(
    ("key", "rival", "least"),
    [
        ("classic", EVOLVED_BOT, 0.59),
        ("mixx-a", EVOLVED_BOT, 0.58),
        ("mixx-b", skip(2), 0.66),
        ("longo", EVOLVED_BOT, 0.64),
        ("card", skip(2), 0.78),
        ("card-joker", skip(2), 0.78),
        ("card-mixx-a", skip(2), 0.74),
        ("card-mixx-b", skip(2), 0.74),
        ("card-joker-mixx-a", skip(2), 0.74),
        ("card-joker-mixx-b", skip(2), 0.74),
        ("mini", skip(2), 0.54),
    ],
)
def test_it_beats_the_best_that_was_public(key: str, rival: Mind, least: float) -> None:
    """A small sample; docs/champions.md has the real figures."""
    won = decided = 0
    for seat in range(2):
        minds = [ASKED, rival] if seat == 0 else [rival, ASKED]
        many = Many(find_variant(key), minds, 120 if key.startswith("card") else 300, seed=7)
        many.play([lambda inputs, lines: value(key, inputs, lines)] * 2, 0)
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


@pytest.mark.parametrize(("key", "seats"), [("classic", 2), ("deluxe", 8), ("longo", 5), ("card-joker", 5)])
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


def test_all_networks_together_are_small() -> None:
    sizes = [file.stat().st_size for file in Path(str(files("qwixx.bots") / "nets")).glob("*.npz")]
    assert len(sizes) > len(set(FAMILIES.values()))
    assert sum(sizes) <= 5_000_000

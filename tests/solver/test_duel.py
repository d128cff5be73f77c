"""The equilibrium for two: matrix games, a board small enough to check by hand, and exact play that nobody beats."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.bots.baselines import RandomBot
from qwixx.bots.champion import ChampionBot
from qwixx.bots.exact import ExactBot
from qwixx.kernel.book import NO_DIE, book_of
from qwixx.kernel.candidates import SCRATCH
from qwixx.kernel.inputs import line_size
from qwixx.kernel.judge import SparseJudge
from qwixx.kernel.valuenet import Weights
from qwixx.match import Player, RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import (
    MalformedError,
    Phase,
    State,
    acting_seats,
    apply_chance,
    apply_choices,
    chance_outcomes,
    legal_actions,
    winners,
)
from qwixx.solver.duel import MOST_OPTIONS, Duel, key_of, matrix_game, solve_duel, unpack
from qwixx.solver.exploit import Thoughts, best_response, choices, thoughts_of
from qwixx.solver.meeting import meet_exactly
from qwixx.solver.outlook import look_further
from qwixx.train.net import new_weights
from tests.kernel.crosscheck import cell_codes


def solved(matrix: list[list[float]]) -> tuple[float, list[float], list[float]]:
    given, mixed = np.zeros((MOST_OPTIONS, MOST_OPTIONS)), np.zeros((6, MOST_OPTIONS))
    given[: len(matrix), : len(matrix[0])] = matrix
    value = matrix_game(given, len(matrix), len(matrix[0]), mixed)
    return value, mixed[0].tolist(), mixed[1].tolist()


def test_matrix_games_by_hand() -> None:
    assert solved([[0.3]])[0] == 0.3
    value, first, second = solved([[0.2, 0.9], [0.4, 0.5]])
    assert (value, first[:2], second[:2]) == (0.4, [0.0, 1.0], [1.0, 0.0]), "a saddle"
    value, first, second = solved([[1.0, 0.0], [0.0, 1.0]])
    assert (value, first[:2], second[:2]) == (0.5, [0.5, 0.5], [0.5, 0.5])
    value, first, second = solved([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])
    assert value == pytest.approx(0.5)
    assert first == pytest.approx([1 / 3] * 3)
    assert second == pytest.approx([1 / 3] * 3)


def test_nobody_can_improve_on_the_mixtures() -> None:
    stream = Random(1)
    for _ in range(2000):
        rows, columns = stream.randint(1, 3), stream.randint(1, 3)
        matrix = [[round(stream.random(), stream.randint(1, 3)) for _ in range(columns)] for _ in range(rows)]
        value, first, second = solved(matrix)
        assert sum(first) == pytest.approx(1)
        assert sum(second) == pytest.approx(1)
        assert min(first + second) >= 0
        least = min(sum(first[row] * matrix[row][column] for row in range(rows)) for column in range(columns))
        most = max(sum(second[column] * matrix[row][column] for column in range(columns)) for row in range(rows))
        assert least == pytest.approx(value, abs=1e-9)
        assert most == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("key", ["classic", "longo", "card"])
def test_larger_games_are_refused(key: str) -> None:
    with pytest.raises(MalformedError):
        solve_duel(find_variant(key))


@pytest.fixture(scope="module")
def duel() -> Duel:
    return solve_duel(find_variant("mini"))


@pytest.mark.xdist_group("duel")
def test_every_value_follows_from_the_rules(duel: Duel) -> None:
    """Positions of a random game: over every roll as the rules have it, the value of the matrix game that the rules
    make of it."""
    checked = 0
    game = Game(duel.variant, ["one", "two"], "2026-01-01")
    run(game, [RandomBot(stream(1, f"seat {seat}")) for seat in range(2)], RandomSource(stream(1, "dice")))
    for state in game.states:
        if state.phase is Phase.ROLL:
            assert duel.of(key_of(state, state.active)) == pytest.approx(worth_of(state, duel), abs=1e-9)
            checked += 1
    assert checked > 4


def worth_of(state: State, duel: Duel) -> float:
    """The mover's share over all rolls."""
    exact, total = ExactBot(Random(1), duel), 0.0
    for roll, probability in chance_outcomes(state):
        value, _ = exact.matrix(apply_chance(state, roll))
        total += float(probability) * value
    return total


@pytest.mark.xdist_group("duel")
def test_nobody_beats_exact_play(duel: Duel) -> None:
    for kind in ("evolved", "linear", "skip-2"):
        wins = 0.0
        for number in range(80):
            for seat in range(2):
                exact, other = ExactBot(stream(number, f"exact {seat}"), duel), BOTS[kind](stream(number, "other"))
                game = Game(duel.variant, ["one", "two"], "2026-01-01")
                seated = [exact, other] if seat == 0 else [other, exact]
                best = winners(run(game, seated, RandomSource(stream(number, "dice"))).state)
                wins += (seat in best) / len(best)
        assert wins > 80


@pytest.mark.xdist_group("duel")
def test_who_moves_first_has_an_edge(duel: Duel) -> None:
    assert duel.value == pytest.approx(0.525766, abs=1e-6)
    assert len(duel.keys) == 185_014
    assert (np.diff(duel.keys) > 0).all()
    with pytest.raises(MalformedError, match="does not come up"):
        duel.of(1)


@pytest.mark.xdist_group("duel")
def test_exact_values_can_hardly_be_exploited(duel: Duel) -> None:
    """They answer the active seat's best pair, and never mix; that costs less than half a point in a hundred."""
    exact = Thoughts(duel.keys, duel.values, 1 - duel.values)
    first, second = best_response(duel, exact)
    assert duel.value <= first < duel.value + 0.005
    assert 1 - duel.value <= second < 1 - duel.value + 0.005


@pytest.mark.xdist_group("duel")
def test_what_the_network_is_taken_to_do_is_what_it_does(duel: Duel) -> None:
    """On every roll of a random game, as the active seat and as the other."""
    weights = new_weights(int(line_size(book_of(duel.variant))), (32, 16), seed=2)
    thoughts = thoughts_of(duel, SparseJudge(weights).chance)
    book, tables, codes, checked = book_of(duel.variant), np.zeros(3, SCRATCH), cell_codes(duel.variant), 0
    game = Game(duel.variant, ["one", "two"], "2026-01-01")
    run(game, [RandomBot(stream(5, f"seat {seat}")) for seat in range(2)], RandomSource(stream(5, "dice")))
    for state in (state for state in game.states if state.phase is Phase.WHITE):
        mover, other = state.active, 1 - state.active
        mine, theirs = legal_actions(state, mover), legal_actions(state, other)
        unpack(book, key_of(state, mover), tables[0])
        dice = kernel_dice(state)
        tables[0]["dice"][: len(dice)] = dice
        calls, answers = (np.array([codes[action] for action in legal]) for legal in (mine, theirs))
        called, chosen = choices(book, thoughts, tables[0], tables[1], tables[2], calls, answers)
        assert codes[ChampionBot(Random(1), weights).choose(state, mover, mine)] == called
        assert codes[ChampionBot(Random(1), weights).choose(state, other, theirs)] == chosen
        checked += 1
    assert checked > 3


@pytest.mark.xdist_group("duel")
def test_a_meeting_is_what_games_come_to() -> None:
    """A network that knows nothing against exact play, on a board that is smaller still; and exact values, which are
    played without mixing, against themselves."""
    mini = find_variant("mini")
    duel = solve_duel(replace(mini, rows=tuple(row[:3] for row in mini.rows)))
    weights = new_weights(int(line_size(book_of(duel.variant))), (32, 16), seed=2)
    meeting = meet_exactly(duel, thoughts_of(duel, SparseJudge(weights).chance))
    won = lost = 0
    for number in range(300):
        for seat in range(2):
            net, exact = ChampionBot(Random(1), weights), ExactBot(stream(number, f"exact {seat}"), duel)
            game = Game(duel.variant, ["one", "two"], "2026-01-01")
            seated: list[Player] = [net, exact] if seat == 0 else [exact, net]
            best = winners(run(game, seated, RandomSource(stream(number, "dice"))).state)
            won, lost = won + (best == (seat,)), lost + (best == (1 - seat,))
    assert meeting.won == pytest.approx(won / 600, abs=0.06)
    assert meeting.lost == pytest.approx(lost / 600, abs=0.06)
    assert meeting.decided < 0.4
    known = Thoughts(duel.keys, duel.values, 1 - duel.values)
    assert 0.49 < meet_exactly(duel, known).decided <= 0.5
    assert 0.49 < meet_exactly(duel, look_further(duel, known)).decided <= 0.5


@pytest.mark.xdist_group("duel")
def test_to_look_further_is_to_try_every_roll(duel: Duel) -> None:
    """Positions of a random game: over every roll as the rules have it, what the network thinks after its choices."""
    weights = new_weights(int(line_size(book_of(duel.variant))), (32, 16), seed=2)
    thoughts = thoughts_of(duel, SparseJudge(weights).chance)
    further = look_further(duel, thoughts)
    game = Game(duel.variant, ["one", "two"], "2026-01-01")
    run(game, [RandomBot(stream(5, f"seat {seat}")) for seat in range(2)], RandomSource(stream(5, "dice")))
    late = [state for state in game.states if state.phase is Phase.ROLL][-2:]
    for state in late:
        place = int(np.searchsorted(further.keys, key_of(state, state.active)))
        expected = np.zeros(2)
        for roll, probability in chance_outcomes(state):
            expected += float(probability) * thought_after(apply_chance(state, roll), weights, thoughts)
        assert (further.movers[place], further.others[place]) == pytest.approx(tuple(expected), abs=1e-6)
    exact = look_further(duel, Thoughts(duel.keys, duel.values, 1 - duel.values))
    assert (
        np.sqrt(np.mean((exact.movers - duel.values) ** 2))
        < 0.01
        < np.sqrt(np.mean((further.movers - duel.values) ** 2))
    )


def thought_after(state: State, weights: Weights, thoughts: Thoughts) -> NDArray[np.float64]:
    """What the network thinks on both sides, the mover's first, once it has chosen for both."""
    mover, bot = state.active, ChampionBot(Random(1), weights)
    while state.phase in (Phase.WHITE, Phase.COLOUR):
        seats = acting_seats(state)
        state = apply_choices(state, {seat: bot.choose(state, seat, legal_actions(state, seat)) for seat in seats})
    if state.phase is Phase.OVER:
        best = winners(state)
        return np.array([(seat in best) / len(best) for seat in (mover, 1 - mover)])
    place = int(np.searchsorted(thoughts.keys, key_of(state, state.active)))
    return np.array([thoughts.others[place], thoughts.movers[place]])


def kernel_dice(state: State) -> list[int]:
    """The roll as the kernel has it: white dice first, then one for each colour."""
    assert state.roll is not None
    shown = {die.colour: die.number for die in state.roll.coloured}
    return [*state.roll.white, *(shown.get(colour.letter, NO_DIE) for colour in state.variant.colours)]

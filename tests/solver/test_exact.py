"""The solver is exact: brute force over every roll agrees on small boards, the published value on the classic one."""

import pytest

from qwixx.boards import find_variant
from qwixx.kernel.minds import by_values, linear, skip
from qwixx.kernel.simulate import Simulator
from qwixx.rules import Dice, MalformedError, Variant
from qwixx.rules.boardfile import parse_board
from qwixx.solver.solve import Solution, solve
from tests.solver.brute import best_expected_score

LINE = """
key = "line"
name = "Line"
rows = ["R2 R3 R4 R5 R6"]
colours = { R = "red" }
dice = { sides = 3 }
lock = { needed = 1 }
end = { rows = 1, misthrows = 2, cost = 4 }
"""
TWINS = """
key = "twins"
name = "Twins"
rows = ["R2 R3 R4", "Y2 Y3 Y4", "G4 G3 G2"]
colours = { R = "red", Y = "yellow", G = "green" }
dice = { sides = 2 }
lock = { needed = 1 }
end = { rows = 2, misthrows = 2, cost = 2 }
"""
MIXED = """
key = "mixed"
name = "Mixed"
rows = ["R2 B2 R3 B4", "B3 R4"]
colours = { R = "red", B = "blue" }
dice = { sides = 2 }
lock = { needed = 1 }
end = { rows = 2, misthrows = 2, cost = 1 }
points = [0, 2, 3, 7, 4, 9]
"""
LUCKY = """
key = "lucky"
name = "Lucky"
seats = [2, 2]
rows = ["R2 R3 R4 R5", "B5 B4 B3 B2"]
colours = { R = "red", B = "blue" }
dice = { sides = 3, lucky = [[2, 5], [3, 4]] }
lock = { needed = 1, closing = 2 }
end = { rows = 1, misthrows = 2, cost = 3 }
"""


@pytest.mark.parametrize("board", [LINE, TWINS, MIXED], ids=["one row", "rows to swap", "rows of two colours"])
def test_brute_force_agrees(board: str) -> None:
    variant = parse_board(board)
    assert solve(variant).value == pytest.approx(best_expected_score(variant), abs=1e-9)


def test_brute_force_agrees_on_mini() -> None:
    assert solve(find_variant("mini")).value == pytest.approx(best_expected_score(find_variant("mini")), abs=1e-9)


@pytest.mark.parametrize("lucky", [(2, 5), (3, 4)])
def test_brute_force_agrees_with_lucky_numbers_and_two_closing_cells(lucky: tuple[int, int]) -> None:
    variant = parse_board(LUCKY)
    assert solve(variant, lucky).value == pytest.approx(best_expected_score(variant, lucky), abs=1e-9)


# One process solves classic once for all tests that need it.
with_classic = pytest.mark.xdist_group("classic")


@pytest.fixture(scope="module")
def classic() -> Solution:
    return solve(find_variant("classic"))


@with_classic
def test_classic_has_the_published_value(classic: Solution) -> None:
    assert classic.value == pytest.approx(115.4831, abs=5e-5)


def test_one_bent_rule_gives_the_older_published_value() -> None:
    """It let a coloured cross follow the lock that had already ended the game."""
    assert solve(find_variant("classic"), plays_on=True).value == pytest.approx(115.9108, abs=5e-5)


@with_classic
def test_games_score_what_the_solution_says(classic: Solution) -> None:
    """`make proof` plays a million of each game."""
    games = 200_000
    tally = Simulator(classic.variant, [by_values(classic.values)], seed=2).play(0, games)
    error = tally.score_spread[0] / games**0.5
    assert abs(tally.mean_score[0] - classic.value) < 3 * error


@with_classic
def test_other_ways_to_play_are_worse(classic: Solution) -> None:
    """Neighbours of the best play: its own values, a little too low or too high; and the simple bots."""
    for mind in (by_values(classic.values * 0.9), by_values(classic.values * 1.1), linear(), skip(1), skip(2)):
        tally = Simulator(classic.variant, [mind], seed=3).play(0, 100_000)
        error = tally.score_spread[0] / 100_000**0.5
        assert tally.mean_score[0] < classic.value - 3 * error


@pytest.mark.parametrize("rate", [0.0, 0.1])
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("board", [LINE, TWINS, MIXED], ids=["one row", "rows to swap", "rows of two colours"])
def test_brute_force_agrees_at_a_tables_pace(board: str, players: int, rate: float) -> None:
    variant = parse_board(board)
    expected = best_expected_score(variant, players=players, rate=rate)
    assert solve(variant, players=players, rate=rate).value == pytest.approx(expected, abs=1e-9)


def test_a_tables_pace_and_others_locks_show_in_the_value() -> None:
    variant = find_variant("mini")
    alone, slow = solve(variant).value, solve(variant, players=3).value
    assert slow > alone
    assert solve(variant, players=3, rate=0.05).value < slow


@pytest.mark.parametrize(("players", "rate"), [(0, 0.0), (6, 0.0), (2, 1.0), (2, -0.1)])
def test_a_table_that_cannot_be_is_refused(players: int, rate: float) -> None:
    with pytest.raises(MalformedError, match="players go from 1 to 5"):
        solve(find_variant("mini"), players=players, rate=rate)


@pytest.mark.parametrize(
    ("variant", "lucky", "said"),
    [
        (find_variant("card"), (), "played with cards"),
        (find_variant("classic"), (5, 8), "no lucky numbers"),
        (find_variant("longo"), (), "one of 4,9"),
        (find_variant("longo"), (2, 3), "one of 4,9"),
    ],
)
def test_what_has_no_solution_is_refused(variant: Variant, lucky: tuple[int, ...], said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        solve(variant, lucky)


def test_a_board_with_too_many_sheets_is_refused() -> None:
    rows = "\n".join(f'"{" ".join(f"{c}{n}" for n in range(2, 20))}",' for c in "ABCDEF")
    colours = "\n".join(f'{c} = "{c}"' for c in "ABCDEF")
    board = f'key = "vast"\nname = "Vast"\nrows = [{rows}]\n[colours]\n{colours}\n[dice]\nsides = 10\n'
    with pytest.raises(MalformedError, match="too many different sheets"):
        solve(parse_board(board))
    assert isinstance(parse_board(board).source, Dice)

"""The kernel plays by the rules: every variant, every number of seats."""

import pytest

from qwixx.boards import find_variant
from qwixx.kernel.minds import ANY, linear, skip
from qwixx.rules import Variant
from qwixx.rules.boardfile import parse_board
from tests.kernel.crosscheck import check_table, tables

GAMES = 2000
ODD_BOARDS = {
    "one row holds a number twice": """
        key = "odd-twice"
        name = "Twice"
        rows = ["R2 B2 R3 B4 R5 B6", "B3 R4 B5 R6"]
        colours = { R = "red", B = "blue" }
        dice = { sides = 3 }
        lock = { needed = 2, closing = 2 }
        points = [0, -1, 3, 6, 10, 2, 30]
    """,
    "six rows, own locks, nine colours": """
        key = "odd-many"
        name = "Many"
        solo = false
        rows = ["A2 B3 C4 D5", "D2 E3 F4 G5", "G2 H3 I4 A5", "A8 B7 C6 D4", "E8 F7 G6 H5", "I8 A7 B6 C5"]
        colours = { A = "a", B = "b", C = "c", D = "d", E = "e", F = "f", G = "g", H = "h", I = "i" }
        dice = { sides = 4, lucky = [[2, 3], [4, 5], [6, 7], [7, 8], [2, 8]] }
        lock = { needed = 1, shared = false }
        end = { rows = 3, misthrows = 7, cost = 2 }
    """,
    "as many sides as there may be": """
        key = "odd-round"
        name = "Round"
        rows = ["R2 B9 R16 B21 R30 B40", "B2 R9 B16 R21 B30 R40"]
        colours = { R = "red", B = "blue" }
        dice = { sides = 20 }
        lock = { needed = 0 }
        end = { rows = 2, misthrows = 20, cost = 1 }
    """,
    "cards whose locks close for all": """
        key = "odd-cards"
        name = "Cards"
        seats = [2, 3]
        rows = ["R2 B3 R4 B5 R6 B7", "B2 R3 B4 R5 B6 R7", "G2 G3 G4 G5 G6 G7"]
        colours = { R = "red", B = "blue", G = "green" }
        cards = { jokers = true, dealt = 2, hand = 4, tableau = 5, most = 4, gap = 0 }
        lock = { needed = 2, shared = true }
    """,
}


@pytest.mark.parametrize(("key", "seats"), tables())
def test_random_games_agree(key: str, seats: int) -> None:
    assert check_table(find_variant(key), [ANY] * seats, range(GAMES)) == GAMES


@pytest.mark.parametrize("board", ODD_BOARDS.values(), ids=ODD_BOARDS)
def test_odd_boards_agree(board: str) -> None:
    variant = parse_board(board)
    for seats in variant.seat_counts:
        assert check_table(variant, [ANY] * seats, range(300)) == 300


@pytest.mark.parametrize("variant", [find_variant("classic"), find_variant("longo"), find_variant("card-joker")])
def test_games_of_better_players_agree(variant: Variant) -> None:
    """They fill rows and close them, which random players hardly do."""
    assert check_table(variant, [skip(1), linear(), skip(2)], range(1000)) == 1000

"""Boards as TOML: read, written, refused with the row and the cell, and playable like any built-in game."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwixx import boards
from qwixx.bots import BOTS
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game, read_record, write_record
from qwixx.rules import BUILT_IN, Deck, Dice, MalformedError, Phase, Start, Variant
from qwixx.rules.boardfile import BoardError, board_text, parse_board
from qwixx.rules.describe import describe

MINI = (boards.SHIPPED / "mini.toml").read_text("utf-8")
WIDE = """
key = "wide"
name = "Five rows"
summary = "Five rows in three colours, with lucky numbers."
seats = [2, 3]
start = "first-six"
points = [0, 2, 4, 6, 8, 10, 12]
rows = ["R2 R3 R4 P5 P6", "P7 P8 P9 R10 R11", "O2 O3 O4 O5 O6", "R12 R5 R6 R7 R8", "O12 O11 O10 O9 O8"]
[colours]
R = "red"
P = "purple"
O = "orange"
[dice]
sides = 6
lucky = [[5, 8], [6, 11], [4, 9]]
[lock]
needed = 1
closing = 1
[end]
rows = 3
misthrows = 2
cost = 1
"""
CARDS = """
key = "my-cards"
name = "Cards of my own"
seats = [2, 3]
rows = [
  "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
  "B12 B11 B10 B9 B8 B7 B6 B5 B4 B3 B2",
]
[colours]
R = "red"
B = "blue"
[cards]
jokers = true
gap = "any"
[lock]
closing = 2
shared = true
"""
TEXTS = {"mini": MINI, "wide": WIDE, "cards": CARDS}


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(BoardError) as caught:
        parse_board(text)
    return caught.value.problems


def test_mini_is_what_researchers_know() -> None:
    mini = boards.find_variant("mini")
    assert [[str(cell.mark) for cell in row] for row in mini.rows] == [
        ["R2", "R3", "R4", "R5", "R6"],
        ["B6", "B5", "B4", "B3", "B2"],
    ]
    assert mini.source.sides == 3  # type: ignore[union-attr]
    assert (mini.lock.needed, mini.lock.closing, mini.lock.shared) == (2, 1, True)
    assert (mini.end.rows, mini.end.misthrows, mini.end.cost) == (2, 3, 3)
    assert mini.points == (0, 1, 3, 6, 10, 15, 21)


@pytest.mark.parametrize("key", BUILT_IN)
def test_the_format_can_say_everything_that_a_built_in_game_is(key: str) -> None:
    renamed = replace(BUILT_IN[key], key=f"my-{key}")
    assert parse_board(board_text(renamed)) == renamed


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_writing_and_reading_a_board(text: str) -> None:
    board = parse_board(text)
    assert parse_board(board_text(board)) == board


def test_names_are_quoted() -> None:
    board = replace(parse_board(MINI), name='a "quoted" \\ name')
    assert parse_board(board_text(board)).name == board.name


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_board_of_ones_own_plays_like_any_other(text: str) -> None:
    board = parse_board(text)
    for seats in board.seat_counts:
        for seed in range(20):
            game = Game(board, [f"P{n}" for n in range(seats)], "2026-11-15")
            bots = [BOTS[("random", "skip-2")[seat % 2]](stream(seed, f"{seat}")) for seat in range(seats)]
            run(game, bots, RandomSource(stream(seed, "chance")))
            assert game.state.phase is Phase.OVER
            assert read_record(write_record(game)).states == game.states


def test_what_a_board_may_leave_out() -> None:
    board = parse_board(
        'key = "x"\nname = "X"\nrows = ["R2 R3 R4 R5 R6 R7", "B2 B3 B4 B5 B6 B7"]\n[colours]\nR = "red"\nB = "blue"\n'
    )
    assert board.seats == (2, 5)
    assert board.solo
    assert board.start is Start.DRAW
    assert board.source.sides == 6  # type: ignore[union-attr]
    assert (board.lock.needed, board.lock.closing, board.end.cost, board.end.misthrows) == (5, 1, 5, 4)
    assert board.points == (0, 1, 3, 6, 10, 15, 21, 28)
    cards = parse_board(CARDS.replace("[lock]\nclosing = 2\nshared = true\n", ""))
    assert not cards.lock.shared, "with cards a lock is its own player's"
    assert not cards.solo


@pytest.mark.parametrize(
    ("board", "find", "put", "problem"),
    [
        ("mini", "R4", "R7", "row 1, cell 3: two dice of 3 sides never make 7"),
        ("mini", "R2", "R1", "row 1, cell 1: two dice of 3 sides never make 1"),
        ("mini", "B4", "Q4", "row 2, cell 3: Q4 has a colour that is not among the colours"),
        ("mini", "B4", "R4", "row 2, cell 3: R4 is already in row 1, cell 3"),
        ("mini", "B4", "four", "row 2, cell 3: “four” is not a colour's letter and a number, like R7"),
        ("mini", "R2 R3 R4 R5 R6", "", "row 1: must be text with 1 to 20 cells"),
        ("mini", '"R2 R3 R4 R5 R6"', "7", "row 1: must be text with 1 to 20 cells"),
        (
            "mini",
            "R2 R3 R4 R5 R6",
            "R2 R3",
            "row 1: 2 crosses can never come before its closing cell (2 cells, the last 1",
        ),
        ("mini", "rows = [\n", "rows = []\nrest = [\n", "rows must list 1 to 8 rows"),
        ("mini", 'R = "red"', 'R = "blue"', "colours has blue more than once"),
        ("mini", 'R = "red"', 'R = "red"\nP = "purple"', "colours.P has no cell"),
        ("mini", 'R = "red"', 'R = "red"\nJ = "jet"', "colours.J must be one capital letter other than J and W"),
        ("mini", 'R = "red"', 'R = "red"\nred = "red"', "colours.red must be one capital letter"),
        ("mini", 'R = "red"', "R = 5", "colours.R must be a short line of text"),
        ("mini", '[colours]\nR = "red"\nB = "blue"', "", "colours is missing"),
        ("mini", "sides = 3", "sides = 1", "dice.sides must be a whole number from 2 to 20, not 1"),
        ("mini", "sides = 3", "sides = true", "dice.sides must be a whole number from 2 to 20, not True"),
        ("mini", "sides = 3", "faces = 3", "dice.faces is not known"),
        ("mini", "sides = 3", "side = 3", "dice.side is not known; did you mean sides?"),
        ("mini", "sides = 3", "sides = 3\nlucky = [5]", "dice.lucky must be a list of pairs like [5, 8]"),
        ("mini", "sides = 3", "sides = 3\nlucky = [[5, 6], [5, 6]]", "dice.lucky must not name a pair twice"),
        (
            "mini",
            "sides = 3",
            "sides = 3\nlucky = [[5, 6]]",
            "seats allows 5 players, but there are only 1 lucky pairs",
        ),
        ("cards", "seats = [2, 3]", "end = 3", "end must be a table"),
        ("mini", "needed = 2", "needed = -1", "lock.needed must be a whole number from 0 to 20, not -1"),
        ("mini", "needed = 2", "needed = 5", "row 2: 5 crosses can never come before"),
        ("mini", "closing = 1", "closing = 0", "lock.closing must be a whole number from 1 to 20"),
        ("mini", "misthrows = 3", "misthrows = 0", "end.misthrows must be a whole number from 1 to 20"),
        ("mini", "cost = 3", "cost = -3", "end.cost must be a whole number from 0 to 100"),
        ("mini", "rows = 2 ", "rows = 3 ", "end.rows is 3, but there are only 2 rows"),
        ("mini", "seats = [2, 5]", "seats = [1, 5]", "seats must be the fewest and the most players"),
        ("mini", "seats = [2, 5]", "seats = [2, 9]", "seats must be the fewest and the most players"),
        ("mini", "seats = [2, 5]", "seats = 4", "seats must be the fewest and the most players"),
        ("mini", "seats = [2, 5]", 'start = "six"', "start must be one of draw, first-six"),
        ("mini", "seats = [2, 5]", "start = [6]", "start must be one of draw, first-six"),
        ("mini", "seats = [2, 5]", 'start = "first-six"', "start can be first-six only with dice that have a six"),
        ("mini", "seats = [2, 5]", "points = [1, 2]", "points must list the points for 0 to 6 crosses"),
        ("mini", "seats = [2, 5]", "points = [0, 1, 3, 6, 10, 15, 1001]", "points must list the points for 0 to 6"),
        ("mini", "seats = [2, 5]", 'solo = "yes"', "solo must be true or false, not 'yes'"),
        (
            "mini",
            'key = "mini"',
            'key = "classic"',
            "key must be small letters, digits and dashes and no built-in game's",
        ),
        ("mini", 'key = "mini"', 'key = "My Board"', "key must be small letters"),
        ("mini", 'key = "mini"', "", "key is missing"),
        ("mini", 'name = "Mini-Qwixx"', 'name = ""', "name must be a short line of text"),
        ("mini", 'name = "Mini-Qwixx"', 'name = "two\\nlines"', "name must be a short line of text"),
        ("mini", "seats = [2, 5]", "seat = [2, 5]", "seat is not known; did you mean seats?"),
        ("mini", "[lock]", "[lock", "this is not TOML"),
        ("cards", 'gap = "any"', "gap = -1", "cards.gap must be a whole number from 0 to 20"),
        ("cards", 'gap = "any"', "hand = 4", "cards.hand must be more than is dealt"),
        (
            "cards",
            'gap = "any"',
            "hand = 8\ntableau = 3",
            "cards.hand must be more than is dealt, by no more than the tableau holds",
        ),
        ("cards", 'gap = "any"', "most = 4\ntableau = 3", "cards.most must not be more than the tableau holds"),
        ("cards", "seats = [2, 3]", "seats = [2, 8]", "cards: 33 cards are too few for 8 players"),
        ("cards", "[lock]", "[dice]\nsides = 6\n[lock]", "a board has either dice or cards"),
        ("cards", "seats = [2, 3]", 'start = "first-six"', "start can be first-six only with dice that have a six"),
    ],
)
def test_what_is_wrong_is_named(board: str, find: str, put: str, problem: str) -> None:
    text = TEXTS[board]
    assert find in text
    found = problems(text.replace(find, put, 1))
    assert any(each.startswith(problem) for each in found), found


def board(rows: list[str], *, end: int = 1, lock: str = "", cards: str = "", top: str = "") -> Variant:
    """A board with those rows, just enough around them, and whatever is to be tried."""
    letters = sorted({word[0] for row in rows for word in row.split()})
    head = [
        'key = "try"',
        'name = "Try"',
        top,
        f"rows = {rows}",
        "[end]",
        f"rows = {end}",
        "[lock]",
        lock or "needed = 0",
    ]
    colours = ["[colours]", *(f'{letter} = "colour {letter}"' for letter in letters)]
    return parse_board("\n".join([*head, cards, *colours]))


def test_the_limits_of_a_board_are_allowed_and_what_lies_beyond_is_not() -> None:
    twenty = " ".join([f"R{n}" for n in range(2, 13)] + [f"B{n}" for n in range(2, 11)])
    assert len(board([twenty]).rows[0]) == 20
    with pytest.raises(BoardError, match="row 1: must be text with 1 to 20 cells"):
        board([twenty + " B12"])
    assert board(["R2"]).points == (0, 1, 3), "a row may be a single closing cell"
    eight = [f"{letter}2 {letter}3" for letter in "ABCDEFGH"]
    assert len(board(eight).rows) == 8
    with pytest.raises(BoardError, match="rows must list 1 to 8 rows"):
        board([*eight, "I2 I3"])
    assert board(["R2 R3"], top="seats = [4, 4]").seat_counts == (1, 4)
    long_name = "x" * 120
    assert board(["R2 R3"], top=f'summary = "{long_name}"').summary == long_name
    with pytest.raises(BoardError, match="summary must be a short line of text"):
        board(["R2 R3"], top=f'summary = "{long_name}x"')
    assert board(["R2 R3"]).summary == "A board of our own."
    assert board(["R2 R3 R4"], lock="needed = 2").lock.needed == 2
    assert board(["R2 R3"], end=1).end.rows == 1
    with pytest.raises(BoardError, match=r"end.rows must be a whole number from 1 to 8, not 9"):
        board(["R2 R3"], end=9)


def test_chains_of_keys_are_refused_before_they_are_read() -> None:
    with pytest.raises(BoardError, match="a line of a board has at most 40 dots"):
        parse_board(MINI + ".".join(["a"] * 42) + " = 1")


def test_the_limits_of_a_deck() -> None:
    rows = [" ".join(f"{letter}{n}" for n in range(2, 13)) for letter in "RYGB"]
    cards = "[cards]\ndealt = 1\nhand = 2\ntableau = 1\nmost = 1\ngap = 0"
    assert board(rows, cards=cards).source == Deck(dealt=1, hand=2, tableau=1, most=1, gap=0)
    cards = "[cards]\ndealt = 7\nhand = 8\ntableau = 9\nmost = 4\ngap = 20"
    assert board(rows, cards=cards, top="seats = [2, 3]").source == Deck(dealt=7, hand=8, tableau=9, most=4, gap=20)
    assert board(rows, cards="[cards]").source == Deck(), "what is left out is as in the card game"
    assert board(rows, cards="[cards]\ndealt = 1").source == Deck(dealt=1), "a hand may lack as many as the tableau has"
    for wrong in ("dealt = 0", "dealt = 10", "hand = 1", "hand = 9", "tableau = 0", "tableau = 10", "most = 0"):
        with pytest.raises(BoardError, match=rf"cards\.{wrong.split()[0]} must be a whole number"):
            board(rows, cards=f"[cards]\n{wrong}")
    with pytest.raises(BoardError, match=r"cards\.most must be a whole number"):
        board(rows, cards="[cards]\nmost = 5")
    few = [row[: row.index(f"{row[0]}9")].strip() for row in rows[:2]]
    assert sum(len(row.split()) for row in few) == 14
    assert len(board(few, cards="[cards]", top="seats = [2, 2]").cards) == 14
    with pytest.raises(BoardError, match="cards: 13 cards are too few for 2 players"):
        board([few[0], few[1].removesuffix(" Y8")], cards="[cards]", top="seats = [2, 2]")


@pytest.mark.parametrize(
    ("pair", "fine"),
    [("2, 12", True), ("1, 12", False), ("2, 13", False), ("5, 5", False), ("8, 5", False), ('"5", 8', False)],
)
def test_lucky_pairs(pair: str, fine: bool) -> None:
    dice = f"[dice]\nlucky = [[{pair}], [3, 4]]"
    if fine:
        assert board(["R2 R3"], cards=dice, top="seats = [2, 2]").source == Dice(lucky=((2, 12), (3, 4)))
    else:
        with pytest.raises(BoardError, match=r"like \[5, 8\], the smaller first, from 2 to 12$"):
            board(["R2 R3"], cards=dice, top="seats = [2, 2]")


def test_every_bad_cell_of_a_row_is_named() -> None:
    found = problems('key = "x"\nname = "X"\nrows = ["R2 bad worse R2"]\n[colours]\nR = "red"\n[end]\nrows = 1')
    assert [each.split(":")[0] for each in found if each.startswith("row 1, cell")] == [
        "row 1, cell 2",
        "row 1, cell 3",
        "row 1, cell 4",
    ]


def test_all_problems_are_in_the_message() -> None:
    with pytest.raises(BoardError) as caught:
        parse_board('key = "x"\nname = "X"')
    assert str(caught.value) == "this board cannot be played: " + "; ".join(caught.value.problems)
    assert caught.value.problems == (
        'colours is missing: name a letter for each, like R = "red"',
        'rows must list 1 to 8 rows, each like "R2 R3 R4"',
    )


def test_everything_wrong_is_named_at_once() -> None:
    assert len(problems('rows = ["R2 Q3 R99"]\n[colours]\nR = "red"\n[dice]\nsides = 1')) >= 5


@given(st.text(max_size=80))
def test_no_text_crashes_the_reader(text: str) -> None:
    assert problems(text)


@given(st.integers(0, len(MINI)), st.integers(0, 30), st.text(max_size=5))
def test_no_broken_board_crashes_the_reader(start: int, length: int, put: str) -> None:
    try:
        board = parse_board(MINI[:start] + put + MINI[start + length :])
    except BoardError:
        return
    assert isinstance(board, Variant)


@pytest.mark.parametrize(
    "text",
    [
        "points = [0, " + "9" * 5000 + "]",
        "points = [0, 0x" + "f" * 5000 + "]",
        "[lock]\nclosing = 0x" + "f" * 5000,
        "[lock]\nclosing" + ".a" * 3000 + " = 1",
        "solo" + ".a" * 3000 + " = 1",
        "x = " + "[" * 5000,
        "#" * 10_001,
        "name = 1979-05-27",
    ],
    ids=len,
)
def test_monstrous_boards_are_refused_quickly(text: str) -> None:
    assert all(len(problem) < 300 for problem in problems(text))


def test_values_are_shown_only_while_they_are_small() -> None:
    for written, shown in [("999999999", "999999999"), ("1000000000", "int"), ("[1]", "list"), ("1.5", "1.5")]:
        assert f"lock.needed must be a whole number from 0 to 20, not {shown}" in problems(
            f"[lock]\nneeded = {written}"
        )


def test_the_longest_board_and_the_most_points() -> None:
    padded = MINI + "#" * (10_000 - len(MINI))
    assert parse_board(padded) == parse_board(MINI)
    most = MINI.replace("seats = [2, 5]", "points = [-1000, 0, 0, 0, 0, 0, 1000]")
    assert parse_board(most).points[-1] == 1000


def test_a_board_error_knows_which_board() -> None:
    with pytest.raises(BoardError) as caught:
        parse_board("")
    assert caught.value.where == "this board"


def test_a_closing_pair_of_two_colours_is_named_by_both() -> None:
    page = describe(board(["R2 R3 R4 R5 B6", "B5 B4 B3 R7 G2"], lock="needed = 1\nclosing = 2"))
    assert "(red 5 or blue 6" not in page
    assert "colour R 5 or colour B 6, colour R 7 or colour G 2" in page


def test_gaps_are_counted_in_words() -> None:
    rows = [" ".join(f"{letter}{n}" for n in range(2, 13)) for letter in "RYGB"]
    assert "at most two cells may stay open" in describe(board(rows, cards="[cards]\ngap = 2"))


def test_a_folder_of_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wide.toml").write_text(WIDE, "utf-8")
    assert "wide" not in boards.all_variants()
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path))
    assert boards.all_variants()["wide"] == parse_board(WIDE)
    assert boards.find_variant("wide").name == "Five rows"
    assert "mini" in boards.all_variants()


def test_two_boards_of_one_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.toml").write_text(WIDE, "utf-8")
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path))
    assert "wide" in boards.all_variants()
    assert boards.board_problems() == ("b.toml: key wide is taken by another board",)


def test_a_shipped_key_is_taken_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text(MINI.replace("Mini-Qwixx", "Mine"), "utf-8")
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path))
    assert boards.all_variants()["mini"].name == "Mini-Qwixx"
    assert boards.board_problems() == ("mine.toml: key mini is taken by another board",)


def test_a_bad_board_of_a_folder_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.toml").write_text(WIDE.replace("R3", "R33"), "utf-8")
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path))
    problem = "bad.toml cannot be played: row 1, cell 2: two dice of 6 sides never make 33"
    assert boards.board_problems() == (problem,)
    assert boards.find_variant("classic").key == "classic"
    with pytest.raises(MalformedError, match=f"there is no game “wide”.*; {problem}"):
        boards.find_variant("wide")
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path / "none"))
    assert boards.board_problems() == (f"there is no folder {tmp_path / 'none'}",)


def test_a_board_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(WIDE, "utf-8")
    assert boards.find_variant(str(path)).key == "wide"
    path.write_text(WIDE.replace("R3", "R33"), "utf-8")
    with pytest.raises(
        BoardError, match=r"board.toml cannot be played: row 1, cell 2: two dice of 6 sides never make 33"
    ):
        boards.find_variant(str(path))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(MalformedError, match="cannot be read"):
        boards.find_variant(str(path))
    with pytest.raises(MalformedError, match="cannot be read"):
        boards.find_variant(str(tmp_path / "none.toml"))


def test_an_unknown_game() -> None:
    with pytest.raises(MalformedError, match="there is no game “chess”; there are classic, deluxe"):
        boards.find_variant("chess")

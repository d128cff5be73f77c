"""What the engine says to input that no table would send, and on boards that no rulebook has."""

from collections.abc import Callable

import pytest

from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import (
    Action,
    Begins,
    Cross,
    IllegalError,
    Lucky,
    MalformedError,
    Mark,
    Outcome,
    Phase,
    Play,
    Roll,
    Shuffle,
    StartDie,
    State,
    Take,
    Variant,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
    parse_action,
    parse_mark,
    refusal,
    variant,
    why_not,
)
from qwixx.rules.boardfile import parse_board
from qwixx.rules.describe import words
from qwixx.rules.marks import by_face
from qwixx.rules.state import Cards
from tests.scene import card_table, choose, crossed, dice_table, legal, marks, refused, roll, sheet, why
from tests.soak import Shuffler

COLOURED = marks("R1 Y1 G1 B1")
GAPPY = parse_board(
    'key = "gappy"\nname = "Gappy"\nrows = ["R2 R3 R5 R6 R7 R8 R9", "B12 B11 B10 B9 B8 B7 B6"]\n'
    '[colours]\nR = "red"\nB = "blue"\n'
)
SMALL_DECK = parse_board(
    'key = "small-deck"\nname = "Small deck"\nseats = [2, 2]\n'
    'rows = ["R2 R3 R4 R5 R6 R7 R8 R9", "B12 B11 B10 B9 B8 B7"]\n'
    '[colours]\nR = "red"\nB = "blue"\n[cards]\njokers = false\ngap = "any"\n[lock]\nneeded = 3\nclosing = 2\n'
)
JOKERS = parse_board(
    'key = "jokers"\nname = "Jokers"\nseats = [2, 2]\nrows = ["R2 R3 R4 R5 R6 R7 R8", "B12 B11 B10 B9 B8 B7 B6"]\n'
    '[colours]\nR = "red"\nB = "blue"\n[cards]\njokers = true\n'
)


def hand_of(board: Variant, hand: str, crosses: str = "") -> State:
    cards = Cards((tuple(sorted(marks(hand), key=by_face)), ()), marks("R2 R3 R4 R5"), marks("B7"), ())
    return State(board, Phase.PLAY, (sheet(board, crosses), sheet(board)), cards=cards)


def test_an_illegal_request_carries_its_reason_and_changes_nothing() -> None:
    table = roll(dice_table("classic", "R7", ""), "2 2 R1 Y1 G1 B1")
    with pytest.raises(IllegalError) as caught:
        choose(table, "R4", "pass")
    assert caught.value.reason.rule == "S5"
    assert caught.value.seat == 0
    assert caught.value.reason.text == "red 4 lies left of your red 7"
    assert str(caught.value) == "S5: red 4 lies left of your red 7"
    assert table == roll(dice_table("classic", "R7", ""), "2 2 R1 Y1 G1 B1")


@pytest.mark.parametrize("nonsense", ["R7", None, 7, ("R", 7)])
def test_what_is_no_action_is_malformed(nonsense: object) -> None:
    table = roll(dice_table("classic", ""), "3 4 R1 Y1 G1 B1")
    with pytest.raises(MalformedError, match="is not an action"):
        apply_choices(table, {0: nonsense})  # type: ignore[dict-item]
    with pytest.raises(MalformedError, match="is not a chance outcome"):
        apply_chance(dice_table("classic", ""), nonsense)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_is_not_there(seat: int) -> None:
    table = roll(dice_table("classic", "", ""), "3 4 R1 Y1 G1 B1")
    complaint = f"^{seat} is not a seat: they count from 0 to 1$"
    with pytest.raises(MalformedError, match=complaint):
        apply_choices(table, {0: parse_action("pass"), seat: parse_action("pass")})
    with pytest.raises(MalformedError, match=complaint):
        refusal(table, seat, parse_action("pass"))
    with pytest.raises(MalformedError, match=complaint):
        why_not(table, seat, parse_mark("R7"))
    with pytest.raises(MalformedError, match=complaint):
        legal_actions(table, seat)


def test_too_many_or_too_few_seats_choose() -> None:
    table = choose(roll(dice_table("classic", "", ""), "3 4 R1 Y1 G1 B1"), "pass", "pass")
    with pytest.raises(IllegalError, match=r"^T4: only the active player, seat 1, adds a coloured die$") as caught:
        apply_choices(table, {0: parse_action("pass"), 1: parse_action("pass")})
    assert caught.value.seat == 1
    with pytest.raises(IllegalError, match=r"^X1: seat 1 has not chosen yet$") as caught:
        apply_choices(table, {})
    assert caught.value.seat == 0


@pytest.mark.parametrize(
    "outcome",
    [
        Roll((1, 2, 3), COLOURED),  # type: ignore[arg-type]
        Roll((1,), COLOURED),  # type: ignore[arg-type]
        Roll((), COLOURED),  # type: ignore[arg-type]
        Roll((1.5, 1.5), COLOURED),  # type: ignore[arg-type]
        Roll((True, True), COLOURED),
        Roll((1, "2"), COLOURED),  # type: ignore[arg-type]
        Roll(None, COLOURED),  # type: ignore[arg-type]
        Roll((1, 2), None),  # type: ignore[arg-type]
        Roll((1, 2), (("R", 1), ("Y", 1), ("G", 1), ("B", 1))),  # type: ignore[arg-type]
        Roll((1, 2), (Mark("R", 1.0), *COLOURED[1:])),  # type: ignore[arg-type]
        Roll((1, 2), (Mark(None, 1), *COLOURED[1:])),  # type: ignore[arg-type]
        Begins(1.0),  # type: ignore[arg-type]
        Begins("1"),  # type: ignore[arg-type]
        StartDie(True),
        Lucky((5, 8, 9)),  # type: ignore[arg-type]
        Lucky([5, 8]),  # type: ignore[arg-type]
        Shuffle(5),  # type: ignore[arg-type]
        Shuffle(list(COLOURED)),  # type: ignore[arg-type]
        Shuffle((("R", 2),)),  # type: ignore[arg-type]
    ],
)
def test_outcomes_made_of_other_things_are_malformed(outcome: Outcome) -> None:
    for table in (dice_table("classic", "", ""), new_game(variant("longo"), 2), new_game(variant("card"), 2)):
        with pytest.raises(MalformedError, match="is not a chance outcome"):
            apply_chance(table, outcome)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("Cross", lambda: Cross(("R", 7))),  # type: ignore[arg-type]
        ("Cross", lambda: Cross("R7")),  # type: ignore[arg-type]
        ("Cross", lambda: Cross(Mark("R", 7.0))),  # type: ignore[arg-type]
        ("Cross", lambda: Cross(Mark("R", 7), 1)),  # type: ignore[arg-type]
        ("Take", lambda: Take((1.0,))),  # type: ignore[arg-type]
        ("Take", lambda: Take([1])),  # type: ignore[arg-type]
        ("Take", lambda: Take((-1,))),
        ("Take", lambda: Take((26,))),
        ("Play", lambda: Play((Mark("G", 4),), (4.0,))),  # type: ignore[arg-type]
        ("Play", lambda: Play([Mark("G", 4)])),  # type: ignore[arg-type]
        ("Play", lambda: Play((Mark("G", 4),), (), None)),  # type: ignore[arg-type]
    ],
)
def test_actions_made_of_other_things_do_not_exist(name: str, make: Callable[[], Action]) -> None:
    with pytest.raises(MalformedError, match=f"^{name} is made of marks and whole numbers only$"):
        make()


def test_seats_and_choices_made_of_other_things() -> None:
    table = choose(roll(dice_table("classic", "", ""), "3 4 R1 Y1 G1 B1"), "pass", "pass")
    for seat in (1.0, True, "1", None):
        with pytest.raises(MalformedError, match="is not a seat"):
            legal_actions(table, seat)  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="does not map seats to actions"):
        apply_choices(table, None)  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="is not a mark"):
        why_not(table, 0, "R7")  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="is not an action"):
        refusal(table, 0, "pass")  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match=r"seats, not 2\.0"):
        new_game(variant("classic"), 2.0)  # type: ignore[arg-type]


def test_the_order_of_places_does_not_matter() -> None:
    assert Take((2, 0)) == Take((0, 2))


@pytest.mark.rule("C8")
def test_while_a_new_pile_is_made_that_is_the_reason() -> None:
    hands = ["R2 R3", "B2 B3 B4 B5"]
    table = card_table("card", "", "", hands=hands, tableau="Y6 Y7 Y8 Y9", pile="R10", discards="G2 G3 G4")
    waiting = choose(table, "take a b c")
    reason = "C8: first the cards that lie aside are shuffled into a new pile"
    assert why(waiting, 0, "R5") == reason
    assert refused(waiting, 0, "pass") == reason
    with pytest.raises(IllegalError, match=reason):
        apply_choices(waiting, {0: parse_action("pass")})


def test_nothing_is_rolled_while_seats_choose() -> None:
    table = roll(dice_table("classic", ""), "3 4 R1 Y1 G1 B1")
    with pytest.raises(MalformedError, match=r"^nothing is rolled or dealt in phase “white”$"):
        chance(table)


def test_a_wrong_roll_says_what_a_roll_is() -> None:
    text = "^T1: a roll here is two white dice and one die for each of R, B, each showing 1 to 3$"
    with pytest.raises(IllegalError, match=text):
        roll(dice_table("mini", ""), "4 1 R1 B1")
    both_gone = dice_table("mini", "R2 R3 R6 B6 B5 B2")
    with pytest.raises(IllegalError, match="one die for each of no colour, each"):
        apply_chance(both_gone, Roll((1, 1), marks("R1")))


def test_unknown_games_and_wrong_sizes() -> None:
    with pytest.raises(MalformedError, match=r"^there is no game “chess”; there are classic, deluxe, mixx-a"):
        variant("chess")
    with pytest.raises(MalformedError, match=r"^Qwixx – The Card Game has 2, 3, 4, 5 seats, not 1$"):
        new_game(variant("card"), 1)


def test_why_not_in_action_2() -> None:
    table = choose(roll(dice_table("classic", "R7", ""), "2 5 R1 Y6 G3 B4"), "pass", "pass")
    assert why(table, 0, "R6") == "S5: red 6 lies left of your red 7"
    assert why(table, 0, "Y8") == ""
    assert why(table, 0, "Y7") == "T4: no white die and the yellow die add up to yellow 7"
    assert why(table, 1, "Y8") == "T4: only the active player, seat 1, adds a coloured die"


def test_numbers_that_the_sheet_does_not_have() -> None:
    table = State(GAPPY, Phase.ROLL, (sheet(GAPPY),))
    assert legal(roll(table, "2 2 R1 B1"), 0) == {"pass"}
    assert legal(roll(table, "1 2 R1 B1"), 0) == {"R3", "pass"}
    after = choose(roll(table, "1 3 R3 B1"), "pass")
    assert legal(after, 0) == {"R6", "pass"}, "red 4 and the low blue numbers are not on the sheet"


def test_a_joker_needs_a_cell_of_its_colour() -> None:
    table = hand_of(JOKERS, "J2 J12 R3 R4 B10")
    assert {"play J2=R x 2", "play J2=B", "play J12=B x 12", "play J12=R"} <= legal(table, 0)
    assert refused(table, 0, "play J2=B x 2") == "S1: this sheet has no cell B2"
    assert "play J2=B x 2" not in legal(table, 0)


def test_the_lock_closes_the_row_before_the_next_cross_of_a_play() -> None:
    table = hand_of(SMALL_DECK, "R8 R9 B7 B8 B9", "R2 R3 R4")
    assert refused(table, 0, "play R8 R9 x 8 9") == "C9: you closed the row of red 9"
    assert refused(table, 0, "play R8 R9 x 9") == ""
    assert {"R8", "L1"} <= crossed(choose(table, "play R8 R9 x 8"), 0)


def test_a_row_that_others_closed_is_closed_to_cards_too_where_locks_are_shared() -> None:
    shared = parse_board(
        'key = "shared"\nname = "Shared"\nseats = [2, 2]\nrows = ["R2 R3 R4 R5 R6 R7 R8", "B12 B11 B10 B9 B8 B7 B6"]\n'
        '[colours]\nR = "red"\nB = "blue"\n[cards]\njokers = true\n[lock]\nneeded = 2\nshared = true\n'
    )
    table = hand_of(shared, "R3 R4 B7 B8 B9")._replace(sheets=(sheet(shared), sheet(shared, "R2 R3 R8")))
    assert refused(table, 0, "play R3 x 3") == "L1: the row of red 3 is closed for everybody"


def test_the_smallest_deck_that_is_allowed_always_leaves_a_card_to_call() -> None:
    assert len(SMALL_DECK.cards) == 5 + 4 + 4 + 1
    for seed in range(40):
        game = Game(SMALL_DECK, ["Ann", "Bo"], "2026-11-15")
        players = [Shuffler(stream(seed, f"{seat}")) for seat in range(2)]
        run(game, players, RandomSource(stream(seed, "chance")))
        called = [state.cards for state in game.states if state.phase is Phase.CALL]
        assert all(cards and cards.pile for cards in called)


def test_the_gap_is_counted_row_by_row() -> None:
    board = parse_board(
        'key = "split"\nname = "Split"\nseats = [2, 2]\nrows = ["R2 R3 R4 R5 R6 R7 B8", "R9 R10 R11 R12 B3 B4 B5"]\n'
        '[colours]\nR = "red"\nB = "blue"\n[cards]\njokers = true\n[lock]\nneeded = 2\n'
    )
    table = hand_of(board, "R2 R10 R12 B4 B5")
    assert refused(table, 0, "play R2 R10 R12 x 2 10 12") == "", "one cell is open in the second row"
    table = hand_of(board, "R2 R9 R12 B4 B5")
    assert refused(table, 0, "play R2 R9 R12 x 2 9 12").startswith("C6")


def test_a_play_of_no_cards_is_refused() -> None:
    assert refused(hand_of(JOKERS, "R2 R3"), 0, Play(())).startswith("C5")


def test_numbers_in_words() -> None:
    assert [words(count) for count in (0, 1, 12, 13, 20)] == ["no", "one", "twelve", "13", "20"]


def test_variants_are_equal_by_their_data_and_found_by_their_key() -> None:
    assert len({variant("classic"), variant("classic"), variant("deluxe")}) == 2
    assert hash(variant("classic")) == hash(variant("classic"))
    assert variant("classic") != variant("deluxe")

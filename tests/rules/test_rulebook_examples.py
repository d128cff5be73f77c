"""Every example that the five rulebooks print. The names at the table are theirs."""

import pytest

from qwixx.rules import Phase, State, scores
from qwixx.rules.sheet import score
from tests.scene import card_table, choose, crossed, dice_table, legal, refused, roll, sheet, why


def called(key: str, crosses: str, number: int) -> State:
    """A player with those crosses, when a number is called by dice or cards."""
    if key.startswith("card"):
        hands = ["R2 R3 R4 R5 R6", "B2 B3 B4 B5"]
        return card_table(key, crosses, "", hands=hands, pile=f"Y{number} Y3", phase=Phase.CALL)
    first = max(1, number - 6)
    return roll(dice_table(key, crosses), f"{first} {number - first} R1 Y1 G1 B1")


@pytest.mark.rule("S5")
@pytest.mark.parametrize("key", ["classic", "deluxe", "card", "card-joker"])
def test_skipped_numbers_are_lost(key: str) -> None:
    states = [called(key, "R5 R7 Y10 G6 B10", number) for number in range(2, 13)]
    open_cells = set().union(*(legal(state, 0) for state in states)) - {"pass"}
    assert open_cells == {
        *("R8", "R9", "R10", "R11"),  # 2, 3, 4 and 6 are gone; 12 still needs crosses
        *("Y11",),  # only 11 and 12 are right of the 10, and 12 needs crosses
        *("G5", "G4", "G3"),  # right of the 6
        *("B9", "B8", "B7", "B6", "B5", "B4", "B3"),  # right of the 10
    }
    assert why(called(key, "R5 R7", 6), 0, "R6") == "S5: red 6 lies left of your red 7"


@pytest.mark.rule("T3")
@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_everybody_may_cross_the_white_five(key: str) -> None:
    max_, emma, laura, linus = 0, 1, 2, 3
    table = roll(dice_table(key, "", "", "", ""), "4 1 R2 Y3 G1 B6")
    after = choose(table, "R5", "Y5", "pass", "pass")
    assert [crossed(after, seat) for seat in (max_, emma, laura, linus)] == [{"R5"}, {"Y5"}, set(), set()]


@pytest.mark.rule("T4")
@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_the_active_player_adds_white_four_and_blue_six(key: str) -> None:
    table = choose(roll(dice_table(key, "", ""), "4 1 R2 Y3 G1 B6"), "R5", "pass")
    assert crossed(choose(table, "B10"), 0) == {"R5", "B10"}


@pytest.mark.rule("L1", "S6")
@pytest.mark.parametrize("key", ["classic", "deluxe"])
def test_green_two_takes_the_lock_and_the_green_die(key: str) -> None:
    table = roll(dice_table(key, "G12 G11 G10 G9 G8", ""), "1 1 R2 Y3 G4 B5")
    after = choose(table, "G2", "pass")
    assert {"G2", "L3"} <= crossed(after, 0)
    next_roll = roll(choose(after, "pass"), "3 4 R2 Y3 B5")
    assert next_roll.roll is not None
    assert {die.colour for die in next_roll.roll.coloured} == {"R", "Y", "B"}


@pytest.mark.rule("L2")
def test_others_may_close_the_same_row_at_the_same_time_with_five_crosses() -> None:
    five, four = "G12 G11 G10 G9 G8", "G12 G11 G10 G9"
    table = roll(dice_table("classic", five, five, four), "1 1 R2 Y3 G4 B5")
    assert refused(table, 2, "G2").startswith("S6"), "fewer than five crosses give no right to the last cell"
    after = choose(table, "G2", "G2", "pass")
    assert all({"G2", "L3"} <= crossed(after, seat) for seat in (0, 1))


@pytest.mark.rule("L3")
def test_a_third_row_may_close_with_the_second() -> None:
    emma, max_, linus = "G12 G11 G10 G9 G8 G2", "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5 Y6"
    table = roll(dice_table("classic", emma, max_, linus), "6 6 R1 Y1 B1")
    after = choose(table, "pass", "R12", "Y12")
    assert after.phase is Phase.OVER
    assert "L1" in crossed(after, 1)
    assert "L2" in crossed(after, 2)


def first_cells(key: str, letter: str, count: int) -> str:
    cells = [str(mark) for mark in dice_table(key, "").variant.cells if mark.colour == letter]
    return " ".join(cells[:count])


@pytest.mark.rule("S7", "S8")
@pytest.mark.parametrize(
    ("key", "red", "yellow", "green", "blue", "total"),
    [
        ("classic", 4, 3, 7, 8, 70),  # NSV
        ("classic", 4, 3, 8, 7, 70),  # Gamewright
        ("deluxe", 4, 3, 8, 7, 70),
        ("longo", 4, 3, 9, 8, 87),
    ],
)
def test_scoring_examples(key: str, red: int, yellow: int, green: int, blue: int, total: int) -> None:
    counts = {"R": red, "Y": yellow, "G": green, "B": blue}
    marks = " ".join(first_cells(key, letter, count) for letter, count in counts.items())
    variant = dice_table(key, "").variant
    points = score(variant, sheet(variant, marks, misthrows=2))
    assert points.rows == tuple(n * (n + 1) // 2 for n in counts.values())
    assert points.misthrows == -10
    assert points.total == total


@pytest.mark.rule("S5", "S4")
def test_longo_skipped_numbers_are_lost() -> None:
    table = dice_table("longo", "R5 R7 Y13 G11 B14", lucky=[(5, 8)])
    rolled = {
        total: roll(table, f"{max(1, total - 8)} {total - max(1, total - 8)} R1 Y1 G1 B1") for total in range(2, 17)
    }
    plain = {text for state in rolled.values() for text in legal(state, 0) if text[0] != "*"}
    assert not plain & {"R2", "R3", "R4", "R6"}
    assert {text for text in plain if text[0] == "Y"} == {"Y14"}, "15 and 16 are right of it but close the row"
    assert {text for text in plain if text[0] == "G"} == {f"G{n}" for n in range(10, 3, -1)}
    assert {text for text in plain if text[0] == "B"} == {f"B{n}" for n in range(13, 3, -1)}


@pytest.mark.rule("T7")
def test_laura_crosses_green_sixteen_with_her_lucky_six() -> None:
    max_, emma, laura, linus = "", "", "R3 R5 Y4 Y9 B14 B12", ""
    pairs = [(5, 8), (4, 9), (6, 11), (5, 10)]
    table = roll(dice_table("longo", max_, emma, laura, linus, lucky=pairs), "5 1 R2 Y3 G4 B5")
    after = choose(table, "R6", "Y6", "*G16", "pass")
    assert crossed(after, 0) == {"R6"}
    assert crossed(after, 1) == {"Y6"}
    assert "G16" in crossed(after, 2)
    assert crossed(after, 3) == set()


@pytest.mark.rule("S6")
def test_emma_closes_green_with_the_three() -> None:
    table = roll(dice_table("longo", "G16 G15 G14 G13 G12 G11", "", lucky=[(5, 8), (6, 11)]), "1 2 R2 Y3 G4 B5")
    after = choose(table, "G3", "pass")
    assert {"G3", "L3"} <= crossed(after, 0)
    assert refused(choose(after, "pass"), 0, "G2").startswith("T3"), "the dice are to be rolled first"
    next_roll = roll(choose(after, "pass"), "1 1 R2 Y3 B5")
    assert refused(next_roll, 1, "G2").startswith("L1")


@pytest.mark.rule("S6")
def test_longo_others_close_along_only_with_six_crosses() -> None:
    six, five = "G16 G15 G14 G13 G12 G11", "G16 G15 G14 G13 G12"
    table = roll(dice_table("longo", six, six, five, lucky=[(5, 8), (6, 11), (4, 9)]), "1 2 R2 Y3 G4 B5")
    assert refused(table, 2, "G3").startswith("S6")
    after = choose(table, "G3", "G3", "pass")
    assert all({"G3", "L3"} <= crossed(after, seat) for seat in (0, 1))


@pytest.mark.rule("T7")
def test_a_lucky_number_may_close_a_row() -> None:
    full = " ".join(first_cells("longo", letter, 13) for letter in "RYGB")
    rolled = roll(dice_table("longo", full, "", lucky=[(5, 8), (6, 11)]), "2 3 R1 Y1 G1 B1")
    assert legal(rolled, 0) == {"*R15", "*Y15", "*G3", "*B3", "pass"}
    assert {"R15", "L1"} <= crossed(choose(rolled, "*R15", "pass"), 0)


@pytest.mark.rule("L3")
def test_longo_sixteen_closes_red_and_yellow_at_once() -> None:
    green = "G16 G15 G14 G13 G12 G11 G3"
    table = dice_table("longo", green, "R2 R3 R4 R5 R6 R7", "Y2 Y3 Y4 Y5 Y6 Y7", lucky=[(5, 8), (6, 11), (4, 9)])
    after = choose(roll(table, "8 8 R1 Y1 B1"), "pass", "R16", "Y16")
    assert after.phase is Phase.OVER
    assert "L1" in crossed(after, 1)
    assert "L2" in crossed(after, 2)


@pytest.mark.rule("C9")
def test_lucy_closes_green_for_herself_only() -> None:
    five = "G12 G11 G10 G9 G8"
    table = card_table("card", five, five, hands=["R2 R3 R4 R5 R6", "B2 B3 B4 B5"], pile="Y2 Y3", phase=Phase.CALL)
    after = choose(table, "G2", "pass")
    assert {"G2", "L3"} <= crossed(after, 0)
    again = after._replace(phase=Phase.CALL)
    assert refused(again, 0, "G2").startswith("S5")
    assert "G2" in legal(again, 1), "the others can still cross in this row"


@pytest.mark.rule("C3")
def test_anne_takes_the_eleven_and_an_eight_fills_its_place() -> None:
    table = card_table("card", "", "", hands=["R2 R3 R4 R5", "B2 B3 B4 B5"], tableau="G6 Y11 R9 B12", pile="Y8 G4 R7")
    after = choose(table, "take b")
    assert after.cards is not None
    assert [str(card) for card in after.cards.hands[0]] == ["R2", "R3", "R4", "R5", "Y11"]
    assert [str(card) for card in after.cards.tableau if card] == ["G6", "Y8", "R9", "B12"]


@pytest.mark.rule("C4")
def test_a_four_for_everyone() -> None:
    hands = ["R2 R3 R4 R5 R6", "B2 B3 B4 B5", "Y2 Y3 Y4 Y5", "G2 G3 G5 G6"]
    table = card_table("card", "", "", "", "", hands=hands, pile="G4 R7", phase=Phase.CALL)
    after = choose(table, "Y4", "R4", "Y4", "pass")
    assert [crossed(after, seat) for seat in range(4)] == [{"Y4"}, {"R4"}, {"Y4"}, set()]
    assert after.cards is not None
    assert str(after.cards.pile[0]) == "G4", "the card stays on the pile"


@pytest.mark.rule("C5")
@pytest.mark.parametrize("cards", ["R2 R6 R11", "Y3 Y9", "G4 G9 G10", "B7 B8"])
def test_one_to_three_cards_of_one_colour(cards: str) -> None:
    spare = "R3 Y4 G5 B6"
    hand = " ".join([*cards.split(), *spare.split()][:5])
    table = card_table("card", "", "", hands=[hand, "B2 B3 B4 B5"], phase=Phase.PLAY)
    assert f"play {cards}" in legal(table, 0)


@pytest.mark.rule("C6")
def test_at_most_one_number_may_be_skipped() -> None:
    table = card_table("card", "", "", hands=["R4 R5 R7 Y2 Y4", "B2 B3 B4 B5"], phase=Phase.PLAY)
    assert refused(table, 0, "play R4 R5 R7 x 4 5 7") == ""
    table = card_table("card", "", "", hands=["Y2 Y4 Y6 R2 R3", "B2 B3 B4 B5"], phase=Phase.PLAY)
    assert refused(table, 0, "play Y2 Y4 Y6 x 2 4 6").startswith("C6")
    assert refused(table, 0, "play Y2 Y4 Y6 x 2 4") == ""
    assert refused(table, 0, "play Y2 Y4 Y6 x 4 6") == ""


@pytest.mark.rule("C5")
def test_anne_plays_three_and_crosses_two() -> None:
    table = card_table("card", "", "", hands=["G3 G9 G11 Y2 R3", "B2 B3 B4 B5"], phase=Phase.PLAY)
    after = choose(table, "play G3 G9 G11 x 9 11")
    assert crossed(after, 0) == {"G11", "G9"}
    assert after.cards is not None
    assert [str(card) for card in after.cards.discards] == ["G3", "G9", "G11"], "all three are discarded"


@pytest.mark.rule("C5")
def test_a_joker_has_the_colour_its_player_names() -> None:
    table = card_table("card-joker", "", "", hands=["J5 R4 R6 Y2 G3", "B2 B3 B4 B5"], phase=Phase.PLAY)
    assert {f"play J5={letter} x 5" for letter in "RYGB"} <= legal(table, 0)
    after = choose(table, "play R4 J5=R R6 x 4 5 6")
    assert crossed(after, 0) == {"R4", "R5", "R6"}
    assert scores(after)[0].total == 6

"""T and L · a turn with dice, locks and the end; and the rulings on them."""

from dataclasses import replace

import pytest

from qwixx.rules import (
    BUILT_IN,
    Begins,
    IllegalError,
    Lucky,
    MalformedError,
    Mark,
    Node,
    Phase,
    Roll,
    Start,
    StartDie,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    chance_outcomes,
    ending,
    legal_actions,
    new_game,
    node,
    parse_action,
    parse_outcome,
    scores,
    variant,
    winners,
)
from tests.scene import choose, crossed, dice_table, legal, marks, refused, roll, why

RED_FIVE = "R2 R3 R4 R5 R6"
YELLOW_FIVE = "Y2 Y3 Y4 Y5 Y6"
GREEN_LOCKED = "G12 G11 G10 G9 G8 G2"


@pytest.mark.rule("T1")
@pytest.mark.parametrize(("key", "sides"), [("classic", 6), ("deluxe", 6), ("mixx-a", 6), ("longo", 8), ("mini", 3)])
def test_two_white_dice_and_one_in_each_colour(key: str, sides: int) -> None:
    table = dice_table(key, "", "")
    colours = [colour.letter for colour in table.variant.colours]
    assert chance(table).size == sides ** (2 + len(colours))
    highest = " ".join(f"{letter}{sides}" for letter in colours)
    assert roll(table, f"{sides} {sides} {highest}").phase is Phase.WHITE
    too_high = " ".join(f"{letter}{sides + 1}" for letter in colours)
    with pytest.raises(IllegalError, match="T1"):
        roll(table, f"{sides} {sides} {too_high}")
    with pytest.raises(IllegalError, match="T1"):
        roll(table, f"{sides + 1} {sides} {highest}")


@pytest.mark.rule("T1", "L1")
def test_a_removed_die_is_not_rolled() -> None:
    table = dice_table("classic", GREEN_LOCKED, "")
    assert chance(table).size == 6**5
    assert roll(table, "1 2 R3 Y4 B5").phase is Phase.WHITE
    with pytest.raises(IllegalError, match="T1"):
        roll(table, "1 2 R3 Y4 G1 B5")


@pytest.mark.rule("T1")
@pytest.mark.parametrize("dice", ["1 2", "1 2 R1", "1 2 R1 Y1 G1", "1 2 Y1 R1 G1 B1", "1 2 R1 R1 Y1 G1 B1"])
def test_a_roll_with_the_wrong_dice(dice: str) -> None:
    with pytest.raises(IllegalError, match="T1: a roll here is two white dice and one die for each of R, Y, G, B"):
        roll(dice_table("classic", ""), dice)


@pytest.mark.rule("T1")
def test_a_zero_is_no_throw() -> None:
    with pytest.raises(IllegalError, match="T1"):
        apply_chance(dice_table("mini", ""), Roll((0, 1), marks("R1 B1")))
    with pytest.raises(IllegalError, match="T1"):
        apply_chance(dice_table("mini", ""), Roll((1, 1), (Mark("R", 0), Mark("B", 1))))


@pytest.mark.rule("T2")
@pytest.mark.parametrize("key", ["classic", "longo", "card"])
def test_who_begins_is_drawn(key: str) -> None:
    table = new_game(variant(key), 4)._replace(phase=Phase.START)
    outcomes = list(chance_outcomes(table))
    assert [str(outcome) for outcome, _ in outcomes] == ["begins 1", "begins 2", "begins 3", "begins 4"]
    assert sum(probability for _, probability in outcomes) == 1
    assert [apply_chance(table, outcome).active for outcome, _ in outcomes] == [0, 1, 2, 3]
    with pytest.raises(IllegalError, match="T2: who begins is drawn among seats 1 to 4"):
        apply_chance(table, Begins(4))
    with pytest.raises(IllegalError, match="T2"):
        apply_chance(table, Begins(-1))


@pytest.mark.rule("T2")
@pytest.mark.parametrize("key", ["deluxe", "mixx-a", "mixx-b"])
def test_the_first_six_begins(key: str) -> None:
    table = new_game(variant(key), 3)
    assert node(table) is Node.CHANCE
    for pips, roller in [(1, 0), (5, 1), (2, 2), (3, 0)]:
        assert (table.phase, table.active) == (Phase.START, roller)
        table = apply_chance(table, StartDie(pips))
    begun = apply_chance(table, StartDie(6))
    assert (begun.phase, begun.active) == (Phase.ROLL, 1)
    for wrong in (0, 7):
        with pytest.raises(IllegalError, match="T2: the die for the first six shows 1 to 6"):
            apply_chance(table, StartDie(wrong))
    with pytest.raises(IllegalError, match="T2"):
        apply_chance(table, Begins(0))


@pytest.mark.rule("T2")
def test_classic_may_begin_with_the_first_six_too() -> None:
    gamewright = replace(variant("classic"), start=Start.FIRST_SIX)
    table = apply_chance(new_game(gamewright, 2), StartDie(4))
    assert apply_chance(table, StartDie(6)).active == 1


@pytest.mark.rule("T2")
def test_turns_go_round() -> None:
    table, active = dice_table("classic", "", "", "", active=1), []
    for _ in range(4):
        active.append(table.active)
        rolled = roll(table, "1 1 R1 Y1 G1 B1")
        table = choose(choose(rolled, "pass", "pass", "pass"), "pass")
        assert (table.roll, table.crossed) == (None, False), "nothing of a turn is left on the table"
    assert active == [1, 2, 0, 1]


@pytest.mark.rule("T3")
def test_the_white_sum_is_for_everybody_in_one_row() -> None:
    table = roll(dice_table("classic", "", "", "", active=1), "2 5 R1 Y1 G1 B1")
    assert node(table) is Node.SIMULTANEOUS
    assert acting_seats(table) == (0, 1, 2)
    for seat in range(3):
        assert legal(table, seat) == {"R7", "Y7", "G7", "B7", "pass"}
        assert refused(table, seat, "R8") == "T3: the white dice add up to 7, so red 8 is not available"
    assert refused(table, 0, "take a").startswith("T3: now you cross")
    assert refused(table, 0, "play R7 x 7").startswith("T3: now you cross")


@pytest.mark.rule("T4")
def test_a_coloured_sum_is_for_the_active_player_alone() -> None:
    table = choose(roll(dice_table("classic", "", "", active=1), "2 5 R1 Y6 G3 B4"), "pass", "pass")
    assert node(table) is Node.SINGLE
    assert acting_seats(table) == (1,)
    assert legal(table, 1) == {"R3", "R6", "Y8", "Y11", "G5", "G8", "B6", "B9", "pass"}
    assert legal(table, 0) == set()
    assert refused(table, 0, "R3") == "T4: only the active player, seat 2, adds a coloured die"
    assert refused(table, 0, "pass") == "T4: only the active player, seat 2, adds a coloured die"
    assert why(table, 0, "R3") == "T4: only the active player, seat 2, adds a coloured die"
    assert refused(table, 1, "R7") == "T4: no white die and the red die add up to red 7"
    assert refused(table, 1, "R13") == "S1: this sheet has no cell R13"
    assert refused(table, 1, "*R3") == "T4: now you cross a white and a coloured die's sum or pass"
    assert refused(table, 1, "take a") == "T4: now you cross a white and a coloured die's sum or pass"
    assert crossed(choose(table, "G8"), 1) == {"G8"}


@pytest.mark.rule("T4")
def test_equal_white_dice_offer_a_sum_once() -> None:
    table = choose(roll(dice_table("classic", ""), "2 2 R1 Y6 G3 B4"), "pass")
    assert sorted(map(str, legal_actions(table, 0))) == ["B6", "G5", "R3", "Y8", "pass"]


@pytest.mark.rule("T4")
def test_on_mixx_the_coloured_sum_needs_a_cell_of_that_colour() -> None:
    table = choose(roll(dice_table("mixx-a", ""), "1 4 R1 Y1 G4 B1"), "pass")
    assert legal(table, 0) == {"R2", "R5", "Y2", "Y5", "G5", "G8", "B2", "B5", "pass"} - {"B2"}, "blue 2 closes a row"


@pytest.mark.rule("T5")
@pytest.mark.parametrize(
    ("white", "coloured", "misthrows"), [("pass", "pass", 1), ("R7", "pass", 0), ("pass", "R3", 0), ("R7", "Y8", 0)]
)
def test_only_the_active_player_who_crossed_nothing_takes_a_misthrow(white: str, coloured: str, misthrows: int) -> None:
    table = roll(dice_table("classic", "", "", active=1), "2 5 R1 Y6 G3 B4")
    after = choose(choose(table, "pass", white), coloured)
    assert [paper.misthrows for paper in after.sheets] == [0, misthrows]


@pytest.mark.rule("T6")
def test_the_fifth_cross_in_action_1_and_the_closing_cell_in_action_2() -> None:
    table = roll(dice_table("classic", "R2 R3 R4 R5", ""), "1 6 R6 Y1 G1 B1")
    after = choose(table, "R7", "pass")
    assert "R12" in legal(after, 0)
    assert {"R12", "L1"} <= crossed(choose(after, "R12"), 0)
    assert refused(choose(table, "pass", "pass"), 0, "R12").startswith("S6")


@pytest.mark.rule("T6")
def test_action_2_lies_right_of_action_1() -> None:
    table = choose(roll(dice_table("classic", ""), "3 5 R1 Y1 G1 B1"), "R8")
    assert refused(table, 0, "R6") == "S5: red 6 lies left of your red 8"


LUCKY = [(6, 11), (5, 8)]


@pytest.mark.rule("T7")
@pytest.mark.parametrize(
    ("crosses", "lucky_cells"),
    [
        ("", {"*R2", "*Y2", "*G16", "*B16"}),  # all equal: the player picks
        ("R4", {"*Y2", "*G16", "*B16"}),
        ("R4 Y3 G12", {"*B16"}),
        ("R4 Y3 G12 B9", {"*R5", "*Y4", "*G11", "*B8"}),  # directly right of the rightmost cross
        ("R4 Y3 G12 B7", {"*R5", "*Y4", "*G11"}),  # blue 6 is the rolled number itself
        ("R14 Y3 Y4 G12 G11 B16 B14", set()),  # the next red cell would close the row without six crosses
    ],
)
def test_a_lucky_number_takes_the_next_cell_of_the_emptiest_row(crosses: str, lucky_cells: set[str]) -> None:
    table = roll(dice_table("longo", crosses, "", lucky=LUCKY), "2 4 R1 Y1 G1 B1")
    assert {text for text in legal(table, 0) if text.startswith("*")} == lucky_cells
    assert not {text for text in legal(table, 1) if text.startswith("*")}, "six is not lucky for the other player"


@pytest.mark.rule("T7")
@pytest.mark.parametrize(
    ("crosses", "action", "reason"),
    [
        ("", "*R6", "T7: red 6 is the rolled number itself, so it is an ordinary cross"),
        ("R6 Y2 G16 B16", "*R6", "S5: red 6 is crossed already"),
        ("", "*R3", "T7: a lucky cross takes the next cell of its row, and that is not red 3"),
        ("R4", "*R5", "T7: a lucky cross goes to the open row with your fewest crosses, and red 5 is in another"),
        ("R4 Y2 G16 B16", "*R3", "S5: red 3 lies left of your red 4"),
        ("R14 Y3 G12 B16", "*R15", "S6: red 15 closes its row and needs 6 crosses there first; you have 1"),
        ("", "*R99", "S1: this sheet has no cell R99"),
    ],
)
def test_what_a_lucky_number_does_not_allow(crosses: str, action: str, reason: str) -> None:
    table = roll(dice_table("longo", crosses, "", lucky=LUCKY), "2 4 R1 Y1 G1 B1")
    assert refused(table, 0, action) == reason


@pytest.mark.rule("T7")
def test_luck_only_with_the_white_sum_of_action_1() -> None:
    table = roll(dice_table("longo", "", "", lucky=LUCKY), "2 5 R4 Y1 G1 B1")
    assert refused(table, 0, "*G16") == "T7: 7 is not one of your lucky numbers"
    after = choose(table, "pass", "pass")
    assert refused(after, 0, "*G16") == "T4: now you cross a white and a coloured die's sum or pass"


@pytest.mark.rule("T7")
@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("R6", ""),
        ("G16", ""),
        ("R5", "T7: a lucky cross takes the next cell of its row, and that is not red 5"),
        ("B15", "T7: a lucky cross goes to the open row with your fewest crosses, and blue 15 is in another"),
        ("B16", "S5: blue 16 is crossed already"),
    ],
)
def test_why_not_knows_about_luck(cell: str, reason: str) -> None:
    table = roll(dice_table("longo", "B16", "", lucky=LUCKY), "2 4 R1 Y1 G1 B1")
    assert why(table, 0, cell) == reason
    if cell == "G16":
        assert why(table, 1, cell) == "T3: the white dice add up to 6, so green 16 is not available"


@pytest.mark.rule("L1")
def test_a_closed_row_is_closed_for_everybody() -> None:
    table = roll(dice_table("classic", GREEN_LOCKED, "G12", ""), "2 2 R1 Y1 B1")
    for seat in (1, 2):
        assert refused(table, seat, "G4") == "L1: the row of green 4 is closed for everybody"
        assert why(table, seat, "G4") == "L1: the row of green 4 is closed for everybody"
        assert legal(table, seat) == {"R4", "Y4", "B4", "pass"}


@pytest.mark.rule("L1")
def test_a_closed_mixx_row_closes_all_its_colours_and_takes_the_die_of_its_lock() -> None:
    locked = "Y2 Y3 Y4 B5 B6 R12"
    table = roll(dice_table("mixx-a", locked, ""), "4 4 Y1 G4 B1")
    assert refused(table, 1, "G8") == "L1: the row of green 8 is closed for everybody"
    after = choose(table, "pass", "pass")
    reason = "L1: the red die is out of the game, so only a white sum could cross red 5"
    assert refused(after, 0, "R5") == reason


@pytest.mark.rule("L2")
def test_two_players_close_one_row_together_and_both_score_the_lock() -> None:
    table = roll(dice_table("classic", RED_FIVE, RED_FIVE + " R7", ""), "6 6 R1 Y1 G1 B1")
    after = choose(table, "R12", "R12", "pass")
    assert [("L1" in crossed(after, seat)) for seat in range(3)] == [True, True, False]
    assert [each.rows[0] for each in scores(after)] == [28, 36, 0]
    assert after.phase is Phase.COLOUR, "one closed row does not end the game"


@pytest.mark.rule("L2")
def test_two_players_close_different_rows_together() -> None:
    after = choose(roll(dice_table("classic", RED_FIVE, YELLOW_FIVE), "6 6 R1 Y1 G1 B1"), "R12", "Y12")
    assert "L1" in crossed(after, 0)
    assert "L2" in crossed(after, 1)
    assert after.phase is Phase.OVER


@pytest.mark.rule("L3")
def test_the_second_lock_ends_the_game_in_action_1() -> None:
    after = choose(roll(dice_table("classic", GREEN_LOCKED, RED_FIVE), "6 6 R1 Y1 B1"), "pass", "R12")
    assert after.phase is Phase.OVER
    assert ending(after) == "rows"
    assert acting_seats(after) == ()


@pytest.mark.rule("L3")
def test_the_second_lock_ends_the_game_in_action_2() -> None:
    table = choose(roll(dice_table("classic", GREEN_LOCKED + " " + RED_FIVE, ""), "6 1 R6 Y1 B1"), "pass", "pass")
    after = choose(table, "R12")
    assert after.phase is Phase.OVER
    assert ending(after) == "rows"


@pytest.mark.rule("L3")
@pytest.mark.parametrize(("before", "phase"), [(2, Phase.ROLL), (3, Phase.OVER)])
def test_the_fourth_misthrow_ends_the_game(before: int, phase: Phase) -> None:
    table = roll(dice_table("classic", "", "", misthrows=[before]), "1 2 R1 Y1 G1 B1")
    after = choose(choose(table, "pass", "pass"), "pass")
    assert after.phase is phase
    assert ending(after) == ("misthrows" if phase is Phase.OVER else None)


@pytest.mark.rule("L3")
def test_mini_ends_with_three_misthrows_or_both_rows() -> None:
    table = roll(dice_table("mini", "", "", misthrows=[2]), "1 2 R1 B1")
    assert choose(choose(table, "pass", "pass"), "pass").phase is Phase.OVER
    table = roll(dice_table("mini", "R2 R3 R6", "B6 B5"), "1 1 B1")
    assert choose(table, "pass", "B2").phase is Phase.OVER
    assert scores(choose(table, "pass", "B2"))[1].total == 10


@pytest.mark.rule("L3")
def test_nothing_happens_after_the_end() -> None:
    over = dice_table("classic", "", "")._replace(phase=Phase.OVER)
    assert node(over) is Node.OVER
    with pytest.raises(IllegalError, match="L3: the game is over"):
        apply_choices(over, {0: parse_action("pass")})
    with pytest.raises(IllegalError, match="L3: the game is over"):
        roll(over, "1 2 R1 Y1 G1 B1")
    with pytest.raises(MalformedError, match="nothing is rolled"):
        chance(over)
    assert refused(over, 0, "R2") == "L3: the game is over"
    assert why(over, 0, "R2") == "L3: the game is over"
    assert legal(over, 0) == set()


@pytest.mark.rule("L4")
def test_a_removed_colour_stays_crossable_by_white_sums_on_mixx_a() -> None:
    locked = "Y2 Y3 Y4 B5 B6 R12"
    table = roll(dice_table("mixx-a", locked, ""), "1 1 Y1 G1 B1")
    assert "R2" in legal(table, 1)
    assert crossed(choose(table, "pass", "R2"), 1) == {"R2"}


@pytest.mark.rule("X1")
def test_no_choice_limits_another_in_the_same_action() -> None:
    table = roll(dice_table("classic", RED_FIVE, RED_FIVE), "6 6 R1 Y1 G1 B1")
    assert legal(table, 0) == legal(table, 1) == {"R12", "Y12", "G12", "B12", "pass"} - {"Y12"}
    both = apply_choices(table, {1: parse_action("R12"), 0: parse_action("R12")})
    assert both == choose(table, "R12", "R12"), "the order in which choices arrive changes nothing"
    assert crossed(both, 0) == crossed(both, 1)


@pytest.mark.rule("X1")
def test_choices_are_settled_together_or_not_at_all() -> None:
    table = roll(dice_table("classic", "", ""), "3 4 R1 Y1 G1 B1")
    with pytest.raises(IllegalError, match="X1: seat 2 has not chosen yet"):
        apply_choices(table, {0: parse_action("R7")})
    with pytest.raises(IllegalError, match="T3"):
        apply_choices(table, {0: parse_action("R7"), 1: parse_action("R8")})


@pytest.mark.rule("X2")
def test_when_action_1_ends_the_game_nothing_follows() -> None:
    after = choose(roll(dice_table("classic", GREEN_LOCKED, RED_FIVE), "6 6 R1 Y1 B1"), "pass", "R12")
    assert after.phase is Phase.OVER
    assert [paper.misthrows for paper in after.sheets] == [0, 0], "the active player crossed nothing, yet no misthrow"


@pytest.mark.rule("X3")
def test_a_row_closed_in_action_1_is_out_of_reach_in_action_2() -> None:
    other = "R2 R3 R4 R5 R7"
    table = roll(dice_table("classic", other, RED_FIVE), "6 6 R5 Y1 G1 B1")
    after = choose(table, "pass", "R12")
    assert "R11" not in legal(after, 0)
    assert refused(after, 0, "R11") == "X3: the row of red 11 was closed in action 1 of this turn"
    assert legal(choose(table, "pass", "pass"), 0) >= {"R11"}


@pytest.mark.rule("X3")
def test_its_die_is_gone_for_action_2_too() -> None:
    locking = "Y2 Y3 Y4 B5 B6"
    table = roll(dice_table("mixx-a", "", locking), "6 6 R4 Y1 G1 B1")
    after = choose(table, "pass", "R12")
    assert "R10" not in legal(after, 0)
    assert refused(after, 0, "R10") == "X3: the red die left the game in action 1 of this turn"


@pytest.mark.rule("X4")
def test_a_tie_is_shared() -> None:
    over = dice_table("classic", "R2", "Y2", "")._replace(phase=Phase.OVER)
    assert winners(over) == (0, 1)
    assert winners(dice_table("classic", "R2", "Y2")) == (), "nobody has won before the end"


@pytest.mark.rule("X5")
def test_the_fewest_crosses_are_sought_among_open_rows() -> None:
    other = "G16 G15 G14 G13 G12 G11 G3"
    table = roll(dice_table("longo", "R2 Y2 B16", other, lucky=LUCKY), "2 4 R1 Y1 B1")
    assert {text for text in legal(table, 0) if text.startswith("*")} == {"*R3", "*Y3", "*B15"}
    assert refused(table, 0, "*G16") == "L1: the row of green 16 is closed for everybody"


@pytest.mark.rule("X6")
def test_lucky_pairs_are_equally_likely_and_never_dealt_twice() -> None:
    pairs = variant("longo").source.lucky  # type: ignore[union-attr]
    ways = {total: 8 - abs(9 - total) for total in range(2, 17)}
    assert set(pairs) == {(a, b) for a in ways for b in ways if a < b and ways[a] + ways[b] == 11}
    table = new_game(variant("longo"), 5)
    for dealt in range(5):
        assert table.phase is Phase.LUCKY
        outcomes = [outcome for outcome, _ in chance_outcomes(table)]
        assert len(outcomes) == 10 - dealt
        given = outcomes[dealt]
        table = apply_chance(table, given)
        if table.phase is Phase.LUCKY:
            with pytest.raises(IllegalError, match="X6"):
                apply_chance(table, given)
    assert len({paper.lucky for paper in table.sheets}) == 5
    assert table.phase is Phase.START


@pytest.mark.rule("X6")
def test_no_other_lucky_numbers() -> None:
    with pytest.raises(IllegalError, match="X6: a player's lucky numbers are one of the pairs 4·9, 5·8"):
        apply_chance(new_game(variant("longo"), 2), Lucky((2, 3)))


@pytest.mark.rule("X12")
def test_nobody_has_to_cross_or_to_lock() -> None:
    table = roll(dice_table("classic", RED_FIVE, ""), "6 6 R6 Y1 G1 B1")
    assert "pass" in legal(table, 0)
    after = choose(table, "pass", "pass")
    assert {"R12", "pass"} <= legal(after, 0)
    assert "L1" not in crossed(choose(after, "pass"), 0)


@pytest.mark.rule("X12")
def test_a_row_that_others_closed_gives_no_lock() -> None:
    table = roll(dice_table("classic", RED_FIVE, RED_FIVE), "6 6 R1 Y1 G1 B1")
    after = choose(table, "R12", "pass")
    assert "L1" not in crossed(after, 1)
    assert scores(after)[1].rows[0] == 15


@pytest.mark.rule("X13")
@pytest.mark.parametrize("key", [key for key in BUILT_IN if not key.startswith("card")])
def test_alone_one_is_always_active(key: str) -> None:
    table = new_game(variant(key), 1)
    if key == "longo":
        table = apply_chance(table, Lucky((5, 8)))
    for _ in range(3):
        assert (table.phase, table.active) == (Phase.ROLL, 0)
        dice = " ".join(f"{letter}1" for letter in "RYGB")
        table = choose(choose(roll(table, f"1 2 {dice}"), "pass"), "pass")
    assert table.sheets[0].misthrows == 3


@pytest.mark.parametrize(("key", "seats"), [("classic", 6), ("classic", 0), ("card", 1), ("deluxe", 9), ("mini", 6)])
def test_a_table_of_the_wrong_size(key: str, seats: int) -> None:
    with pytest.raises(MalformedError, match=f"seats, not {seats}"):
        new_game(dice_table(key, "").variant, seats)


def test_outcomes_are_checked_against_the_phase() -> None:
    table = dice_table("classic", "", "")
    with pytest.raises(IllegalError, match="T1"):
        apply_chance(table, parse_outcome("begins 1"))
    with pytest.raises(IllegalError, match="T3: the dice have not been rolled yet"):
        apply_choices(table, {0: parse_action("pass"), 1: parse_action("pass")})
    assert refused(table, 0, "R2") == "T3: the dice have not been rolled yet"
    assert why(table, 0, "R2") == "T3: the dice have not been rolled yet"
    assert why(table._replace(phase=Phase.START), 0, "R2") == "T2: first it is settled who begins"
    assert why(table._replace(phase=Phase.LUCKY), 0, "R2") == "T2: first it is settled who begins"

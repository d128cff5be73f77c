"""What a solution says about one sheet and one roll."""

import pytest

from qwixx.boards import find_variant
from qwixx.rules import Cross, MalformedError, Mark, Pass
from qwixx.solver.advise import choices, parse_roll, parse_sheet, value_of
from qwixx.solver.solve import solve

MINI = find_variant("mini")
SOLUTION = solve(MINI)


def test_the_value_of_a_sheet_is_what_its_rolls_are_worth() -> None:
    """The mean over all rolls of the best choice is the value before the roll."""
    for text in ("", "R2 B6", "R3 R4 B6 -", "R2 R3 R6 B5 - -"):
        sheet = parse_sheet(MINI, text)
        dice = "" if "R6" in text else "R"
        rolls = [
            parse_roll(f"{first} {second} {f'R{red} ' if dice else ''}B{blue}")
            for first in (1, 2, 3)
            for second in (1, 2, 3)
            for red in (1, 2, 3)
            for blue in (1, 2, 3)
        ]
        best = [choices(SOLUTION, sheet, roll)[0].value for roll in rolls]
        assert value_of(SOLUTION, sheet) == pytest.approx(sum(best) / len(best), abs=1e-9)


def test_every_other_choice_loses() -> None:
    found = choices(SOLUTION, parse_sheet(MINI, "R2"), parse_roll("1 2 R2 B3"))
    assert found[0].loses == 0
    assert all(each.loses >= 0 and each.value + each.loses == pytest.approx(found[0].value) for each in found)
    assert found == sorted(found, key=lambda each: each.loses)
    assert (Pass(), Pass()) in [each.actions for each in found]
    assert (Cross(Mark("R", 3)), Cross(Mark("R", 4))) in [each.actions for each in found]


def test_a_lock_that_ends_the_game_has_no_second_action() -> None:
    found = choices(SOLUTION, parse_sheet(MINI, "R2 R3 R6 B6 B5"), parse_roll("1 1 B3"))
    assert (Cross(Mark("B", 2)),) in [each.actions for each in found]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("R7", "no cell R7"),
        ("R", "colour's letter"),
        ("- - -", "over"),
        ("R6", "cannot have been crossed"),
        ("R2 R3 R6 B6 B5 B2", "over"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        parse_sheet(MINI, text)


@pytest.mark.parametrize("text", ["", "4", "4 x", "R3 4 1"])
def test_a_roll_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(MalformedError, match="white dice"):
        parse_roll(text)

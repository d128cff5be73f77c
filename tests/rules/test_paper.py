"""One sheet at a table of paper: what the others do is told."""

import pytest

from qwixx.rules import (
    IllegalError,
    MalformedError,
    Phase,
    Roll,
    State,
    Why,
    legal_actions,
    parse_action,
    parse_outcome,
    scores,
    variant,
)
from qwixx.rules.paper import new_sheet, plays_on_paper, roll_refusal, told_choice, told_closed, told_over, told_roll


def rolled(state: State, text: str) -> State:
    outcome = parse_outcome(text)
    assert isinstance(outcome, Roll)
    return told_roll(state, outcome)


def chose(state: State, action: str) -> State:
    return told_choice(state, parse_action(action))


def legal(state: State) -> list[str]:
    return [str(action) for action in legal_actions(state, 0)]


@pytest.fixture
def sheet() -> State:
    return new_sheet(variant("classic"))


@pytest.mark.parametrize(("key", "fits"), [("classic", True), ("mixx-a", True), ("longo", True), ("card", False)])
def test_games_of_dice_with_shared_locks_can_be_kept_alone(key: str, fits: bool) -> None:
    assert plays_on_paper(variant(key)) is fits


@pytest.mark.rule("T3", "T4")
def test_of_somebody_elses_roll_the_white_dice_count_alone(sheet: State) -> None:
    theirs = rolled(sheet, "roll 4 1")
    assert legal(theirs) == ["R5", "Y5", "G5", "B5", "pass"]
    passed = chose(theirs, "pass")
    assert (passed.phase, passed.roll, passed.crossed) == (Phase.ROLL, None, False)
    assert passed.sheets[0].misthrows == 0, "only the active player risks a misthrow"
    crossed = chose(theirs, "R5")
    assert (crossed.phase, crossed.crossed) == (Phase.ROLL, False)
    assert scores(crossed)[0].total == 1


@pytest.mark.rule("T4", "T5")
def test_ones_own_roll_asks_twice_and_may_be_a_misthrow(sheet: State) -> None:
    mine = rolled(sheet, "roll 4 1 R3 Y6 G5 B6")
    second = chose(mine, "pass")
    assert second.phase is Phase.COLOUR
    assert "B10" in legal(second)
    assert chose(second, "pass").sheets[0].misthrows == 1
    assert chose(chose(mine, "R5"), "pass").sheets[0].misthrows == 0
    again = rolled(chose(second, "B10"), "roll 6 6")
    assert not again.crossed


@pytest.mark.rule("L1", "X3")
def test_a_row_that_somebody_else_closed_is_closed_here_too(sheet: State) -> None:
    second = chose(rolled(sheet, "roll 4 1 R3 Y6 G5 B6"), "pass")
    closed = told_closed(second, 0)
    assert not [action for action in legal(closed) if action.startswith("R")]
    later = chose(closed, "B10")
    assert roll_refusal(later, Roll((1, 1), ())) is None
    refused = roll_refusal(later, parse_outcome("roll 4 1 R3 Y6 G5 B6"))
    assert refused
    assert refused.why is Why.BAD_ROLL
    assert legal(rolled(later, "roll 4 3 Y6 G5 B6")) == ["Y7", "G7", "B7", "pass"]
    assert scores(closed)[0].total == 0, "a row that only others closed gives no lock (X12)"


@pytest.mark.rule("L2")
def test_what_is_closed_in_action_1_is_told_after_ones_own_choice(sheet: State) -> None:
    with pytest.raises(IllegalError) as refused:
        told_closed(rolled(sheet, "roll 4 1"), 0)
    assert refused.value.reason.why is Why.CHOOSE_FIRST


@pytest.mark.rule("L3")
def test_the_game_ends_with_the_second_row_or_when_it_is_told(sheet: State) -> None:
    once = told_closed(sheet, 3)
    assert once.phase is Phase.ROLL
    assert told_closed(once, 3).phase is Phase.ROLL, "the same row is closed once"
    over = told_closed(once, 1)
    assert over.phase is Phase.OVER
    with pytest.raises(IllegalError) as refused:
        told_closed(over, 0)
    assert refused.value.reason.why is Why.GAME_OVER
    assert told_over(sheet).phase is Phase.OVER


@pytest.mark.parametrize("row", [-1, 4])
def test_a_row_that_is_not_there(sheet: State, row: int) -> None:
    with pytest.raises(MalformedError, match="count from 0 to 3"):
        told_closed(sheet, row)


@pytest.mark.parametrize("text", ["roll 7 1", "roll 1 1 R3", "begins 1"])
def test_dice_that_are_not_on_the_table(sheet: State, text: str) -> None:
    refused = roll_refusal(sheet, parse_outcome(text))
    assert refused
    assert refused.why is Why.BAD_ROLL
    if text.startswith("roll"):
        with pytest.raises(IllegalError):
            rolled(sheet, text)


def test_the_last_misthrow_of_ones_own_ends_the_game(sheet: State) -> None:
    state = sheet
    for _ in range(4):
        state = chose(chose(rolled(state, "roll 4 1 R3 Y6 G5 B6"), "pass"), "pass")
    assert state.phase is Phase.OVER
    assert scores(state)[0].total == -20

"""A turn with dice: the roll, the white sum for everybody, a coloured sum for the active player."""

from qwixx.rules.actions import PASS, Action, Cross, Pass
from qwixx.rules.chance import Outcome, Roll, RollDice
from qwixx.rules.marks import Mark
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.sheet import cross, obstacle
from qwixx.rules.state import Phase, State, closed_rows, removed_colours
from qwixx.rules.turn import CallStep, ChanceStep, Choices, ChoiceStep, end_turn, explain
from qwixx.rules.variant import Cell, Dice, Variant


def dice_of(variant: Variant) -> Dice:
    assert isinstance(variant.source, Dice), f"{variant.key} is played with cards"
    return variant.source


def roll_of(state: State) -> Roll:
    assert state.roll is not None, f"no roll lies on the table in phase {state.phase}"
    return state.roll


class RollStep(ChanceStep):
    """All dice that are still in the game are rolled (T1)."""

    def chance(self, state: State) -> RollDice:
        gone = removed_colours(state.variant, closed_rows(state, state.active))
        left = [colour.letter for colour in state.variant.colours if colour.letter not in gone]
        return RollDice(dice_of(state.variant).sides, tuple(left))

    def follow(self, state: State, outcome: Outcome) -> State:
        assert isinstance(outcome, Roll)
        return state._replace(phase=Phase.WHITE, roll=outcome)

    def waiting(self, state: State) -> Reason:
        return because(Why.BEFORE_THE_ROLL)


class WhiteStep(CallStep):
    """Action 1: the sum of the white dice, for everybody (T3)."""

    mismatch = Why.NOT_THE_SUM
    expected = Why.CROSS_OR_PASS
    follows = Phase.COLOUR

    def number(self, state: State) -> int:
        first, second = roll_of(state).white
        return first + second


class ColourStep(ChoiceStep):
    """Action 2: one white and one coloured die, for the active player alone (T4)."""

    others = Why.NOT_YOUR_ACTION

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        variant, sheet, closed = state.variant, state.sheets[seat], closed_rows(state, seat)
        roll, gone = roll_of(state), removed_colours(variant, closed)
        sums = [
            variant.cells.get(Mark(die.colour, white + die.number))
            for die in roll.coloured
            if die.colour not in gone
            for white in dict.fromkeys(roll.white)
        ]
        crosses = [cell.cross for cell in sums if cell and obstacle(variant, sheet, closed, cell) is None]
        return (*crosses, PASS)

    def refusal(self, state: State, seat: int, action: Action) -> Reason | None:
        if isinstance(action, Pass):
            return None
        if not isinstance(action, Cross) or action.lucky:
            return because(Why.CROSS_COLOUR_OR_PASS)
        cell = state.variant.cells.get(action.mark)
        if cell is None:
            return because(Why.NO_SUCH_CELL, mark=action.mark)
        closed, sheet = closed_rows(state, seat), state.sheets[seat]
        why = obstacle(state.variant, sheet, closed, cell)
        if why is not None:
            return explain(state, sheet, why, cell)
        return _dice_refusal(state, closed, cell)

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        return self.refusal(state, seat, cell.cross) if seat == state.active else self.not_yours(state)

    def settle(self, state: State, choices: Choices) -> State:
        action = choices[state.active]
        if not isinstance(action, Cross):
            return end_turn(state)
        sheets = list(state.sheets)
        cell = state.variant.cells[action.mark]
        sheets[state.active] = cross(sheets[state.active], cell)
        return end_turn(state._replace(sheets=tuple(sheets), crossed=True))


def _dice_refusal(state: State, closed: int, cell: Cell) -> Reason | None:
    """Why the dice on the table do not make a cell that is open."""
    roll = roll_of(state)
    shown = {die.colour: die.number for die in roll.coloured}
    pips = shown.get(cell.mark.colour)
    if pips is None:
        return because(Why.DIE_REMOVED, colour=cell.colour, cell=cell)
    if cell.mark.colour in removed_colours(state.variant, closed):
        return because(Why.DIE_JUST_REMOVED, colour=cell.colour)
    if cell.number not in [white + pips for white in roll.white]:
        return because(Why.NOT_ON_DICE, colour=cell.colour, cell=cell)
    return None

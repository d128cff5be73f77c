"""What every turn shares, with dice or cards: the number called for everybody, the reasons, the end."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar

from qwixx.rules.actions import PASS, Action, Cross, Pass
from qwixx.rules.chance import Chance, Outcome
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.sheet import Sheet, cross, obstacle
from qwixx.rules.state import Phase, State, closed_rows, ending
from qwixx.rules.variant import Cell, Dice, Variant

Choices = Mapping[int, Action]


class Step(ABC):
    """What a phase of the game asks and what follows from the answer."""

    @abstractmethod
    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        """Why a seat cannot cross a cell now; None if it can."""


class ChanceStep(Step):
    """A phase in which chance decides."""

    @abstractmethod
    def chance(self, state: State) -> Chance: ...

    @abstractmethod
    def waiting(self, state: State) -> Reason:
        """Why nobody can choose anything yet."""

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        return self.waiting(state)

    @abstractmethod
    def follow(self, state: State, outcome: Outcome) -> State:
        """The state after an outcome that `chance` allows."""


class ChoiceStep(Step):
    """A phase in which the active seat decides, or all seats do."""

    simultaneous: ClassVar[bool] = False
    others: ClassVar[Why]

    def acting(self, state: State) -> tuple[int, ...]:
        return (state.active,)

    @abstractmethod
    def legal(self, state: State, seat: int) -> tuple[Action, ...]: ...

    @abstractmethod
    def refusal(self, state: State, seat: int, action: Action) -> Reason | None:
        """Why an acting seat may not choose this; None if it may."""

    def not_yours(self, state: State) -> Reason:
        """Why a seat that is not acting has no say now."""
        return because(self.others, active=state.active + 1)

    @abstractmethod
    def settle(self, state: State, choices: Choices) -> State:
        """The state after choices that `refusal` has let through."""


class CallStep(ChoiceStep):
    """Everybody may cross one called number, or pass (T3, C4); secret and settled together (X1)."""

    simultaneous = True
    mismatch: ClassVar[Why]
    expected: ClassVar[Why]
    follows: ClassVar[Phase]

    @abstractmethod
    def number(self, state: State) -> int:
        """The number that is called."""

    def acting(self, state: State) -> tuple[int, ...]:
        return tuple(range(len(state.sheets)))

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        variant, sheet, closed = state.variant, state.sheets[seat], closed_rows(state, seat)
        number = self.number(state)
        actions: list[Action] = [
            cell.cross for cell in variant.by_number.get(number, ()) if obstacle(variant, sheet, closed, cell) is None
        ]
        if number in sheet.lucky:
            actions += [
                cell.lucky
                for cell in _next_cells(variant, sheet)
                if _no_luck(variant, sheet, closed, number, cell) is None
            ]
        return (*actions, PASS)

    def refusal(self, state: State, seat: int, action: Action) -> Reason | None:
        if isinstance(action, Pass):
            return None
        if not isinstance(action, Cross):
            return because(self.expected)
        cell = state.variant.cells.get(action.mark)
        if cell is None:
            return because(Why.NO_SUCH_CELL, mark=action.mark)
        if action.lucky:
            return self._lucky_refusal(state, seat, cell)
        sheet = state.sheets[seat]
        why = obstacle(state.variant, sheet, closed_rows(state, seat), cell)
        if why is not None:
            return explain(state, sheet, why, cell)
        if cell.number != self.number(state):
            return because(self.mismatch, cell=cell, number=self.number(state))
        return None

    def _lucky_refusal(self, state: State, seat: int, cell: Cell) -> Reason | None:
        number, sheet = self.number(state), state.sheets[seat]
        why = _no_luck(state.variant, sheet, closed_rows(state, seat), number, cell)
        return why and explain(state, sheet, why, cell, number=number)

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        plain = self.refusal(state, seat, cell.cross)
        if plain is None or plain.why is not self.mismatch:
            return plain
        if self.number(state) not in state.sheets[seat].lucky:
            return plain
        return self._lucky_refusal(state, seat, cell)

    def settle(self, state: State, choices: Choices) -> State:
        variant = state.variant
        sheets = list(state.sheets)
        for seat, action in choices.items():
            if isinstance(action, Cross):
                sheets[seat] = cross(sheets[seat], variant.cells[action.mark])
        crossed = isinstance(choices[state.active], Cross)
        settled = state._replace(sheets=tuple(sheets), crossed=crossed, phase=self.follows)
        return settled._replace(phase=Phase.OVER) if ending(settled) else settled


def _next_cells(variant: Variant, sheet: Sheet) -> list[Cell]:
    """The cell right of the rightmost cross in each row that has one."""
    places = [crosses.bit_length() for crosses in sheet.rows]
    return [row[place] for row, place in zip(variant.rows, places, strict=True) if place < len(row)]


def _no_luck(variant: Variant, sheet: Sheet, closed: int, number: int, cell: Cell) -> Why | None:
    """What keeps a cell from being a lucky cross (T7, X5)."""
    if number not in sheet.lucky:
        return Why.NO_LUCK if sheet.lucky else Why.NO_LUCKY_NUMBERS
    why = obstacle(variant, sheet, closed, cell)
    if why is not None:
        return why
    if cell.number == number:
        return Why.NOT_INSTEAD
    counts = [crosses.bit_count() for row, crosses in enumerate(sheet.rows) if not closed >> row & 1]
    if sheet.rows[cell.row].bit_count() > min(counts):
        return Why.NOT_FEWEST
    if cell.place != sheet.rows[cell.row].bit_length():
        return Why.NOT_NEXT
    return None


def explain(state: State, sheet: Sheet, why: Why, cell: Cell, **facts: object) -> Reason:
    """The reason why a cell is not to be crossed, with what a player needs to see it."""
    if why is Why.ROW_CLOSED:
        return because(_closed_by(state, cell), cell=cell)
    crosses = sheet.rows[cell.row]
    if why is Why.LEFT_OF_CROSS:
        row = state.variant.rows[cell.row]
        last = max(other.place for other in row if crosses >> other.place & 1)
        return because(why, cell=cell, last=row[last])
    if why is Why.TOO_FEW:
        return because(why, cell=cell, needed=state.variant.lock.needed, have=crosses.bit_count())
    return because(why, cell=cell, **facts)


def _closed_by(state: State, cell: Cell) -> Why:
    """A row whose die was still rolled in this turn was closed in its action 1."""
    if not state.variant.lock.shared:
        return Why.OWN_ROW_CLOSED
    rolled = [die.colour for die in state.roll.coloured] if state.roll else []
    just_closed = state.variant.lock_colours[cell.row] in rolled
    return Why.CLOSED_THIS_TURN if just_closed else Why.ROW_CLOSED


def begin(state: State) -> State:
    """From setting up to the choice of who begins; alone one is always active (X13)."""
    return state._replace(phase=Phase.START if len(state.sheets) > 1 else opening(state.variant))


def opening(variant: Variant) -> Phase:
    """How a turn begins."""
    return Phase.ROLL if isinstance(variant.source, Dice) else Phase.TAKE


def end_turn(state: State) -> State:
    """The misthrow if nothing was crossed (T5, C7), then the end of the game or the next seat's turn."""
    sheets = state.sheets
    if not state.crossed:
        sheet = sheets[state.active]
        missed = sheet._replace(misthrows=sheet.misthrows + 1)
        sheets = (*sheets[: state.active], missed, *sheets[state.active + 1 :])
    active = (state.active + 1) % len(sheets)
    following = state._replace(sheets=sheets, phase=opening(state.variant), active=active, crossed=False, roll=None)
    return state._replace(sheets=sheets, phase=Phase.OVER) if ending(following) else following

"""The questions one can ask of a game and the two ways to move it on. Every phase answers for itself."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from fractions import Fraction

from qwixx.rules.actions import Action
from qwixx.rules.cards import PileStep, PlayStep, ShuffleStep, TakeStep
from qwixx.rules.chance import Chance, Outcome, is_outcome
from qwixx.rules.dice import ColourStep, RollStep, WhiteStep
from qwixx.rules.errors import IllegalError, MalformedError
from qwixx.rules.marks import Mark, is_mark
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.setup import LuckyStep, StartStep
from qwixx.rules.sheet import Score, score
from qwixx.rules.state import Phase, State, known_seat
from qwixx.rules.turn import ChanceStep, Choices, ChoiceStep, Step
from qwixx.rules.variant import Cell


class Node(StrEnum):
    """Who moves the game on from here."""

    CHANCE = "chance"
    SIMULTANEOUS = "simultaneous"
    SINGLE = "single"
    OVER = "over"


class OverStep(Step):
    """The game has ended (L3, C9)."""

    def reason(self, state: State) -> Reason:
        return because(Why.GAME_OVER if state.variant.lock.shared else Why.CARDS_OVER)

    def why_not(self, state: State, seat: int, cell: Cell) -> Reason | None:
        return self.reason(state)


CHANCES: dict[Phase, ChanceStep] = {
    Phase.SHUFFLE: ShuffleStep(),
    Phase.LUCKY: LuckyStep(),
    Phase.START: StartStep(),
    Phase.ROLL: RollStep(),
}
CHOICES: dict[Phase, ChoiceStep] = {
    Phase.WHITE: WhiteStep(),
    Phase.COLOUR: ColourStep(),
    Phase.TAKE: TakeStep(),
    Phase.CALL: PileStep(),
    Phase.PLAY: PlayStep(),
}
OVER = OverStep()
STEPS: dict[Phase, Step] = {**CHANCES, **CHOICES, Phase.OVER: OVER}


def node(state: State) -> Node:
    if state.phase in CHANCES:
        return Node.CHANCE
    if state.phase in CHOICES:
        return Node.SIMULTANEOUS if CHOICES[state.phase].simultaneous else Node.SINGLE
    return Node.OVER


def acting_seats(state: State) -> tuple[int, ...]:
    """The seats that decide now; none while chance decides or when the game is over."""
    step = CHOICES.get(state.phase)
    return step.acting(state) if step else ()


def legal_actions(state: State, seat: int) -> tuple[Action, ...]:
    """Everything a seat may choose now; empty for a seat that is not acting."""
    known_seat(state, seat)
    step = CHOICES.get(state.phase)
    return step.legal(state, seat) if step and seat in step.acting(state) else ()


def chance(state: State) -> Chance:
    """The chance event that comes next."""
    step = CHANCES.get(state.phase)
    if step is None:
        raise MalformedError(f"nothing is rolled or dealt in phase “{state.phase}”")
    return step.chance(state)


def chance_outcomes(state: State) -> Iterator[tuple[Outcome, Fraction]]:
    """Every outcome of the next chance event with its probability. A shuffle has far too many to list."""
    event = chance(state)
    probability = Fraction(1, event.size)
    return ((event.outcome(index), probability) for index in range(event.size))


def apply_chance(state: State, outcome: Outcome) -> State:
    """The state after a chance outcome."""
    if not is_outcome(outcome):
        raise MalformedError(f"{outcome!r} is not a chance outcome")
    if state.phase is Phase.OVER:
        raise IllegalError(OVER.reason(state))
    refused = chance(state).refusal(outcome)
    if refused is not None:
        raise IllegalError(refused)
    return CHANCES[state.phase].follow(state, outcome)


def apply_choices(state: State, choices: Choices) -> State:
    """The state after the choices of all acting seats, settled together."""
    step = CHOICES.get(state.phase)
    if step is None:
        raise IllegalError(_nothing_to_choose(state))
    acting = step.acting(state)
    if not isinstance(choices, Mapping):
        raise MalformedError(f"{choices!r} does not map seats to actions")
    if len(choices) != len(acting) or any(seat not in choices for seat in acting):
        raise _wrong_seats(state, step, choices)
    for seat in acting:
        refused = step.refusal(state, seat, _action(choices[seat]))
        if refused is not None:
            raise IllegalError(refused, seat)
    return step.settle(state, {seat: choices[seat] for seat in acting})


def settle(state: State, choices: Choices) -> State:
    """What `apply_choices` gives, for choices of all acting seats that `legal_actions` gave: they are not judged again,
    which is for those who try every action out."""
    return CHOICES[state.phase].settle(state, choices)


def _action(action: Action) -> Action:
    if not isinstance(action, Action):
        raise MalformedError(f"{action!r} is not an action")
    return action


def _nothing_to_choose(state: State) -> Reason:
    return OVER.reason(state) if state.phase is Phase.OVER else CHANCES[state.phase].waiting(state)


def _wrong_seats(state: State, step: ChoiceStep, choices: Choices) -> IllegalError:
    for seat in choices:
        known_seat(state, seat)
        if seat not in step.acting(state):
            return IllegalError(step.not_yours(state), seat)
    missing = next(seat for seat in step.acting(state) if seat not in choices)
    return IllegalError(because(Why.NOT_CHOSEN, seat=missing + 1), missing)


def refusal(state: State, seat: int, action: Action) -> Reason | None:
    """Why a seat may not choose an action now; None if it may."""
    known_seat(state, seat)
    step = CHOICES.get(state.phase)
    if step is None:
        return _nothing_to_choose(state)
    if seat not in step.acting(state):
        return step.not_yours(state)
    return step.refusal(state, seat, _action(action))


def why_not(state: State, seat: int, mark: Mark) -> Reason | None:
    """Why a cell of a seat's sheet is not available now; None if it is."""
    known_seat(state, seat)
    if not is_mark(mark):
        raise MalformedError(f"{mark!r} is not a mark, like R7")
    cell = state.variant.cells.get(mark)
    if cell is None:
        return because(Why.NO_SUCH_CELL, mark=mark)
    return STEPS[state.phase].why_not(state, seat, cell)


def scores(state: State) -> tuple[Score, ...]:
    """Each seat's points by row, its misthrows and its total, as the sheets stand."""
    return tuple(score(state.variant, sheet) for sheet in state.sheets)


def winners(state: State) -> tuple[int, ...]:
    """The seats with the highest total (X4), once the game is over."""
    if state.phase is not Phase.OVER:
        return ()
    totals = [each.total for each in scores(state)]
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))

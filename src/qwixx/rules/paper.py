"""One sheet at a table where the others play on paper: what they roll and close is told, their sheets are not kept.

The state has one seat. All dice make a roll of one's own; of somebody else's roll only the white dice count.
"""

from qwixx.rules.actions import Action
from qwixx.rules.chance import Outcome, Roll, RollDice
from qwixx.rules.dice import RollStep, dice_of
from qwixx.rules.errors import IllegalError, MalformedError
from qwixx.rules.game import apply_choices
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.setup import new_game
from qwixx.rules.state import Phase, State, ending
from qwixx.rules.variant import Dice, Variant


def plays_on_paper(variant: Variant) -> bool:
    """Whether one sheet alone can be kept: with dice, rows that close for everybody, and a coloured die to the end."""
    lasting = len(variant.colours) >= variant.end.rows
    return isinstance(variant.source, Dice) and variant.lock.shared and variant.solo and lasting


def new_sheet(variant: Variant) -> State:
    """One empty sheet, before anything is rolled."""
    return new_game(variant, 1)


def roll_refusal(state: State, outcome: Outcome) -> Reason | None:
    """Why this is neither a roll of one's own nor the white dice of somebody else's."""
    others = RollDice(dice_of(state.variant).sides, ())
    if isinstance(outcome, Roll) and not outcome.coloured:
        return others.refusal(outcome)
    return RollStep().chance(state).refusal(outcome)


def told_roll(state: State, roll: Roll) -> State:
    """After somebody rolled."""
    refused = roll_refusal(state, roll)
    if refused is not None:
        raise IllegalError(refused)
    return state._replace(phase=Phase.WHITE, roll=roll, crossed=False)


def told_choice(state: State, action: Action) -> State:
    """After one's own choice; somebody else's roll asks for no second one and threatens with no misthrow."""
    after = apply_choices(state, {0: action})
    others = state.roll is not None and not state.roll.coloured
    if others and after.phase is Phase.COLOUR:
        return after._replace(phase=Phase.ROLL, roll=None, crossed=False)
    return after


def closed_refusal(state: State, row: int) -> Reason | None:
    """Why somebody else cannot have closed this row now."""
    if row not in range(len(state.variant.rows)):
        raise MalformedError(f"{row!r} is not a row: they count from 0 to {len(state.variant.rows) - 1}")
    if state.phase is Phase.OVER:
        return because(Why.GAME_OVER)
    return because(Why.CHOOSE_FIRST) if state.phase is Phase.WHITE else None


def told_closed(state: State, row: int) -> State:
    """After somebody else closed a row (L1), which may end the game (L3)."""
    refused = closed_refusal(state, row)
    if refused is not None:
        raise IllegalError(refused)
    closed = state._replace(elsewhere=state.elsewhere | 1 << row)
    return closed._replace(phase=Phase.OVER) if ending(closed) else closed


def told_over(state: State) -> State:
    """After somebody else's last misthrow ended the game (L3)."""
    return state._replace(phase=Phase.OVER)

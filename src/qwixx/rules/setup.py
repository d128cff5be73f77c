"""Before the first turn: lucky numbers are dealt, and who begins is found."""

from qwixx.rules.cards import unshuffled
from qwixx.rules.chance import Begins, Chance, DealLucky, DrawSeat, Lucky, Outcome, RollForSix, StartDie
from qwixx.rules.dice import dice_of
from qwixx.rules.errors import MalformedError
from qwixx.rules.reasons import Reason, Why, because
from qwixx.rules.sheet import empty_sheet
from qwixx.rules.state import Phase, State
from qwixx.rules.turn import ChanceStep, begin, opening
from qwixx.rules.variant import FIRST_SIX, Deck, Start, Variant


def new_game(variant: Variant, seats: int) -> State:
    """An empty table with so many seats, before anything is dealt or rolled."""
    if type(seats) is not int or seats not in variant.seat_counts:
        counts = ", ".join(map(str, variant.seat_counts))
        raise MalformedError(f"{variant.name} has {counts} seats, not {seats}")
    state = State(
        variant=variant,
        phase=Phase.SHUFFLE,
        sheets=(empty_sheet(variant),) * seats,
        cards=unshuffled(variant, seats),
    )
    if isinstance(variant.source, Deck):
        return state
    return state._replace(phase=Phase.LUCKY) if variant.source.lucky else begin(state)


class LuckyStep(ChanceStep):
    """Each seat in turn is dealt a lucky pair that nobody else has (X6)."""

    def chance(self, state: State) -> DealLucky:
        dealt = {sheet.lucky for sheet in state.sheets}
        return DealLucky(tuple(pair for pair in dice_of(state.variant).lucky if pair not in dealt))

    def follow(self, state: State, outcome: Outcome) -> State:
        assert isinstance(outcome, Lucky)
        sheets = list(state.sheets)
        seat = next(seat for seat, sheet in enumerate(sheets) if not sheet.lucky)
        sheets[seat] = sheets[seat]._replace(lucky=outcome.numbers)
        dealt = state._replace(sheets=tuple(sheets))
        return begin(dealt) if all(sheet.lucky for sheet in sheets) else dealt

    def waiting(self, state: State) -> Reason:
        return because(Why.NOT_BEGUN)


class StartStep(ChanceStep):
    """Who begins is drawn, or the seats roll one die in turn until the first six (T2)."""

    def chance(self, state: State) -> Chance:
        if state.variant.start is Start.DRAW:
            return DrawSeat(len(state.sheets))
        return RollForSix(dice_of(state.variant).sides)

    def follow(self, state: State, outcome: Outcome) -> State:
        if isinstance(outcome, StartDie) and outcome.pips != FIRST_SIX:
            return state._replace(active=(state.active + 1) % len(state.sheets))
        first = outcome.seat if isinstance(outcome, Begins) else state.active
        return state._replace(phase=opening(state.variant), active=first)

    def waiting(self, state: State) -> Reason:
        return because(Why.NOT_BEGUN)

"""Solitaire by brute force: every roll of every position, played with the rules themselves. For small boards only."""

from qwixx.rules import (
    Phase,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
    scores,
)

Key = tuple[object, ...]


def best_expected_score(variant: Variant, lucky: tuple[int, ...] = ()) -> float:
    """What the best play alone at the table scores on average."""
    state = new_game(variant, 1)
    if state.phase is Phase.LUCKY:
        deal = chance(state)
        dealt = [apply_chance(state, deal.outcome(index)) for index in range(deal.size)]
        state = next(each for each in dealt if each.sheets[0].lucky == lucky)
    return _Brute().value(state)


class _Brute:
    def __init__(self) -> None:
        self.known: dict[Key, float] = {}

    def value(self, state: State) -> float:
        if state.phase is Phase.OVER:
            return float(scores(state)[0].total)
        if state.phase is not Phase.ROLL:
            return max(self.value(after) for after in _choices(state))
        sheet = state.sheets[0]
        key = (sheet.rows, sheet.locks, sheet.misthrows)
        if key not in self.known:
            event = chance(state)
            rolls = (apply_chance(state, event.outcome(index)) for index in range(event.size))
            self.known[key] = sum(map(self.value, rolls)) / event.size
        return self.known[key]


def _choices(state: State) -> list[State]:
    [seat] = acting_seats(state)
    return [apply_choices(state, {seat: action}) for action in legal_actions(state, seat)]

"""Solitaire by brute force: every roll of every position, played with the rules themselves. For small boards only."""

from itertools import product

from qwixx.rules import (
    Dice,
    Phase,
    Sheet,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    closed_rows,
    ending,
    legal_actions,
    new_game,
    scores,
)
from qwixx.rules.sheet import cross, obstacle

Key = tuple[Sheet, int, int]


def best_expected_score(variant: Variant, lucky: tuple[int, ...] = (), players: int = 1, rate: float = 0.0) -> float:
    """What the best play of one seat scores on average; the others only roll, and sometimes close a row."""
    state = new_game(variant, 1)
    if state.phase is Phase.LUCKY:
        deal = chance(state)
        dealt = [apply_chance(state, deal.outcome(index)) for index in range(deal.size)]
        state = next(each for each in dealt if each.sheets[0].lucky == lucky)
    brute = _Brute(players, rate)
    return sum(brute.value(state, ahead) for ahead in range(players)) / players


class _Brute:
    def __init__(self, players: int, rate: float) -> None:
        self.players, self.rate = players, rate
        self.known: dict[Key, float] = {}

    def value(self, state: State, ahead: int) -> float:
        """With so many rolls of others before one's own."""
        if ending(state):
            return float(scores(state)[0].total)
        if state.phase is not Phase.ROLL:
            return max(self.value(after, self.players - 1) for after in _choices(state))
        key = (state.sheets[0], state.elsewhere, ahead)
        if key not in self.known:
            self.known[key] = self.others_roll(state, ahead) if ahead else self.own_roll(state)
        return self.known[key]

    def own_roll(self, state: State) -> float:
        event = chance(state)
        rolls = (apply_chance(state, event.outcome(index)) for index in range(event.size))
        return sum(self.value(rolled, 0) for rolled in rolls) / event.size

    def others_roll(self, state: State, ahead: int) -> float:
        assert isinstance(state.variant.source, Dice)
        whites = list(product(range(1, state.variant.source.sides + 1), repeat=2))
        crossing = sum(
            max(self.value(after, ahead - 1) for after in _after_call(state, first + second))
            for first, second in whites
        ) / len(whites)
        if not self.rate:
            return crossing
        rows = [row for row in range(len(state.variant.rows)) if not closed_rows(state, 0) >> row & 1]
        closed = [state._replace(elsewhere=state.elsewhere | 1 << row) for row in rows]
        closing = sum(self.value(each, ahead) for each in closed) / len(closed)
        return crossing + self.rate * (closing - crossing)


def _after_call(state: State, number: int) -> list[State]:
    """The pass, and every cross of a called number."""
    sheet, closed = state.sheets[0], closed_rows(state, 0)
    cells = [c for c in state.variant.by_number.get(number, ()) if obstacle(state.variant, sheet, closed, c) is None]
    return [state, *(state._replace(sheets=(cross(sheet, cell),)) for cell in cells)]


def _choices(state: State) -> list[State]:
    [seat] = acting_seats(state)
    return [apply_choices(state, {seat: action}) for action in legal_actions(state, seat)]

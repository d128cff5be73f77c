"""For every rule a way to drop it alone from the engine. The tests that name the rule must then fail.

`pytest --drop S5` runs the tests marked with S5 against an engine without S5.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

from qwixx.rules import (
    BUILT_IN,
    PASS,
    Action,
    Cell,
    Cross,
    Deck,
    End,
    Lock,
    Phase,
    Play,
    Reason,
    Sheet,
    Start,
    State,
    Take,
    Variant,
    Why,
    cards,
    catalogue,
    dice,
    game,
    setup,
    state,
    turn,
)
from qwixx.rules import sheet as sheets
from qwixx.rules.chance import DealLucky, RollDice
from qwixx.rules.reasons import because


def _replace_everywhere(name: str, replacement: Any) -> None:
    """Other modules hold the function by name, so it is replaced in each of them."""
    original = None
    modules = [module for key, module in sys.modules.items() if key.startswith("qwixx")]
    for module in modules:
        original = original or getattr(module, name, None)
    for module in modules:
        if getattr(module, name, None) is original:
            setattr(module, name, replacement)


def _change(keys: str, **changes: Any) -> None:
    """Variants with that in their key get other data."""
    for key, variant in list(BUILT_IN.items()):
        if keys in key:
            BUILT_IN[key] = replace(variant, **changes)


def _obstacle_without(*ignored: Why) -> None:
    original = sheets.obstacle

    def obstacle(variant: Variant, sheet: Sheet, closed: int, cell: Cell) -> Why | None:
        why = original(variant, sheet, closed, cell)
        return None if why in ignored else why

    _replace_everywhere("obstacle", obstacle)


def _drop_s1() -> None:
    _change("", rows=BUILT_IN["classic"].rows[:3])


def _drop_s7() -> None:
    _change("", points=tuple(range(20)))


def _drop_t1() -> None:
    everything = lambda self, state: RollDice(  # noqa: E731
        dice.dice_of(state.variant).sides + 1, tuple(colour.letter for colour in state.variant.colours)
    )
    dice.RollStep.chance = everything  # type: ignore[method-assign]


def _drop_t2() -> None:
    _change("", start=Start.DRAW)
    setup.StartStep.follow = lambda self, state, outcome: state._replace(phase=Phase.ROLL, active=0)  # type: ignore[method-assign]


def _active_alone() -> None:
    turn.CallStep.acting = lambda self, state: (state.active,)  # type: ignore[method-assign]


def _drop_t4() -> None:
    dice.ColourStep.acting = lambda self, state: tuple(range(len(state.sheets)))  # type: ignore[method-assign]


def _no_misthrows() -> None:
    original = turn.end_turn
    _replace_everywhere("end_turn", lambda state: original(state._replace(crossed=True)))


def _drop_t6() -> None:
    original = sheets.obstacle

    def obstacle(variant: Variant, sheet: Sheet, closed: int, cell: Cell) -> Why | None:
        if cell.closing and sheet.rows[cell.row].bit_count() <= variant.lock.needed:
            return Why.TOO_FEW
        return original(variant, sheet, closed, cell)

    dice.obstacle = obstacle  # type: ignore[attr-defined]


def _drop_t7() -> None:
    turn._no_luck = lambda *_: Why.NO_LUCK


def _drop_l3() -> None:
    _change("", end=End(rows=5, misthrows=20))


def _drop_l4() -> None:
    original = sheets.obstacle

    def obstacle(variant: Variant, sheet: Sheet, closed: int, cell: Cell) -> Why | None:
        gone = state.removed_colours(variant, closed)
        return Why.ROW_CLOSED if cell.mark.colour in gone else original(variant, sheet, closed, cell)

    _replace_everywhere("obstacle", obstacle)


def _one_after_the_other() -> None:
    """Choices of the same action are settled in the order of the seats, each seeing the ones before."""
    original = turn.CallStep.settle

    def settle(self: turn.CallStep, state: State, choices: Mapping[int, Action]) -> State:
        allowed: dict[int, Action] = {}
        closed = 0
        for seat in sorted(choices):
            action = choices[seat]
            cell = state.variant.cells[action.mark] if isinstance(action, Cross) else None
            taken = cell is not None and closed >> cell.row & 1
            allowed[seat] = PASS if taken else action
            closed |= 1 << cell.row if cell and cell.closing else 0
        return original(self, state, allowed)

    turn.CallStep.settle = settle  # type: ignore[method-assign]


def _drop_c1() -> None:
    Variant.cards = property(lambda self: tuple(list(self.cells)[:40]))  # type: ignore[assignment]
    _drop_x9()


def _change_deck(keys: str, **changes: Any) -> None:
    for key, variant in list(BUILT_IN.items()):
        if keys in key and isinstance(variant.source, Deck):
            BUILT_IN[key] = replace(variant, source=replace(variant.source, **changes))


def _drop_c3() -> None:
    cards.TakeStep._missing = lambda self, state: 1  # type: ignore[method-assign]


def _drop_c5() -> None:
    original = cards._cards_refusal

    def refusal(state: State, seat: int, play: Play) -> Reason | None:
        reason = original(state, seat, play)
        return None if reason and reason.why in (Why.MIXED_COLOURS, Why.NOT_HELD) else reason

    cards._cards_refusal = refusal


def _drop_c8() -> None:
    original = cards._refill
    cards._refill = lambda state, cards: original(state, cards)._replace(phase=Phase.CALL)


def _drop_x2() -> None:
    def settle(self: turn.CallStep, state: State, choices: Mapping[int, Action]) -> State:
        papers = list(state.sheets)
        for seat, action in choices.items():
            if isinstance(action, Cross):
                papers[seat] = sheets.cross(papers[seat], state.variant.cells[action.mark])
        crossed = isinstance(choices[state.active], Cross)
        return state._replace(sheets=tuple(papers), crossed=crossed, phase=self.follows)

    turn.CallStep.settle = settle  # type: ignore[method-assign]


def _drop_x3() -> None:
    """Action 2 is judged as if the rows were as open as when the dice were rolled."""

    now = state.closed_rows

    def as_rolled(state: State, seat: int) -> int:
        closed = now(state, seat)
        rolled = {die.colour for die in state.roll.coloured} if state.roll else set()
        letters = state.variant.lock_colours
        return sum(1 << row for row, letter in enumerate(letters) if closed >> row & 1 and letter not in rolled)

    dice.closed_rows = as_rolled  # type: ignore[attr-defined]


def _drop_x4() -> None:
    original = game.winners
    _replace_everywhere("winners", lambda state: original(state)[:1])


def _drop_x5() -> None:
    original = turn._no_luck
    turn._no_luck = lambda variant, sheet, closed, number, cell: original(variant, sheet, 0, number, cell)


def _drop_x6() -> None:
    setup.LuckyStep.chance = lambda self, state: DealLucky(dice.dice_of(state.variant).lucky)  # type: ignore[method-assign]


def _drop_x7() -> None:
    def legal(self: cards.TakeStep, state: State, seat: int) -> tuple[Action, ...]:
        return tuple(map(Take, combinations_with_replacement(range(4), self._missing(state))))

    cards.TakeStep.legal = legal  # type: ignore[method-assign]


def _drop_x8() -> None:
    original = cards._left_to_right
    cards._left_to_right = lambda *args: tuple(reversed(original(*args)))  # type: ignore[assignment]


def _drop_x9() -> None:
    _replace_everywhere("view", lambda state, seat: state)


def _drop_x10() -> None:
    original = cards._cards_refusal

    def refusal(state: State, seat: int, play: Play) -> Reason | None:
        twins = len({card.number for card in play.cards}) < len(play.cards)
        return because(Why.MIXED_COLOURS) if twins else original(state, seat, play)

    cards._cards_refusal = refusal


def _drop_x12() -> None:
    original = turn.CallStep.legal

    def legal(self: turn.CallStep, state: State, seat: int) -> tuple[Action, ...]:
        actions = original(self, state, seat)
        return actions[:-1] or actions

    turn.CallStep.legal = legal  # type: ignore[method-assign]


def _rising(key: str) -> None:
    """All rows of a sheet rise, where two of them should fall."""
    rows = catalogue._rows(*(" ".join(f"{c}{n}" for n in range(2, 13)) for c in "RYGB"))
    _change(key, rows=rows)


def _stay_open() -> None:
    """What somebody closes stays open for the others, as in the card game."""
    _change("", lock=Lock(shared=False))


DROPS: dict[str, Callable[[], None]] = {
    "S1": _drop_s1,
    "S2": lambda: _rising(""),
    "S3": lambda: _change("mixx", rows=BUILT_IN["classic"].rows),
    "S4": lambda: _change("longo", rows=BUILT_IN["classic"].rows),
    "S5": lambda: _obstacle_without(Why.CROSSED, Why.LEFT_OF_CROSS),
    "S6": lambda: _obstacle_without(Why.TOO_FEW),
    "S7": _drop_s7,
    "S8": lambda: _change("", end=End(cost=0)),
    "T1": _drop_t1,
    "T2": _drop_t2,
    "T3": _active_alone,
    "T4": _drop_t4,
    "T5": _no_misthrows,
    "T6": _drop_t6,
    "T7": _drop_t7,
    "L1": _stay_open,
    "L2": _one_after_the_other,
    "L3": _drop_l3,
    "L4": _drop_l4,
    "C1": _drop_c1,
    "C2": lambda: _change_deck("", dealt=3),
    "C3": _drop_c3,
    "C4": _active_alone,
    "C5": _drop_c5,
    "C6": lambda: _change_deck("", gap=None),
    "C7": _no_misthrows,
    "C8": _drop_c8,
    "C9": lambda: _change("card", lock=Lock(shared=True)),
    "X1": _one_after_the_other,
    "X2": _drop_x2,
    "X3": _drop_x3,
    "X4": _drop_x4,
    "X5": _drop_x5,
    "X6": _drop_x6,
    "X7": _drop_x7,
    "X8": _drop_x8,
    "X9": _drop_x9,
    "X10": _drop_x10,
    "X11": lambda: _change_deck("mixx", gap=1),
    "X12": _drop_x12,
    "X13": lambda: _change("", solo=False),
}

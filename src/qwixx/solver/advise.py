"""What a solution says about one sheet: its value, the best choice for a roll, and what every other choice loses."""

from typing import NamedTuple

from qwixx.kernel.index import pair_number, row_states, sheet_index
from qwixx.rules import (
    Action,
    MalformedError,
    Phase,
    Roll,
    Sheet,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    legal_actions,
)
from qwixx.rules.marks import parse_mark
from qwixx.rules.sheet import score
from qwixx.solver.solve import Solution

MISTHROW = "-"
"""How a misthrow is written in a sheet's text."""


class Choice(NamedTuple):
    """What one does with a roll, the expected score after it, and how much less that is than the best."""

    actions: tuple[Action, ...]
    value: float
    loses: float


def parse_sheet(variant: Variant, text: str, lucky: tuple[int, ...] = ()) -> Sheet:
    """Reads crossed cells and misthrows, like `R2 R3 G12 - -`."""
    words = text.split()
    marks = [parse_mark(word) for word in words if word != MISTHROW]
    rows, misthrows = [0] * len(variant.rows), words.count(MISTHROW)
    for mark in marks:
        if mark not in variant.cells:
            raise MalformedError(f"{variant.name} has no cell {mark}")
        cell = variant.cells[mark]
        rows[cell.row] |= 1 << cell.place
    locks = sum(_is_locked(variant, row, crossed) << row for row, crossed in enumerate(rows))
    if misthrows >= variant.end.misthrows or locks.bit_count() >= variant.end.rows:
        raise MalformedError("on this sheet the game is over")
    return Sheet(tuple(rows), locks, misthrows, lucky)


def _is_locked(variant: Variant, row: int, crossed: int) -> bool:
    """Whether the row's closing cell is crossed, which needs enough crosses before it (S6)."""
    closing = [cell for cell in variant.rows[row] if cell.closing and crossed >> cell.place & 1]
    if closing and (len(closing) > 1 or crossed.bit_count() - 1 < variant.lock.needed):
        raise MalformedError(f"{closing[-1].mark} cannot have been crossed with what is crossed in its row")
    return bool(closing)


def parse_roll(text: str) -> Roll:
    """Reads both white dice and the coloured ones, like `4 1 R3 Y6 G5 B2`."""
    words = text.split()
    if len(words) < 2 or not all(word.isdecimal() and word.isascii() for word in words[:2]):
        raise MalformedError("a roll is both white dice and the coloured ones, like “4 1 R3 Y6 G5 B2”")
    return Roll((int(words[0]), int(words[1])), tuple(map(parse_mark, words[2:])))


def index_of_sheet(variant: Variant, sheet: Sheet) -> int:
    """The index of a sheet as the rules know it."""
    index, states = sheet_index(variant), row_states(variant)
    numbers = [
        len(states) if sheet.locks >> row & 1 else states.index((crossed.bit_length() + 1, crossed.bit_count()))
        for row, crossed in enumerate(sheet.rows)
    ]
    total = 0
    for row, number in enumerate(numbers):
        partner = int(index["partner"][row])  # type: ignore[index] # a record, seen from Python
        if partner >= row:
            stride = int(index["stride"][index["family"][row]])  # type: ignore[index]
            total += stride * (number if partner == row else pair_number(number, numbers[partner]))
    return total


def value_of(solution: Solution, sheet: Sheet, ahead: int = 0) -> float:
    """The expected final score from a sheet on, with so many rolls of others before one's own."""
    variant = solution.variant
    points = score(variant, sheet).total
    if sheet.misthrows >= variant.end.misthrows or sheet.locks.bit_count() >= variant.end.rows:
        return points
    return points + float(solution.values[ahead, index_of_sheet(variant, sheet), sheet.misthrows])


def choices(solution: Solution, sheet: Sheet, roll: Roll) -> list[Choice]:
    """All one can do with a roll of one's own, the best first."""
    state = State(solution.variant, Phase.ROLL, (sheet,))
    found: dict[tuple[Action, ...], float] = {}
    for first, after in _moves(apply_chance(state, roll)):
        if after.phase is Phase.COLOUR:
            found |= {(first, second): _after(solution, last) for second, last in _moves(after)}
        else:
            found[first,] = _after(solution, after)
    best = max(found.values())
    ranked = sorted(found.items(), key=lambda item: -item[1])
    return [Choice(actions, value, best - value) for actions, value in ranked]


def _moves(state: State) -> list[tuple[Action, State]]:
    [seat] = acting_seats(state)
    return [(action, apply_choices(state, {seat: action})) for action in legal_actions(state, seat)]


def _after(solution: Solution, state: State) -> float:
    return value_of(solution, state.sheets[0], solution.players - 1)

"""Tables in the middle of a game, written in a line, and the words to move them on."""

from collections.abc import Sequence

from qwixx.boards import find_variant
from qwixx.rules import (
    Action,
    Cards,
    Mark,
    Phase,
    Sheet,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    legal_actions,
    parse_action,
    parse_mark,
    parse_outcome,
    refusal,
    why_not,
)
from qwixx.rules.marks import by_face
from qwixx.rules.sheet import cross, empty_sheet


def sheet(variant: Variant, marks: str = "", misthrows: int = 0, lucky: tuple[int, ...] = ()) -> Sheet:
    """A sheet with those cells crossed, in that order, asking no rule."""
    result = empty_sheet(variant)._replace(misthrows=misthrows, lucky=lucky)
    for word in marks.split():
        result = cross(result, variant.cells[parse_mark(word)])
    return result


def dice_table(
    key: str,
    *sheets: str,
    active: int = 0,
    misthrows: Sequence[int] = (),
    lucky: Sequence[tuple[int, ...]] = (),
) -> State:
    """A dice game before a roll, one string of crossed cells a seat."""
    variant = find_variant(key)
    missed = [*misthrows, *[0] * len(sheets)]
    luck = [*lucky, *[()] * len(sheets)]
    papers = tuple(sheet(variant, text, missed[seat], luck[seat]) for seat, text in enumerate(sheets))
    return State(variant, Phase.ROLL, papers, active)


def card_table(
    key: str,
    *sheets: str,
    hands: Sequence[str],
    tableau: str = "R2 R3 R4 R5",
    pile: str = "B7 B8 B9",
    discards: str = "",
    phase: Phase = Phase.TAKE,
    active: int = 0,
    misthrows: Sequence[int] = (),
) -> State:
    """A card game in one of its phases."""
    table = dice_table(key, *sheets, active=active, misthrows=misthrows)
    held = tuple(tuple(sorted(marks(hand), key=by_face)) for hand in hands)
    return table._replace(phase=phase, cards=Cards(held, marks(tableau), marks(pile), marks(discards)))


def marks(text: str) -> tuple[Mark, ...]:
    return tuple(map(parse_mark, text.split()))


def roll(state: State, dice: str) -> State:
    """`roll(state, "4 1 R3 Y6 G5 B2")`"""
    return apply_chance(state, parse_outcome(f"roll {dice}"))


def choose(state: State, *actions: str) -> State:
    """The acting seats' choices, in the order of the seats."""
    seats = acting_seats(state)
    assert len(actions) == len(seats), f"{seats} act in phase {state.phase}"
    return apply_choices(state, dict(zip(seats, map(parse_action, actions), strict=True)))


def legal(state: State, seat: int) -> set[str]:
    return set(map(str, legal_actions(state, seat)))


def refused(state: State, seat: int, action: str | Action) -> str:
    """Why not, as a player reads it; empty if it is allowed."""
    parsed = parse_action(action) if isinstance(action, str) else action
    return str(refusal(state, seat, parsed) or "")


def why(state: State, seat: int, cell: str) -> str:
    return str(why_not(state, seat, parse_mark(cell)) or "")


def crossed(state: State, seat: int) -> set[str]:
    """The crossed cells of a seat; a lock shows as L and its row's number from 1."""
    variant, paper = state.variant, state.sheets[seat]
    cells = {str(cell.mark) for cell in variant.cells.values() if paper.rows[cell.row] >> cell.place & 1}
    return cells | {f"L{row + 1}" for row in range(len(variant.rows)) if paper.locks >> row & 1}

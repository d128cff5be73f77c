"""The whole state of a game between two events, and what follows from it alone."""

from enum import StrEnum
from typing import NamedTuple

from qwixx.rules.chance import Roll
from qwixx.rules.errors import MalformedError
from qwixx.rules.marks import Mark
from qwixx.rules.sheet import Sheet
from qwixx.rules.variant import Variant


class Phase(StrEnum):
    """What comes next: a chance event, or a decision."""

    SHUFFLE = "shuffle"
    LUCKY = "lucky"
    START = "start"
    ROLL = "roll"
    WHITE = "white"
    COLOUR = "colour"
    TAKE = "take"
    CALL = "call"
    PLAY = "play"
    OVER = "over"


class Cards(NamedTuple):
    """Where the cards are: hands sorted by face, a tableau with empty places, a pile whose top is first."""

    hands: tuple[tuple[Mark, ...], ...]
    tableau: tuple[Mark | None, ...]
    pile: tuple[Mark, ...]
    discards: tuple[Mark, ...]


class State(NamedTuple):
    """`active` is the seat whose turn it is (while the first six is rolled for: the seat that rolls);
    `crossed` tells whether it has crossed anything in this turn; `elsewhere` has a bit for each row that was closed on
    a sheet which is not kept here (see paper.py)."""

    variant: Variant
    phase: Phase
    sheets: tuple[Sheet, ...]
    active: int = 0
    crossed: bool = False
    roll: Roll | None = None
    cards: Cards | None = None
    elsewhere: int = 0


def known_seat(state: State, seat: int) -> None:
    """Refuses a seat that this table does not have."""
    if type(seat) is not int or seat not in range(len(state.sheets)):
        raise MalformedError(f"{seat!r} is not a seat: they count from 0 to {len(state.sheets) - 1}")


def closed_rows(state: State, seat: int) -> int:
    """A bit for each row that is closed for a seat: by anyone (L1), or by itself alone (C9)."""
    if not state.variant.lock.shared:
        return state.sheets[seat].locks
    closed = state.elsewhere
    for sheet in state.sheets:
        closed |= sheet.locks
    return closed


def removed_colours(variant: Variant, closed: int) -> list[str]:
    """The colours whose die leaves the game with the closed rows (L1)."""
    return [letter for row, letter in enumerate(variant.lock_colours) if closed >> row & 1]


def ending(state: State) -> str | None:
    """What has ended the game: `rows` or `misthrows`; None while it goes on."""
    end = state.variant.end
    for seat, sheet in enumerate(state.sheets):
        if closed_rows(state, seat).bit_count() >= end.rows:
            return "rows"
        if sheet.misthrows >= end.misthrows:
            return "misthrows"
    return None

"""A mark is a colour's letter and a number: the name of a cell, a card or a coloured die's face."""

import re
from typing import NamedTuple

from qwixx.rules.errors import MalformedError

HIDDEN = "?"
"""The colour of a card whose face is not to be seen."""
JOKER = "J"
"""The colour of a joker, until its player names one."""
WHITE = "W"
"""The letter of the white dice, which no row may have."""

_MARK = re.compile(r"([A-Z])([1-9][0-9]?)")


class Mark(NamedTuple):
    colour: str
    number: int

    def __str__(self) -> str:
        return f"{self.colour}{self.number}"


def parse_mark(text: str) -> Mark:
    """Read `R7`; anything else is malformed."""
    match = _MARK.fullmatch(text)
    if match is None:
        raise MalformedError(f"“{text}” is not a colour's letter and a number, like R7")
    return Mark(match[1], int(match[2]))


def is_mark(value: object) -> bool:
    return isinstance(value, Mark) and type(value.colour) is str and type(value.number) is int


def are_marks(values: object) -> bool:
    return isinstance(values, tuple) and all(map(is_mark, values))


def are_whole(values: object, count: int | None = None) -> bool:
    """Whether this is a tuple of whole numbers, perhaps of so many; True and 1.0 are none."""
    if not isinstance(values, tuple) or count not in (None, len(values)):
        return False
    return set(map(type, values)) <= {int}


def back(card: Mark) -> Mark:
    """What the back of a card shows: its number, neither its colour nor whether it is a joker."""
    return Mark(HIDDEN, card.number)


def by_face(card: Mark) -> tuple[int, str]:
    """Sorts cards by number first, so that a sorted hand tells nobody its colours."""
    return card.number, card.colour

"""Chance: what may come about, and what came about. The rules never draw: an outcome comes in from outside.

Every chance event of the family is fair, so an event is a number of equally likely outcomes and the way from
an index to its outcome. Whoever has a fair source of whole numbers has fair dice and fair shuffles.
"""

import re
from collections import Counter
from dataclasses import dataclass
from math import factorial
from typing import Protocol

from qwixx.rules.errors import MalformedError
from qwixx.rules.marks import Mark, are_marks, are_whole, parse_mark
from qwixx.rules.reasons import Reason, Why, because


@dataclass(frozen=True, slots=True)
class Begins:
    """The seat that was drawn to begin, counted from 0."""

    seat: int

    def well_formed(self) -> bool:
        return type(self.seat) is int

    def __str__(self) -> str:
        return f"begins {self.seat + 1}"


@dataclass(frozen=True, slots=True)
class StartDie:
    """One die thrown for the first six."""

    pips: int

    def well_formed(self) -> bool:
        return type(self.pips) is int

    def __str__(self) -> str:
        return f"start-die {self.pips}"


@dataclass(frozen=True, slots=True)
class Lucky:
    """The lucky numbers on one seat's sheet."""

    numbers: tuple[int, int]

    def well_formed(self) -> bool:
        return are_whole(self.numbers, 2)

    def __str__(self) -> str:
        return "lucky {} {}".format(*self.numbers)


@dataclass(frozen=True, slots=True)
class Roll:
    """Both white dice and the coloured dice still in the game, each as its colour and pips."""

    white: tuple[int, int]
    coloured: tuple[Mark, ...]

    def well_formed(self) -> bool:
        return are_whole(self.white, 2) and are_marks(self.coloured)

    def __str__(self) -> str:
        return " ".join(["roll", *map(str, self.white), *map(str, self.coloured)])


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The new draw pile, top card first."""

    cards: tuple[Mark, ...]

    def well_formed(self) -> bool:
        return are_marks(self.cards)

    def __str__(self) -> str:
        return " ".join(["shuffle", *map(str, self.cards)])


Outcome = Begins | StartDie | Lucky | Roll | Shuffle


def is_outcome(value: object) -> bool:
    """Whether this is an outcome, and could be written down."""
    return isinstance(value, Outcome) and value.well_formed()


class Chance(Protocol):
    """An event with `size` equally likely outcomes."""

    @property
    def size(self) -> int: ...

    def outcome(self, index: int) -> Outcome:
        """The outcome with that index, from 0 to size − 1; each index has its own."""

    def refusal(self, outcome: Outcome) -> Reason | None:
        """Why this outcome cannot come about here, if it cannot."""


@dataclass(frozen=True, slots=True)
class DrawSeat:
    seats: int

    @property
    def size(self) -> int:
        return self.seats

    def outcome(self, index: int) -> Begins:
        return Begins(index)

    def refusal(self, outcome: Outcome) -> Reason | None:
        if isinstance(outcome, Begins) and 0 <= outcome.seat < self.seats:
            return None
        return because(Why.BAD_START, seats=self.seats)


@dataclass(frozen=True, slots=True)
class RollForSix:
    sides: int

    @property
    def size(self) -> int:
        return self.sides

    def outcome(self, index: int) -> StartDie:
        return StartDie(index + 1)

    def refusal(self, outcome: Outcome) -> Reason | None:
        if isinstance(outcome, StartDie) and 1 <= outcome.pips <= self.sides:
            return None
        return because(Why.BAD_START_DIE, sides=self.sides)


@dataclass(frozen=True, slots=True)
class DealLucky:
    pairs: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        return len(self.pairs)

    def outcome(self, index: int) -> Lucky:
        return Lucky(self.pairs[index])

    def refusal(self, outcome: Outcome) -> Reason | None:
        if isinstance(outcome, Lucky) and outcome.numbers in self.pairs:
            return None
        return because(Why.BAD_LUCKY_PAIR, pairs=", ".join("{}·{}".format(*pair) for pair in self.pairs))


@dataclass(frozen=True, slots=True)
class RollDice:
    sides: int
    colours: tuple[str, ...]

    @property
    def size(self) -> int:
        return int(self.sides ** (2 + len(self.colours)))

    def outcome(self, index: int) -> Roll:
        sides = self.sides
        index, first = divmod(index, sides)
        index, second = divmod(index, sides)
        coloured = []
        for colour in self.colours:
            index, pips = divmod(index, sides)
            coloured.append(Mark(colour, pips + 1))
        return Roll((first + 1, second + 1), tuple(coloured))

    def refusal(self, outcome: Outcome) -> Reason | None:
        if isinstance(outcome, Roll):
            pips = [*outcome.white, *(die.number for die in outcome.coloured)]
            colours = tuple([die.colour for die in outcome.coloured])
            if colours == self.colours and min(pips) >= 1 and max(pips) <= self.sides:
                return None
        return because(Why.BAD_ROLL, dice=", ".join(self.colours) or "no colour", sides=self.sides)


@dataclass(frozen=True, slots=True)
class ShuffleCards:
    cards: tuple[Mark, ...]

    @property
    def size(self) -> int:
        return factorial(len(self.cards))

    def outcome(self, index: int) -> Shuffle:
        left, pile = list(self.cards), []
        while left:
            index, place = divmod(index, len(left))
            pile.append(left.pop(place))
        return Shuffle(tuple(pile))

    def refusal(self, outcome: Outcome) -> Reason | None:
        if isinstance(outcome, Shuffle) and Counter(outcome.cards) == Counter(self.cards):
            return None
        return because(Why.BAD_SHUFFLE, count=len(self.cards))


_PIPS = re.compile(r"[1-9][0-9]?")


def parse_outcome(text: str) -> Outcome:
    """Read an outcome's text form; the inverse of `str`."""
    word, *rest = text.split() or [""]
    match word, rest:
        case "begins", [seat]:
            return Begins(_number(seat) - 1)
        case "start-die", [pips]:
            return StartDie(_number(pips))
        case "lucky", [first, second]:
            return Lucky((_number(first), _number(second)))
        case "roll", [first, second, *coloured]:
            return Roll((_number(first), _number(second)), tuple(map(parse_mark, coloured)))
        case "shuffle", [*cards]:
            return Shuffle(tuple(map(parse_mark, cards)))
    raise MalformedError(
        f"“{text}” is not an outcome: write begins 1, start-die 3, lucky 5 8, roll 4 1 R3 Y6 G5 B2 or shuffle R2 …"
    )


def _number(text: str) -> int:
    if _PIPS.fullmatch(text) is None:
        raise MalformedError(f"“{text}” is not a number from 1 to 99")
    return int(text)

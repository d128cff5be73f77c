"""What a seat can choose, each with one text form: R7, *G16, pass, take a c, play R4 J5=R x 4 5."""

from dataclasses import dataclass

from qwixx.rules.errors import MalformedError
from qwixx.rules.marks import JOKER, Mark, are_marks, are_whole, by_face, is_mark, parse_mark

SLOTS = "abcdefghijklmnopqrstuvwxyz"
"""The names of the tableau's places, from the left."""


@dataclass(frozen=True, slots=True)
class Pass:
    def __str__(self) -> str:
        return "pass"


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross in one cell, with the called number, a coloured die, or a lucky number (T7)."""

    mark: Mark
    lucky: bool = False

    def __post_init__(self) -> None:
        _well_formed(self, is_mark(self.mark) and type(self.lucky) is bool)

    def __str__(self) -> str:
        return f"{'*' if self.lucky else ''}{self.mark}"


@dataclass(frozen=True, slots=True)
class Take:
    """Cards taken from the tableau (C3), by their places."""

    slots: tuple[int, ...]

    def __post_init__(self) -> None:
        _well_formed(self, are_whole(self.slots) and all(0 <= slot < len(SLOTS) for slot in self.slots))
        object.__setattr__(self, "slots", tuple(sorted(self.slots)))

    def __str__(self) -> str:
        return " ".join(["take", *(SLOTS[slot] for slot in self.slots)])


@dataclass(frozen=True, slots=True)
class Play:
    """Cards played and the numbers crossed with them (C5); `named` is the colour that jokers stand for."""

    cards: tuple[Mark, ...]
    crosses: tuple[int, ...] = ()
    named: str = ""

    def __post_init__(self) -> None:
        _well_formed(self, are_marks(self.cards) and are_whole(self.crosses) and type(self.named) is str)
        object.__setattr__(self, "cards", tuple(sorted(self.cards, key=by_face)))
        object.__setattr__(self, "crosses", tuple(sorted(set(self.crosses))))

    @property
    def colour(self) -> str:
        return self.named or self.cards[0].colour

    def __str__(self) -> str:
        cards = [f"{card}={self.named}" if card.colour == JOKER else str(card) for card in self.cards]
        crosses = ["x", *map(str, self.crosses)] if self.crosses else []
        return " ".join(["play", *cards, *crosses])


Action = Pass | Cross | Take | Play


def _well_formed(action: object, well: bool) -> None:
    """No action exists that could not be written down."""
    if not well:
        raise MalformedError(f"{type(action).__name__} is made of marks and whole numbers only")


PASS = Pass()


def parse_action(text: str) -> Action:
    """Read an action's text form; the inverse of `str`."""
    word, *rest = text.split() or [""]
    match word:
        case "pass" if not rest:
            return PASS
        case "take":
            return _parse_take(rest)
        case "play":
            return _parse_play(rest)
        case _ if not rest:
            return Cross(parse_mark(word.removeprefix("*")), lucky=word.startswith("*"))
    raise MalformedError(f"“{text}” is not an action: write R7, *R7, pass, take a, or play R4 R5 x 4 5")


def _parse_take(words: list[str]) -> Take:
    if not words or any(len(word) != 1 or word not in SLOTS for word in words):
        raise MalformedError("take names places of the tableau, like “take a c”")
    if len(set(words)) < len(words):
        raise MalformedError("take names each place once")
    return Take(tuple(SLOTS.index(word) for word in words))


def _parse_play(words: list[str]) -> Play:
    cut = words.index("x") if "x" in words else len(words)
    faces, numbers = words[:cut], words[cut + 1 :]
    if not faces or (cut < len(words) and not numbers):
        raise MalformedError("play names its cards, then x and what they cross: “play R4 R5 x 4 5”")
    cards, named = [], set()
    for face in faces:
        card_text, equals, colour = face.partition("=")
        card = parse_mark(card_text)
        if (card.colour == JOKER) != bool(equals) or (equals and not _is_letter(colour)):
            raise MalformedError(f"“{face}”: a joker, and only a joker, names its colour, like J5=R")
        cards.append(card)
        named.add(colour)
    named.discard("")
    if len(named) > 1:
        raise MalformedError("jokers played together name one colour")
    if len(set(cards)) < len(cards):
        raise MalformedError("play names each card once")
    return Play(tuple(cards), tuple(map(_parse_number, numbers)), "".join(named))


def _is_letter(text: str) -> bool:
    return len(text) == 1 and "A" <= text <= "Z" and text != JOKER


def _parse_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise MalformedError(f"“{text}” is not a number to cross")
    return int(text)

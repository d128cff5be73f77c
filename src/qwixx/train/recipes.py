"""How a champion of each game is trained from nothing: what `qwixx train` does where nothing else is said."""

from typing import NamedTuple

from qwixx.bots.levels import family_of
from qwixx.rules import Variant
from qwixx.train.school import Syllabus


class Recipe(NamedTuple):
    """The parts of a syllabus in which games differ."""

    seats: tuple[int, ...]
    rounds: int
    games: int = 1 << 16
    sparring: int = 0


DICE = (2, 3, 2, 4, 2, 5)
CARDS = Recipe((2, 2, 2, 3, 2, 2, 4, 2, 2, 5, 2), 280, 1 << 14, sparring=2)
"""Eleven in a cycle and sparring in every third round: so each number of seats has both."""
RECIPES = {
    "deluxe": Recipe((*DICE, 2, 3, 2, 4, 2, 5, 2, 6, 2, 8), 176),
    "classic": Recipe(DICE, 176),
    "mixx-a": Recipe((*DICE, 2, 8), 160),
    "mixx-b": Recipe((*DICE, 2, 8), 160),
    "longo": Recipe(DICE, 144),
    "card": CARDS,
    "card-joker": CARDS,
    "card-mixx-a": CARDS,
    "card-mixx-b": CARDS,
    "card-joker-mixx-a": CARDS,
    "card-joker-mixx-b": CARDS,
    "mini": Recipe((2,), 320, 1 << 15),
}
"""The network of Deluxe is classic's champion, too: the sheet is the same, and more can sit there."""


def syllabus_of(variant: Variant) -> Syllabus:
    """A champion's training; on a board of one's own, for two seats."""
    recipe = RECIPES.get(variant.key) if family_of(variant) else None
    if recipe is None:
        return Syllabus(variant)
    return Syllabus(variant, recipe.seats, recipe.rounds, recipe.games, sparring=recipe.sparring)

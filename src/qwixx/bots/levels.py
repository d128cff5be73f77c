"""Opponents for people: weaker ones play like weaker people."""

from collections.abc import Sequence
from random import Random

from qwixx.boards import all_variants
from qwixx.bots.baselines import EvolvedBot, SkipBot
from qwixx.bots.planner import PlannerBot
from qwixx.match import Player
from qwixx.rules import Action, Pass, State, Variant

FAMILIES = {
    "classic": "classic",
    "deluxe": "classic",
    "mixx-a": "mixx-a",
    "mixx-b": "mixx-b",
    "longo": "longo",
    "card": "card",
    "card-joker": "card-joker",
    "card-mixx-a": "card-mixx-a",
    "card-mixx-b": "card-mixx-b",
    "card-joker-mixx-a": "card-joker-mixx-a",
    "card-joker-mixx-b": "card-joker-mixx-b",
    "mini": "mini",
}
"""Whose network plays a variant; boards of one's own have none."""
LEARNT = ("rows", "source", "lock", "end", "points")
"""What of a game a network has been trained for."""
STRATEGIES = {
    "classic": "evolved",
    "deluxe": "evolved",
    "mixx-a": "evolved",
    "longo": "evolved",
}
"""How an expert plays. Where a row's next number says little about the row, with cards and on boards of one's own, the
planner does best."""


def family_of(variant: Variant) -> str:
    """Whose network plays a game; none for a board of one's own, even if it bears the key of a game that has one."""
    known = all_variants().get(variant.key)
    same = known is not None and all(getattr(variant, part) == getattr(known, part) for part in LEARNT)
    return FAMILIES.get(variant.key, "") if same else ""


def strategy_of(level: str, variant: Variant) -> str:
    """The strategy that a level follows in a game, where it is one that has a name of its own."""
    if level == "medium":
        return "skip-2"
    return STRATEGIES.get(variant.key, "planner") if level == "hard" else level


class Beginner:
    """Likes to cross, jumps far, and often does not notice that another player's white dice would do."""

    MOST_SKIPPED = 4
    OVERLOOKS = 0.25

    def __init__(self, stream: Random) -> None:
        self.stream = stream
        self.eager = SkipBot(stream, self.MOST_SKIPPED)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        idle = [action for action in legal if isinstance(action, Pass)]
        if idle and seat != view.active and self.stream.random() < self.OVERLOOKS:
            return idle[0]
        return self.eager.choose(view, seat, legal)


class Regular:
    """Keeps to short jumps and good rows, and leaves the end of the game to chance."""

    def __init__(self, stream: Random) -> None:
        self.careful = SkipBot(stream, 2)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return self.careful.choose(view, seat, legal)


class Expert:
    """Weighs every sheet it could have, and sees the end coming."""

    def __init__(self, stream: Random) -> None:
        self.ways: dict[str, Player] = {
            "evolved": EvolvedBot(stream),
            "planner": PlannerBot(stream),
        }

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        return self.ways[strategy_of("hard", view.variant)].choose(view, seat, legal)


class Champion:
    """Plays for the win; alone, or where no champion has been trained, as an expert."""

    def __init__(self, stream: Random) -> None:
        self.stream, self.expert = stream, Expert(stream)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if len(view.sheets) == 1 or not family_of(view.variant):
            return self.expert.choose(view, seat, legal)
        from qwixx.bots.champion import ChampionBot  # nobody else pays for numpy

        return ChampionBot(self.stream).choose(view, seat, legal)

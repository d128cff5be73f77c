"""Opponents for people: weaker ones play like weaker people."""

from collections.abc import Sequence
from random import Random

from qwixx.bots.baselines import EvolvedBot, GapCostBot, SkipBot
from qwixx.rules import Action, Pass, State

FAMILIES = {"classic": "classic", "deluxe": "classic", "mixx-a": "mixx-a", "mixx-b": "mixx-b", "longo": "longo"}
"""Whose network plays a variant; the others have no champion yet."""


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

    UNSORTED = ("mixx-b",)
    """Where a row's next number says little about the row, what is skipped counts."""

    def __init__(self, stream: Random) -> None:
        self.evolved, self.gap_cost = EvolvedBot(stream), GapCostBot(stream)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        bot = self.gap_cost if view.variant.key in self.UNSORTED else self.evolved
        return bot.choose(view, seat, legal)


class Champion:
    """Plays for the win; where no champion has been trained, as an expert."""

    def __init__(self, stream: Random) -> None:
        self.stream, self.expert = stream, Expert(stream)

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if view.variant.key not in FAMILIES:
            return self.expert.choose(view, seat, legal)
        from qwixx.bots.champion import ChampionBot  # nobody else pays for numpy

        return ChampionBot(self.stream).choose(view, seat, legal)

"""Machine players. A bot gets its seat's view, its legal actions and a random stream of its own."""

from collections.abc import Callable
from random import Random

from qwixx.bots.baselines import EvolvedBot, ExpectBot, GapCostBot, LinearBot, RandomBot, SkipBot
from qwixx.bots.levels import Beginner, Champion, Expert, Regular
from qwixx.bots.planner import PlannerBot
from qwixx.match import Player

LEVELS: dict[str, Callable[[Random], Player]] = {
    "easy": Beginner,
    "medium": Regular,
    "hard": Expert,
    "champion": Champion,
}
"""Opponents for people, the weakest first."""
BASELINES: dict[str, Callable[[Random], Player]] = {
    "random": RandomBot,
    "skip-1": lambda stream: SkipBot(stream, 1),
    "skip-2": lambda stream: SkipBot(stream, 2),
    "linear": LinearBot,
    "gap-cost": GapCostBot,
    "expect-1": ExpectBot,
    "evolved": EvolvedBot,
    "planner": PlannerBot,
}
"""Strategies that others are measured against: public ones, and one of the house for cards."""
BOTS = {**LEVELS, **BASELINES}
"""Every bot by name, made with its random stream."""
CHARACTERS = {
    "easy": "likes to cross, jumps far and overlooks a lot",
    "medium": "keeps its jumps short and leaves the end of the game to chance",
    "hard": "weighs every sheet it could have and sees the end coming",
    "champion": "plays for the win, as its own games have taught it",
    "random": "anything legal",
    "skip-1": "skips at most one cell",
    "skip-2": "skips at most two cells",
    "linear": "counts crosses, cells used up and misthrows",
    "gap-cost": "weighs what it skips against the room to the right",
    "expect-1": "skips what is unlikely to come up soon",
    "evolved": "likely next numbers, long rows, and the end of the game",
    "planner": "rows without gaps, and what the hand is good for",
}
"""Every bot in a line."""

"""The games: variants as data, sheets, actions, states, what is legal, what follows, what each seat may see.

Standard library only; no clocks, no files, no random numbers.
"""

from qwixx.rules.actions import PASS, Action, Cross, Pass, Play, Take, parse_action
from qwixx.rules.catalogue import BUILT_IN, variant
from qwixx.rules.chance import Begins, Chance, Lucky, Outcome, Roll, Shuffle, StartDie, parse_outcome
from qwixx.rules.errors import IllegalError, MalformedError, QwixxError
from qwixx.rules.game import (
    Node,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    chance_outcomes,
    legal_actions,
    node,
    refusal,
    scores,
    settle,
    why_not,
    winners,
)
from qwixx.rules.marks import Mark, parse_mark
from qwixx.rules.reasons import Reason, Why
from qwixx.rules.setup import new_game
from qwixx.rules.sheet import Score, Sheet
from qwixx.rules.state import Cards, Phase, State, closed_rows, ending
from qwixx.rules.turn import Choices
from qwixx.rules.variant import Cell, Colour, Deck, Dice, End, Lock, Start, Variant
from qwixx.rules.view import view

__all__ = [
    "BUILT_IN",
    "PASS",
    "Action",
    "Begins",
    "Cards",
    "Cell",
    "Chance",
    "Choices",
    "Colour",
    "Cross",
    "Deck",
    "Dice",
    "End",
    "IllegalError",
    "Lock",
    "Lucky",
    "MalformedError",
    "Mark",
    "Node",
    "Outcome",
    "Pass",
    "Phase",
    "Play",
    "QwixxError",
    "Reason",
    "Roll",
    "Score",
    "Sheet",
    "Shuffle",
    "Start",
    "StartDie",
    "State",
    "Take",
    "Variant",
    "Why",
    "acting_seats",
    "apply_chance",
    "apply_choices",
    "chance",
    "chance_outcomes",
    "closed_rows",
    "ending",
    "legal_actions",
    "new_game",
    "node",
    "parse_action",
    "parse_mark",
    "parse_outcome",
    "refusal",
    "scores",
    "settle",
    "variant",
    "view",
    "why_not",
    "winners",
]

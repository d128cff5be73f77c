"""What a seat could do now, and the table that each way leads to."""

from collections.abc import Sequence
from typing import NamedTuple

from qwixx.rules import PASS, Action, Phase, State, acting_seats, apply_choices, legal_actions


class Plan(NamedTuple):
    """A choice now and, for the active seat with its white dice, what it would do next; the table after both, with
    everybody else passing."""

    action: Action
    after: State


def plans(view: State, seat: int, legal: Sequence[Action]) -> list[Plan]:
    """Every way to go on, both actions of a dice turn together."""
    found = []
    for action in legal:
        after = apply_choices(view, {other: action if other == seat else PASS for other in acting_seats(view)})
        if after.phase is Phase.COLOUR and view.phase is Phase.WHITE and seat == view.active:
            found += [Plan(action, apply_choices(after, {seat: act})) for act in legal_actions(after, seat)]
        else:
            found.append(Plan(action, after))
    return found

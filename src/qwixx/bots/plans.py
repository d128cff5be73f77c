"""What a seat could do now, and the table that each way leads to."""

from collections.abc import Sequence
from typing import NamedTuple

from qwixx.rules import PASS, Action, Phase, State, acting_seats, apply_choices, legal_actions


class Plan(NamedTuple):
    """A choice now; for the active seat with its white dice, what it would do next; and the table after that."""

    action: Action
    act: Action
    after: State


def plans(view: State, seat: int, legal: Sequence[Action]) -> list[Plan]:
    """Every way to go on, both actions of a dice turn together, with everybody else passing."""
    found = []
    for action in legal:
        after = apply_choices(view, {other: action if other == seat else PASS for other in acting_seats(view)})
        if after.phase is Phase.COLOUR and view.phase is Phase.WHITE and seat == view.active:
            found += [Plan(action, act, apply_choices(after, {seat: act})) for act in legal_actions(after, seat)]
        else:
            found.append(Plan(action, PASS, after))
    return found


def answers(view: State, seat: int, legal: Sequence[Action], lead: Plan) -> list[Plan]:
    """Another seat's ways to cross the white dice, where the active one does what it plans as far as it still can."""
    found = []
    for action in legal:
        chosen = {view.active: lead.action, seat: action}
        after = apply_choices(view, {other: chosen.get(other, PASS) for other in acting_seats(view)})
        if after.phase is Phase.COLOUR:
            act = lead.act if lead.act in legal_actions(after, view.active) else PASS
            after = apply_choices(after, {view.active: act})
        found.append(Plan(action, PASS, after))
    return found

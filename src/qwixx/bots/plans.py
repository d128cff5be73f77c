"""What a seat could do now, and the table that each way leads to."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from qwixx.rules import PASS, Action, Phase, Play, State, Take, acting_seats, legal_actions, settle

Choices = Mapping[int, Action]
"""What seats are expected to choose."""
NOBODY: Choices = MappingProxyType({})


class Plan(NamedTuple):
    """A choice now; for the active seat with its white dice, what it would do next; and the table after that."""

    action: Action
    act: Action
    after: State


def plans(view: State, seat: int, legal: Sequence[Action], others: Choices = NOBODY) -> list[Plan]:
    """Every way to go on, both actions of a dice turn together; who is not expected to cross passes."""
    found, passing = [], dict.fromkeys(acting_seats(view), PASS)
    for action in legal:
        after = settle(view, {**passing, **others, seat: action})
        if after.phase is Phase.COLOUR and view.phase is Phase.WHITE and seat == view.active:
            found += [Plan(action, act, settle(after, {seat: act})) for act in legal_actions(after, seat)]
        else:
            found.append(Plan(action, PASS, after))
    return found


def foresee(view: State, seat: int, legal: Sequence[Action]) -> list[Plan]:
    """Every way to go on, as far as a turn can be foreseen: with cards, too, a cross and the play after it together.
    Taken cards show their numbers alone, and the tableau is not yet filled again."""
    if view.phase is Phase.TAKE:
        return [Plan(action, PASS, _taken(view, seat, action)) for action in legal if isinstance(action, Take)]
    found = []
    for plan in plans(view, seat, list(_different(legal))):
        if plan.after.phase is Phase.PLAY and seat == view.active:
            plays = _different(legal_actions(plan.after, seat))
            found += [Plan(plan.action, play, settle(plan.after, {seat: play})) for play in plays]
        else:
            found.append(plan)
    return found


def _different(legal: Sequence[Action]) -> Iterable[Action]:
    """Plays that lead to different tables: who crosses nothing need not try every colour for a joker."""
    found: dict[object, Action] = {}
    for play in legal:
        same = (play.cards, play.crosses, play.crosses and play.named) if isinstance(play, Play) else play
        found.setdefault(same, play)
    return found.values()


def _taken(view: State, seat: int, action: Take) -> State:
    assert view.cards is not None
    cards = view.cards
    taken = [card for slot in action.slots if (card := cards.tableau[slot])]
    left = tuple(None if slot in action.slots else card for slot, card in enumerate(cards.tableau))
    hands = (*cards.hands[:seat], (*cards.hands[seat], *taken), *cards.hands[seat + 1 :])
    return view._replace(phase=Phase.CALL, cards=cards._replace(hands=hands, tableau=left))


def answers(view: State, seat: int, legal: Sequence[Action], lead: Plan) -> list[Plan]:
    """Another seat's ways to cross the white dice, where the active one does what it plans as far as it still can."""
    found, expected = [], {**dict.fromkeys(acting_seats(view), PASS), view.active: lead.action}
    for action in legal:
        after = settle(view, {**expected, seat: action})
        if after.phase is Phase.COLOUR:
            act = lead.act if lead.act in legal_actions(after, view.active) else PASS
            after = settle(after, {view.active: act})
        found.append(Plan(action, PASS, after))
    return found

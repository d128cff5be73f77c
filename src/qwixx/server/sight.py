"""What there is to see of a state: for everybody, and for the holder of a seat. Each is worked out once."""

from functools import cached_property
from typing import NamedTuple

from qwixx.record import StateJson, state_json
from qwixx.rules import Action, Node, State, apply_choices, chance, legal_actions, node, view
from qwixx.rules.chance import RollDice


class Own(NamedTuple):
    """What belongs to one seat: its cards, what it may choose, and which of that would be a misthrow."""

    hand: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    misthrows: tuple[str, ...] = ()


class Sight:
    """A state as clients see it; nothing but empty sheets to come while there is no game."""

    def __init__(self, state: State | None) -> None:
        self.state = state
        self._own: dict[int, Own] = {}

    @cached_property
    def public(self) -> StateJson | None:
        """The state as a spectator sees it; everybody at the table gets the same."""
        return None if self.state is None else state_json(view(self.state, None))

    @cached_property
    def to_roll(self) -> tuple[str, ...]:
        """The colours of the dice that are to be rolled next."""
        event = chance(self.state) if self.state and node(self.state) is Node.CHANCE else None
        return event.colours if isinstance(event, RollDice) else ()

    def own(self, seat: int) -> Own:
        if self.state is None:
            return Own()
        if seat not in self._own:
            legal = legal_actions(self.state, seat)
            misthrows = _misthrows(self.state, seat, legal)
            self._own[seat] = Own(_hand(self.state, seat), tuple(map(str, legal)), misthrows)
        return self._own[seat]


def _hand(state: State, seat: int) -> tuple[str, ...]:
    cards = view(state, seat).cards if state.cards else None
    return tuple(map(str, cards.hands[seat])) if cards else ()


def _misthrows(state: State, seat: int, legal: tuple[Action, ...]) -> tuple[str, ...]:
    """What a seat that decides alone may choose at the price of a misthrow."""
    if node(state) is not Node.SINGLE:
        return ()
    so_far = state.sheets[seat].misthrows
    return tuple(
        str(action) for action in legal if apply_choices(state, {seat: action}).sheets[seat].misthrows > so_far
    )

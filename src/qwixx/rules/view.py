"""The one place where hidden information is hidden (X9)."""

from qwixx.rules.marks import HIDDEN, Mark, back
from qwixx.rules.state import Cards, State, known_seat

UNKNOWN = Mark(HIDDEN, 0)
"""A card that shows nothing at all: in the pile below its top."""


def view(state: State, seat: int | None) -> State:
    """What a seat may see, or a spectator if None: the state, with every secret card turned over.

    A view answers the same questions as a state does, for the seat it belongs to.
    """
    if seat is not None:
        known_seat(state, seat)
    if state.cards is None:
        return state
    return state._replace(cards=_turned_over(state.cards, seat))


def _turned_over(cards: Cards, seat: int | None) -> Cards:
    hands = [hand if owner == seat else _backs(hand) for owner, hand in enumerate(cards.hands)]
    tableau = tuple(card and back(card) for card in cards.tableau)
    pile = (*_backs(cards.pile[:1]), *(UNKNOWN for _ in cards.pile[1:]))
    return cards._replace(hands=tuple(hands), tableau=tableau, pile=pile)


def _backs(cards: tuple[Mark, ...]) -> tuple[Mark, ...]:
    return tuple(map(back, cards))

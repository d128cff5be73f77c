"""Cards that are taken before their colours are seen: what they may be as far as the seat can know, and what they are
worth on average."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from qwixx.boards import find_variant
from qwixx.bots.champion import best, weigh
from qwixx.bots.plans import Plan, deals, foresee
from qwixx.kernel.valuenet import MOST_DEALS
from qwixx.rules import Mark, Phase, Sheet, State, legal_actions, parse_action, parse_mark, view
from qwixx.rules.state import Cards

EMPTY = Sheet((0, 0, 0, 0))


def marks(text: str) -> tuple[Mark, ...]:
    return tuple(map(parse_mark, text.split()))


def table(hand: str, tableau: str, played: str = "", key: str = "card") -> State:
    """Seat 0 is about to take cards, and sees its own hand alone."""
    cards = Cards((marks(hand), marks("Y2 Y8 G8 B8")), marks(tableau), marks("B7 R9"), marks(played))
    return view(State(find_variant(key), Phase.TAKE, (EMPTY, EMPTY), 0, cards=cards), 0)


def taken(state: State, action: str) -> list[list[str]]:
    """The cards that come to the hand, in every way that is looked at."""
    [plan] = foresee(state, 0, [parse_action(action)])
    assert state.cards
    held = len(state.cards.hands[0])
    return [[str(card) for card in hand_of(plan)[held:]] for plan in deals(plan, 0)]


def hand_of(plan: Plan) -> tuple[Mark, ...]:
    assert plan.after.cards
    return plan.after.cards.hands[0]


def test_a_number_may_have_every_colour_that_was_not_seen() -> None:
    """What another seat holds, even the very card, is not known; what was played or is in the own hand is."""
    assert taken(table("R6 Y6 G6 B6", "R7 G2 B7 G7"), "take b") == [["B2"], ["G2"], ["R2"], ["Y2"]]
    assert taken(table("R2 Y6 G6 B6", "R7 G2 B7 G7", played="B2"), "take b") == [["G2"], ["Y2"]]
    assert ["J2"] in taken(table("R2 Y6 G6 B6", "R7 G2 B7 G7", key="card-joker"), "take b")


def test_no_card_is_taken_twice() -> None:
    both = taken(table("R6 Y6 G6", "R7 G2 B7 G9"), "take a c")
    assert len(both) == len({tuple(cards) for cards in both}) == 4 * 3
    assert all(one != other for one, other in both)


@pytest.mark.parametrize(("key", "ways"), [("card", 64), ("card-joker", 125)])
def test_of_too_many_ways_some_are_looked_at_and_no_colour_is_left_out(key: str, ways: int) -> None:
    found = taken(table("R6 Y6", "R7 G2 B8 G9", key=key), "take a b d")
    assert len({tuple(cards) for cards in found}) == len(found) == min(ways, MOST_DEALS)
    colours = round(ways ** (1 / 3))
    for cards in zip(*found, strict=True):
        often = Counter(cards)
        assert len(often) == colours
        assert max(often.values()) - min(often.values()) <= 3


def test_taken_cards_are_worth_what_they_are_on_average() -> None:
    """To who wants red cards and hates blue ones, a seven is 0 (one red and one blue are left), a two 1/3 (no blue one
    is left), and a nine -1/3."""
    state = table("R6 Y6 G6 B6", "G7 G2 Y9 R7", played="Y7 B2 R9")

    def colourful(seat: int, states: Sequence[State]) -> NDArray[np.float64]:
        hands = [table.cards.hands[seat] for table in states if table.cards]
        return np.array([sum((card.colour == "R") - (card.colour == "B") for card in hand) for hand in hands], float)

    weighed = weigh(colourful, state, 0, legal_actions(state, 0))
    worth = {str(plan.action): value for plan, value in zip(*weighed, strict=True)}
    assert worth == pytest.approx({"take a": 0, "take b": 1 / 3, "take c": -1 / 3, "take d": 0})
    assert str(best(weighed).action) == "take b"

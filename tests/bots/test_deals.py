"""Cards that are taken before their colours are seen: what they may be as far as the seat can know, and what they are
worth on average."""

from collections import Counter
from collections.abc import Sequence
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from qwixx.boards import find_variant
from qwixx.bots.champion import best, inputs_of, weigh
from qwixx.bots.deals import deals
from qwixx.bots.plans import Plan, foresee
from qwixx.kernel.candidates import TAKES
from qwixx.kernel.inputs import side_size
from qwixx.kernel.kits import Array
from qwixx.kernel.valuenet import MOST_DEALS
from qwixx.rules import Mark, Phase, Sheet, State, Take, legal_actions, parse_action, parse_mark, view
from qwixx.rules.boardfile import board_text, parse_board
from qwixx.rules.state import Cards
from qwixx.train.selfplay import ASKED
from tests.bots.replay_cards import WatchedCards, code_of

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
    assert sorted(taken(table("R6 Y6 G6 B6", "R7 G2 B7 G7"), "take b")) == [["B2"], ["G2"], ["R2"], ["Y2"]]
    assert sorted(taken(table("R2 Y6 G6 B6", "R7 G2 B7 G7", played="B2"), "take b")) == [["G2"], ["Y2"]]
    assert ["J2"] in taken(table("R2 Y6 G6 B6", "R7 G2 B7 G7", key="card-joker"), "take b")


def test_no_card_is_taken_twice() -> None:
    both = taken(table("R6 Y6 G6", "R7 G2 B7 G9"), "take a c")
    assert len(both) == len({tuple(cards) for cards in both}) == 4 * 3
    assert all(one != other for one, other in both)


@pytest.mark.parametrize(
    ("key", "played", "colours"),
    [
        ("card", "", (4, 4, 4)),
        ("card-joker", "", (5, 5, 5)),
        ("card-joker", "B2 B9", (5, 4, 4)),
        ("card-joker", "B7 B9", (4, 5, 4)),
        ("card-joker", "B2", (5, 4, 5)),
    ],
)
def test_of_too_many_ways_some_are_looked_at_and_no_colour_is_left_out(
    key: str, played: str, colours: tuple[int, ...]
) -> None:
    found = taken(table("R6 Y6", "R7 G2 B8 G9", played, key), "take a b d")
    assert len({tuple(cards) for cards in found}) == len(found) == min(prod(colours), MOST_DEALS)
    for count, cards in zip(colours, zip(*found, strict=True), strict=True):
        often = Counter(cards)
        assert len(often) == count
        assert max(often.values()) <= 1.5 * min(often.values())


class Listing(WatchedCards):
    """Compares what the kernel lists with what the bot looks at: the same cards in the same order."""

    compared = 0

    def _launch(self, step: str, items: int, *given: Array) -> None:
        super()._launch(step, items, *given)
        if step == "attempt" and given[4] == TAKES:
            found = given[6]
            lines = found.inputs.reshape(-1, self.seats - 1, self.line)
            for game in self.going():
                state = self.state_of(game, Phase.TAKE)
                seat, place = state.active, game * self.seats + state.active
                legal = sorted(legal_actions(state, seat), key=lambda action: code_of(state, action))
                dealt = [each for plan in foresee(view(state, seat), seat, legal) for each in deals(plan, seat)]
                expected = np.stack([inputs_of(each.after, seat) for each in dealt])
                assert np.allclose(lines[found.place == place], expected)
                self.compared += len(dealt)


@pytest.mark.parametrize(("key", "seats"), [("card", 2), ("card-joker", 3), ("card-mixx-a", 2)])
def test_the_kernel_looks_at_the_same_ways(key: str, seats: int) -> None:
    many = Listing(find_variant(key), [ASKED] * seats, 3, seed=4)
    many.decisions = []
    many.play([lambda inputs, lines: inputs[::lines, :80].sum(1)] * seats, 0)
    assert many.compared > 500


def test_the_kernel_takes_as_many_cards_from_a_wide_tableau() -> None:
    """Nine places are more than a hand has; who likes to hold many cards does not get more of them."""
    text = board_text(find_variant("card")).replace("tableau = 4", "tableau = 9").replace('"card"', '"wide"')
    many = WatchedCards(parse_board(text), [ASKED] * 2, 2, seed=4)
    many.decisions, likes = [], np.random.default_rng(1).random(many.line) / 100
    likes[: int(side_size(many.book))] += 1
    many.play([lambda inputs, lines: inputs[::lines] @ likes] * 2, 0)
    taken = [decision.action for decision in many.decisions if decision.state.phase is Phase.TAKE]
    assert any(isinstance(action, Take) and 8 in action.slots for action in taken)


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

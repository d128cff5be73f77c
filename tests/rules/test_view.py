"""X9: nothing secret can be derived from a view. What is hidden is changed, and the view must not change."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwixx.record import state_json
from qwixx.rules import BUILT_IN, Cards, MalformedError, Mark, State, legal_actions, new_game, variant, view
from qwixx.rules.marks import by_face
from tests.scene import card_table, dice_table
from tests.soak import play_checked

CARD_GAMES = [key for key in BUILT_IN if key.startswith("card")]


def another_truth(state: State, seat: int | None, stream: Random) -> State:
    """A state that differs in nothing but what the seat must not know."""
    cards = state.cards
    assert cards is not None
    seen_hand = set(cards.hands[seat]) if seat is not None else set()
    unknown = [card for card in state.variant.cards if card not in seen_hand and card not in cards.discards]
    stream.shuffle(unknown)

    def draw(number: int) -> Mark:
        card = next(card for card in unknown if card.number == number)
        unknown.remove(card)
        return card

    hands = [
        hand if owner == seat else tuple(sorted((draw(card.number) for card in hand), key=by_face))
        for owner, hand in enumerate(cards.hands)
    ]
    tableau = tuple(card and draw(card.number) for card in cards.tableau)
    top = [draw(card.number) for card in cards.pile[:1]]
    return state._replace(cards=Cards(tuple(hands), tableau, (*top, *unknown), cards.discards))


@pytest.mark.rule("X9")
@given(st.sampled_from(CARD_GAMES), st.integers(2, 5), st.integers(0, 10**6), st.data())
def test_what_is_hidden_does_not_show(key: str, seats: int, seed: int, data: st.DataObject) -> None:
    states = [state for state in play_checked(key, seats, seed, offers=False).states if any(state.cards.hands)]  # type: ignore[union-attr]
    state = data.draw(st.sampled_from(states))
    seat = data.draw(st.sampled_from([None, *range(seats)]))
    other = another_truth(state, seat, Random(seed))
    assert view(other, seat) == view(state, seat)
    assert repr(view(other, seat)) == repr(view(state, seat))
    assert state_json(view(other, seat)) == state_json(view(state, seat))
    if seat is not None:
        assert legal_actions(other, seat) == legal_actions(state, seat)


@pytest.mark.rule("X9")
def test_the_other_truth_is_really_another() -> None:
    state = play_checked("card", 3, 5, offers=False).states[10]
    assert another_truth(state, 0, Random(1)) != state


@pytest.mark.parametrize("key", ["classic", "mixx-a", "longo"])
def test_dice_games_hide_nothing(key: str) -> None:
    state = dice_table(key, "R2", "R3")
    assert view(state, 0) == view(state, None) == state


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_a_view_for_nobody(seat: int) -> None:
    state = card_table("card", "", "", hands=["R2", "R3"])
    with pytest.raises(MalformedError, match="is not a seat"):
        view(state, seat)


def test_the_view_before_the_first_shuffle() -> None:
    state = new_game(variant("card"), 2)
    assert view(state, 0) == state, "a sorted deck is no secret"

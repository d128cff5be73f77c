"""The strategy for hands of cards, worked out by hand; and what can be foreseen of a card turn."""

from random import Random

import pytest

from qwixx.boards import find_variant
from qwixx.bots.planner import PlannerBot
from qwixx.bots.plans import foresee
from qwixx.rules import Mark, Phase, Sheet, State, legal_actions, parse_mark, view
from qwixx.rules.state import Cards

CARD, JOKERS = find_variant("card"), find_variant("card-joker")
EMPTY = Sheet((0, 0, 0, 0))
BOT = PlannerBot(Random(1))


def marks(text: str) -> tuple[Mark, ...]:
    return tuple(map(parse_mark, text.split()))


def table(hand: str, phase: Phase, tableau: str = "R3 Y3 G3 B3", own: Sheet = EMPTY, top: str = "B7") -> State:
    """Seat 0 is active and sees its own hand alone."""
    variant = JOKERS if "J" in hand else CARD
    cards = Cards((marks(hand), marks("R8 Y8 G8 B8")), marks(tableau), marks(top + " R9"), marks("R11"))
    return view(State(variant, phase, (own, EMPTY), 0, cards=cards), 0)


def chosen(state: State) -> str:
    return str(BOT.choose(state, 0, legal_actions(state, 0)))


def test_a_table_is_worth_its_rows_and_its_hand() -> None:
    """Red 2 and 4 crossed: two crosses, 0.35 · 3 for the row, one cell left out. Red 5 fits at once (1 + 0.35 · 2),
    blue 7 after five cells, blue 2 not before the row can be closed."""
    own = Sheet((0b101, 0, 0, 0), misthrows=1)
    rows = 2 + 0.35 * 3 - 0.85 - 5
    assert BOT.value(table("B2", Phase.TAKE, own=own), 0) == pytest.approx(rows)
    assert BOT.value(table("R5", Phase.TAKE, own=own), 0) == pytest.approx(rows + 0.8 * 1.7)
    assert BOT.value(table("B7", Phase.TAKE, own=own), 0) == pytest.approx(rows + 0.8 * (1 - 5 / 6))
    assert BOT.value(table("J5", Phase.TAKE, own=own), 0) == pytest.approx(rows + 0.8 * 1.7)


def test_it_takes_the_number_that_fits_in_any_colour() -> None:
    """A two fits at once in red and yellow, and not at all in green and blue; a seven after five cells everywhere."""
    assert chosen(table("R6 Y6 G6 B6", Phase.TAKE, "R7 Y2 B7 G7")) == "take b"


def test_it_sees_the_play_behind_the_cross() -> None:
    """With red 3 to play, the called 2 goes to red."""
    state = table("R3 Y9 G6 B6 Y12", Phase.CALL, top="B2")
    assert chosen(state) == "R2"
    assert chosen(table("Y3 R9 G6 B6 R12", Phase.CALL, top="B2")) == "Y2"


def test_taken_cards_keep_their_colour_to_themselves() -> None:
    state = table("R6 Y6 G6 B6", Phase.TAKE, "R7 Y2 B7 G7")
    for plan in foresee(state, 0, legal_actions(state, 0)):
        assert plan.after.cards is not None
        assert [card.colour for card in plan.after.cards.hands[0]] == ["R", "Y", "G", "B", "?"]
        assert plan.after.cards.tableau.count(None) == 1


def test_a_joker_that_crosses_nothing_is_tried_in_one_colour() -> None:
    state = table("J7 R2 Y2", Phase.PLAY)
    tried = [str(plan.action) for plan in foresee(state, 0, legal_actions(state, 0))]
    left_out = [str(play) for play in legal_actions(state, 0) if str(play) not in tried]
    assert left_out == ["play J7=Y", "play J7=G", "play J7=B"]

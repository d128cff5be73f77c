"""The text forms of marks, actions and outcomes: one for each, and back again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwixx.rules import Cross, MalformedError, Mark, Pass, Play, Take, parse_action, parse_mark, parse_outcome

letters = st.sampled_from("ABCDEFGHIKLMNOPQRSTUVWXYZ")
numbers = st.integers(1, 99)
plain_cards = st.builds(Mark, letters, numbers)
jokers = st.builds(Mark, st.just("J"), numbers)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    cards = draw(st.lists(st.one_of(plain_cards, jokers), min_size=1, max_size=4, unique=True))
    named = draw(letters) if any(card.colour == "J" for card in cards) else ""
    return Play(tuple(cards), tuple(draw(st.lists(numbers, max_size=3))), named)


actions = st.one_of(
    st.just(Pass()),
    st.builds(Cross, plain_cards, st.booleans()),
    st.lists(st.integers(0, 25), min_size=1, unique=True).map(lambda slots: Take(tuple(sorted(slots)))),
    plays(),
)


@given(actions)
def test_actions_round_trip(action: Pass | Cross | Take | Play) -> None:
    assert parse_action(str(action)) == action
    assert str(parse_action(str(action))) == str(action)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("pass", Pass()),
        ("R7", Cross(Mark("R", 7))),
        ("*G16", Cross(Mark("G", 16), lucky=True)),
        ("take a c", Take((0, 2))),
        ("play R4", Play((Mark("R", 4),))),
        ("play R4 R5 x 4 5", Play((Mark("R", 4), Mark("R", 5)), (4, 5))),
        ("play J5=R x 5", Play((Mark("J", 5),), (5,), "R")),
    ],
)
def test_what_the_texts_look_like(text: str, action: Pass | Cross | Take | Play) -> None:
    assert parse_action(text) == action
    assert str(action) == text


def test_cards_and_crosses_have_one_order() -> None:
    assert str(parse_action("play R5 R4 x 5 4")) == "play R4 R5 x 4 5"
    assert str(parse_action("take c a")) == "take a c"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not a colour's letter and a number"),
        ("R", "“R” is not a colour's letter and a number, like R7"),
        ("R0", "not a colour's letter"),
        ("R07", "not a colour's letter"),
        ("R100", "not a colour's letter"),
        ("r7", "not a colour's letter"),
        ("**R7", "not a colour's letter"),
        ("R٣", "not a colour's letter"),
        ("R7 R8", "is not an action: write R7"),
        ("pass now", "is not an action"),
        ("take", "take names places of the tableau"),
        ("take 1", "take names places of the tableau"),
        ("take ab", "take names places of the tableau"),
        ("take a a", "take names each place once"),
        ("play", "play names its cards"),
        ("play x 4", "play names its cards"),
        ("play R4 x", "play names its cards"),
        ("play R4 x R4", "“R4” is not a number to cross"),
        ("play R4 x 444", "“444” is not a number to cross"),
        ("play R4 x ٣", "is not a number to cross"),
        ("play R4 x 4 x 4", "“x” is not a number to cross"),
        ("play J5", "a joker, and only a joker, names its colour"),
        ("play R5=R", "a joker, and only a joker, names its colour"),
        ("play J5=", "a joker, and only a joker, names its colour"),
        ("play J5=J", "a joker, and only a joker, names its colour"),
        ("play J5=RY", "a joker, and only a joker, names its colour"),
        ("play J5=r", "a joker, and only a joker, names its colour"),
        ("play J5=R J6=Y", "jokers played together name one colour"),
        ("play R4 R4", "play names each card once"),
    ],
)
def test_malformed_actions(text: str, complaint: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_action(text)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "“” is not a colour's letter and a number, like R7"),
        ("take", "take names places of the tableau, like “take a c”"),
        ("take a a", "take names each place once"),
        ("play", "play names its cards, then x and what they cross: “play R4 R5 x 4 5”"),
        ("play J5=R J6=Y", "jokers played together name one colour"),
        ("play R4 R4", "play names each card once"),
        ("play R5=R", "“R5=R”: a joker, and only a joker, names its colour, like J5=R"),
    ],
)
def test_messages_in_full(text: str, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        parse_action(text)
    assert str(caught.value) == message


def test_an_empty_outcome() -> None:
    with pytest.raises(MalformedError, match=r"^“” is not an outcome: write begins 1, start-die 3, lucky 5 8, roll"):
        parse_outcome("")


def test_the_last_letter_is_a_letter() -> None:
    assert parse_action("play J5=Z") == Play((Mark("J", 5),), (), "Z")
    assert parse_action("take z") == Take((25,))


@pytest.mark.parametrize(
    "text",
    ["begins 1", "start-die 6", "lucky 5 8", "roll 4 1", "roll 4 1 R3 Y6 G5 B2", "shuffle R2 J5 B12", "shuffle"],
)
def test_outcomes_round_trip(text: str) -> None:
    assert str(parse_outcome(text)) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not an outcome"),
        ("begins", "is not an outcome"),
        ("begins 1 2", "is not an outcome"),
        ("begins 0", "“0” is not a number from 1 to 99"),
        ("begins 01", "is not a number"),
        ("begins x", "is not a number"),
        ("start-die 100", "is not a number"),
        ("lucky 5", "is not an outcome"),
        ("roll 1", "is not an outcome"),
        ("roll 1 2 3", "is not a colour's letter"),
        ("roll -1 2", "is not a number"),
        ("shuffle R2 X", "is not a colour's letter"),
        ("Roll 1 2", "is not an outcome"),
    ],
)
def test_malformed_outcomes(text: str, complaint: str) -> None:
    with pytest.raises(MalformedError, match=complaint):
        parse_outcome(text)


@given(st.text(max_size=30))
def test_no_text_crashes_the_parsers(text: str) -> None:
    for parse in (parse_action, parse_outcome, parse_mark):
        try:
            assert str(parse(text)).split(), "what was read can be written"
        except MalformedError:
            continue


def test_marks() -> None:
    assert parse_mark("R7") == Mark("R", 7)
    assert str(Mark("B", 12)) == "B12"

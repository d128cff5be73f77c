"""C · the card game; and the rulings on it."""

from collections import Counter

import pytest

from qwixx.rules import (
    BUILT_IN,
    Begins,
    IllegalError,
    Mark,
    Node,
    Phase,
    Play,
    Shuffle,
    State,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    ending,
    new_game,
    node,
    parse_action,
    scores,
    variant,
    view,
)
from qwixx.rules.marks import HIDDEN
from tests.scene import card_table, choose, crossed, legal, marks, refused, why

OTHER_HAND = "B2 B3 B4 B5"
CARD_GAMES = [key for key in BUILT_IN if key.startswith("card")]


def playing(key: str, crosses: str, hand: str) -> State:
    return card_table(key, crosses, "", hands=[hand, OTHER_HAND], phase=Phase.PLAY)


def backs(cards: tuple[Mark | None, ...]) -> list[str]:
    return [str(card) for card in cards]


@pytest.mark.rule("C1")
@pytest.mark.parametrize("key", CARD_GAMES)
def test_the_deck(key: str) -> None:
    coloured = [f"{letter}{number}" for letter in "RYGB" for number in range(2, 13)]
    jokers = [f"J{number}" for number in range(2, 13)] if "joker" in key else []
    assert sorted(map(str, variant(key).cards)) == sorted(coloured + jokers)
    assert len(variant(key).cards) == (55 if jokers else 44)


@pytest.mark.rule("C1")
def test_a_back_tells_neither_colour_nor_joker() -> None:
    table = card_table("card-joker", "", "", hands=["R2 J3 R4 R5", "J2 R3 B4 B5"], tableau="J6 R6 Y7 J8")
    seen = view(table, 0).cards
    assert seen is not None
    assert backs(seen.tableau) == ["?6", "?6", "?7", "?8"]
    assert backs(seen.hands[1]) == ["?2", "?3", "?4", "?5"]


@pytest.mark.rule("C2")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("key", ["card", "card-joker"])
def test_the_deal(key: str, seats: int) -> None:
    table = new_game(variant(key), seats)
    assert table.phase is Phase.SHUFFLE
    pile = tuple(reversed(variant(key).cards))
    dealt = apply_chance(table, Shuffle(pile))
    assert dealt.phase is Phase.START
    assert dealt.cards is not None
    for seat in range(seats):
        assert set(dealt.cards.hands[seat]) == set(pile[4 * seat : 4 * seat + 4])
    assert dealt.cards.tableau == pile[4 * seats : 4 * seats + 4]
    assert dealt.cards.pile == pile[4 * seats + 4 :]
    assert dealt.cards.discards == ()
    assert apply_chance(dealt, Begins(1)).phase is Phase.TAKE


@pytest.mark.rule("C2")
def test_before_the_deal_nothing_can_be_crossed() -> None:
    table = new_game(variant("card"), 2)
    assert why(table, 0, "R2") == "C2: the cards have not been dealt yet"
    for wrong in [(), variant("card").cards[1:], (*variant("card").cards[1:], Mark("R", 2), Mark("R", 2))]:
        with pytest.raises(IllegalError, match="C8: a shuffle puts exactly the 44 cards"):
            apply_chance(table, Shuffle(tuple(wrong)))
    with pytest.raises(IllegalError, match="C8"):
        apply_chance(table, Begins(0))


@pytest.mark.rule("C3")
@pytest.mark.parametrize(("hand", "count"), [("R2 R3 R4 R5", 1), ("R2 R3 R4", 2), ("R2 R3", 3)])
def test_the_active_player_takes_up_to_five(hand: str, count: int) -> None:
    table = card_table("card", "", "", hands=[OTHER_HAND, hand], tableau="Y6 Y7 Y8 Y9", active=1)
    assert node(table) is Node.SINGLE
    assert acting_seats(table) == (1,)
    assert len(legal(table, 1)) == {1: 4, 2: 6, 3: 4}[count]
    assert {len(text.split()) - 1 for text in legal(table, 1)} == {count}
    reason = f"C3: take exactly {count} of the tableau's cards, to hold 5"
    assert refused(table, 1, "take " + " ".join("abcd"[: count + 1])) == reason
    assert refused(table, 1, "pass") == reason
    assert refused(table, 1, "take e") == reason
    assert refused(table, 0, "take a") == "C3: only the active player, seat 2, takes cards"
    assert why(table, 1, "R2") == "C3: first the active player takes cards up to a hand of 5"


@pytest.mark.rule("C3")
def test_taking_three_refills_their_places_in_order() -> None:
    table = card_table("card", "", "", hands=["R2 G12", OTHER_HAND], tableau="Y6 Y7 Y8 Y9", pile="R10 R11 R12 G2 G3")
    after = choose(table, "take a b d")
    assert after.phase is Phase.CALL
    assert after.cards is not None
    assert after.cards.hands[0] == marks("R2 Y6 Y7 Y9 G12"), "sorted by number"
    assert after.cards.tableau == marks("R10 R11 Y8 R12")
    assert after.cards.pile == marks("G2 G3")


@pytest.mark.rule("C4")
def test_everybody_may_cross_the_number_on_the_pile() -> None:
    hands = [OTHER_HAND, "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5"]
    table = card_table("card", "", "", "", hands=hands, pile="G7 R8", phase=Phase.CALL, active=1)
    assert node(table) is Node.SIMULTANEOUS
    assert acting_seats(table) == (0, 1, 2)
    for seat in range(3):
        assert legal(table, seat) == {"R7", "Y7", "G7", "B7", "pass"}
        assert refused(table, seat, "R8") == "C4: the pile calls 7, so red 8 is not available"
    assert why(table, 0, "R8") == "C4: the pile calls 7, so red 8 is not available"
    assert refused(table, 0, "take a") == "C4: now you cross the called number or pass"
    assert refused(table, 0, "*R7") == "T7: this sheet has no lucky numbers"
    after = choose(table, "R7", "pass", "B7")
    assert after.phase is Phase.PLAY
    assert after.cards == table.cards, "the card stays"


@pytest.mark.rule("C5")
def test_at_least_one_card_must_be_played() -> None:
    table = playing("card", "", "R4 R5 R6 R7 Y2")
    assert node(table) is Node.SINGLE
    assert refused(table, 0, "pass") == "C5: play one to 3 cards of one colour, crossing or not"
    assert refused(table, 0, "play R4 R5 R6 R7") == "C5: play one to 3 cards of one colour, crossing or not"
    assert refused(table, 0, Play(())) == "C5: play one to 3 cards of one colour, crossing or not"
    assert "pass" not in legal(table, 0)


@pytest.mark.rule("C5")
@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("play R4 Y5", "C5: cards played together have one colour"),
        ("play R4 R9", "C5: you do not hold R9"),
        ("play R4 x 5", "C5: you did not play a card for R5"),
        ("play R4 J6=Y", "C5: cards played together have one colour"),
        ("play J6=Q", "C5: a joker, and only a joker, is named a colour of this sheet"),
        ("play R4 J6=R x 4 6", ""),
        ("play R4", ""),
        ("play Y5 x 5", ""),
    ],
)
def test_what_may_be_played(action: str, reason: str) -> None:
    table = playing("card-joker", "", "R4 Y5 J6 G7 B8")
    assert refused(table, 0, action) == reason
    assert (action in legal(table, 0)) == (reason == "")


@pytest.mark.rule("C5")
@pytest.mark.parametrize(
    "play",
    [
        Play(marks("J6")),
        Play(marks("R4"), named="R"),
        Play(marks("R4 R4")),
        Play(marks("R4 J6"), named="J"),
    ],
)
def test_a_play_that_no_text_can_say(play: Play) -> None:
    assert refused(playing("card-joker", "", "R4 Y5 J6 G7 B8"), 0, play).startswith("C5")


@pytest.mark.rule("C5")
def test_only_the_active_player_plays() -> None:
    table = playing("card", "", "R4 R5 R6 R7 Y2")
    assert acting_seats(table) == (0,)
    assert refused(table, 1, "play B2") == "C5: only the active player, seat 1, plays cards"
    assert why(table, 1, "B2") == "C5: only the active player, seat 1, plays cards"
    with pytest.raises(IllegalError, match="C5: only the active player"):
        apply_choices(table, {1: parse_action("play B2")})


@pytest.mark.rule("C5")
def test_every_legal_play_of_a_small_hand() -> None:
    table = playing("card", "", "R4 R5 Y2 Y12 B9")
    assert legal(table, 0) == {
        *("play R4", "play R4 x 4", "play R5", "play R5 x 5"),
        *("play R4 R5", "play R4 R5 x 4", "play R4 R5 x 5", "play R4 R5 x 4 5"),
        *("play Y2", "play Y2 x 2", "play Y12", "play Y2 Y12", "play Y2 Y12 x 2"),
        *("play B9", "play B9 x 9"),
    }


@pytest.mark.rule("C5")
@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("R5", ""),
        ("R6", "C5: you hold no card for red 6"),
        ("R3", "S5: red 3 lies left of your red 4"),
        ("R12", "S6: red 12 closes its row and needs 5 crosses there first; you have 1"),
        ("Y9", ""),
        ("B9", ""),
    ],
)
def test_why_not_knows_the_hand(cell: str, reason: str) -> None:
    assert why(playing("card-joker", "R4", "R5 R3 R12 J9 G2"), 0, cell) == reason


@pytest.mark.rule("C6")
@pytest.mark.parametrize(
    ("cards", "crosses", "skipped"),
    [
        ("R4 R5 R6", "4 5 6", 0),
        ("R4 R5 R7", "4 5 7", 1),
        ("R4 R6 R7", "4 6 7", 1),
        ("R4 R6", "4 6", 1),
        ("R4 R7", "4 7", 2),
        ("R4 R6 R8", "4 6 8", 2),
        ("R4 R8", "4 8", 3),
        ("R4 R8 R11", "8", 0),
    ],
)
def test_at_most_one_cell_between_the_crosses_stays_open(cards: str, crosses: str, skipped: int) -> None:
    table = playing("card", "", " ".join([*cards.split(), "Y2", "G2", "B6"][:5]))
    reason = f"C6: between the first and the last cell of a play at most 1 may stay open, not {skipped}"
    assert refused(table, 0, f"play {cards} x {crosses}") == ("" if skipped < 2 else reason)


@pytest.mark.rule("C7")
@pytest.mark.parametrize(
    ("call", "play", "misthrows"), [("pass", "play R4", 1), ("R7", "play R4", 0), ("pass", "play R4 x 4", 0)]
)
def test_the_misthrow_of_a_card_turn(call: str, play: str, misthrows: int) -> None:
    table = card_table("card", "", "", hands=["R4 R5 R6 Y2 Y3", OTHER_HAND], pile="G7 R8", phase=Phase.CALL)
    after = choose(choose(table, call, "pass"), play)
    assert [paper.misthrows for paper in after.sheets] == [misthrows, 0]
    assert (after.phase, after.active, after.crossed) == (Phase.TAKE, 1, False)


@pytest.mark.rule("C8")
def test_an_empty_pile_is_made_anew_from_the_discards_while_refilling() -> None:
    table = card_table(
        "card", "", "", hands=["R2 R3", OTHER_HAND], tableau="Y6 Y7 Y8 Y9", pile="R10", discards="G2 G3 G4"
    )
    waiting = choose(table, "take a b c")
    assert waiting.phase is Phase.SHUFFLE
    assert waiting.cards is not None
    assert waiting.cards.tableau == (Mark("R", 10), None, None, Mark("Y", 9))
    assert chance(waiting).size == 6
    after = apply_chance(waiting, Shuffle(marks("G4 G2 G3")))
    assert after.phase is Phase.CALL
    assert after.cards is not None
    assert after.cards.tableau == marks("R10 G4 G2 Y9")
    assert after.cards.pile == marks("G3")
    assert after.cards.discards == ()


@pytest.mark.rule("C8")
def test_a_pile_that_just_ran_out_is_made_anew_before_the_call() -> None:
    table = card_table(
        "card", "", "", hands=["R2 R3 R4 R5", OTHER_HAND], tableau="Y6 Y7 Y8 Y9", pile="R10", discards="G2 G3 G4"
    )
    waiting = choose(table, "take a")
    assert waiting.phase is Phase.SHUFFLE
    after = apply_chance(waiting, Shuffle(marks("G2 G3 G4")))
    assert after.phase is Phase.CALL
    assert after.cards is not None
    assert after.cards.pile == marks("G2 G3 G4")


@pytest.mark.rule("C8")
def test_played_cards_are_put_aside() -> None:
    table = playing("card", "", "R4 R5 Y2 Y3 B9")
    after = choose(choose(table, "play R4 R5 x 4")._replace(phase=Phase.PLAY), "play B2")
    assert after.cards is not None
    assert after.cards.discards == marks("R4 R5 B2")
    assert after.cards.hands == (marks("Y2 Y3 B9"), marks("B3 B4 B5"))


@pytest.mark.rule("C9")
def test_a_lock_is_for_its_own_player() -> None:
    locked = "R2 R3 R4 R5 R6 R12"
    hands = ["R7 R8 R9 Y2 Y3", OTHER_HAND]
    table = card_table("card-joker-mixx-a", "Y2 Y3 Y4 B5 B6 R12", "", hands=hands, pile="G11 R8", phase=Phase.CALL)
    assert "R11" in legal(table, 1)
    table = card_table("card", locked, "R2 R3", hands=hands, pile="G10 R8", phase=Phase.CALL)
    assert refused(table, 0, "R10") == "C9: you closed the row of red 10"
    assert "R10" in legal(table, 1)
    assert ending(table) is None


@pytest.mark.rule("C9")
def test_the_end_is_two_rows_of_one_sheet() -> None:
    green, red_five, yellow_five = "G12 G11 G10 G9 G8 G2", "R2 R3 R4 R5 R6", "Y2 Y3 Y4 Y5 Y6"
    hands = ["R7 R8 R9 Y2 Y3", OTHER_HAND]
    apart = card_table("card", green, red_five, hands=hands, pile="G12 R8", phase=Phase.CALL)
    assert choose(apart, "pass", "R12").phase is Phase.PLAY, "two rows, but on two sheets"
    together = card_table("card", "", f"{green} {red_five}", hands=hands, pile="G12 R8", phase=Phase.CALL)
    after = choose(together, "pass", "R12")
    assert after.phase is Phase.OVER
    assert ending(after) == "rows"
    playing_last = card_table(
        "card", f"{green} {yellow_five}", "", hands=["Y12 R2 R3 R4 R5", OTHER_HAND], phase=Phase.PLAY
    )
    assert choose(playing_last, "play Y12 x 12").phase is Phase.OVER
    with pytest.raises(IllegalError, match="C9: the game is over"):
        apply_choices(after, {0: parse_action("pass")})
    assert why(after, 0, "B2") == "C9: the game is over"


@pytest.mark.rule("C9")
def test_the_fourth_misthrow_ends_a_card_game() -> None:
    table = card_table("card", "", "", hands=["R4 R5 R6 Y2 Y3", OTHER_HAND], phase=Phase.PLAY, misthrows=[3])
    assert choose(table, "play R4").phase is Phase.OVER


@pytest.mark.rule("X2")
def test_when_the_call_ends_the_game_nothing_is_played() -> None:
    both = "G12 G11 G10 G9 G8 G2 R2 R3 R4 R5 R6"
    table = card_table("card", "", both, hands=["R7 R8 R9 Y2 Y3", OTHER_HAND], pile="G12 R8", phase=Phase.CALL)
    after = choose(table, "pass", "R12")
    assert after.phase is Phase.OVER
    assert after.sheets[0].misthrows == 0
    assert after.cards == table.cards


@pytest.mark.rule("X7")
def test_a_card_just_refilled_cannot_be_taken_in_the_same_turn() -> None:
    table = card_table("card", "", "", hands=["R2 R3 R4", OTHER_HAND], tableau="Y6 Y7 Y8 Y9", pile="R10 R11 R12")
    assert all(len(set(text.split())) == 3 for text in legal(table, 0)), "two different places each"
    after = choose(table, "take a d")
    assert after.phase is Phase.CALL, "there is no second taking"
    assert after.cards is not None
    assert after.cards.hands[0] == marks("R2 R3 R4 Y6 Y9")


@pytest.mark.rule("X8")
def test_a_play_may_make_the_fifth_cross_and_then_close() -> None:
    table = playing("card", "R2 R3 R4 R5", "R10 R11 R12 Y2 Y3")
    assert why(table, 0, "R12") == ""
    after = choose(table, "play R11 R12 x 11 12")
    assert {"R11", "R12", "L1"} <= crossed(after, 0)
    assert scores(after)[0].total == 28
    assert refused(table, 0, "play R12 x 12") == "S6: red 12 closes its row and needs 5 crosses there first; you have 4"
    three = playing("card", "G12 G11 G10", "G4 G3 G2 Y2 Y3")
    assert {"G4", "G3", "G2", "L3"} <= crossed(choose(three, "play G2 G3 G4 x 2 3 4"), 0)
    too_few = playing("card", "G12 G11", "G4 G3 G2 Y2 Y3")
    reason = "S6: green 2 closes its row and needs 5 crosses there first; you have 4"
    assert refused(too_few, 0, "play G2 G3 G4 x 2 3 4") == reason


@pytest.mark.rule("X9")
def test_what_a_seat_sees() -> None:
    table = card_table(
        "card-joker",
        "",
        "",
        hands=["R2 J3 R4 R5", "Y2 G3 B4 B5"],
        tableau="J6 R6 Y7 J8",
        pile="R9 R10 R11",
        discards="G9 G10",
    )
    for seat, own, other in (
        (0, "R2 J3 R4 R5", ["?2", "?3", "?4", "?5"]),
        (1, "Y2 G3 B4 B5", ["?2", "?3", "?4", "?5"]),
    ):
        seen = view(table, seat).cards
        assert seen is not None
        assert seen.hands[seat] == marks(own)
        assert backs(seen.hands[1 - seat]) == other
        assert backs(seen.tableau) == ["?6", "?6", "?7", "?8"]
        assert backs(seen.pile) == ["?9", "?0", "?0"]
        assert seen.discards == marks("G9 G10"), "what was played since the last shuffle is open"
    spectator = view(table, None).cards
    assert spectator is not None
    assert all(card.colour == HIDDEN for hand in spectator.hands for card in hand)


@pytest.mark.rule("X10")
def test_a_joker_and_its_twin_make_one_cross() -> None:
    table = playing("card-joker", "", "R5 J5 R6 Y2 Y3")
    after = choose(table, "play J5=R R5 R6 x 5 6")
    assert crossed(after, 0) == {"R5", "R6"}
    assert scores(after)[0].total == 3
    assert after.cards is not None
    assert len(after.cards.discards) == 3, "all three cards are gone"
    assert Play(marks("J5 R5"), (5, 5), "R") == Play(marks("J5 R5"), (5,), "R")


@pytest.mark.rule("X11")
def test_on_mixx_gaps_are_free_and_a_colour_lies_in_several_rows() -> None:
    shuffled = playing("card-mixx-b", "", "R10 R3 R11 Y2 Y3")
    assert refused(shuffled, 0, "play R3 R10 x 3 10") == ""
    assert refused(shuffled, 0, "play R3 R10 R11 x 3 10 11").startswith("S6")
    split = playing("card-mixx-a", "Y9", "R2 R5 R11 Y2 Y3")
    after = choose(split, "play R2 R5 R11 x 2 5 11")
    assert crossed(after, 0) == {"Y9", "R2", "R5", "R11"}
    assert after.sheets[0].rows == (1 << 9, 1, 1 << 3 | 1 << 7, 0)
    blocked = playing("card-mixx-a", "R11", "G8 R12 B9 Y2 Y3")
    assert refused(blocked, 0, "play G8 x 8") == "S5: green 8 lies left of your red 11"


@pytest.mark.rule("X11")
def test_mixx_b_crosses_in_the_order_of_its_row() -> None:
    table = playing("card-mixx-b", "R10", "R6 R2 R8 Y2 Y3")
    assert crossed(choose(table, "play R2 R6 R8 x 2 6 8"), 0) == {"R10", "R6", "R2", "R8"}


@pytest.mark.rule("C9")
def test_nothing_can_be_played_into_a_row_of_ones_own_lock() -> None:
    table = playing("card", "R2 R3 R4 R5 R6 R12", "R7 R8 R9 Y2 Y3")
    assert why(table, 0, "R7") == "C9: you closed the row of red 7"
    assert why(table, 0, "R12") == "S5: red 12 is crossed already"
    assert refused(table, 0, "play R7 x 7") == "C9: you closed the row of red 7"


def test_cards_are_conserved_in_a_turn() -> None:
    table = apply_chance(apply_chance(new_game(variant("card"), 2), Shuffle(variant("card").cards)), Begins(0))
    for action in ["take a", None, "play R2"]:
        assert table.cards is not None
        everywhere = [*table.cards.pile, *table.cards.discards, *(card for card in table.cards.tableau if card)]
        everywhere += [card for hand in table.cards.hands for card in hand]
        assert Counter(everywhere) == Counter(variant("card").cards)
        table = choose(table, action) if action else choose(table, "pass", "pass")

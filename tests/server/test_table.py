"""A table without a network: events in, the same table out; requests judged in one order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwixx.boards import find_variant
from qwixx.match import stream
from qwixx.rules import BUILT_IN, Phase, Take, acting_seats, chance, legal_actions
from qwixx.rules.boardfile import board_text
from qwixx.server.events import (
    AnyEvent,
    Chose,
    Event,
    Filled,
    Handed,
    Joined,
    Opened,
    Rolled,
    SeatPlan,
    Told,
    TookBack,
    decode_event,
    encode_event,
)
from qwixx.server.keys import fits, hashed, new_key, new_table_id
from qwixx.server.protocol import Refused
from qwixx.server.table import MOST_RECONSIDERED, Table

ANN, BO, CY = "key of Ann", "key of Bo", "key of Cy"


def person(name: str, key: str) -> SeatPlan:
    return SeatPlan("person", name=name, key=hashed(key))


TWO = (person("Ann", ANN), person("Bo", BO))
DATE = "2026-11-15"


def table(*events: Event, variant: str = "classic", seats: tuple[SeatPlan, ...] = TWO, dice: str = "server") -> Table:
    opened = Opened(variant, seats, DATE, dice=dice)  # type: ignore[arg-type]
    result = Table.replay([opened])
    for event in events:
        result.apply(event)
    return result


def rolled(*more: Event, dice: str = "server") -> Table:
    """Two seats, Ann active, white sum 5."""
    return table(Rolled("begins 1"), Rolled("roll 4 1 R3 Y6 G5 B6"), *more, dice=dice)


def phase(here: Table) -> Phase | None:
    return here.state.phase if here.state else None


def refused(code: str) -> "pytest.RaisesExc[Refused]":
    return pytest.raises(Refused, check=lambda error: error.code == code)


def test_a_choice_waits_for_the_others_and_settles_with_the_last() -> None:
    here = rolled(Chose(0, "R5"))
    assert here.undecided() == (1,)
    assert phase(here) is Phase.WHITE
    here.apply(Chose(1, "pass"))
    assert phase(here) is Phase.COLOUR
    assert here.pending == {}
    assert here.version == 5


def test_a_choice_can_be_changed_and_taken_back_until_then() -> None:
    here = rolled(Chose(0, "R5"))
    assert here.choose([ANN], 0, "Y5", here.version) == Chose(0, "Y5")
    assert here.take_back([ANN], 0) == TookBack(0)
    here.apply(TookBack(0))
    assert here.take_back([ANN], 0) is None
    assert here.undecided() == (0, 1)


def test_a_repeated_choice_is_harmless() -> None:
    here = rolled(Chose(0, "R5"))
    assert here.choose([ANN], 0, "R5", 1) is None


def test_a_stale_choice_is_refused() -> None:
    here = rolled()
    assert here.asked_at == here.version == 3
    assert here.choose([ANN], 0, "R5", 3) == Chose(0, "R5")
    with refused("stale"):
        here.choose([ANN], 0, "R5", 2)
    later = rolled(Chose(0, "R5"))
    assert later.choose([BO], 1, "pass", 3) == Chose(1, "pass"), "another's choice does not make mine stale"


@pytest.mark.parametrize(
    ("keys", "seat", "action", "code"),
    [
        ([ANN], 0, "nonsense!", "malformed"),
        ([ANN], 7, "pass", "seat"),
        ([ANN], -1, "pass", "seat"),
        ([], 0, "pass", "key"),
        (["wrong"], 0, "pass", "key"),
        ([""], 0, "pass", "key"),
        ([BO], 0, "pass", "key"),
        ([ANN], 0, "R6", "illegal"),
        ([ANN], 0, "take a", "illegal"),
    ],
)
def test_what_is_refused_changes_nothing(keys: list[str], seat: int, action: str, code: str) -> None:
    here = rolled()
    before = (here.version, here.pending, here.state)
    with refused(code):
        here.choose(keys, seat, action, here.version)
    assert (here.version, here.pending, here.state) == before


def test_a_refusal_by_a_rule_carries_the_rule() -> None:
    with pytest.raises(Refused) as caught:
        rolled().choose([ANN], 0, "R6", 3)
    assert caught.value.reason is not None
    assert caught.value.reason.rule == "T3"
    assert caught.value.text == "T3: the white dice add up to 5, so red 6 is not available."


def test_out_of_turn_and_after_the_end() -> None:
    action_2 = rolled(Chose(0, "R5"), Chose(1, "pass"))
    with refused("turn"):
        action_2.choose([BO], 1, "pass", action_2.version)
    with refused("turn"):
        table().choose([ANN], 0, "pass", 1)
    over = rolled()
    assert over.game is not None
    over.game.states[-1] = over.game.state._replace(phase=Phase.OVER)
    assert over.over
    with refused("over"):
        over.choose([ANN], 0, "pass", over.version)


def test_several_seats_of_one_device() -> None:
    here = rolled()
    assert here.seats_of([ANN, BO]) == (0, 1)
    assert here.seats_of([BO, "nonsense"]) == (1,)
    assert here.choose([ANN, BO], 1, "Y5", here.version) == Chose(1, "Y5")


OPEN = (person("Ann", ANN), SeatPlan("open"), SeatPlan("open"))


def test_the_game_begins_when_every_seat_is_taken() -> None:
    here = table(seats=OPEN)
    assert phase(here) is None
    assert here.undecided() == ()
    with refused("waiting"):
        here.choose([ANN], 0, "pass", 1)
    joined = here.join(None, "Bo", BO)
    assert joined == Joined(1, "Bo", hashed(BO))
    here.apply(joined)
    with refused("taken"):
        here.join(1, "Cy", CY)
    here.apply(here.join(2, "Cy", CY))
    assert here.game is not None
    assert here.game.names == ("Ann", "Bo", "Cy")
    assert here.seats_of([CY]) == (2,)
    with refused("full"):
        here.join(None, "Di", "key of Di")


@pytest.mark.parametrize("name", ["", " Bo", "x" * 41, "a\nb"])
def test_a_seat_needs_a_proper_name(name: str) -> None:
    with refused("name"):
        table(seats=OPEN).join(None, name, BO)


def test_no_key_opens_a_bots_or_an_open_seat() -> None:
    here = table(seats=(person("Ann", ANN), SeatPlan("bot", name="Robin", bot="skip-2"), SeatPlan("open")))
    assert here.played_by == {1: "skip-2"}
    assert here.seats_of(["", "-" * 64, hashed("")]) == ()


def test_a_bot_stands_in_and_goes() -> None:
    here = rolled()
    assert here.hand_over([ANN], 1, "skip-2") == Handed(1, "skip-2"), "anybody at the table may ask for it"
    here.apply(Handed(1, "skip-2"))
    assert here.played_by == {1: "skip-2"}
    with refused("key"):
        here.hand_over([ANN], 1, "")
    taken = here.hand_over([BO], 1, "")
    assert taken == Handed(1, "")
    here.apply(taken)
    assert here.hand_over([BO], 1, "") is None, "it is so already"
    assert here.played_by == {}
    with refused("key"):
        here.hand_over([], 1, "skip-2")
    with refused("seat"):
        here.hand_over([ANN], 5, "skip-2")


def test_real_dice_are_entered_by_a_player() -> None:
    here = table(Rolled("begins 1"), dice="real")
    assert not here.chance_is_due()
    assert here.real_roll([BO], "roll 4 1 R3 Y6 G5 B6") == Rolled("roll 4 1 R3 Y6 G5 B6")
    for keys, outcome, code in [
        (["wrong"], "roll 4 1 R3 Y6 G5 B6", "key"),
        ([BO], "roll 4", "malformed"),
        ([BO], "roll 7 1 R3 Y6 G5 B6", "illegal"),
        ([BO], "begins 1", "illegal"),
    ]:
        with refused(code):
            here.real_roll(keys, outcome)
    with refused("turn"):
        rolled(Chose(0, "R5"), Chose(1, "pass"), dice="real").real_roll([ANN], "roll 4 1 R3 Y6 G5 B6")
    with refused("turn"):
        table(Rolled("begins 1")).real_roll([ANN], "roll 4 1 R3 Y6 G5 B6")


def test_a_wrong_entry_is_corrected_until_action_1_is_settled() -> None:
    here = rolled(Chose(0, "R5"), dice="real")
    here.apply(here.real_roll([ANN], "roll 4 2 R3 Y6 G5 B6"))
    assert here.undecided() == (0, 1), "what was chosen for other dice does not count"
    assert here.notes[-1].kind == "corrected"
    assert here.game
    assert [str(event) for event in here.game.events] == ["begins 1", "roll 4 2 R3 Y6 G5 B6"]


ALONE = (person("Ann", ANN),)


def test_a_paper_table_is_told_what_others_close() -> None:
    here = table(seats=ALONE, dice="paper")
    assert phase(here) is Phase.ROLL
    here.apply(here.real_roll([ANN], "roll 4 1"))
    here.apply(here.real_roll([ANN], "roll 4 2"))
    here.apply(here.choose([ANN], 0, "R6", here.version) or TookBack(0))
    assert phase(here) is Phase.ROLL
    for row in (1, 2):
        told = here.tell([ANN], row)
        assert told == Told(row)
        here.apply(told)
        assert here.over or here.tell([ANN], row) is None, "it is known already"
    assert here.over
    assert [note.kind for note in here.notes[-3:]] == ["closed", "closed", "over"]
    assert Table.replay(events_of(here)).notes == here.notes
    with refused("over"):
        here.tell([ANN], 0)


def test_who_may_tell_what() -> None:
    here = table(seats=ALONE, dice="paper")
    with refused("key"):
        here.tell([BO], 0)
    with refused("malformed"):
        here.tell([ANN], 4)
    with refused("paper"):
        rolled().tell([ANN], 0)
    with refused("paper"):
        table(dice="paper")
    with pytest.raises(TypeError):
        rolled().apply(Told(0))


def events_of(here: Table) -> list[AnyEvent]:
    """The events of that paper table, as they were kept."""
    kept: list[AnyEvent] = [here.opened, Rolled("roll 4 1"), Rolled("roll 4 2"), Chose(0, "R6"), Told(1), Told(2)]
    return [decode_event(encode_event(event)) for event in kept]


def test_the_server_rolls_whatever_people_do_not() -> None:
    assert table().chance_is_due()
    assert table(dice="real").chance_is_due(), "who begins is drawn by the server"
    assert table(Rolled("begins 1")).chance_is_due()
    assert not rolled().chance_is_due()
    assert not table(seats=OPEN).chance_is_due()


@pytest.mark.parametrize(
    ("opened", "code"),
    [
        (Opened("chess", TWO, DATE), "variant"),
        (Opened("mine", TWO, DATE, board="rows = 7"), "variant"),
        (Opened("card", TWO, DATE, start="first-six"), "start"),
        (Opened("classic", TWO * 3, DATE), "seats"),
    ],
)
def test_tables_that_cannot_be(opened: Opened, code: str) -> None:
    with refused(code):
        Table.replay([opened])


def test_events_that_do_not_fit_are_a_fault_not_a_request() -> None:
    with pytest.raises(TypeError, match="does not fit"):
        rolled().apply(Opened("classic", TWO, DATE))
    with pytest.raises(TypeError, match="has not begun"):
        table(seats=OPEN).apply(Rolled("begins 1"))
    with pytest.raises(TypeError, match="begins with being opened"):
        Table.replay([Rolled("begins 1")])


def test_keys() -> None:
    key = new_key()
    assert len(key) >= 32
    assert fits(hashed(key), hashed(key))
    assert not fits(hashed(key), hashed(new_key()))
    assert not fits("", "")
    assert len({new_table_id() for _ in range(200)}) == 200
    assert len(new_table_id()) == 8


@given(st.sampled_from([*BUILT_IN, "mini"]), st.integers(0, 10**6))
def test_replaying_the_kept_events_gives_the_same_table(key: str, seed: int) -> None:
    variant = find_variant(key)
    dice = stream(seed, "table")
    board = "" if key in BUILT_IN else board_text(variant)
    events: list[AnyEvent] = [Opened(key, TWO, DATE, board=board, start=variant.start.value)]
    here = Table.replay(events)
    for _ in range(60):
        state = here.state
        assert state is not None
        if here.over:
            break
        event: AnyEvent
        if here.chance_is_due():
            random = chance(state)
            event = Rolled(str(random.outcome(dice.randrange(random.size))))
        else:
            seat = dice.choice(acting_seats(state))
            action = str(dice.choice(legal_actions(state, seat)))
            chosen = here.choose([ANN, BO], seat, action, here.version)
            if chosen is None:
                continue
            event = chosen
        events.append(event)
        here.apply(event)
    kept = [decode_event(encode_event(event)) for event in events]
    assert kept == events
    again = Table.replay(kept)
    assert again.state == here.state
    assert (again.version, again.asked_at, again.pending) == (here.version, here.asked_at, here.pending)
    assert again.version == len(events)


def test_what_would_be_a_misthrow_is_told() -> None:
    here = rolled(Chose(0, "pass"), Chose(1, "R5"))
    assert here.view("t", [0, 1], []).misthrows == {0: ("pass",), 1: ()}
    here = rolled(Chose(0, "R5"), Chose(1, "R5"))
    assert here.view("t", [0], []).misthrows == {0: ()}


def test_nobody_changes_their_mind_for_ever() -> None:
    here = rolled()
    for _ in range(MOST_RECONSIDERED):
        here.apply(Chose(0, "R5"))
        assert here.take_back([ANN], 0) == TookBack(0)
        here.apply(TookBack(0))
    assert here.take_back([ANN], 0) is None
    assert here.choose([ANN], 0, "R5", here.version) == Chose(0, "R5")
    here.apply(Chose(0, "R5"))
    with refused("slow-down"):
        here.take_back([ANN], 0)


def test_nobody_chooses_otherwise_for_ever() -> None:
    here = rolled(Chose(0, "R5"))
    for cell in ("Y5", "R5") * (MOST_RECONSIDERED // 2):
        assert here.choose([ANN], 0, cell, here.version) == Chose(0, cell)
        here.apply(Chose(0, cell))
    with refused("slow-down"):
        here.choose([ANN], 0, "Y5", here.version)
    assert here.choose([ANN], 0, "R5", here.version) is None, "what stands may be said again"
    with refused("slow-down"):
        here.take_back([ANN], 0)


def test_a_version_that_has_not_come_yet_is_as_wrong_as_an_old_one() -> None:
    here = rolled()
    with refused("stale"):
        here.choose([ANN], 0, "R5", here.version + 1)


def test_a_game_that_nobody_could_play_is_not_opened() -> None:
    robin = SeatPlan("bot", name="Robin", bot="skip-2")
    with refused("seats"):
        table(seats=(robin, robin), dice="real")
    with refused("paper"):
        table(seats=(robin,), dice="paper")


def test_after_the_end_no_bot_takes_over() -> None:
    here = table(seats=ALONE, dice="paper")
    here.apply(Told())
    with refused("over"):
        here.hand_over([ANN], 0, "skip-2")


def test_a_bot_takes_a_seat_that_nobody_took() -> None:
    here = table(seats=OPEN)
    with refused("key"):
        here.hand_over([BO], 1, "skip-2")
    for seat in (1, 2):
        filled = here.hand_over([ANN], seat, "skip-2")
        assert filled == Filled(seat, f"Bot {seat + 1}", "skip-2")
        here.apply(filled)
    assert here.game
    assert here.played_by == {1: "skip-2", 2: "skip-2"}


def test_cards_that_were_taken_are_told_by_their_numbers() -> None:
    here, chosen = table(variant="card"), stream(1, "play")
    while here.state and here.state.phase is not Phase.CALL:
        if acting_seats(here.state):
            (seat,) = acting_seats(here.state)
            action = chosen.choice(legal_actions(here.state, seat))
            assert isinstance(action, Take)
            assert here.state.cards
            numbers = [card.number for card in map(here.state.cards.tableau.__getitem__, action.slots) if card]
            here.apply(Chose(seat, str(action)))
        else:
            event = chance(here.state)
            here.apply(Rolled(str(event.outcome(chosen.randrange(event.size)))))
    settled = [note for note in here.notes if note.kind == "settled"][-1]
    assert list(settled.choices.values()) == [" ".join(["take", *map(str, numbers)])]

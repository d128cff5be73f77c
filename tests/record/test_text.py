"""Records: written, read, verified, resumed, refused."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game, RecordError, event_text, game_json, parse_event, read_record, write_record
from qwixx.rules import MalformedError, Phase, Start, parse_action, scores
from tests.fuzz import EXAMPLES, broken, resealed
from tests.soak import play_checked, tables


def example(key: str = "classic", seed: int = 3) -> Game:
    return play_checked(key, 2, seed, offers=False)


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as caught:
        read_record(text)
    return str(caught.value)


@pytest.mark.parametrize(("key", "seats"), tables())
def test_a_record_reads_back_exactly(key: str, seats: int) -> None:
    game = play_checked(key, seats, 11, offers=False)
    text = write_record(game)
    again = read_record(text)
    assert again.states == game.states
    assert again.events == game.events
    assert (again.names, again.date, again.variant) == (game.names, game.date, game.variant)
    assert write_record(again) == text


def test_what_a_record_looks_like() -> None:
    game = Game(find_variant("classic"), ["Ann", "Bo"], "2026-11-15")
    for line in ["begins 1", "roll 4 1 R3 Y6 G5 B6", "1 R5 | 2 pass", "1 B10", "roll 1 2 R1 Y1 G1 B1"]:
        game.apply(parse_event(line))
    text = write_record(game)
    assert text.splitlines()[:-1] == [
        "qwixx record 1",
        "variant: classic",
        "start: draw",
        "seat 1: Ann",
        "seat 2: Bo",
        "date: 2026-11-15",
        "result: unfinished",
        "",
        "begins 1",
        "",
        "# turn 1: Ann",
        "roll 4 1 R3 Y6 G5 B6",
        "1 R5 | 2 pass",
        "1 B10",
        "",
        "# turn 2: Bo",
        "roll 1 2 R1 Y1 G1 B1",
        "",
    ]
    assert text.endswith("\n")
    assert read_record(text).states == game.states
    assert resealed(text).splitlines()[-1] == text.splitlines()[-1]


def test_comments_empty_lines_and_line_ends_do_not_matter() -> None:
    text = write_record(example())
    edited = text.replace("\n", "\r\n").replace("begins", "# a note of mine\r\n\r\nbegins")
    assert write_record(read_record(edited)) == text


def test_the_result_is_in_the_record() -> None:
    game = example()
    totals = " ".join(str(score.total) for score in scores(game.state))
    assert f"\nresult: {totals}\n" in write_record(game)


def test_another_start_is_kept() -> None:
    gamewright = replace(find_variant("classic"), start=Start.FIRST_SIX)
    game = Game(gamewright, ["Ann", "Bo"], "2026-11-15")
    for line in ["start-die 3", "start-die 6"]:
        game.apply(parse_event(line))
    again = read_record(write_record(game))
    assert again.state.active == 1
    assert again.variant.start is Start.FIRST_SIX


def test_a_board_of_ones_own_travels_with_the_record() -> None:
    text = write_record(example("mini"))
    assert 'name = "Mini-Qwixx"' in text
    assert read_record(text).variant == find_variant("mini")


@pytest.mark.parametrize("key", ["classic", "longo", "card-joker", "mini"])
def test_resume_from_any_point(key: str) -> None:
    game = example(key)
    for count in range(0, len(game.events) + 1, 7):
        earlier = read_record(write_record(game.at(count)))
        assert earlier.state == game.states[count]
        for event in game.events[count:]:
            earlier.apply(event)
        assert earlier.state == game.state
    assert game.at(len(game.events)).state.phase is Phase.OVER
    for wrong in (-1, len(game.events) + 1):
        with pytest.raises(MalformedError, match="there is no point"):
            game.at(wrong)


def test_going_on_differently_leaves_the_game_alone() -> None:
    game = example()
    count = len(game.events)
    branch = game.at(1)
    run(branch, [BOTS["skip-2"](stream(1, "a")), BOTS["random"](stream(1, "b"))], RandomSource(stream(1, "c")))
    assert len(game.events) == count
    assert branch.events != game.events


def test_a_refused_event_changes_nothing() -> None:
    game = example().at(2)
    before = (list(game.events), list(game.states))
    with pytest.raises(MalformedError):
        game.apply(parse_event("roll 1"))
    with pytest.raises(ValueError, match="T3"):
        game.apply({0: parse_action("take a"), 1: parse_action("pass")})
    assert (game.events, game.states) == before


def test_an_event_cannot_be_changed_from_outside() -> None:
    game = example().at(2)
    choices = {0: parse_action("pass"), 1: parse_action("pass")}
    game.apply(choices)
    choices[0] = parse_action("R2")
    assert event_text(game.events[-1]) == "1 pass | 2 pass"


FIRST = "begins 1"


@pytest.mark.parametrize(
    ("find", "put", "reason"),
    [
        ("qwixx record 1", "qwixx record 2", "line 1: a record begins with “qwixx record 1”"),
        ("variant: classic", "variant: chess", "line 2: “chess” is not built in, and its board is missing"),
        ("variant: classic\n", "", "line 2: expected “variant: …”, not “start: draw”"),
        ("start: draw", "start: coin", "line 3: Qwixx does not start with “coin”"),
        ("start: draw", "start: first-six", "T2: the die for the first six shows 1 to 6"),
        ("seat 1: Player 1\n", "", "line 4: expected “seat 1: …”, not “seat 2: Player 2”"),
        ("seat 2: Player 2\n", "", "line 7: T1"),
        ("seat 2: Player 2", "seat 2: " + "x" * 41, "is not a name"),
        ("seat 2: Player 2", "seat 2: tab\there", "is not a name"),
        ("date: 2026-11-15", "date: yesterday", "line 6: 'yesterday' is not a date like 2026-11-15"),
        ("date: 2026-11-15", "date: 20261115", "is not a date"),
        ("date: 2026-11-15", "date: 2026-02-30", "is not a date"),
        ("result: ", "result: 1", "line 7: the result is "),
        ("| 2 ", "| 2 nonsense ", "is not an action"),
        ("| 2 ", "| 3 ", "2 is not a seat: they count from 0 to 1"),
        ("roll ", "role ", "is not an outcome"),
        ("roll ", "roll  ", "must be written"),
        ("\nroll ", "\nroll 1 1 ", "is not a colour's letter"),
    ],
)
def test_a_broken_record_is_refused_with_line_and_reason(find: str, put: str, reason: str) -> None:
    text = write_record(read_record(EXAMPLES["classic"]))
    body = text.index(FIRST[:6]) if find in ("| 2 ", "roll ", "\nroll ") else 0
    changed = text[:body] + text[body:].replace(find, put, 1)
    assert changed != text
    complaint = refusal(resealed(changed))
    assert reason in complaint
    assert complaint.startswith("line ")


def test_an_illegal_choice_is_refused_with_its_rule() -> None:
    game = Game(find_variant("classic"), ["Ann", "Bo"], "2026-11-15")
    for line in ["begins 1", "roll 4 1 R3 Y6 G5 B6", "1 R5 | 2 pass", "1 B10"]:
        game.apply(parse_event(line))
    text = write_record(game)
    assert (
        refusal(resealed(text.replace("1 R5", "1 R6")))
        == "line 10: T3: the white dice add up to 5, so red 6 is not available"
    )
    assert refusal(resealed(text.replace("1 B10", "2 B10"))) == (
        "line 11: T4: only the active player, seat 1, adds a coloured die"
    )
    assert refusal(resealed(text.replace("1 R5 | 2 pass", "1 R5"))).startswith("line 10: X1: seat 2 has not chosen")
    assert refusal(resealed(text.replace("1 R5 | 2 pass", "2 pass | 1 R5"))) == (
        "line 10: “2 pass | 1 R5” must be written “1 R5 | 2 pass”"
    )
    assert refusal(resealed(text.replace("1 R5 | 2 pass", "1 R5 | 1 pass"))) == "line 10: seat 1 chooses twice"
    assert refusal(resealed(text.replace("1 R5 | 2 pass", "1 R5 | 0 pass"))).endswith("begin with a seat's number")
    assert "R5" in text


def test_any_change_is_noticed_even_one_that_replays() -> None:
    game = Game(find_variant("classic"), ["Ann", "Bo"], "2026-11-15")
    for line in ["begins 1", "roll 4 1 R3 Y6 G5 B6"]:
        game.apply(parse_event(line))
    text = write_record(game)
    tampered = text.replace("Y6", "Y5")
    assert read_record(resealed(tampered)).state != game.state, "it replays"
    assert refusal(tampered).endswith("the seal does not fit: something above was changed")


def test_a_record_that_was_cut_off() -> None:
    lines = write_record(example()).split("\n")
    for keep in range(len(lines) - 2):
        assert refusal("\n".join(lines[:keep])).startswith("line ")


def test_nothing_may_follow() -> None:
    text = write_record(example())
    assert refusal(text + "roll 1 2\n").endswith("nothing may follow the seal")
    assert refusal(resealed(text.replace("\nseal", "\nroll 1 2 R1 Y1 G1 B1\nseal"))).startswith("line ")
    assert refusal(write_record(example()) * 2).endswith("nothing may follow the seal")


def test_events_after_the_end() -> None:
    text = write_record(example())
    more = text[: text.index("seal:")] + "1 pass | 2 pass\n"
    assert refusal(resealed(more)).endswith("L3: the game is over")


def test_a_finished_game_is_not_unfinished() -> None:
    text = write_record(example())
    result = next(line for line in text.splitlines() if line.startswith("result:"))
    assert "the result is" in refusal(resealed(text.replace(result, "result: unfinished")))


def test_a_board_that_does_not_fit() -> None:
    text = write_record(example("mini"))
    assert refusal(resealed(text.replace("variant: mini", "variant: tiny"))) == (
        "line 2: the variant is tiny, but the board below is mini"
    )
    assert "this board cannot be played" in refusal(resealed(text.replace("sides = 3", "sides = 1")))
    assert "first-six" in refusal(resealed(text.replace("start: draw", "start: first-six")))


@pytest.mark.parametrize(("names", "line"), [(["Ann", " Bo"], 5), ([" Ann", "Bo"], 4), (["Ann"] * 6, 9), ([], 4)])
def test_a_wrong_seat_is_blamed_on_its_own_line(names: list[str], line: int) -> None:
    text = write_record(Game(find_variant("classic"), ["Ann", "Bo"], "2026-11-15"))
    seats = "".join(f"seat {number}: {name}\n" for number, name in enumerate(names, 1))
    assert refusal(resealed(text.replace("seat 1: Ann\nseat 2: Bo\n", seats))).startswith(f"line {line}: ")


def test_choices_are_kept_by_whole_seats() -> None:
    game = example().at(2)
    game.apply({0.0: parse_action("pass"), 1.0: parse_action("pass")})  # type: ignore[dict-item]
    assert event_text(game.events[-1]) == "1 pass | 2 pass"


def test_too_long_a_record() -> None:
    assert refusal("#" * 1_000_001) == "line 1: a record has at most 1000000 characters"


@pytest.mark.parametrize("name", ["", " Ann", "Ann ", "A\nB", "\u202eevil", "x" * 41])
def test_names_that_are_none(name: str) -> None:
    with pytest.raises(MalformedError, match="is not a name"):
        Game(find_variant("classic"), [name, "Bo"], "2026-11-15")


@given(st.text(max_size=200))
def test_no_text_crashes_the_reader(text: str) -> None:
    assert refusal(text).startswith("line ")


@given(st.sampled_from(sorted(EXAMPLES)), st.integers(0, 2**32))
def test_no_broken_record_crashes_the_reader(key: str, seed: int) -> None:
    try:
        game = read_record(broken(EXAMPLES[key], seed))
    except RecordError:
        return
    assert read_record(write_record(game)).states == game.states


@pytest.mark.parametrize("key", ["classic", "longo", "card-joker", "deluxe"])
def test_json_has_every_state(key: str) -> None:
    game = example(key)
    document = json.loads(json.dumps(game_json(game)))
    assert document["variant"] == key
    assert document["seats"] == ["Player 1", "Player 2"]
    assert len(document["steps"]) == len(game.states)
    assert document["steps"][0]["event"] is None
    assert [step["event"] for step in document["steps"][1:]] == list(map(event_text, game.events))
    last = document["steps"][-1]["state"]
    assert last["phase"] == "over"
    assert [sheet["total"] for sheet in last["sheets"]] == document["result"]["totals"]
    for sheet, score in zip(last["sheets"], scores(game.state), strict=True):
        assert [row["points"] for row in sheet["rows"]] == list(score.rows)
        assert sum(len(row["crosses"]) + row["lock"] for row in sheet["rows"]) > 0 or score.total <= 0
    assert game_json(game.at(3))["result"] is None


def test_json_of_a_card_table() -> None:
    game = example("card-joker")
    cards = game_json(game)["steps"][3]["state"]["cards"]
    assert cards is not None
    assert sum(len(hand) for hand in cards["hands"]) + len(cards["pile"]) + len(cards["discards"]) + 4 == 55


SAME_GAME = """
from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game, write_record
for key in ("classic", "mixx-a", "longo", "card-joker", "mini"):
    game = Game(find_variant(key), ["Ann", "Bo", "Cy"], "2026-11-15")
    bots = [BOTS[name](stream(42, f"seat {n}")) for n, name in enumerate(("random", "skip-1", "skip-2"))]
    print(write_record(run(game, bots, RandomSource(stream(42, "chance")))))
"""


def test_the_same_seed_gives_the_same_record_in_any_process() -> None:
    records = set()
    for hash_seed in ("0", "1", "4711"):
        environment = {"PYTHONHASHSEED": hash_seed}
        done = subprocess.run(
            [sys.executable, "-c", SAME_GAME], env=environment, capture_output=True, text=True, check=True
        )
        records.add(done.stdout)
    assert len(records) == 1
    assert records.pop().count("qwixx record 1") == 5

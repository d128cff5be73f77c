"""The protocol as a plain client speaks it: whole games, reconnecting, and what a table tells."""

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from qwixx.boards import all_variants
from qwixx.bots import LEVELS
from qwixx.record import read_record
from qwixx.rules import BUILT_IN, Phase, Start, scores
from qwixx.rules.boardfile import board_text
from qwixx.server.app import create_app
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from tests.server.client import BO_KEY, Player, finished, opened, until_asked


@pytest.mark.parametrize("variant", sorted(all_variants()))
def test_a_whole_game_against_a_bot(client: TestClient, variant: str) -> None:
    table, keys = opened(client, "person", "bot", variant=variant)
    player, chosen = Player(client, table, tuple(keys.values())), random.Random(1)
    while True:
        until_asked(player, 0)
        if player.state["phase"] == "over":
            break
        legal = player.table["legal"]["0"]
        if "0" in player.table["chosen"]:
            player.hear("update")
            continue
        answer = player.choose(0, chosen.choice(legal))
        assert answer["type"] == "done" or answer["code"] == "stale", answer
    assert player.notes[-1]["kind"] == "over"
    assert [note["version"] for note in player.notes] == sorted(note["version"] for note in player.notes)
    player.close()


def test_a_rematch_has_the_same_seats_and_keys(client: TestClient) -> None:
    player, table, keys = finished(client)
    spectator = Player(client, table)
    assert spectator.asks("rematch")["code"] == "key"
    assert player.asks("rematch")["type"] == "done"
    while not player.table["rematch"]:
        player.hear("update")
    again = player.table["rematch"]
    assert again != table
    assert player.asks("rematch")["type"] == "done"
    assert player.table["rematch"] == again, "asking twice opens no second table"
    next_game = Player(client, again, tuple(keys.values()))
    assert next_game.table["you"] == [0]
    assert [seat["name"] for seat in next_game.table["seats"]] == ["Seat 0", "Seat 1"]
    assert next_game.asks("rematch")["code"] == "turn"
    for each in (player, spectator, next_game):
        each.close()


def test_the_record_of_a_finished_game(client: TestClient) -> None:
    player, table, _ = finished(client)
    answer = client.get(f"/api/tables/{table}/record")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith('attachment; filename="mini-')
    game = read_record(answer.text)
    assert game.state.phase is Phase.OVER
    assert [score.total for score in scores(game.state)] == [sheet["total"] for sheet in player.state["sheets"]]
    running, _ = opened(client, "person", "person", variant="card")
    assert client.get(f"/api/tables/{running}/record").status_code == 409
    assert client.get("/api/tables/nowhere/record").status_code == 404
    player.close()


def test_the_clock_chooses_for_who_is_late(client: TestClient) -> None:
    table, keys = opened(client, "person", "bot", clock=1)
    player = Player(client, table, (keys[0],))
    while not [note for note in player.notes if note["kind"] == "clock"]:
        player.hear("update")
    assert next(note["seat"] for note in player.notes if note["kind"] == "clock") == 0
    player.close()


def test_two_people_choose_in_secret_and_together(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    ann, bo = Player(client, table, (keys[0],)), Player(client, table, (keys[1],))
    while ann.state["phase"] != "roll":
        ann.hear("update")
    assert ann.table["to_roll"] == ["R", "Y", "G", "B"]
    assert ann.asks("enter-dice", outcome="roll 4 1 R3 Y6 G5 B6")["type"] == "done"
    assert ann.table["to_roll"] == []
    assert ann.choose(0, "R5")["type"] == "done"
    while not bo.table["seats"][0]["decided"]:
        bo.hear("update")
    assert "R5" not in json.dumps(bo.table["chosen"]) + json.dumps(bo.notes)
    assert bo.table["chosen"] == {}
    assert list(ann.table["chosen"].values()) == ["R5"]
    assert ann.asks("take-back", seat=0)["type"] == "done"
    assert not ann.table["chosen"]
    assert ann.choose(0, "Y5")["type"] == "done"
    assert bo.choose(1, "pass")["type"] == "done"
    settled = [note for note in bo.notes if note["kind"] == "settled"]
    assert settled[-1]["choices"] == {"0": "Y5", "1": "pass"}
    ann.close()
    bo.close()


def test_a_friend_joins_by_link(client: TestClient) -> None:
    table, keys = opened(client, "person", "open")
    ann = Player(client, table, (keys[0],))
    assert not ann.table["state"]
    friend = Player(client, table)
    assert friend.table["you"] == []
    assert friend.asks("join", name="", key=BO_KEY)["code"] == "name"
    seated = friend.asks("join", name="Bo", key=BO_KEY)
    assert seated["type"] == "seated"
    assert seated["seat"] == 1
    assert friend.table["you"] == [1]
    assert friend.asks("join", name="Cy", key="another key of a friend")["code"] == "full"
    while ann.table["state"] is None:
        ann.hear("update")
    assert ann.table["seats"][1]["name"] == "Bo"
    elsewhere = Player(client, table, (BO_KEY,))
    assert elsewhere.table["you"] == [1], "the key moves the seat to another device"
    for player in (ann, friend, elsewhere):
        player.close()


def test_coming_back_brings_what_was_missed(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    ann, bo = Player(client, table, (keys[0],)), Player(client, table, (keys[1],))
    while bo.state["phase"] != "roll":
        bo.hear("update")
    seen = bo.table["version"]
    bo.close()
    ann.asks("enter-dice", outcome="roll 4 1 R3 Y6 G5 B6")
    ann.choose(0, "R5")
    while not ann.table["seats"][1]["away"]:
        ann.hear("update")
    back = Player(client, table, (keys[1],), since=seen)
    assert [note["kind"] for note in back.notes] == ["rolled", "decided"]
    assert back.table["legal"]["1"] == ["R5", "Y5", "G5", "B5", "pass"]
    assert back.choose(1, "pass", version=back.table["version"])["type"] == "done"
    ann.close()
    back.close()


def test_a_bot_stands_in_until_the_player_returns(client: TestClient) -> None:
    table, keys = opened(client, "person", "person")
    ann, bo = Player(client, table, (keys[0],)), Player(client, table, (keys[1],))
    assert ann.asks("hand-over", seat=1, bot="skip-2")["code"] == "present"
    bo.close()
    while not ann.table["seats"][1]["away"]:
        ann.hear("update")
    assert ann.asks("hand-over", seat=1, bot="nobody")["code"] == "bot"
    assert ann.asks("hand-over", seat=1, bot="skip-2")["type"] == "done"
    until_asked(ann, 0)
    turns = len([note for note in ann.notes if note["kind"] == "rolled"])
    while len([note for note in ann.notes if note["kind"] == "rolled"]) < turns + 2:
        until_asked(ann, 0)
        if "0" not in ann.table["chosen"]:
            ann.choose(0, "pass")
        else:
            ann.hear("update")
    back = Player(client, table, (keys[1],))
    assert back.table["seats"][1]["bot"] == ""
    ann.close()
    back.close()


def test_a_restarted_server_brings_the_table_back(client: TestClient, database: Path) -> None:
    table, keys = opened(client, "person", "bot", variant="card-joker")
    player = Player(client, table, (keys[0],))
    until_asked(player, 0)
    before = player.table
    player.close()
    with TestClient(create_app(Rooms(Means(SqlStorage(sqlite_url(database)), pace=0, grace=0, patience=0)))) as again:
        returned = Player(again, table, (keys[0],))
        assert returned.table["state"] == before["state"]
        assert returned.table["hands"] == before["hands"]
        returned.close()


def test_why_not(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    ann = Player(client, table, (keys[0],))
    while ann.state["phase"] != "roll":
        ann.hear("update")
    ann.asks("enter-dice", outcome="roll 4 1 R3 Y6 G5 B6")
    answer = ann.asks("ask", seat=0, cell="R12")
    assert answer["why"] == {
        "rule": "S6",
        "kind": "TOO_FEW",
        "facts": {"cell": "R12", "needed": 5, "have": 0},
        "text": "red 12 closes its row and needs 5 crosses there first; you have 0",
    }
    assert ann.asks("ask", seat=0, cell="R5")["why"] is None
    assert ann.asks("ask", seat=0, cell="nonsense")["code"] == "malformed"
    assert ann.asks("ask", seat=1, cell="R5")["code"] == "key"
    ann.close()


def test_the_page(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.app.PAGES", tmp_path)
    missing = client.get("/")
    assert missing.status_code == 503
    assert "make web" in missing.text
    (tmp_path / "index.html").write_text("<p>the page</p>", "utf-8")
    for path in ("/", "/t/abc"):
        assert client.get(path).text == "<p>the page</p>"
        assert client.get(path).headers["cache-control"] == "no-cache"


def test_the_games_are_listed_with_their_sheets(client: TestClient) -> None:
    catalogue = client.get("/api/catalogue").json()
    games = {game["key"]: game for game in catalogue["games"]}
    assert catalogue["bots"] == list(LEVELS)
    assert set(games) == set(all_variants())
    assert games["mixx-a"]["rows"][0][:4] == ["Y2", "Y3", "Y4", "B5"]
    assert games["mini"]["seats"] == [1, 2, 3, 4, 5]


def test_a_table_tells_its_game_even_if_the_board_is_its_own(client: TestClient) -> None:
    table, _ = opened(client, "person", variant="mini")
    game = client.get(f"/api/tables/{table}/game").json()
    assert (game["key"], len(game["rows"]), game["misthrow_cost"]) == ("mini", 2, 3)
    assert client.get("/api/tables/nowhere/game").status_code == 404


def test_the_history_of_a_finished_game(client: TestClient) -> None:
    running, _ = opened(client, "person", variant="mini")
    assert client.get(f"/api/tables/{running}/history").json()["code"] == "turn"
    player, table, _ = finished(client)
    history = client.get(f"/api/tables/{table}/history").json()
    assert history["names"] == ["Seat 0", "Seat 1"]
    first, *steps = history["steps"]
    assert "outcome" not in first
    assert "choices" not in first
    assert all(("outcome" in step) != ("choices" in step) for step in steps)
    assert steps[-1]["state"] == player.state
    player.close()


def test_a_sheet_at_a_paper_table(client: TestClient) -> None:
    table, keys = opened(client, "person", dice="paper")
    player = Player(client, table, (keys[0],))
    player.asks("enter-dice", outcome="roll 4 1")
    assert player.table["legal"]["0"] == ["R5", "Y5", "G5", "B5", "pass"]
    assert player.asks("tell", row=0)["why"]["kind"] == "CHOOSE_FIRST"
    player.choose(0, "R5")
    assert player.asks("tell", row=7)["code"] == "malformed"
    assert player.asks("tell", row=1)["type"] == "done"
    assert player.state["sheets"][0]["rows"][1]["closed"]
    assert player.table["to_roll"] == ["R", "G", "B"]
    assert player.asks("tell")["type"] == "done"
    assert player.state["phase"] == "over"
    assert client.get(f"/api/tables/{table}/record").json()["code"] == "turn"
    assert len(client.get(f"/api/tables/{table}/history").json()["steps"]) == 3
    player.close()


def test_a_qr_code_leads_to_the_table(client: TestClient) -> None:
    table, _ = opened(client, "person", "open")
    answer = client.get(f"/api/tables/{table}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert client.get("/api/tables/nowhere/qr.svg").status_code == 404


def test_the_clock_says_how_long_it_still_runs(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", clock=30)
    player, watcher = Player(client, table, tuple(keys.values())), Player(client, table)
    until_asked(player, 0)
    assert 25 < player.table["left"] <= 30
    assert watcher.table["watching"] == 1
    player.close()
    watcher.close()


def test_the_clock_is_not_stopped_by_taking_back(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", clock=1)
    player = Player(client, table, tuple(keys.values()))
    until_asked(player, 0)
    asked_at = player.table["asked_at"]
    player.choose(0, "pass")
    while player.table["asked_at"] == asked_at:
        if "0" in player.table["chosen"]:
            player.asks("take-back", seat=0)
        player.hear("update")
    assert {note["kind"] for note in player.notes} >= {"clock", "settled"}
    player.close()


def test_a_board_begins_as_its_file_says(client: TestClient) -> None:
    text = board_text(replace(BUILT_IN["classic"], key="own", start=Start.FIRST_SIX))
    table, _ = opened(client, "person", "person", variant="own", board=text)
    player = Player(client, table)
    while not [note for note in player.notes if note["kind"] == "rolled"]:
        player.hear("update")
    assert player.notes[0]["text"].startswith("start-die")
    player.close()

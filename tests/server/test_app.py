"""The protocol as a plain client speaks it: whole games, reconnecting, and everything that must be refused."""

import contextlib
import json
import random
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from qwixx.boards import all_variants
from qwixx.bots import LEVELS
from qwixx.record import read_record
from qwixx.rules import BUILT_IN, Phase, Start, scores
from qwixx.rules.boardfile import board_text
from qwixx.server.app import SECURITY, create_app
from qwixx.server.rooms import Rooms
from qwixx.server.storage import SqliteStorage, StorageError

Message = dict[str, Any]
BO_KEY = "a key that Bo made himself"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def client(database: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Rooms(SqliteStorage(database), pace=0, grace=0))) as client:
        yield client


class Player:
    """A client with a socket: says things, hears answers, remembers the table."""

    def __init__(self, client: TestClient, table: str, keys: tuple[str, ...] = (), since: int = 0) -> None:
        self.client, self.table_id, self.keys = client, table, keys
        self.socket: WebSocketTestSession = client.websocket_connect("/ws")
        self.socket.__enter__()
        self.table: Message = {}
        self.notes: list[Message] = []
        self.count = 0
        self.say("hello", table=table, keys=keys, since=since)
        self.hear("update", "refusal")

    def say(self, kind: str, **facts: Any) -> int:  # noqa: ANN401
        self.count += 1
        self.socket.send_text(json.dumps({"type": kind, "id": self.count, **facts}))
        return self.count

    def hear(self, *kinds: str) -> Message:
        """Listens until one of these kinds comes."""
        while True:
            message: Message = json.loads(self.socket.receive_text())
            if message["type"] == "update":
                self.table = message["table"]
                self.notes += message["notes"]
            if message["type"] in kinds:
                return message

    def asks(self, kind: str, **facts: Any) -> Message:  # noqa: ANN401
        """Asks and gives the answer to just that."""
        number = self.say(kind, **facts)
        while True:
            answer = self.hear("done", "refusal", "explained", "seated")
            if answer.get("id") == number:
                return answer

    def choose(self, seat: int, action: str, version: int | None = None) -> Message:
        return self.asks("choose", seat=seat, action=action, version=version or self.table["version"])

    def close(self) -> None:
        self.socket.__exit__(None, None, None)

    @property
    def state(self) -> Message:
        state: Message = self.table["state"]
        return state


def opened(client: TestClient, *kinds: str, variant: str = "classic", **options: Any) -> tuple[str, dict[int, str]]:  # noqa: ANN401
    seats = [{"kind": kind, "name": "" if kind == "open" else f"Seat {n}"} for n, kind in enumerate(kinds)]
    for seat in seats:
        if seat["kind"] == "bot":
            seat["bot"] = "skip-2"
    answer = client.post("/api/tables", json={"variant": variant, "seats": seats, **options})
    assert answer.status_code == 201, answer.text
    body = answer.json()
    return body["table"], {int(seat): key for seat, key in body["keys"].items()}


def until_asked(player: Player, seat: int) -> None:
    """Listens until a seat may choose, or the game is over."""
    while not (player.state["phase"] == "over" or player.table["legal"].get(str(seat))):
        player.hear("update")


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


def finished(client: TestClient, variant: str = "mini") -> tuple[Player, str, dict[int, str]]:
    """A game that a person and a bot have played to its end."""
    table, keys = opened(client, "person", "bot", variant=variant)
    player = Player(client, table, tuple(keys.values()))
    while player.state["phase"] != "over":
        if player.table["legal"]["0"] and not player.table["chosen"]:
            player.choose(0, player.table["legal"]["0"][-1])
        else:
            player.hear("update")
    return player, table, keys


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
    with TestClient(create_app(Rooms(SqliteStorage(database), pace=0, grace=0))) as again:
        returned = Player(again, table, (keys[0],))
        assert returned.table["state"] == before["state"]
        assert returned.table["hands"] == before["hands"]
        returned.close()


def test_a_spectator_sees_no_hand(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", variant="card-joker")
    player, spectator = Player(client, table, (keys[0],)), Player(client, table)
    while spectator.state["phase"] not in ("take", "call"):
        spectator.hear("update")
    cards = spectator.state["cards"]
    assert spectator.table["hands"] == {}
    assert all(card[0] == "?" for hand in cards["hands"] for card in hand)
    assert all(card[0] == "?" for card in [*cards["tableau"], *cards["pile"]])
    assert next(note["text"] for note in spectator.notes if note["kind"] == "rolled") == "shuffle"
    assert len(player.table["hands"]["0"]) in (4, 5)
    assert spectator.asks("choose", seat=0, action="pass", version=1)["code"] == "key"
    player.close()
    spectator.close()


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


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "null",
        '{"type":"dance","id":1}',
        '{"type":"choose","id":1}',
        '{"type":"choose","id":1,"seat":"0","action":"pass","version":1}',
        '{"type":"choose","id":1,"seat":8,"action":"pass","version":1}',
        '{"type":"choose","id":1,"seat":0,"action":"pass","version":1,"extra":1}',
        '{"type":"hello","id":1,"table":"x","keys":["a","b","c","d","e","f","g","h","i"]}',
        "[" * 5000,
        '{"type":"choose","id":1,"seat":0,"version":1,"action":"' + "x" * 401 + '"}',
    ],
)
def test_malformed_messages_are_answered(client: TestClient, text: str) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    player = Player(client, table, (keys[0],))
    version = player.table["version"]
    player.socket.send_text(text)
    answer = player.hear("refusal")
    assert answer["code"] == "malformed"
    again = Player(client, table)
    assert again.table["version"] >= version
    again.close()
    player.close()


def test_huge_and_binary_messages_are_answered(client: TestClient) -> None:
    table, _ = opened(client, "person", "person")
    player = Player(client, table)
    player.socket.send_text("x" * 20_000)
    assert player.hear("refusal")["code"] == "size"
    player.socket.send_bytes(b"\xff")
    assert player.hear("refusal")["code"] == "malformed"
    player.close()


def test_unknown_tables_and_acting_before_hello(client: TestClient) -> None:
    socket = client.websocket_connect("/ws")
    with socket:
        socket.send_text('{"type":"choose","id":7,"seat":0,"action":"pass","version":1}')
        answer = json.loads(socket.receive_text())
        assert (answer["type"], answer["id"], answer["code"]) == ("refusal", 7, "hello")
        socket.send_text('{"type":"hello","id":8,"table":"nowhere"}')
        assert json.loads(socket.receive_text())["code"] == "table"


def test_too_many_messages_at_once(client: TestClient) -> None:
    table, _ = opened(client, "person", "person")
    player = Player(client, table)
    for _ in range(70):
        player.socket.send_text("{}")
    codes = [player.hear("refusal")["code"] for _ in range(62)]
    assert "slow-down" in codes
    player.close()


def test_another_site_may_not_connect(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("/ws", headers={"origin": "https://evil.example"}),
    ):
        pass
    answer = client.post("/api/tables", content=b"{}", headers={"origin": "https://evil.example"})
    assert answer.status_code == 403
    with client.websocket_connect("/ws", headers={"origin": "http://testserver"}) as socket:
        socket.send_text("{}")
        assert json.loads(socket.receive_text())["code"] == "malformed"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "malformed"),
        (b"{}", "malformed"),
        (b'{"variant":"chess","seats":[{"kind":"person","name":"A"}]}', "variant"),
        (b'{"variant":"classic","seats":[{"kind":"person","name":""}]}', "name"),
        (b'{"variant":"classic","seats":[{"kind":"bot","name":"B","bot":"nobody"}]}', "bot"),
        (b'{"variant":"classic","seats":[]}', "seats"),
        (b'{"variant":"card","seats":[{"kind":"person","name":"A"}]}', "seats"),
        (b'{"variant":"classic","start":"coin","seats":[]}', "malformed"),
        (b'{"variant":"x","board":"rows = 7","seats":[{"kind":"person","name":"A"}]}', "variant"),
        (b" " * 20_000, "size"),
    ],
)
def test_tables_that_cannot_be_opened(client: TestClient, body: bytes, code: str) -> None:
    answer = client.post("/api/tables", content=body)
    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert answer.json()["text"]


def test_pages_carry_the_security_headers(client: TestClient) -> None:
    for path in ("/healthz", "/api/games", "/nowhere"):
        answer = client.get(path)
        assert {name: answer.headers[name] for name in SECURITY} == SECURITY


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


def test_a_flood_of_hellos_cuts_nobody_off(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    ann, stranger = Player(client, table, (keys[0],)), Player(client, table)
    for number in range(55):
        stranger.socket.send_text(json.dumps({"type": "hello", "id": number, "table": table}))
    while ann.state["phase"] != "roll":
        ann.hear("update")
    assert ann.asks("enter-dice", outcome="roll 4 1 R3 Y6 G5 B6")["type"] == "done"
    assert ann.choose(0, "R5")["type"] == "done"
    ann.close()
    stranger.close()


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


def test_only_one_rematch_is_opened(client: TestClient, database: Path) -> None:
    player, _, keys = finished(client)
    others = [Player(client, player.table_id, (keys[0],)) for _ in range(4)]
    for other in others:
        other.say("rematch")
    assert [other.hear("done")["type"] for other in others] == ["done"] * 4
    with contextlib.closing(sqlite3.connect(database)) as kept:
        assert kept.execute("SELECT count(DISTINCT tbl) FROM events").fetchone() == (2,)
    for other in (player, *others):
        other.close()


@pytest.mark.parametrize("headers", [{"origin": "http://["}, {"origin": "null"}])
def test_an_odd_origin_is_another_site(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/tables", content=b"{}", headers=headers).status_code == 403


def test_odd_bytes_and_hosts_are_answered(client: TestClient) -> None:
    assert client.post("/api/tables", content=b'{"variant":"\xff"}').status_code == 400
    table, _ = opened(client, "person", "open")
    long = client.get(f"/api/tables/{table}/qr.svg", headers={"host": "x" * 3000})
    assert (long.status_code, long.json()["code"]) == (400, "size")


def test_a_board_begins_as_its_file_says(client: TestClient) -> None:
    text = board_text(replace(BUILT_IN["classic"], key="own", start=Start.FIRST_SIX))
    table, _ = opened(client, "person", "person", variant="own", board=text)
    player = Player(client, table)
    while not [note for note in player.notes if note["kind"] == "rolled"]:
        player.hear("update")
    assert player.notes[0]["text"].startswith("start-die")
    player.close()


def test_a_disk_that_does_not_write_is_told_and_tried_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qwixx.server.rooms.RETRY", 0.01)
    table, keys = opened(client, "person", "bot")
    player = Player(client, table, (keys[0],))
    until_asked(player, 0)
    storage = client.app.state.rooms.storage  # type: ignore[attr-defined]
    append, failures = storage.append, iter(range(3))

    async def failing(*arguments: Any) -> None:  # noqa: ANN401
        if next(failures, None) is not None:
            raise StorageError("the disk is full")
        await append(*arguments)

    monkeypatch.setattr(storage, "append", failing)
    codes, asked_at = [], player.table["asked_at"]
    while (answer := player.choose(0, "pass"))["type"] == "refusal":
        codes.append(answer["code"])
    assert set(codes) <= {"storage"}
    while player.table["asked_at"] == asked_at:
        player.hear("update")
    player.close()

"""Clients that lie, shout or break off: everything is answered, and changes nothing."""

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from qwixx.rules import parse_action
from qwixx.server.app import SECURITY
from qwixx.server.events import Chose
from qwixx.server.storage import SqlStorage, StorageError
from qwixx.server.table import Table
from tests.server.client import Player, finished, opened, until_asked


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


def test_too_many_messages_at_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.wire.MESSAGES_PER_SECOND", 1)  # however long the machine takes for them
    table, _ = opened(client, "person", "person")
    player = Player(client, table)
    for _ in range(70):
        player.socket.send_text("{}")
    codes = [player.hear("refusal")["code"] for _ in range(62)]
    assert "slow-down" in codes
    player.close()


def test_one_seat_is_open_in_so_many_places(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.session.MOST_SEATED", 2)
    table, keys = opened(client, "person", "person")
    players = [Player(client, table, (keys[0],)) for _ in range(2)]
    third = Player(client, table)
    assert third.asks("hello", table=table, keys=[keys[0]])["code"] == "crowded"
    players[0].close()
    third.say("hello", table=table, keys=[keys[0]])
    assert third.hear("update")["table"]["you"] == [0]
    players[1].close()
    third.close()


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


def test_a_disk_that_does_not_write_is_told_and_tried_again(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qwixx.server.room.RETRY", 0.01)
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


def silenced(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> SqlStorage:
    """A database that dies once between its commit and its answer."""
    storage = cast("SqlStorage", client.app.state.rooms.storage)  # type: ignore[attr-defined]
    append, silences = storage.append, iter(range(1))

    async def silent(*arguments: Any) -> None:  # noqa: ANN401
        await append(*arguments)
        if next(silences, None) is not None:
            raise StorageError("server closed the connection unexpectedly")

    monkeypatch.setattr(storage, "append", silent)
    return storage


def test_a_choice_that_was_kept_although_the_database_could_not_say_so_gives_way_to_the_next(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is told to try again may choose otherwise."""
    table, keys = opened(client, "person", "person")
    player = Player(client, table, (keys[0],))
    until_asked(player, 0)
    storage = silenced(client, monkeypatch)
    first, otherwise = player.table["legal"]["0"][:2]
    assert player.choose(0, first)["code"] == "storage"
    assert player.choose(0, otherwise)["type"] == "done"
    player.close()
    kept = asyncio.run(storage.read(table))
    assert [event for event in kept if isinstance(event, Chose)] == [Chose(0, first), Chose(0, otherwise)]
    assert Table.replay(kept).pending == {0: parse_action(otherwise)}


def test_a_choice_that_settled_although_the_database_could_not_say_so_stands(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, keys = opened(client, "person", "person")
    player = Player(client, table, tuple(keys.values()))
    until_asked(player, 0)
    active = player.state["active"]
    last = 1 - active
    assert player.choose(active, player.table["legal"][str(active)][0])["type"] == "done"
    storage = silenced(client, monkeypatch)
    first, otherwise = player.table["legal"][str(last)][:2]
    assert player.choose(last, first)["code"] == "storage"
    assert player.choose(last, otherwise)["code"] == "turn"
    while player.table["asked_at"] < player.table["version"]:
        player.hear("update")
    assert player.state["phase"] == "colour"
    player.close()
    kept = asyncio.run(storage.read(table))
    assert [event for event in kept if isinstance(event, Chose)][1:] == [Chose(last, first)]

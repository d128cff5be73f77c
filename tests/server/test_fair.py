"""Fair dice at a table: a hash before the game, words from the seats, the secret at the end and never sooner."""

import dataclasses
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from starlette.testclient import TestClient

from qwixx.boards import find_variant
from qwixx.record import BOT_MARK, Game, read_record
from qwixx.rules.boardfile import board_text
from qwixx.server.app import create_app
from qwixx.server.events import Opened, SeatPlan
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from qwixx.server.table import Table
from tests.server.client import BO_KEY, Message, Player, finished, opened


@contextmanager
def serving(database: Path, patience: float) -> Iterator[TestClient]:
    with TestClient(
        create_app(Rooms(Means(SqlStorage(sqlite_url(database)), pace=0, grace=0, patience=patience)))
    ) as client:
        yield client


@pytest.fixture(autouse=True)
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole games in a second."""
    monkeypatch.setattr("qwixx.server.wire.BURST", 10_000)


class Listener(Player):
    """Keeps every word that it is told."""

    def hear(self, *kinds: str) -> Message:
        self.told = getattr(self, "told", [])
        while True:
            text = self.socket.receive_text()
            self.told.append(text)
            message: Message = json.loads(text)
            if message["type"] == "update":
                self.table = message["table"]
            if message["type"] in kinds:
                return message


def record_of(client: TestClient, table: str) -> Game:
    return read_record(client.get(f"/api/tables/{table}/record").text)


def players_words(player: Player) -> Message:
    return {seat: word for seat, word in player.table["fair"]["added"].items() if not word.startswith(BOT_MARK)}


def play_out(player: Player) -> None:
    """All seats of one client, to the end; without a seat one listens."""
    while player.table["state"] is None or player.state["phase"] != "over":
        asked = [seat for seat in player.table["you"] if player.table["legal"][str(seat)]]
        open_ones = [seat for seat in asked if str(seat) not in player.table["chosen"]]
        if open_ones:
            seen = player.table["version"]
            player.choose(open_ones[0], player.table["legal"][str(open_ones[0])][0])
            if player.table["version"] > seen:
                continue
        player.hear("update")


@pytest.mark.parametrize("variant", ["classic", "card-joker", "longo"])
def test_the_hash_before_the_secret_after(client: TestClient, variant: str) -> None:
    """And never a trace of it before, not to a player, not to who watches."""
    table, keys = opened(client, "person", "open", variant=variant)
    player, watcher = Listener(client, table, tuple(keys.values())), Listener(client, table)
    promised = player.table["fair"]
    assert promised["secret"] == ""
    assert player.asks("add", seat=0, word="ann-adds")["type"] == "done"
    assert player.asks("join", name="Bo", key=BO_KEY)["type"] == "seated"
    play_out(player)
    play_out(watcher)
    game = record_of(client, table)
    assert game.fair
    assert game.fair.commitment == promised["commitment"]
    assert game.fair.added == ("ann-adds", "")
    assert game.unlike(game.fair) == []
    assert player.table["fair"]["secret"] == game.fair.secret
    seed = game.fair._seed.hex()
    for listener in (player, watcher):
        before = [text for text in listener.told if '"phase":"over"' not in text]
        assert before
        assert not any(game.fair.secret in text or seed in text for text in before)
        listener.close()


def test_before_the_end_no_address_tells_the_secret(client: TestClient, database: Path) -> None:
    table, keys = opened(client, "person", "person")
    player = Player(client, table, tuple(keys.values()))
    secret = client.portal.call(SqlStorage(sqlite_url(database)).read, table)[0].secret  # type: ignore[union-attr]
    assert len(secret) == 64
    for address in ("game", "history", "record", "qr.svg"):
        assert secret not in client.get(f"/api/tables/{table}/{address}").text
    player.close()


def test_what_is_seen_says_nothing_of_what_comes(client: TestClient, database: Path) -> None:
    """The same game so far with another secret, and so with another future, looks the same but for the hash."""
    player, table, _ = finished(client, "card-joker")
    events = client.portal.call(SqlStorage(sqlite_url(database)).read, table)  # type: ignore[union-attr]
    first = events[0]
    assert isinstance(first, Opened)
    for count in range(1, len(events)):
        one = Table.replay(events[:count])
        other = Table.replay([msgspec.structs.replace(first, secret="5" * 64), *events[1:count]])
        if one.over:
            break
        for seats in ((), (0,), (1,)):
            views = [each.view("t", seats, ()) for each in (one, other)]
            assert views[0].fair != views[1].fair
            assert len({msgspec.json.encode(msgspec.structs.replace(each, fair=None)) for each in views}) == 1
    assert count > 20
    assert player.table["fair"]["secret"] == first.secret
    player.close()


def test_a_game_waits_for_its_players_words(database: Path) -> None:
    with serving(database, patience=60) as client:
        table, keys = opened(client, "person", "bot", "person")
        player = Player(client, table, tuple(keys.values()))
        assert player.asks("add", seat=0, word="one")["type"] == "done"
        assert player.state["phase"] == "start"
        assert player.asks("add", seat=2, word="two")["type"] == "done"
        while player.state["phase"] == "start":
            player.hear("update")
        assert players_words(player) == {"0": "one", "2": "two"}
        player.close()


def test_bots_add_words_that_are_told_before_anybody_adds_one(client: TestClient) -> None:
    """So the server cannot choose them to go with a player's word. A bot that fills a seat has the one told for it."""
    table, keys = opened(client, "person", "bot", "open")
    player = Player(client, table, tuple(keys.values()))
    first = player.table["fair"]["added"]
    assert set(first) == {"1", "2"}
    assert len(set(first.values())) == 2
    assert all(word.startswith(BOT_MARK) for word in first.values())
    player.asks("add", seat=0, word="ann")
    player.asks("hand-over", seat=2, bot="skip-2")
    play_out(player)
    game = record_of(client, table)
    assert game.fair
    assert game.fair.added == ("ann", first["1"], first["2"])
    assert game.fair.players == (0,)
    assert game.unlike(game.fair) == []
    assert game.unlike(dataclasses.replace(game.fair, added=("ann", first["1"], "")))
    player.asks("rematch")
    again = Player(client, player.table["rematch"], tuple(keys.values()))
    assert set(again.table["fair"]["added"]) == {"1", "2"}
    assert not set(again.table["fair"]["added"].values()) & set(first.values())
    player.close()
    again.close()


def test_who_takes_an_open_seat_brings_a_word_instead_of_the_bots(client: TestClient) -> None:
    table, keys = opened(client, "person", "open", "open")
    player = Player(client, table, tuple(keys.values()))
    first = player.table["fair"]["added"]
    player.asks("join", name="Bo", key=BO_KEY)
    assert player.table["fair"]["added"] == {"2": first["2"]}
    player.asks("add", seat=1, word="bo")
    assert player.table["fair"]["added"] == {"1": "bo", "2": first["2"]}
    player.close()


def test_a_game_waits_for_the_word_of_who_joins_last(database: Path) -> None:
    with serving(database, patience=60) as client:
        table, keys = opened(client, "person", "open")
        player = Player(client, table, tuple(keys.values()))
        assert player.asks("add", seat=0, word="ann")["type"] == "done"
        assert player.asks("join", name="Bo", key=BO_KEY)["type"] == "seated"
        assert player.asks("add", seat=1, word="bo")["type"] == "done"
        while player.state["phase"] == "start":
            player.hear("update")
        assert players_words(player) == {"0": "ann", "1": "bo"}
        player.close()


def test_a_game_does_not_wait_for_ever(database: Path) -> None:
    """Without words from the clients it still works, and says so."""
    with serving(database, patience=0.05) as client:
        player, table, _ = finished(client, "classic")
        assert players_words(player) == {}
        game = record_of(client, table)
        player.close()
        assert game.fair
        assert game.fair.players == ()
        assert game.unlike(game.fair) == []


def test_a_word_counts_before_the_game_once_and_for_the_own_seat(client: TestClient) -> None:
    table, keys = opened(client, "person", "open")
    player = Player(client, table, tuple(keys.values()))
    assert player.asks("add", seat=1, word="mine")["code"] == "key"
    assert player.asks("add", seat=5, word="mine")["code"] == "seat"
    assert player.asks("add", seat=0, word="")["code"] == "malformed"
    assert player.asks("add", seat=0, word="first")["type"] == "done"
    assert player.asks("add", seat=0, word="second")["type"] == "done"
    assert players_words(player) == {"0": "first"}
    assert player.asks("join", name="Bo", key=BO_KEY)["type"] == "seated"
    while player.state["phase"] == "start":
        player.hear("update")
    assert player.asks("add", seat=1, word="late")["code"] == "turn"
    player.close()


@pytest.mark.parametrize("word", ["", "a b", "é", "x" * 65, "bot-mine"])
def test_a_word_that_is_none_is_refused(client: TestClient, word: str) -> None:
    table, keys = opened(client, "person", "open")
    player = Player(client, table, tuple(keys.values()))
    player.say("add", seat=0, word=word)
    assert player.hear("refusal")["code"] == "malformed"
    assert players_words(player) == {}
    player.close()


def test_a_rematch_has_a_secret_of_its_own(client: TestClient) -> None:
    player, _, keys = finished(client)
    assert player.asks("rematch")["type"] == "done"
    again = Player(client, player.table["rematch"], tuple(keys.values()))
    assert again.table["fair"]["commitment"] != player.table["fair"]["commitment"]
    assert again.table["fair"]["secret"] == ""
    player.close()
    again.close()


def test_the_promise_outlives_the_server(database: Path) -> None:
    with serving(database, patience=60) as client:
        table, keys = opened(client, "person", "bot")
        player = Player(client, table, tuple(keys.values()))
        player.asks("add", seat=0, word="kept")
        promised, added = (player.table["fair"][fact] for fact in ("commitment", "added"))
        assert added["0"] == "kept"
        player.close()
    with serving(database, patience=60) as client:
        player = Player(client, table, tuple(keys.values()))
        assert player.table["fair"] == {"commitment": promised, "added": added, "secret": ""}
        play_out(player)
        player.close()
        game = record_of(client, table)
        assert game.fair
        assert hashlib.sha256(bytes.fromhex(game.fair.secret)).hexdigest() == promised
        assert game.unlike(game.fair) == []


def test_where_people_roll_the_dice_there_is_nothing_to_promise(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", dice="real")
    player = Player(client, table, tuple(keys.values()))
    assert player.table["fair"] is None
    player.close()


def test_a_table_from_before_there_were_secrets_goes_on(database: Path) -> None:
    seats = (SeatPlan("bot", "One", "skip-2"), SeatPlan("bot", "Two", "skip-2"))
    with serving(database, patience=60) as client:
        storage = SqlStorage(sqlite_url(database))
        assert client.portal
        client.portal.call(
            storage.append, "old", 1, Opened("mini", seats, "2026-01-01", board_text(find_variant("mini")))
        )
        watcher = Player(client, "old")
        play_out(watcher)
        assert watcher.table["fair"] is None
        watcher.close()
        assert record_of(client, "old").fair is None

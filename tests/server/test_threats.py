"""What docs/security.md says somebody could try, tried."""

import asyncio
import contextlib
import json
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from qwixx.server.app import create_app
from qwixx.server.events import Opened, SeatPlan
from qwixx.server.keys import hashed, new_table_id
from qwixx.server.limits import BURST, LINES_SHARED, MESSAGES_PER_SECOND, Guard
from qwixx.server.lines import MOST_PARTS, PINGS
from qwixx.server.metrics import ERRORS
from qwixx.server.protocol import encode
from qwixx.server.room import MOST_WAITING, Means
from qwixx.server.rooms import Rooms
from qwixx.server.session import Session
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from qwixx.server.table import Table
from qwixx.server.wire import Wire, converse
from tests.server.client import Message, Player, finished, opened, until_asked
from tests.server.process import free_port, server
from tests.server.test_random_clients import Memory

SECURITY = Path(__file__).parents[2] / "docs" / "security.md"


class Spy(Player):
    """A player who keeps every word that is said to it and by it."""

    heard: list[str]
    sent: list[str]

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        self.heard, self.sent = [], []
        super().__init__(*arguments, **options)

    def say(self, kind: str, **facts: Any) -> int:  # noqa: ANN401
        self.sent.append(json.dumps({"type": kind, "id": self.count + 1, **facts}))
        return super().say(kind, **facts)

    def hear(self, *kinds: str) -> Message:
        message = super().hear(*kinds)
        self.heard.append(json.dumps(message))
        return message


def kept(database: Path, table: str) -> list[bytes]:
    with sqlite3.connect(database) as plain:
        return [data for (data,) in plain.execute("SELECT data FROM events WHERE tbl = ? ORDER BY version", (table,))]


def test_another_seats_key_opens_nothing_else(client: TestClient, database: Path) -> None:
    """Keys of another table and of another seat of this one, for every request that acts for a seat."""
    table, keys = opened(client, "person", "person", dice="real")
    _, elsewhere = opened(client, "person", "person")
    player = Player(client, table, (keys[1], elsewhere[0], hashed(keys[0]), keys[0][:-1], keys[0].upper()))
    before = kept(database, table)
    wishes: dict[str, dict[str, Any]] = {
        "choose": {"action": "pass", "version": 1},
        "take-back": {},
        "add": {"word": "mine"},
        "ask": {"cell": "R7"},
        "hand-over": {"bot": ""},
    }
    for kind, facts in wishes.items():
        assert player.asks(kind, seat=0, **facts)["code"] == "key", kind
    assert player.table["you"] == [1]
    assert kept(database, table) == before
    player.close()


def test_whatever_was_said_may_be_said_again_in_any_order(
    client: TestClient, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All messages of a whole game, replayed backwards, shuffled and at another table."""
    monkeypatch.setattr("qwixx.server.wire.BURST", 10_000)
    table, keys = opened(client, "person", "bot", variant="mini")
    spy = Spy(client, table, (keys[0],))
    while spy.state["phase"] != "over":
        until_asked(spy, 0)
        if spy.table["legal"]["0"]:
            spy.choose(0, spy.table["legal"]["0"][0])
    spy.close()
    before = kept(database, table)
    other, _ = opened(client, "person", "bot", variant="mini")
    untouched = len(kept(database, other))
    for sent in (spy.sent[::-1], Random(1).sample(spy.sent, len(spy.sent)), [*spy.sent, *spy.sent]):
        for target in (table, other):
            replayer = Player(client, target)
            for text in sent:
                replayer.socket.send_text(text.replace(table, target))
            replayer.asks("ask", seat=0, cell="R7")
            replayer.close()
    assert kept(database, table) == before
    assert [data for data in kept(database, other)[untouched:] if b"chose" in data and b'"seat":0' in data] == []


@pytest.mark.parametrize("variant", ["classic", "card-joker"])
def test_no_message_holds_a_secret(client: TestClient, database: Path, variant: str) -> None:
    """Every word that a spectator and both players hear in a whole game, searched for keys, hashes and the secret."""
    table, keys = opened(client, "person", "person", variant=variant)
    players = [Spy(client, table, (keys[seat],)) for seat in (0, 1)]
    spectator = Spy(client, table)
    while players[0].state["phase"] != "over":
        for seat, player in enumerate(players):
            player.asks("ask", seat=seat, cell="R7")
            legal = player.table["legal"][str(seat)]
            if legal and not player.table["chosen"]:
                player.choose(seat, legal[-1])
    secret = json.loads(kept(database, table)[0])["secret"]
    told = [*spectator.heard, *players[1].heard, *players[0].heard]
    before_the_end = [text for text in told if '"phase": "over"' not in text]
    hidden = [*keys.values(), *map(hashed, keys.values())]
    assert len(before_the_end) > 20
    assert not any(word in text for text in told for word in hidden)
    assert not any(secret in text for text in before_the_end)
    for person in (*players, spectator):
        person.close()


def test_a_name_is_text_and_nothing_else(client: TestClient) -> None:
    """Markup is kept as it is written (the page shows text); what could hide or break a line is refused."""
    table, _ = opened(client, "person", "open")
    joiner = Player(client, table)
    key = "x" * 30
    for name in ("a\nb", "\u202eevil", "zero\u200bwidth", "", " ", "x" * 100, "\x00"):
        assert joiner.asks("join", name=name, key=key)["type"] == "refusal", repr(name)
    assert joiner.asks("join", name="<b>&amp;'\"", key=key)["type"] == "seated"
    assert client.get(f"/t/{table}").headers["content-security-policy"].startswith("default-src 'self'")
    joiner.close()


def test_tables_cannot_be_guessed(client: TestClient) -> None:
    ids = {new_table_id() for _ in range(2000)}
    assert len(ids) == 2000
    assert all(len(each) == 8 for each in ids)
    letters = {letter for each in ids for letter in each}
    assert len(letters) ** 8 > 8e11
    assert {client.get(f"/api/tables/{each}/game").status_code for each in list(ids)[:20]} == {404}
    tries_a_second = LINES_SHARED * MESSAGES_PER_SECOND
    assert len(letters) ** 8 / 1e6 / tries_a_second > 3600, "an hour and more until one of a million tables is found"


def test_keys_are_compared_by_hash_and_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[str, str]] = []

    def compare(one: str, other: str) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr("hmac.compare_digest", compare)
    seats = (SeatPlan("person", name="Ann", key=hashed("a" * 30)), SeatPlan("open"), SeatPlan("bot", "Robin", "skip-2"))
    table = Table.replay([Opened("classic", seats, "2026-11-16")])
    assert table.seats_of(["x", "a" * 30]) == (0,)
    assert table.seats_of(["a" * 29, hashed("a" * 30), ""]) == ()
    assert len(compared) == 2 + 2 * 2 + 3 * 3
    assert {len(part) for pair in compared for part in pair} == {64}, "whole hashes, also where there is no key"


def test_who_does_not_read_is_cut_off() -> None:
    """A reader whose socket takes nothing: answers wait up to a limit, then it is over."""

    async def main() -> None:
        rooms = Rooms(Means(Memory(), pace=0))
        session = Session(rooms)
        asked = 0

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0)
            return {"type": "websocket.receive", "text": '{"type":"rematch","id":1}'}

        async def stuck(message: object) -> None:
            await asyncio.Event().wait()

        wire = Wire(receive, stuck, session, Guard(), "127.0.0.1")
        wire._allowance.left = wire._allowance.burst = 10_000
        await asyncio.wait_for(wire.serve(), 5)
        assert MOST_WAITING < asked < MOST_WAITING + 5
        assert sum(len(encode(answer)) for answer in session.client.answers) < 20_000
        await rooms.close()

    asyncio.run(main())


def test_who_is_gone_before_being_let_in_raises_no_alarm() -> None:
    async def main() -> None:
        rooms, guard = Rooms(Means(Memory())), Guard()
        before = ERRORS.labels("connection")._value.get()

        async def receive() -> dict[str, Any]:
            return {"type": "websocket.connect"}

        async def gone(message: object) -> None:
            raise BrokenPipeError

        scope = {"type": "websocket", "path": "/ws", "headers": [], "client": ("203.0.113.7", 1)}
        await converse(scope, receive, gone, rooms, guard)
        assert guard.connections == 0
        assert ERRORS.labels("connection")._value.get() == before
        await rooms.close()

    asyncio.run(main())


@contextmanager
def raw(port: int, text: bytes) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(text)
        connection.settimeout(20)
        yield connection


def test_who_says_nothing_or_only_half_is_cut_off(tmp_path: Path) -> None:
    port = free_port()
    unfinished = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"
    with (
        server(port, tmp_path / "t.db"),
        raw(port, b"") as silent,
        raw(port, b"GET / HTTP/1.1\r\nHost:") as half,
        raw(port, b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n") as upgrading,
        raw(port, unfinished) as slow,
    ):
        began = time.monotonic()
        assert [each.recv(100) for each in (silent, half, upgrading)] == [b""] * 3
        assert b"400 Bad Request" in slow.recv(1000)
        assert 5 < time.monotonic() - began < 15


def test_who_asks_and_then_dawdles_is_cut_off_too(tmp_path: Path) -> None:
    port = free_port()
    with server(port, tmp_path / "t.db"), raw(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as line:
        assert b"200 OK" in line.recv(1000)
        line.sendall(b"\r\n")
        began = time.monotonic()
        while line.recv(100):
            pass
        assert time.monotonic() - began < 15


def test_whoever_pings_for_ever_or_tears_a_message_to_pieces_is_cut_off(tmp_path: Path) -> None:
    port = free_port()
    with server(port, tmp_path / "t.db"):
        with connect(f"ws://127.0.0.1:{port}/ws") as socket:
            for _ in range(PINGS - 5):
                socket.ping().wait(5)
        with connect(f"ws://127.0.0.1:{port}/ws") as socket, pytest.raises(ConnectionClosed):
            ping_for_ever(socket)
        with connect(f"ws://127.0.0.1:{port}/ws") as socket:
            socket.send(["{"] * (MOST_PARTS // 2))
            assert json.loads(socket.recv(5))["code"] == "malformed"
            with contextlib.suppress(ConnectionClosed):
                socket.send(["{"] * (10 * MOST_PARTS))
            with pytest.raises(ConnectionClosed):
                socket.recv(5)


def ping_for_ever(socket: ClientConnection) -> None:
    while True:
        socket.ping().wait(5)


def test_connections_leave_nothing_behind(tmp_path: Path) -> None:
    """The garbage collector does not look while there are tables, so nothing may wait for it."""
    port = free_port()

    def memory(pid: int) -> int:
        """In kilobytes, after three hundred visits."""
        for _ in range(300):
            with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as visitor:
                visitor.send('{"type":"rematch","id":1}')
                visitor.recv(5)
        status = Path(f"/proc/{pid}/status").read_text("ascii")
        return int(status.partition("VmRSS:")[2].split()[0])

    with server(port, tmp_path / "t.db") as process, connect(f"ws://127.0.0.1:{port}/ws") as keeper:
        table = {"variant": "classic", "seats": [{"kind": "person", "name": "Ann"}]}
        with urlopen(Request(f"http://127.0.0.1:{port}/api/tables", json.dumps(table).encode())) as answer:
            keeper.send(json.dumps({"type": "hello", "id": 1, "table": json.load(answer)["table"]}))
        first = memory(process.pid)
        assert memory(process.pid) - first < 1000


def test_requests_are_limited_like_messages(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.limits.LINES_SHARED", 1)
    client.app.state.guard.clock = lambda: 0.0  # type: ignore[attr-defined] # no time passes, so nothing comes back
    codes = [client.get("/api/tables/nowhere/game").status_code for _ in range(3 * BURST)]
    assert set(codes) == {404, 429}
    assert client.get("/readyz").headers["retry-after"] == "1"
    assert client.get("/").status_code in (200, 503)


def test_nobody_is_at_home_by_way_of_a_proxy(database: Path) -> None:
    """A proxy that passes on what visitors say of themselves does not make them the server's own."""
    rooms = Rooms(Means(SqlStorage(sqlite_url(database))))
    with TestClient(create_app(rooms), client=("127.0.0.1", 1)) as client:
        assert client.get("/metrics").status_code == 200
        for header in ("X-Forwarded-For", "Forwarded", "X-Real-Ip"):
            assert client.get("/metrics", headers={header: "127.0.0.1"}).status_code == 403
        codes = {
            client.post("/api/tables", content=b"{}", headers={"X-Forwarded-For": "::1"}).status_code for _ in range(40)
        }
        assert codes == {400, 429}


def test_a_fault_beside_the_tables_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.rooms.BEAT", 0.01)

    async def main() -> None:
        rooms, tidied, faults = Rooms(Means(Memory())), asyncio.Event(), list[str]()

        async def tidy_up() -> None:
            if not faults:
                faults.append("the first time")
                raise ValueError("a table that cannot be")
            tidied.set()

        rooms._tidy_up = tidy_up  # type: ignore[method-assign]
        beside = asyncio.create_task(rooms.run())
        await asyncio.wait_for(tidied.wait(), 5)
        beside.cancel()
        await asyncio.wait([beside])
        await rooms.close()

    asyncio.run(main())


def test_the_record_and_the_history_wait_for_the_end(client: TestClient) -> None:
    table, keys = opened(client, "person", "person", variant="card")
    player = Player(client, table, (keys[0],))
    assert {client.get(f"/api/tables/{table}/{what}").status_code for what in ("record", "history")} <= {400, 409}
    player.close()
    over, table, _ = finished(client)
    over.close()
    assert {client.get(f"/api/tables/{table}/{what}").status_code for what in ("record", "history")} == {200}


def test_every_threat_names_a_test_that_is_there() -> None:
    text = SECURITY.read_text("utf-8")
    named = set(re.findall(r"`(test_\w+)`", text))
    there = set()
    for file in Path(__file__).parents[1].rglob("*.py"):
        there |= set(re.findall(r"def (test_\w+)", file.read_text("utf-8")))
    assert len(named) > 15
    assert named <= there

"""One visitor cannot take the server from all others, and hears when to try again."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from qwixx.server.app import create_app
from qwixx.server.limits import BURST, LINES_SHARED, MESSAGES_PER_SECOND, Allowance, Guard, Limits, visitor_of
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage

ANN, BO = "203.0.113.7", "203.0.113.8"
TABLE = {"variant": "classic", "seats": [{"kind": "person", "name": "Ann"}]}


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def stranger(database: Path) -> Iterator[TestClient]:
    """Somebody from far away, at a server that takes little."""
    limits = Limits(tables_a_minute=3, connections=2, connections_in_all=3)
    rooms = Rooms(Means(SqlStorage(sqlite_url(database)), pace=0, grace=0, patience=0))
    with TestClient(create_app(rooms, limits), client=(ANN, 1234)) as client:
        yield client


def test_an_allowance_is_a_burst_and_then_so_many_a_second(clock: Clock) -> None:
    allowance = Allowance(2, 3, clock)
    assert [allowance.spend() for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.5
    assert allowance.spend() == 0
    assert allowance.spend() == 0.5
    clock.now += 100
    assert [allowance.spend() for _ in range(4)] == [0, 0, 0, 0.5], "it does not grow beyond the burst"


def test_every_address_has_limits_of_its_own(clock: Clock) -> None:
    guard = Guard(Limits(tables_a_minute=2, connections=1), clock)
    assert [guard.open_table(ANN) for _ in range(3)] == [0, 0, 30]
    assert guard.open_table(BO) == 0
    assert guard.connect(ANN) == 0
    assert guard.connect(ANN) > 0
    assert guard.connect(BO) == 0
    guard.leave(ANN)
    assert guard.connect(ANN) == 0
    most = LINES_SHARED * BURST
    assert sum(guard.say(ANN) == 0 for _ in range(2 * most)) == most
    assert guard.say(ANN) == pytest.approx(1 / (LINES_SHARED * MESSAGES_PER_SECOND))
    assert guard.say(BO) == 0


def test_the_whole_process_takes_so_many_connections(clock: Clock) -> None:
    guard = Guard(Limits(connections_in_all=2), clock)
    assert [guard.connect(address) > 0 for address in (ANN, BO, "198.51.100.1", "127.0.0.1")] == [
        False,
        False,
        True,
        True,
    ]
    guard.leave(BO)
    assert guard.connect("198.51.100.1") == 0


@pytest.mark.parametrize(
    ("address", "who"),
    [
        (ANN, ANN),
        ("127.0.0.1", None),
        ("::1", None),
        ("::ffff:127.0.0.1", None),
        (f"::ffff:{ANN}", ANN),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("testclient", "testclient"),
    ],
)
def test_who_an_address_counts_as(address: str, who: str | None) -> None:
    assert visitor_of(address) == who


def test_whoever_sits_at_the_machine_itself_is_not_limited(clock: Clock) -> None:
    guard = Guard(Limits(tables_a_minute=1, connections=1), clock)
    assert not any(guard.open_table("127.0.0.1") or guard.connect("127.0.0.1") for _ in range(50))


def test_the_quiet_are_forgotten_and_the_busy_are_not(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qwixx.server.limits.MOST_VISITORS", 3)
    guard = Guard(Limits(tables_a_minute=1), clock)
    assert guard.connect("a") == guard.open_table("b") == guard.say("c") == 0
    clock.now += 30
    guard.open_table("d")
    assert set(guard._visitors) == {"a", "b", "d"}, "c may send all of its messages again, so nothing is lost with it"
    assert guard.open_table("b") > 0


def test_too_many_tables_are_refused_with_a_time(stranger: TestClient) -> None:
    answers = [stranger.post("/api/tables", json=TABLE) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert answers[-1].json()["code"] == "slow-down"
    assert 0 < int(answers[-1].headers["retry-after"]) <= 20


def test_too_many_connections_are_refused_with_a_time_and_the_next_gets_in(stranger: TestClient) -> None:
    with stranger.websocket_connect("/ws"):
        with stranger.websocket_connect("/ws"), stranger.websocket_connect("/ws") as third:
            refusal = json.loads(third.receive_text())
            assert (refusal["code"], refusal["id"]) == ("slow-down", 0)
            assert refusal["after"] > 0
            with pytest.raises(WebSocketDisconnect) as closed:
                third.receive_text()
            assert closed.value.code == 4429
        with stranger.websocket_connect("/ws") as again:
            again.send_text("{}")
            assert json.loads(again.receive_text())["code"] == "malformed"


def test_there_is_one_way_in(stranger: TestClient) -> None:
    for path in ("/", "/wss", "/ws/", "/api/tables"):
        with pytest.raises(WebSocketDisconnect) as closed, stranger.websocket_connect(path):
            pass
        assert closed.value.code == 4404

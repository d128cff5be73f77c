"""What a host relies on: readiness, numbers, log lines, stopping, copies, old games, and a proxy in front."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from docs.options import PAGE, with_table
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from qwixx.server.app import create_app
from qwixx.server.prune import Keeping, prune
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.sqlite import backup, sqlite_url
from qwixx.server.storage import SqlStorage, StorageError, stamp
from tests.server.client import Player, finished, opened
from tests.server.process import free_port, server, started
from tests.server.services import program

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture
def here(database: Path) -> Iterator[TestClient]:
    """Somebody at the server's own machine."""
    rooms = Rooms(Means(SqlStorage(sqlite_url(database)), pace=0, grace=0, patience=0))
    with TestClient(create_app(rooms), client=("127.0.0.1", 1234)) as client:
        yield client


def test_ready_while_the_database_answers(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert client.get("/readyz").json() == {"status": "ok"}

    async def broken(self: SqlStorage, table: str, after: int = 0) -> None:
        raise StorageError("no disk")

    monkeypatch.setattr(SqlStorage, "read", broken)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert client.get("/healthz").status_code == 200


def numbers(client: TestClient) -> dict[str, float]:
    lines = [line for line in client.get("/metrics").text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_the_numbers_follow_what_happens(here: TestClient) -> None:
    before = numbers(here)
    table, keys = opened(here, "person", "bot")
    player = Player(here, table, (keys[0],))
    while not player.table["legal"].get("0"):
        player.hear("update")
    assert player.choose(0, "R13")["type"] == "refusal"
    assert player.choose(0, "pass")["type"] == "done"
    after = numbers(here)
    grown = {name: after[name] - before.get(name, 0) for name in after}
    assert after["qwixx_tables"] == after["qwixx_seats"] == after["qwixx_sockets"] == 1
    assert grown["qwixx_tables_opened_total"] == grown["qwixx_choices_total"] == 1
    assert grown['qwixx_refusals_total{code="illegal"}'] == 1
    assert grown["qwixx_choice_seconds_count"] == 1
    assert grown["qwixx_write_seconds_count"] >= 2
    player.close()


def test_the_numbers_are_for_whom_the_host_names(client: TestClient, database: Path) -> None:
    assert client.get("/metrics").status_code == 403
    rooms = Rooms(Means(SqlStorage(sqlite_url(database))))
    with TestClient(create_app(rooms, metrics_for="10.0.0.0/8, 192.0.2.7"), client=("10.1.2.3", 1)) as named:
        assert "qwixx_tables" in named.get("/metrics").text


def test_a_request_has_one_name_in_the_answer_and_the_log(client: TestClient) -> None:
    assert (
        client.get("/healthz", headers={"x-request-id": "from-the-proxy.7"}).headers["x-request-id"]
        == "from-the-proxy.7"
    )
    made = client.get("/healthz", headers={"x-request-id": "no\tname " * 20}).headers["x-request-id"]
    assert len(made) == 12


@contextmanager
def connected(port: int, table: str, key: str) -> Iterator[ClientConnection]:
    with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
        socket.send(json.dumps({"type": "hello", "id": 1, "table": table, "keys": [key]}))
        yield socket


def table_of(port: int) -> tuple[str, str]:
    body = {"variant": "classic", "seats": [{"kind": "person", "name": "Ann"}]}
    with urlopen(Request(f"http://127.0.0.1:{port}/api/tables", json.dumps(body).encode())) as answer:
        made = json.load(answer)
    return made["table"], made["keys"]["0"]


def until_asked(socket: ClientConnection) -> int:
    """Listens until there is something to choose; the table's version then."""
    while True:
        heard = json.loads(socket.recv(10))
        if heard["type"] == "update" and heard["table"]["legal"]["0"]:
            return int(heard["table"]["version"])


def listen_for_ever(socket: ClientConnection) -> None:
    while True:
        socket.recv(10)


def passes(socket: ClientConnection) -> int:
    """Passes once; the version before."""
    version = until_asked(socket)
    socket.send(json.dumps({"type": "choose", "id": 9, "seat": 0, "action": "pass", "version": version}))
    while json.loads(socket.recv(10))["type"] != "done":
        pass
    return version


def test_log_lines_are_objects_with_ids_and_without_secrets(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "qwixx", "serve", "--port", str(port), "--logs", "json", "--patience", "0"]
    with subprocess.Popen(
        [*command, "--database", str(tmp_path / "t.db")], stderr=subprocess.PIPE, text=True
    ) as process:
        for _ in range(200):
            with connectable(port) as yes:
                if yes:
                    break
        table, key = table_of(port)
        with connected(port, table, key) as socket:
            passes(socket)
        process.terminate()
        written = process.communicate(timeout=20)[1]
    lines = [json.loads(line) for line in written.splitlines()]
    texts = [line["text"] for line in lines]
    assert any("POST '/api/tables' answered with 201" in text for text in texts)
    assert f"a connection came to table {table}" in texts
    assert all(line["at"].endswith("Z") and line["level"] == "info" for line in lines)
    assert all("request" in line for line in lines if "answered" in line["text"])
    assert all("connection" in line for line in lines if "a connection" in line["text"])
    (secret,) = sqlite3.connect(tmp_path / "t.db").execute("SELECT data FROM events WHERE version = 1").fetchone()
    for hidden in (key, json.loads(secret)["secret"]):
        assert hidden not in written


@contextmanager
def connectable(port: int) -> Iterator[bool]:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz"):
            yield True
    except OSError:
        time.sleep(0.05)
        yield False


def test_a_server_that_is_told_to_stop_says_so_and_keeps_everything(tmp_path: Path) -> None:
    database, port = tmp_path / "t.db", free_port()
    with server(port, database, patience=0) as process:
        table, key = table_of(port)
        with connected(port, table, key) as socket:
            version = passes(socket)
            process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                listen_for_ever(socket)
            assert closed.value.rcvd
            assert closed.value.rcvd.code == 1012
        assert process.wait(10) == -signal.SIGTERM, "it ended by itself, in the time that it has"
    with server(port, database, patience=0), connected(port, table, key) as socket:
        assert until_asked(socket) > version


def test_a_copy_of_a_running_server_has_all_that_was_promised(tmp_path: Path) -> None:
    database, copy, port = tmp_path / "t.db", tmp_path / "copy.db", free_port()
    with server(port, database, patience=0):
        table, key = table_of(port)
        with connected(port, table, key) as socket:
            version = passes(socket)
            command = [sys.executable, "-m", "qwixx", "backup", str(copy), "--database", str(database)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            assert "is a whole copy of" in " ".join(done.stdout.split())
            socket.send(json.dumps({"type": "ask", "id": 3, "seat": 0, "cell": "R7"}))
            while json.loads(socket.recv(10))["type"] != "explained":
                pass  # the server goes on
    with server(port, copy, patience=0), connected(port, table, key) as socket:
        assert until_asked(socket) > version


def test_copies_that_cannot_be_made(tmp_path: Path) -> None:
    def said(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "qwixx", "backup", *arguments], capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        return " ".join(done.stderr.split())

    database = tmp_path / "t.db"
    assert "there is no" in said(str(tmp_path / "copy.db"), "--database", str(database))
    sqlite3.connect(database).close()
    database.write_bytes(b"this is no database, but it is long enough to look like one" * 50)
    assert "could not be copied" in said(str(tmp_path / "copy.db"), "--database", str(database))
    assert "another name" in said(str(database), "--database", str(database))
    assert "pg_dump" in said("copy.db", "--database", "postgresql://ann:secret@host/name")
    assert not (tmp_path / "copy.db").exists()


def test_an_older_copy_is_replaced_only_by_a_whole_one(tmp_path: Path) -> None:
    good, target = tmp_path / "t.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(good)) as plain:
        plain.execute("CREATE TABLE one (n)")
        plain.commit()
    backup(good, target)
    kept = target.read_bytes()
    good.write_bytes(b"broken" * 1000)
    with pytest.raises(sqlite3.Error):
        backup(good, target)
    assert target.read_bytes() == kept


def test_old_games_go_and_unfinished_ones_stay(client: TestClient, database: Path) -> None:
    player, over, _ = finished(client)
    player.close()
    going_on, keys = opened(client, "person", "person")
    Player(client, going_on, (keys[0],)).close()
    young, *_ = opened(client, "person")
    another, recent, _ = finished(client)
    another.close()
    long_ago = stamp(datetime.now(UTC) - timedelta(days=400))
    with closing(sqlite3.connect(database)) as plain:
        plain.execute("UPDATE events SET at = ? WHERE tbl IN (?, ?)", (long_ago, over, going_on))
        plain.execute("UPDATE events SET at = ? WHERE tbl = ? AND version = 1", (long_ago, recent))
        plain.commit()

    async def pruned(keeping: Keeping, in_use: str = "") -> tuple[int, list[bool]]:
        """How many went, and which of the four are there."""
        storage = SqlStorage(sqlite_url(database))
        removed = await prune(storage, keeping, lambda table: table == in_use)
        there = [bool(await storage.read(table)) for table in (over, going_on, young, recent)]
        await storage.close()
        return removed, there

    assert asyncio.run(pruned(Keeping(365), in_use=over)) == (0, [True] * 4)
    assert asyncio.run(pruned(Keeping(1000, 1000))) == (0, [True] * 4)
    assert asyncio.run(pruned(Keeping(365))) == (1, [False, True, True, True])
    assert asyncio.run(pruned(Keeping(365))) == (0, [False, True, True, True])
    assert asyncio.run(pruned(Keeping(0, 365))) == (1, [False, False, True, True])
    assert not Keeping()


def test_what_cannot_be_read_any_more_stops_no_pruning(database: Path) -> None:
    async def main() -> None:
        storage = SqlStorage(sqlite_url(database))
        long_ago = stamp(datetime.now(UTC) - timedelta(days=400))
        with closing(sqlite3.connect(database)) as plain:
            odd = b'{"type":"opened","variant":"chess","seats":[],"date":"2020-01-01"}'
            plain.executemany("INSERT INTO events VALUES (?, 1, ?, ?)", [(name, long_ago, odd) for name in ("a", "b")])
            plain.commit()
        assert await prune(storage, Keeping(1), lambda _: False) == 0
        assert await prune(storage, Keeping(1, 1), lambda table: table == "a") == 1
        assert [len(await storage.read(name)) for name in ("a", "b")] == [1, 0]
        await storage.close()

    asyncio.run(main())


def test_the_table_of_options_is_up_to_date() -> None:
    text = PAGE.read_text("utf-8")
    assert with_table(text) == text, "make options"
    assert "| `--database` | `QWIXX_DATABASE_URL` |" in text


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """The example's site with other ports and without a certificate: the proxy's port and the server's."""
    front, back = free_port(), free_port()
    site = (DEPLOY / "nginx.conf").read_text("utf-8")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{back}").replace("listen 443 ssl", f"listen 127.0.0.1:{front}")
    site = "\n".join(line for line in site.splitlines() if "ssl_certificate" not in line)
    folders = "\n".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log {tmp_path}/errors; events {{}}\n"
        f"http {{ access_log off;\n{folders}\n{site}\n}}",
        "utf-8",
    )
    with subprocess.Popen([program("nginx", "nginx"), "-p", str(tmp_path), "-c", str(config)]) as process:
        yield front, back
        process.terminate()


def test_a_game_through_nginx(nginx: tuple[int, int], tmp_path: Path) -> None:
    front, back = nginx
    database = tmp_path / "t.db"
    with server(back, database, patience=0):
        table, key = table_of(front)
        headers = {"Origin": f"http://127.0.0.1:{front}"}
        with connect(f"ws://127.0.0.1:{front}/ws", additional_headers=headers, compression=None) as socket:
            socket.send(json.dumps({"type": "hello", "id": 1, "table": table, "keys": [key]}))
            passes(socket)
        with urlopen(f"http://127.0.0.1:{front}/healthz") as answer:
            assert len(answer.headers["x-request-id"]) == 32, "nginx gave it a name"
        with pytest.raises(OSError, match="404"):
            urlopen(f"http://127.0.0.1:{front}/metrics")
        with urlopen(f"http://127.0.0.1:{back}/metrics") as answer:
            assert b"qwixx_sockets" in answer.read()


def test_nginx_leads_back_to_a_server_that_was_restarted(nginx: tuple[int, int], tmp_path: Path) -> None:
    front, back = nginx
    database = tmp_path / "t.db"
    with server(back, database, patience=0) as process:
        table, key = table_of(front)
        with connected(front, table, key) as socket:
            version = passes(socket)
            process.kill()
            with pytest.raises(ConnectionClosed):
                listen_for_ever(socket)
    again = started(back, database, patience=0)
    with connected(front, table, key) as socket:
        assert until_asked(socket) > version
    again.kill()
    again.wait()

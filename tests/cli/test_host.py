"""`qwixx serve`, without serving for long."""

import asyncio
import re
import socket
from pathlib import Path

import pytest
from starlette.applications import Starlette

from qwixx.server.serve import listener
from tests.cli.conftest import Run
from tests.server.process import free_port


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Nothing is served for long; what would be opened in the browser is written down."""
    opened: list[str] = []

    def at_once(listening: socket.socket, app: Starlette, proxies: str) -> None:
        listening.close()
        asyncio.run(app.state.rooms.close())

    monkeypatch.setattr("qwixx.server.serve.serve", at_once)
    monkeypatch.setattr("webbrowser.open", opened.append)
    return opened


def test_serve_opens_the_page(qwixx: Run, served: list[str], tmp_path: Path) -> None:
    port = free_port()
    code, out, _ = qwixx("serve", "--open", "--port", str(port), "--database", str(tmp_path / "new" / "tables.db"))
    assert code == 0
    assert served == [f"http://127.0.0.1:{port}"]
    assert f"The table is open at http://127.0.0.1:{port}" in out
    assert "--lan" in out
    assert (tmp_path / "new").is_dir()


def test_serve_invites_the_phones_in_the_room(qwixx: Run, served: list[str], tmp_path: Path) -> None:
    port = free_port()
    code, out, _ = qwixx("serve", "--lan", "--port", str(port), "--database", str(tmp_path / "tables.db"))
    assert code == 0
    assert re.search(rf"http://\d+\.\d+\.\d+\.\d+:{port}", out)
    code_lines = [line for line in out.splitlines() if "█" in line or "▄" in line]
    assert len(code_lines) > 10, "a QR code is drawn"
    assert served == []


def test_serve_takes_the_next_port_or_says_what_to_do(qwixx: Run, served: list[str], tmp_path: Path) -> None:
    database = str(tmp_path / "tables.db")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = qwixx("serve", "--port", str(port), "--database", database)
        assert code == 1
        assert "Name another --port." in err
        with listener("127.0.0.1", [port, free_port()]) as free:
            assert free.getsockname()[1] != port
    with pytest.raises(OSError, match="no port"):
        listener("127.0.0.1", [])


@pytest.mark.parametrize(
    ("database", "said"),
    [
        ("mysql://ann:secret@localhost/tables", "only SQLite and PostgreSQL are known here"),
        ("postgresql://ann:secret@127.0.0.1:1/tables", "refused"),
        ("postgresql://ann:secret@127.0.0.1:here/tables", "this is not the address of a database"),
    ],
)
def test_serve_says_where_games_cannot_be_kept(qwixx: Run, served: list[str], database: str, said: str) -> None:
    code, _, err = qwixx("serve", "--port", str(free_port()), "--database", database)
    assert code == 1
    assert said in err
    assert "secret" not in err

"""A server in memory, and where it keeps its tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from qwixx.server.app import create_app
from qwixx.server.rooms import Rooms
from qwixx.server.storage import SqliteStorage


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def client(database: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Rooms(SqliteStorage(database), pace=0, grace=0))) as client:
        yield client

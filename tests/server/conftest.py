"""A server in memory, and where it keeps its tables."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from qwixx.server.app import create_app
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.sqlite import sqlite_url
from qwixx.server.storage import SqlStorage
from tests.server.services import Postgres, Redis


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.remove()


@pytest.fixture
def redis() -> Iterator[Redis]:
    server = Redis()
    yield server
    server.stop()


@pytest.fixture
def client(database: Path) -> Iterator[TestClient]:
    with TestClient(create_app(Rooms(Means(SqlStorage(sqlite_url(database)), pace=0, grace=0, patience=0)))) as client:
        yield client

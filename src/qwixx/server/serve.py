"""Runs the web app under uvicorn."""

import socket
from collections.abc import Iterable
from pathlib import Path

import uvicorn

from qwixx.server.app import create_app
from qwixx.server.protocol import LONGEST_MESSAGE
from qwixx.server.rooms import Rooms
from qwixx.server.storage import SqliteStorage


def listener(host: str, ports: Iterable[int]) -> socket.socket:
    """A socket that listens on the first of these ports which is free; OSError if none is."""
    taken = OSError("no port was named")
    for port in ports:
        try:
            return socket.create_server((host, port), backlog=1024)
        except OSError as error:
            taken = error
    raise taken


async def serve(listening: socket.socket, database: Path, pace: float = 0.6) -> None:
    """Serves until it is told to stop. Without compression a socket costs half the memory."""
    app = create_app(Rooms(SqliteStorage(database), pace))
    config = uvicorn.Config(
        app,
        log_level="warning",
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
    )
    await uvicorn.Server(config).serve(sockets=[listening])

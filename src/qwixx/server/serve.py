"""Runs the web app under uvicorn."""

from pathlib import Path

import uvicorn

from qwixx.server.app import create_app
from qwixx.server.protocol import LONGEST_MESSAGE
from qwixx.server.rooms import Rooms
from qwixx.server.storage import SqliteStorage


async def serve(host: str, port: int, database: Path, pace: float = 0.6) -> None:
    """Serves until it is told to stop. Without compression a socket costs half the memory."""
    app = create_app(Rooms(SqliteStorage(database), pace))
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
    )
    await uvicorn.Server(config).serve()

"""Runs the web app under uvicorn."""

import gc
import socket
import sys
from collections.abc import Iterable

import uvicorn
from starlette.applications import Starlette

from qwixx.server.lines import HttpLine, WebSocketLine
from qwixx.server.protocol import LONGEST_MESSAGE

HANDS_OVER = 0.001
"""Seconds after which a busy thread lets the one that writes to disk go on."""

LAST_WORDS = 10
"""Seconds that requests may still take when the server is to stop."""


def listener(host: str, ports: Iterable[int]) -> socket.socket:
    """A socket that listens on the first of these ports which is free; OSError if none is."""
    taken = OSError("no port was named")
    for port in ports:
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, port), family=family, backlog=1024)
        except OSError as error:
            taken = error
    raise taken


def serve(listening: socket.socket, app: Starlette, proxies: str = "127.0.0.1") -> None:
    """Serves until it is told to stop; then connections are closed with the word that there is a restart, and what was
    asked for is still written down. `proxies` are those whose word on a visitor's address counts.

    Without compression a socket costs half the memory. While the garbage collector looks, everybody waits; tables and
    connections leave nothing behind that only it finds, so it looks when there are none, or far too much (see `Rooms`).
    """
    gc.freeze()
    gc.disable()
    sys.setswitchinterval(HANDS_OVER)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=LAST_WORDS,
        http=HttpLine,
        ws=WebSocketLine,
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])

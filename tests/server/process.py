"""A real server in a process of its own."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random


def free_port() -> int:
    """A port below the ones that the system gives to clients."""
    for port in Random().sample(range(20_000, 32_000), 50):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no free port")


@contextmanager
def server(
    port: int, database: Path | str, pace: float = 0.0, patience: float = 5.0, redis: str = ""
) -> Iterator[subprocess.Popen[bytes]]:
    process = started(port, database, pace, patience, redis)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def started(
    port: int, database: Path | str, pace: float = 0.0, patience: float = 5.0, redis: str = ""
) -> subprocess.Popen[bytes]:
    """A server that answers."""
    command = [sys.executable, "-m", "qwixx", "serve", "--port", str(port), "--database", str(database)]
    options = ["--pace", str(pace), "--patience", str(patience), *(["--redis", redis] if redis else [])]
    process = subprocess.Popen([*command, *options], stdout=subprocess.DEVNULL)
    for _ in range(400):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    return process

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
def server(port: int, database: Path, pace: float = 0.0) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "qwixx", "serve", "--port", str(port), "--database", str(database)]
    process = subprocess.Popen([*command, "--pace", str(pace)])
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()

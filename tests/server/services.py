"""A real PostgreSQL and a real Redis: the machine's, else Debian's where we may install them. Elsewhere tests that need
them do not run, and each of them says so."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg
import pytest

from tests.server.process import free_port


def program(name: str, package: str) -> str:
    """The path of a server's program."""
    found = _found(name)
    if found is None and shutil.which("apt-get") and os.geteuid() == 0:
        patient = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
        subprocess.run([*patient, "update"], capture_output=True, check=False)
        subprocess.run([*patient, "install", "-y", package], capture_output=True, check=False)
        found = _found(name)
    if found is None:
        pytest.skip(f"no {name} can be had here")
    return found


def _found(name: str) -> str | None:
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(versions[-1]) if versions else shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin")


class Postgres:
    """A PostgreSQL of its own, in a folder of its own. It refuses to be run by root, so root lets somebody else."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"postgresql://qwixx@127.0.0.1:{self.port}/postgres"
        self.control = program("pg_ctl", "postgresql")
        self.folder = Path(tempfile.mkdtemp(prefix="qwixx-postgres-"))
        self.user = next((name for name in ("postgres", "nobody") if _exists(name)), "nobody")
        if os.geteuid() == 0:
            shutil.chown(self.folder, self.user)
        self._run(program("initdb", "postgresql"), "-D", self.data, "-U", "qwixx", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    @property
    def data(self) -> str:
        return str(self.folder / "data")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c max_connections=60"
        self._run(self.control, "-D", self.data, "-l", str(self.folder / "log"), "-o", options, "-w", "start")

    def stop(self, mode: str = "fast") -> None:
        """Without a word to anybody if the mode is `immediate`."""
        self._run(self.control, "-D", self.data, "-m", mode, "-w", "stop")

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"tables_{time.monotonic_ns()}"
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url.replace("/postgres", f"/{name}")

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, *command: str) -> None:
        user = self.user if os.geteuid() == 0 else None
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder, user=user)
        assert done.returncode == 0, done.stdout + done.stderr


def _exists(user: str) -> bool:
    return any(user == known.pw_name for known in pwd.getpwall())


class Redis:
    """A Redis of its own that keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.program = program("redis-server", "redis-server")
        self.start()

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([self.program, *options], stdout=subprocess.DEVNULL, cwd="/")
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("Redis does not start")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

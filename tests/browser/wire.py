"""A wire between a browser and the server that a test can cut."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.server.process import free_port


class Wire:
    """Passes bytes on in both directions while it is whole."""

    def __init__(self, to: int) -> None:
        self.to, self.port = to, free_port()
        self._whole = True
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._whole = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        self._door.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                if self._whole:
                    self._join(near, socket.create_connection(("127.0.0.1", self.to)))
                else:
                    near.close()

    def _join(self, near: socket.socket, far: socket.socket) -> None:
        self._ends += [near, far]
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=_pass_on, args=(source, target), daemon=True).start()


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)  # closing alone tells nobody while the other thread still listens
        end.close()


@contextmanager
def wire(to: int) -> Iterator[Wire]:
    made = Wire(to)
    try:
        yield made
    finally:
        made.close()

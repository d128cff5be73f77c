"""uvicorn's two kinds of connections, made impatient: whoever says nothing or half of it, or too much beside what is
asked, or does not read, is cut off and leaves nothing behind."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from qwixx.server.limits import Allowance

SOON = 10.0
"""Seconds in which a connection has to say what it wants, or to read the rest when it is closed."""
PINGS_PER_SECOND, PINGS = 1, 30
MOST_PARTS = 64
"""Parts in which one message may come."""


class HttpLine(HttpToolsProtocol):
    """A connection for requests."""

    _deadline: asyncio.TimerHandle | None = None
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if getattr(self.cycle, "response_complete", True):  # there is no request yet, or none any more
            self._await_request()
        else:
            self._stop_waiting()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self._stop_waiting()
        self._upgraded = True
        self.parser = None  # type: ignore[assignment]  # it would hold on to this connection, and this to it

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        """From the first byte to the last: more bytes do not buy more time."""
        if self._deadline is None and not self._upgraded:
            self._deadline = self.loop.call_later(SOON, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._stop_waiting()


class WebSocketLine(WebSocketsSansIOProtocol):
    """A connection for a conversation. What serves it finds `abort` in the scope's state."""

    async def run_asgi(self) -> None:
        self._pings = Allowance(PINGS_PER_SECOND, PINGS)
        self.scope["state"]["abort"] = self.transport.abort
        try:
            await super().run_asgi()
        finally:
            self.loop.call_later(SOON, self.transport.abort)

    def handle_ping(self) -> None:
        if self._pings.spend() or not self.writable.is_set():
            self.transport.abort()
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_PARTS:
            self.transport.abort()
        else:
            super().handle_cont(event)

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self.conn.parser.close()  # it would hold on to the connection, and the connection to it

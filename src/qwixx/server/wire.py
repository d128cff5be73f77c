"""One client's connection: requests in, answers out. It speaks ASGI itself, with no framework in between, because this
is what the server does most."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from secrets import token_hex
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from qwixx.server.limits import BURST, MESSAGES_PER_SECOND, Allowance, Guard, visitor_of
from qwixx.server.logs import about
from qwixx.server.metrics import ERRORS, REFUSALS, SOCKETS
from qwixx.server.protocol import LONGEST_MESSAGE, AnyRequest, Refusal, decode_request, encode
from qwixx.server.rooms import Rooms
from qwixx.server.session import Session

PATH = "/ws"
FORWARDING = {b"forwarded", b"x-forwarded-for", b"x-real-ip"}
SOMEWHERE = "somewhere behind a proxy"
NOT_HERE, ANOTHER_SITE, TOO_MANY, OUR_FAULT = 4404, 4403, 4429, 1011
"""Why a connection is closed, in the numbers that are free for it."""

log = logging.getLogger("qwixx.server")


def same_origin(scope: Scope) -> bool:
    """Whether a page of this very site asks; programs that are no browsers send no origin."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == headers.get("host")
    except ValueError:
        return False


def address_of(scope: Scope) -> str:
    """Where a visitor is. Whoever comes by way of a proxy is not at this machine, whatever the proxy says."""
    client = scope.get("client")
    address = str(client[0]) if client else ""
    passed_on = any(name in FORWARDING for name, _ in scope["headers"])
    return SOMEWHERE if passed_on and visitor_of(address) is None else address


async def converse(scope: Scope, receive: Receive, send: Send, rooms: Rooms, guard: Guard) -> None:
    """Serves one connection for as long as it lasts."""
    if scope["path"] != PATH or not same_origin(scope):
        await send(_closed(NOT_HERE if scope["path"] != PATH else ANOTHER_SITE))
        return
    address = address_of(scope)
    after = guard.connect(address)
    if after:
        await _turn_away(receive, send, after)
        return
    with about(connection=token_hex(4)), SOCKETS.track_inprogress():
        log.info("a connection was opened")
        try:
            await receive()
            await send({"type": "websocket.accept"})
            abort = scope.get("state", {}).get("abort", lambda: None)
            await Wire(receive, send, Session(rooms), guard, address, abort).serve()
        except OSError:  # the other end is gone, which is nobody's fault
            pass
        except Exception:
            ERRORS.labels("connection").inc()
            log.exception("a connection broke")
            await send(_closed(OUR_FAULT))
        finally:
            guard.leave(address)
            log.info("a connection was closed")


async def _turn_away(receive: Receive, send: Send, after: float) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    REFUSALS.labels("slow-down").inc()
    text = "There are too many connections already; try again in a moment."
    await send(_said(Refusal(0, "slow-down", text, after=after)))
    await send(_closed(TOO_MANY))


class Wire:
    """A connection that has been let in."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        session: Session,
        guard: Guard,
        address: str,
        abort: Callable[[], None] = lambda: None,
    ) -> None:
        self._receive, self._send, self._session = receive, send, session
        self._guard, self._address, self._abort = guard, address, abort
        self._allowance = Allowance(MESSAGES_PER_SECOND, BURST)

    async def serve(self) -> None:
        """Reads requests and writes answers until one of them ends. Who does not read what is written is cut off."""
        writer = asyncio.create_task(self._write())
        writer.add_done_callback(lambda ended: None if ended.cancelled() else self._abort())
        try:
            while not self._session.client.cut_off:
                message = await self._receive()
                if message["type"] == "websocket.disconnect":
                    break
                await self._read(message.get("text") or "")
        finally:
            self._session.leave()
            if self._session.client.cut_off:
                self._abort()
            await _ended(writer)

    async def _read(self, text: str) -> None:
        after, request = self._allowance.spend() or self._guard.say(self._address), _understood(text)
        if after:
            slow = Refusal(request.id, "slow-down", "Too many messages at once; wait a moment.", after=after)
            self._session.client.tell(slow)
            await asyncio.sleep(1 / MESSAGES_PER_SECOND)
        elif isinstance(request, Refusal):
            self._session.client.tell(request)
        else:
            await self._session.handle(request)

    async def _write(self) -> None:
        client = self._session.client
        with contextlib.suppress(OSError):  # what a server raises when the other end is gone
            while True:
                await client.wake.wait()
                for answer in client.take():
                    await self._send(_said(answer))


async def _ended(writer: "asyncio.Task[None]") -> None:
    """The writer is to stop; if it has stopped before, it says why."""
    writer.cancel()
    await asyncio.wait([writer])
    if not writer.cancelled() and writer.exception():
        raise RuntimeError("answers could not be written") from writer.exception()


def _understood(text: str) -> AnyRequest | Refusal:
    """What a message asks for, or what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        return Refusal(0, "size", f"A message has at most {LONGEST_MESSAGE} characters.")
    try:
        return decode_request(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Refusal(0, "malformed", str(error))


def _said(answer: msgspec.Struct) -> Message:
    return {"type": "websocket.send", "text": encode(answer).decode()}


def _closed(code: int) -> Message:
    return {"type": "websocket.close", "code": code}

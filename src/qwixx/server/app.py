"""The web app: opening tables over HTTP, everything else over one WebSocket a client."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from qwixx.boards import all_variants
from qwixx.bots import LEVELS
from qwixx.record import Game, write_record
from qwixx.rules import Dice, Variant
from qwixx.rules.paper import plays_on_paper
from qwixx.server.invite import qr_svg
from qwixx.server.protocol import (
    LONGEST_MESSAGE,
    AnyRequest,
    Catalogue,
    GameInfo,
    NewTable,
    Refusal,
    RefusalCode,
    decode_request,
    encode,
)
from qwixx.server.rooms import Rooms, Session
from qwixx.server.storage import StorageError
from qwixx.server.table import Refused, Table

PAGES = Path(__file__).parent / "web"
MESSAGES_PER_SECOND = 20
BURST = 60
LONGEST_ADDRESS = 300
SECURITY = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityHeaders:
    """Puts the security headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(SECURITY)
            await send(message)

        await self.app(scope, receive, with_headers)


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a page of this very site asks; programs that are no browsers send no origin."""
    origin = connection.headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:
        return False


class Allowance:
    """How many messages a connection may still send: so many a second, with a burst."""

    def __init__(self) -> None:
        self.left, self.at = float(BURST), time.monotonic()

    def spend(self) -> bool:
        now = time.monotonic()
        self.left = min(BURST, self.left + (now - self.at) * MESSAGES_PER_SECOND)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


def create_app(rooms: Rooms) -> Starlette:
    """The web app over some rooms."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await rooms.close()

    app = Starlette(
        routes=[
            Route("/healthz", health),
            Route("/api/catalogue", catalogue),
            Route("/api/tables", open_table, methods=["POST"]),
            Route("/api/tables/{table}/game", game),
            Route("/api/tables/{table}/history", history),
            Route("/api/tables/{table}/record", record),
            Route("/api/tables/{table}/qr.svg", qr_code),
            WebSocketRoute("/ws", play),
            Route("/", page),
            Route("/t/{table}", page),
            Route("/w/{table}", page),
            Route("/sw.js", worker),
            *([Mount("/assets", StaticFiles(directory=PAGES / "assets"))] if (PAGES / "assets").is_dir() else []),
        ],
        middleware=[Middleware(SecurityHeaders)],
        exception_handlers={Refused: refused_answer, StorageError: not_kept},
        lifespan=lifespan,
    )
    app.state.rooms = rooms
    return app


def rooms_of(connection: HTTPConnection) -> Rooms:
    rooms: Rooms = connection.app.state.rooms
    return rooms


async def health(request: Request) -> Response:
    return _json({"status": "ok"})


async def catalogue(request: Request) -> Response:
    """Every game and every bot."""
    return _json(Catalogue(tuple(map(_game, all_variants().values())), tuple(LEVELS)))


async def open_table(request: Request) -> Response:
    """Sets up a table and tells the keys of this device's seats."""
    if not same_origin(request):
        return _refused("origin", "This request comes from another site.", 403)
    try:
        new = msgspec.json.decode(await _limited_body(request), type=NewTable)
        return _json(await rooms_of(request).open_table(new), 201)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        return _refused("malformed", str(error), 400)


async def _table(request: Request) -> Table:
    return (await rooms_of(request).room(request.path_params["table"])).table


async def game(request: Request) -> Response:
    """The game that a table plays, which may be a board of its own."""
    return _json(_game((await _table(request)).variant))


async def history(request: Request) -> Response:
    """A finished game, event by event."""
    return _json((await _table(request)).history())


async def record(request: Request) -> Response:
    """The record of a finished game; before the end it would tell what is hidden."""
    table = await _table(request)
    if not table.over or not isinstance(table.game, Game):
        raise Refused("turn", "The record can be had when a game is over whose sheets are all kept here.")
    disposition = f'attachment; filename="{table.variant.key}-{table.game.date}.qwixx"'
    return Response(write_record(table.game), headers={"content-disposition": disposition}, media_type="text/plain")


async def qr_code(request: Request) -> Response:
    """The way to a table for a camera. The address is the one that the page itself was opened with."""
    await _table(request)
    url = request.url.replace(path=f"/t/{request.path_params['table']}", query="")
    if len(str(url)) > LONGEST_ADDRESS:
        raise Refused("size", f"An address has at most {LONGEST_ADDRESS} characters.")
    return Response(qr_svg(str(url)), media_type="image/svg+xml")


async def refused_answer(request: Request, refused: Exception) -> Response:
    """What a table does not grant, as an answer over HTTP."""
    assert isinstance(refused, Refused)
    return _refused(refused.code, refused.text, {"table": 404, "turn": 409}.get(refused.code, 400))


async def not_kept(request: Request, error: Exception) -> Response:
    """The disk does not take it just now."""
    return _refused("storage", "This could not be written down; try again in a moment.", 503)


async def page(request: Request) -> Response:
    """The one page, which finds its way by its address; plain words where it has not been built."""
    return _page_file("index.html")


async def worker(request: Request) -> Response:
    """The service worker lies at the root, so that it may look after every page."""
    return _page_file("sw.js")


def _page_file(name: str) -> Response:
    file = PAGES / name
    if not file.is_file():
        return Response("The page has not been built: run make web.\n", 503, media_type="text/plain")
    return FileResponse(file, headers={"cache-control": "no-cache"})


async def play(socket: WebSocket) -> None:
    """One client's connection, for as long as it lasts."""
    if not same_origin(socket):
        await socket.close(4403)
        return
    await socket.accept()
    await _serve(socket, Session(rooms_of(socket)))


def _game(variant: Variant) -> GameInfo:
    return GameInfo(
        key=variant.key,
        name=variant.name,
        summary=variant.summary,
        seats=variant.seat_counts,
        colours={colour.letter: colour.name for colour in variant.colours},
        rows=tuple(tuple(str(cell.mark) for cell in row) for row in variant.rows),
        misthrows=variant.end.misthrows,
        misthrow_cost=variant.end.cost,
        sides=variant.source.sides if isinstance(variant.source, Dice) else 0,
        paper=plays_on_paper(variant),
    )


async def _limited_body(request: Request) -> bytes:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_MESSAGE:
            raise Refused("size", f"A request has at most {LONGEST_MESSAGE} bytes.")
    return body


def _refused(code: RefusalCode, text: str, status: int) -> Response:
    return _json({"code": code, "text": text}, status)


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


async def _serve(socket: WebSocket, session: Session) -> None:
    """Reads requests and writes answers until one of them ends."""
    writer = asyncio.create_task(_write(socket, session))
    try:
        allowance = Allowance()
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            await _read(session, message.get("text") or "", allowance)
            await asyncio.sleep(0)
    except WebSocketDisconnect:
        pass
    finally:
        session.leave()
        writer.cancel()
        await asyncio.wait([writer])


async def _read(session: Session, text: str, allowance: Allowance) -> None:
    allowed, request = allowance.spend(), _understood(text)
    if not allowed:
        session.client.tell(Refusal(request.id, "slow-down", "Too many messages at once; wait a second."))
    elif isinstance(request, Refusal):
        session.client.tell(request)
    else:
        await session.handle(request)


def _understood(text: str) -> AnyRequest | Refusal:
    """What a message asks for, or what is wrong with it."""
    if len(text) > LONGEST_MESSAGE:
        return Refusal(0, "size", f"A message has at most {LONGEST_MESSAGE} characters.")
    try:
        return decode_request(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Refusal(0, "malformed", str(error))


async def _write(socket: WebSocket, session: Session) -> None:
    client = session.client
    with contextlib.suppress(WebSocketDisconnect):
        while not client.cut_off:
            await client.wake.wait()
            for answer in client.take():
                await socket.send_text(encode(answer).decode())
        await socket.close(4408)

"""The web app: opening tables over HTTP, everything else over one WebSocket a client (see `wire`)."""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from ipaddress import ip_address, ip_network
from math import ceil
from pathlib import Path
from secrets import token_hex

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qwixx.boards import all_variants
from qwixx.bots import LEVELS
from qwixx.record import write_record
from qwixx.rules import Dice, Variant
from qwixx.rules.paper import plays_on_paper
from qwixx.server.invite import qr_svg
from qwixx.server.limits import Guard, Limits
from qwixx.server.logs import about
from qwixx.server.metrics import ERRORS, REFUSALS, SEATS, TABLES
from qwixx.server.openapi import openapi
from qwixx.server.protocol import LONGEST_MESSAGE, Catalogue, GameInfo, NewTable, Problem, RefusalCode, Refused
from qwixx.server.rooms import Rooms
from qwixx.server.storage import StorageError
from qwixx.server.table import Table
from qwixx.server.wire import address_of, converse, same_origin

log = logging.getLogger("qwixx.server")
PAGES = Path(__file__).parent / "web"
LONGEST_ADDRESS = 300
LONGEST_BODY = 10.0
"""Seconds in which a request has to come."""
LIMITED = ("/api/", "/readyz")
"""What costs more than a look at a file, and so counts like a message."""
UNTOLD = ("/healthz", "/readyz", "/metrics")
"""What programs ask all the time."""
LOOPBACK = "127.0.0.0/8, ::1"
REQUEST_ID = re.compile(r"[\w.-]{1,64}", re.ASCII)
SECURITY = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class Door:
    """Everything comes through here: connections are led to their conversation; every other answer gets the security
    headers and a line in the log, under a request's id that the proxy gave or that is made here."""

    def __init__(self, app: ASGIApp, rooms: Rooms, guard: Guard) -> None:
        self.app, self.rooms, self.guard = app, rooms, guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await converse(scope, receive, send, self.rooms, self.guard)
        elif scope["type"] == "http":
            request = _request_id(scope)
            with about(request=request):
                await self._answer(scope, receive, send, {**SECURITY, "x-request-id": request})
        else:
            await self.app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, headers: dict[str, str]) -> None:
        began, status = time.perf_counter(), 500

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(headers)
            await send(message)

        after = self.guard.say(address_of(scope)) if scope["path"].startswith(LIMITED) else 0.0
        app = _refused("slow-down", "So much was asked from here; wait a moment.", 429, after) if after else self.app
        try:
            await app(scope, receive, with_headers)
        except Exception:
            ERRORS.labels("http").inc()
            raise
        finally:
            took = 1000 * (time.perf_counter() - began)
            level = logging.DEBUG if scope["path"] in UNTOLD else logging.INFO
            log.log(level, "%s %r answered with %d in %.1f ms", scope["method"], scope["path"], status, took)


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if REQUEST_ID.fullmatch(given) else token_hex(6)


def create_app(
    rooms: Rooms,
    limits: Limits | None = None,
    beside: Sequence[Callable[[], Coroutine[None, None, None]]] = (),
    metrics_for: str = LOOPBACK,
) -> Starlette:
    """The web app over some rooms. `beside` is what goes on as long as it serves; networks of `metrics_for` may read
    the metrics."""
    guard = Guard(limits or Limits())

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(work()) for work in (rooms.run, *beside)]
        for task in tasks:
            task.add_done_callback(_told_if_failed)
        yield
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        await rooms.close()

    app = Starlette(
        routes=[
            Route("/healthz", health),
            Route("/readyz", ready),
            Route("/metrics", metrics),
            Route("/api/openapi.json", described),
            Route("/api/catalogue", catalogue),
            Route("/api/tables", open_table, methods=["POST"]),
            Route("/api/tables/{table}/game", game),
            Route("/api/tables/{table}/history", history),
            Route("/api/tables/{table}/record", record),
            Route("/api/tables/{table}/qr.svg", qr_code),
            Route("/", page),
            Route("/t/{table}", page),
            Route("/w/{table}", page),
            Route("/sw.js", worker),
            *([Mount("/assets", StaticFiles(directory=PAGES / "assets"))] if (PAGES / "assets").is_dir() else []),
        ],
        middleware=[Middleware(Door, rooms, guard)],
        exception_handlers={Refused: refused_answer, StorageError: not_kept},
        lifespan=lifespan,
    )
    app.state.rooms, app.state.guard = rooms, guard
    app.state.metrics_for = [ip_network(part.strip(), strict=False) for part in metrics_for.split(",")]
    return app


def _told_if_failed(task: "asyncio.Task[None]") -> None:
    """What goes on beside the tables ends with the server, not before."""
    if not task.cancelled() and task.exception():
        log.error("the work beside the tables broke off", exc_info=task.exception())


def rooms_of(connection: HTTPConnection) -> Rooms:
    rooms: Rooms = connection.app.state.rooms
    return rooms


async def health(request: Request) -> Response:
    """The process is alive."""
    return _json({"status": "ok"})


async def ready(request: Request) -> Response:
    """People may be sent here: the database answers, too."""
    await rooms_of(request).storage.read("")
    return _json({"status": "ok"})


async def metrics(request: Request) -> Response:
    """For Prometheus, and for nobody whom the host has not named."""
    try:
        known = any(ip_address(address_of(request.scope)) in network for network in request.app.state.metrics_for)
    except ValueError:
        known = False
    if not known:
        return Response("The host has not let you read this.\n", 403, media_type="text/plain")
    tables, seats = rooms_of(request).count()
    TABLES.set(tables)
    SEATS.set(seats)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


async def described(request: Request) -> Response:
    """This interface, for programs."""
    return _json(openapi())


async def catalogue(request: Request) -> Response:
    """Every game and every bot."""
    return _json(Catalogue(tuple(map(_game, all_variants().values())), tuple(LEVELS)))


async def open_table(request: Request) -> Response:
    """Sets up a table and tells the keys of this device's seats."""
    if not same_origin(request.scope):
        return _refused("origin", "This request comes from another site.", 403)
    guard: Guard = request.app.state.guard
    after = guard.open_table(address_of(request.scope))
    if after:
        return _refused("slow-down", "So many tables were opened from here; wait a moment.", 429, after)
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
    game = (await _table(request)).record()
    disposition = f'attachment; filename="{game.variant.key}-{game.date}.qwixx"'
    return Response(write_record(game), headers={"content-disposition": disposition}, media_type="text/plain")


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
    log.warning("the storage does not answer: %s", error)
    ERRORS.labels("storage").inc()
    return _refused("storage", "This could not be written down; try again in a moment.", 503, 1)


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
        lucky=variant.source.lucky if isinstance(variant.source, Dice) else (),
        paper=plays_on_paper(variant),
    )


async def _limited_body(request: Request) -> bytes:
    body = b""
    try:
        async with asyncio.timeout(LONGEST_BODY):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_MESSAGE:
                    raise Refused("size", f"A request has at most {LONGEST_MESSAGE} bytes.")
    except TimeoutError:
        raise Refused("malformed", f"The request did not come within {LONGEST_BODY:g} seconds.") from None
    return body


def _refused(code: RefusalCode, text: str, status: int, after: float = 0) -> Response:
    """Says what is wrong and, where it will pass, in how many seconds."""
    REFUSALS.labels(code).inc()
    answer = _json(Problem(code, text), status)
    if after:
        answer.headers["retry-after"] = str(ceil(after))
    return answer


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")

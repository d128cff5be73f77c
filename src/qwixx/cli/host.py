"""The commands for hosts. What the server needs is imported only when it runs."""

import contextlib
import webbrowser
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from qwixx.cli.table import refuse, terminal

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette

    from qwixx.server.fanout import Fanout

PORTS = range(8000, 8020)
"""Where tables are served if no port is named: the first that is free."""

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        help="Where tables are kept: a SQLite file, or postgresql://user:password@host/name; "
        "else ~/.local/share/qwixx/tables.db.",
        envvar="QWIXX_DATABASE_URL",
        show_default=False,
    ),
]


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.", envvar="QWIXX_HOST")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            help="The port to listen on; else the first free one from 8000.", min=1, max=65535, envvar="QWIXX_PORT"
        ),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let phones and computers in the same network join; prints a QR code.")
    ] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    database: DatabaseOption = None,
    redis: Annotated[
        str | None,
        typer.Option(
            help="redis://host, over which processes that share a database hear of each other.",
            envvar="QWIXX_REDIS_URL",
        ),
    ] = None,
    pace: Annotated[
        float, typer.Option(help="Seconds a bot takes for a choice; 0 for at once.", min=0, envvar="QWIXX_PACE")
    ] = 0.6,
    patience: Annotated[
        float,
        typer.Option(
            help="Seconds a game waits for what its players add to the dice; the page adds it at once.",
            min=0,
            envvar="QWIXX_PATIENCE",
        ),
    ] = 5.0,
    keep_days: Annotated[
        float,
        typer.Option(help="Days after which a finished game is removed; 0 keeps all.", min=0, envvar="QWIXX_KEEP_DAYS"),
    ] = 0.0,
    keep_unfinished_days: Annotated[
        float,
        typer.Option(
            help="Days after which a game that nobody went on with is removed; 0 keeps all.",
            min=0,
            envvar="QWIXX_KEEP_UNFINISHED_DAYS",
        ),
    ] = 0.0,
    tables_a_minute: Annotated[
        int, typer.Option(help="Tables that one address may open in a minute.", min=1, envvar="QWIXX_TABLES_A_MINUTE")
    ] = 30,
    connections: Annotated[
        int, typer.Option(help="Connections that one address may have at once.", min=1, envvar="QWIXX_CONNECTIONS")
    ] = 100,
    connections_in_all: Annotated[
        int, typer.Option(help="Connections that this process takes.", min=1, envvar="QWIXX_CONNECTIONS_IN_ALL")
    ] = 10_000,
    proxies: Annotated[
        str,
        typer.Option(help="Proxies whose word on a visitor's address counts, by comma.", envvar="QWIXX_PROXIES"),
    ] = "127.0.0.1",
    metrics_for: Annotated[
        str, typer.Option(help="Networks that may read /metrics, by comma.", envvar="QWIXX_METRICS_FOR")
    ] = "127.0.0.0/8, ::1",
    logs: Annotated[
        Literal["quiet", "text", "json"],
        typer.Option(help="What goes to standard error: what went wrong, or every request.", envvar="QWIXX_LOGS"),
    ] = "quiet",
) -> None:
    """Serve tables to browsers.

    Examples: `qwixx serve --open` · `qwixx serve --lan` prints an address and a QR code for phones in the room
    """
    from qwixx.server.app import create_app
    from qwixx.server.limits import Limits
    from qwixx.server.logs import write_logs
    from qwixx.server.prune import Keeping, prune_again_and_again
    from qwixx.server.room import Means
    from qwixx.server.rooms import Rooms
    from qwixx.server.storage import SqlStorage, StorageError, database_url, shown_url

    where = _database(database)
    try:
        storage = SqlStorage(database_url(where))
    except StorageError as error:
        refuse(f"Games cannot be kept in {shown_url(where)}: {error}. Name another --database.")
    write_logs(logs)
    rooms = Rooms(Means(storage, pace, patience=patience, fanout=_fanout(redis)))
    keeping = Keeping(keep_days, keep_unfinished_days)
    pruning = [partial(prune_again_and_again, storage, keeping, rooms.has)] if keeping else []
    try:
        limits = Limits(tables_a_minute, connections, connections_in_all)
        app = create_app(rooms, limits, pruning, metrics_for)
        trusted = ",".join(str(ip_network(part.strip(), strict=False)) for part in proxies.split(","))
    except ValueError as error:
        refuse(f"--metrics-for and --proxies name addresses or networks: {error}.")
    _run(host, port, app, lan=lan, open_page=open_page, proxies=trusted, kept=shown_url(where))


def _fanout(redis: str | None) -> "Fanout":
    from qwixx.server.fanout import Alone, RedisFanout

    try:
        return RedisFanout(redis) if redis else Alone()
    except ValueError as error:
        refuse(f"Other processes cannot be heard of: {error}")


def _run(host: str, port: int | None, app: "Starlette", *, lan: bool, open_page: bool, proxies: str, kept: str) -> None:
    from qwixx.server.invite import lan_address, qr_terminal
    from qwixx.server.serve import serve as serve_app

    listening = _listening("0.0.0.0" if lan else host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{lan_address() if lan else shown}:{listening.getsockname()[1]}"
    console = terminal()
    console.print(f"The table is open at {address} (Ctrl+C ends it). Games are kept in {kept}.")
    if lan:
        console.print("Phones in the same network: point the camera here.")
        print(qr_terminal(address))
    else:
        console.print("So that phones in the room can join, start it with --lan.")
    if open_page:
        webbrowser.open(address)
    with contextlib.suppress(KeyboardInterrupt):
        serve_app(listening, app, proxies)


def _listening(host: str, port: int | None) -> "socket.socket":
    from qwixx.server.serve import listener

    try:
        return listener(host, PORTS if port is None else [port])
    except OSError as error:
        refuse(f"Nothing can be served on {host}:{port or PORTS[0]}: {error.strerror}. Name another --port.")


def _database(named: str | None) -> str:
    return named or str(Path.home() / ".local" / "share" / "qwixx" / "tables.db")


def backup(
    target: Annotated[Path, typer.Argument(help="The file to write the copy to.")],
    database: DatabaseOption = None,
) -> None:
    """Copy the SQLite file of a server that may be running.

    To restore, stop the server and start it with the copy as its --database. Example: `qwixx backup tables-monday.db`
    """
    import sqlite3

    from qwixx.server.sqlite import backup as copy
    from qwixx.server.storage import shown_url

    where = _database(database)
    if where.partition("://")[0] not in (where, "sqlite"):
        refuse(f"{shown_url(where)} is no SQLite file; for PostgreSQL use its own pg_dump.")
    source = Path(where.removeprefix("sqlite:///"))
    if target.resolve() == source.resolve():
        refuse("The copy needs another name than the original.")
    try:
        copy(source, target)
    except (OSError, sqlite3.Error) as error:
        refuse(f"{source} could not be copied to {target}: {error}")
    size = target.stat().st_size / 1e6
    terminal().print(f"{target} is a whole copy of {source}, {size:.1f} MB.", soft_wrap=True)

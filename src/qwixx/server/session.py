"""What one connection may do: its requests, judged and answered."""

import logging
import time
from collections.abc import Sequence
from contextlib import nullcontext
from functools import partial

from qwixx.bots import BOTS
from qwixx.server.events import (
    Event,
    Handed,
    Rematched,
)
from qwixx.server.logs import about
from qwixx.server.metrics import CHOICE_SECONDS, CHOICES, ERRORS
from qwixx.server.protocol import (
    Add,
    AnyRequest,
    Ask,
    Choose,
    Done,
    EnterDice,
    Explained,
    HandOver,
    Hello,
    Join,
    Refusal,
    Refused,
    Rematch,
    Seated,
    TakeBack,
    Tell,
    why,
)
from qwixx.server.room import RETRY, Client, Room
from qwixx.server.rooms import Rooms, no_bot, today
from qwixx.server.storage import StorageError
from qwixx.server.table import Table

MOST_CLIENTS = 500
"""Connections to one table; those who hold a seat get in nevertheless."""
MOST_SEATED = 20
"""Connections with the keys of one seat: a player has a few devices and pages, no more."""

log = logging.getLogger("qwixx.server")


class Session:
    """What one connection may do: say hello, then act on its table."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms, self.client = rooms, Client()
        self.room: Room | None = None

    async def handle(self, request: AnyRequest) -> None:
        """Does what is asked, and answers; a refusal changes nothing."""
        with about(table=self.room.id) if self.room else nullcontext():
            await self._judge(request)

    async def _judge(self, request: AnyRequest) -> None:
        try:
            await self._handle(request)
        except Refused as refused:
            reason = why(refused.reason) if refused.reason else None
            self.client.tell(Refusal(request.id, refused.code, refused.text, reason))
        except StorageError as error:
            ERRORS.labels("storage").inc()
            log.warning("a request could not be kept: %s", error)
            text = "This could not be written down; try again in a moment."
            self.client.tell(Refusal(request.id, "storage", text, after=RETRY))

    async def _handle(self, request: AnyRequest) -> None:
        if isinstance(request, Hello):
            await self._hello(request)
            return
        room, keys = self.room, self.client.keys
        if room is None:
            raise Refused("hello", "Say hello to a table first.")
        match request:
            case Join():
                await self._join(request, room)
            case Ask():
                reason = room.table.explain(keys, request.seat, request.cell)
                explained = None if reason is None else why(reason)
                self.client.tell(Explained(request.id, request.seat, request.cell, explained))
            case Rematch():
                await self._rematch(request, room)
            case Choose():
                began = time.perf_counter()
                if await self._act(request, room) is not None:
                    CHOICES.inc()
                    CHOICE_SECONDS.observe(time.perf_counter() - began)
            case _:
                if isinstance(request, HandOver):
                    _check_away(room, keys, request)
                await self._act(request, room)

    async def _act(self, request: Add | Choose | TakeBack | EnterDice | HandOver | Tell, room: Room) -> Event | None:
        keys = self.client.keys
        event = await room.act(lambda table: _granted(table, keys, request))
        self.client.tell(Done(request.id))
        return event

    async def _hello(self, hello: Hello) -> None:
        room = await self.rooms.room(hello.table)
        _check_room(room, hello)
        self.leave()
        log.info("a connection came to table %s", room.id)
        self.room = room
        self.client.keys, self.client.held = list(hello.keys), None
        for seat in room.table.seats_of(hello.keys):
            await room.act(partial(_welcomed_back, seat))
        room.enter(self.client, hello.since)

    async def _join(self, join: Join, room: Room) -> None:
        """Takes a seat with a key of the client's own choosing, so that asking again is harmless."""
        if not room.table.seats_of([join.key]):
            self.client.keys.append(join.key)
            try:
                await room.act(lambda table: table.join(join.seat, join.name, join.key))
            except (Refused, StorageError):
                self.client.keys.remove(join.key)
                raise
            finally:
                self.client.held = None
        self.client.tell(Seated(join.id, room.table.seats_of([join.key])[0]))

    async def _rematch(self, request: Rematch, room: Room) -> None:
        opened = room.table.again(self.client.keys, today())
        async with room.rematching:
            if not room.table.rematch:
                again = await self.rooms.set_up(opened)
                await room.act(lambda table: None if table.rematch else Rematched(again))
        self.client.tell(Done(request.id))

    def leave(self) -> None:
        if self.room is not None:
            self.room.leave(self.client)
            self.room = None


def _check_room(room: Room, hello: Hello) -> None:
    """One more connection must fit."""
    seats = room.table.seats_of(hello.keys)
    if not seats and len(room.clients) >= MOST_CLIENTS:
        raise Refused("crowded", "So many are watching this table already.")
    if any(room.connections(seat) >= MOST_SEATED for seat in seats):
        raise Refused("crowded", "This seat is open in too many places; close some of them.")


def _check_away(room: Room, keys: Sequence[str], request: HandOver) -> None:
    """Nobody gives away the seat of somebody who is there."""
    if request.bot and request.seat not in room.table.seats_of(keys) and room.present(request.seat):
        raise Refused("present", "This player is at the table, or was a moment ago.")


def _granted(
    table: Table, keys: Sequence[str], request: Add | Choose | TakeBack | EnterDice | HandOver | Tell
) -> Event | None:
    """The event that a request leads to; the table refuses what is not allowed."""
    match request:
        case Add():
            return table.add(keys, request.seat, request.word)
        case Choose():
            return table.choose(keys, request.seat, request.action, request.version)
        case TakeBack():
            return table.take_back(keys, request.seat)
        case EnterDice():
            return table.real_roll(keys, request.outcome)
        case Tell():
            return table.tell(keys, request.row)
        case HandOver():
            if request.bot and request.bot not in BOTS:
                raise Refused("bot", no_bot(request.bot))
            return table.hand_over(keys, request.seat, request.bot)


def _welcomed_back(seat: int, table: Table) -> Handed | None:
    """A player who returns takes the seat from the bot that stood in."""
    return Handed(seat, "") if seat in table.played_by else None

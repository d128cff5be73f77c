"""Players who never give up: they choose, lose the connection, and come back through any door that is open."""

import asyncio
import json
from collections.abc import Sequence
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from qwixx.server.events import AnyEvent, Chose, TookBack
from qwixx.server.table import Table

Message = dict[str, Any]
Place = tuple[int, int]
"""A seat, and the version since which it was being asked."""


def open_table(port: int, variant: str, people: int, bots: int = 0) -> tuple[str, list[str]]:
    """A table and the keys of its people, who sit before the bots."""
    seats = [{"kind": "person", "name": f"Seat {seat}"} for seat in range(people)]
    seats += [{"kind": "bot", "name": f"Bot {bot}", "bot": "skip-2"} for bot in range(bots)]
    body = json.dumps({"variant": variant, "seats": seats}).encode()
    with urlopen(Request(f"http://127.0.0.1:{port}/api/tables", body), timeout=20) as answer:
        opened = json.load(answer)
    return opened["table"], list(opened["keys"].values())


class Guest:
    """One person with one seat. `promised` is what may stand where a server has promised to keep a choice: that one, or
    what the person has said there since, who may have come back where the news of it had not arrived yet."""

    def __init__(self, table: str, key: str, doors: Sequence[int], seed: int, pause: float = 0.0) -> None:
        self.table_id, self.key, self.doors, self.random, self.pause = table, key, doors, Random(seed), pause
        self.table: Message = {}
        self.promised: dict[Place, set[str]] = {}
        self.connections = 0
        self._count = 0

    @property
    def over(self) -> bool:
        return bool(self.table) and self.table["state"] is not None and self.table["state"]["phase"] == "over"

    async def play(self) -> None:
        """To the end of the game, whatever happens to the servers."""
        while not self.over:
            door = self.random.choice(self.doors)
            try:
                async with connect(f"ws://127.0.0.1:{door}/ws", compression=None, open_timeout=5) as socket:
                    self.connections += 1
                    await self._sit(socket)
            except (OSError, WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def _sit(self, socket: ClientConnection) -> None:
        await self._say(socket, type="hello", table=self.table_id, keys=[self.key])
        asked: dict[int, tuple[Place, str]] = {}
        while not self.over:
            message: Message = json.loads(await asyncio.wait_for(socket.recv(), 30))
            if message["type"] == "update":
                self.table = message["table"]
            elif message["type"] == "done" and message["id"] in asked:
                place, action = asked.pop(message["id"])
                self.promised[place] = {action}
            elif message["type"] == "refusal":
                asked.pop(message["id"], None)
                await asyncio.sleep(0.05)  # the table has moved on, or cannot write just now
            if not asked:
                await self._choose(socket, asked)

    async def _choose(self, socket: ClientConnection, asked: dict[int, tuple[Place, str]]) -> None:
        if not self.table:
            await self._say(socket, type="hello", table=self.table_id, keys=[self.key])
            return
        seat, fair = self.table["you"][0], self.table["fair"]
        if self.table["asked_at"] == 1 and not fair["added"].get(str(seat)):
            await self._say(socket, type="add", seat=seat, word=f"word-of-{seat}")
        legal = self.table["legal"][str(seat)]
        if legal and str(seat) not in self.table["chosen"]:
            await asyncio.sleep(self.pause * self.random.random())
            action = self.random.choice(legal)
            version = self.table["version"]
            number = await self._say(socket, type="choose", seat=seat, action=action, version=version)
            place = seat, self.table["asked_at"]
            asked[number] = place, action
            if place in self.promised:
                self.promised[place].add(action)

    async def _say(self, socket: ClientConnection, **message: object) -> int:
        self._count += 1
        await socket.send(json.dumps({"id": self._count, **message}))
        return self._count


def check_kept(events: Sequence[AnyEvent], guests: Sequence[Guest]) -> Table:
    """Every promised choice is what was settled, none is there twice, and the game is over and fair.

    What a server that lost its database in the middle of a commit could not promise may have been kept nevertheless:
    then it stands until the guest, who was told to try again, chooses otherwise.
    """
    table, standing = Table.replay(events[:1]), dict[Place, str]()
    for event in events[1:]:
        if isinstance(event, Chose):
            place = event.seat, table.asked_at
            assert standing.get(place) != event.action, "a choice was kept twice"
            standing[place] = event.action
        elif isinstance(event, TookBack):
            del standing[event.seat, table.asked_at]
        table.apply(event)
    for guest in guests:
        for place, choices in guest.promised.items():
            assert standing.get(place) in choices, "a promised choice is gone"
    assert table.over
    game = table.record()
    assert game.fair
    assert game.unlike(game.fair) == []
    return table

"""Messages over the WebSocket as nobody would send them: `make fuzz`, and fewer of them in the tests.

Every message must be answered, nothing may break, and every table's events must be such as the rules allow.
"""

import argparse
import asyncio
import json
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from qwixx.server.limits import Allowance, Guard
from qwixx.server.protocol import Done, Hello, NewSeat, NewTable, encode
from qwixx.server.room import Means
from qwixx.server.rooms import Rooms
from qwixx.server.session import Session
from qwixx.server.table import Table
from qwixx.server.wire import Wire
from tests.server.test_random_clients import Engine, Memory

GAMES = ["classic", "mixx-b", "longo", "card", "card-joker", "mini"]
TOGETHER = 50
"""Messages in one example."""
LINES = 4
"""Connections: one with both seats, one with the second, a spectator, and somebody who has not said hello."""

NOW = 777_000_777
"""Stands for the table's version, as other words stand for the keys, the table and something that is legal."""

ids = st.integers(-(2**63), 2**64) | st.integers(1, 9)
seats = st.sampled_from([0, 1] * 5 + [-1, 2, 3, 9])
versions = st.sampled_from([NOW] * 6 + [-1, 0, 1, 5, 20, 10**30])
actions = st.sampled_from(
    ["LEGAL"] * 30
    + [
        "pass",
        "R7",
        "Y2",
        "G12",
        "B3",
        "R7!",
        "X9",
        "take 1",
        "take 1 2",
        "play R5 x R7",
        "begins 1",
        "roll 1 2 R3",
        "",
    ]
)
lines = actions | st.text(max_size=30) | st.just("\x00\u202e<script>alert(1)</script>")
keys = st.just(["KEY0", "KEY1"]) | st.lists(
    st.sampled_from(["KEY0", "KEY1", "a key of nobody", ""]) | st.text(max_size=70), max_size=10
)
tables = st.sampled_from(["TABLE", "nowhere", "../TABLE", "TABLE\x00", ""])
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


def _message(kind: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"type": st.just(kind), "id": ids, **fields})


proper = st.one_of(
    _message("hello", table=tables, keys=keys, since=st.integers(-5, 500)),
    _message("join", name=lines, key=st.text(min_size=20, max_size=66), seat=seats | st.none()),
    _message("add", seat=seats, word=lines),
    *(_message("choose", seat=seats, action=actions, version=versions) for _ in range(12)),
    _message("take-back", seat=seats),
    _message("enter-dice", outcome=lines),
    _message("hand-over", seat=seats, bot=st.sampled_from(["", "skip-1", "random", "nobody", "champion "])),
    _message("ask", seat=seats, cell=lines),
    _message("tell", row=seats | st.none()),
    _message("rematch"),
)


@st.composite
def spoilt(draw: st.DrawFn) -> str:
    """A proper message with something wrong in it."""
    message = draw(proper)
    field = draw(st.sampled_from(sorted(message)))
    match draw(st.integers(0, 5)):
        case 0:
            del message[field]
        case 1:
            message[field] = draw(anything)
        case 2:
            message[draw(st.text(max_size=8))] = draw(anything)
        case 3:
            return json.dumps(message)[: draw(st.integers(0, 60))]
        case 4:
            return json.dumps([message] * draw(st.integers(0, 3)))
        case _:
            depth = draw(st.sampled_from([10, 1000, 8000]))
            return json.dumps(message)[:-1] + ',"deep":' + "[" * depth + "]" * depth + "}"
    return json.dumps(message)


texts = proper.map(json.dumps) | proper.map(json.dumps) | spoilt() | st.text(max_size=200)
said = st.lists(st.tuples(st.sampled_from([0, 0, 0, *range(LINES)]), texts), min_size=TOGETHER, max_size=TOGETHER)


async def _nothing(*_: object) -> Any:  # noqa: ANN401
    raise AssertionError("messages are handed over, not read")


class Fuzz:
    """One table with four connections, and everything that is said to it."""

    def __init__(self, game: str, bots: bool) -> None:
        self.storage = Memory()
        self.granted = 0
        self.rooms = Rooms(Means(self.storage, pace=0, grace=0, patience=0))
        last = NewSeat("bot", "Robin", "skip-1") if bots else NewSeat("open")
        self.new = NewTable(game, (NewSeat("person", "Ann"), NewSeat("person", "Bo"), last))

    async def run(self, messages: list[tuple[int, str]]) -> None:
        opened = await self.rooms.open_table(self.new)
        names = {"TABLE": opened.table, **{f"KEY{seat}": key for seat, key in opened.keys.items()}}
        sessions = [Session(self.rooms) for _ in range(LINES)]
        for session, held in zip(sessions[:3], [tuple(opened.keys.values()), (opened.keys[1],), ()], strict=True):
            await session.handle(Hello(0, opened.table, held))
            session.client.take()
        wires = [Wire(_nothing, _nothing, session, Guard(), "127.0.0.1") for session in sessions]
        for line, message in messages:
            wires[line]._allowance = Allowance(1, TOGETHER)
            text = self._filled_in(message, names)
            await wires[line]._read(text)
            answers = sessions[line].client.take()
            assert answers, f"no answer to {text}"
            assert all(encode(answer) for answer in answers)
            self.granted += any(isinstance(answer, Done) for answer in answers)
            await self._settle()
            for session in sessions:
                session.client.take()
        await self._check()
        await self.rooms.close()

    def _filled_in(self, text: str, names: dict[str, str]) -> str:
        """A message with its stand-ins replaced by what they stand for now."""
        room = self.rooms._rooms[names["TABLE"]]
        undecided = room.table.undecided()
        legal = room.table.sight.own(undecided[0]).legal if undecided else ("pass",)
        now = {str(NOW): str(room.table.version), "LEGAL": legal[len(text) % len(legal)]}
        for name, real in {**names, **now}.items():
            text = text.replace(name, real)
        return text

    async def _settle(self) -> None:
        for room in list(self.rooms._rooms.values()):
            while room._driver is not None and not room._driver.done():
                await asyncio.sleep(0)
            if room._driver is not None:
                room._driver.result()

    async def _check(self) -> None:
        """Whatever was kept is a game by the rules, and the room shows just that."""
        for table, kept in self.storage.tables.items():
            events = await self.storage.read(table)
            Engine().catch_up(events)
            again, room = Table.replay(events), await self.rooms.room(table)
            assert again.version == room.table.version == len(kept)
            assert again.state == room.table.state


def fuzzed(examples: int) -> tuple[int, int]:
    """Says so many times fifty things, and tells how many, and how many of them were granted."""
    count = granted = 0

    @settings(max_examples=examples, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(game=st.sampled_from(GAMES), bots=st.sampled_from([True, True, False]), messages=said)
    def everything_is_answered(game: str, bots: bool, messages: list[tuple[int, str]]) -> None:
        nonlocal count, granted
        fuzz = Fuzz(game, bots)
        asyncio.run(fuzz.run(messages))
        count, granted = count + len(messages), granted + fuzz.granted

    everything_is_answered()
    return count, granted


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    said_in_all, done = fuzzed(-(-parser.parse_args().messages // TOGETHER))
    print(f"{said_in_all:,} messages, all answered, {done:,} of them granted; every table by the rules")

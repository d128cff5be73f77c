"""How much one server holds: `make load`. Two people at each of many tables, on this machine alone.

The server is a process of its own, and this one is everybody else: it opens tables, thinks as long as is wanted and
chooses what is no misthrow if it can. A choice has reached everybody when the last of the two has been told of it.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import perf_counter
from urllib.request import Request, urlopen

import msgspec
import numpy as np
from tests.server.process import free_port, server
from websockets.asyncio.client import ClientConnection, connect

MOST_TABLES = 4000
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
CHOICES_A_TURN = 3
LONG = 10.0
"""Seconds after which a choice that has not reached both counts as lost."""
SLOW = 0.1
"""Seconds that a choice may take."""
THOUGHTS_A_TURN = 1 + 7 / 6
"""Both think at once about the white dice, the slower of them 7/6 as long as one in the mean; then one alone."""


class Told(msgspec.Struct):
    version: int
    kind: str
    seat: int | None = None


class Sheets(msgspec.Struct):
    phase: str


class Shown(msgspec.Struct):
    """What a player needs to know of a table."""

    version: int
    asked_at: int
    legal: dict[int, list[str]]
    misthrows: dict[int, list[str]]
    chosen: dict[int, str]
    state: Sheets | None


class Heard(msgspec.Struct):
    type: str
    notes: list[Told] = []
    table: Shown | None = None
    code: str = ""


_heard = msgspec.json.Decoder(Heard)


@dataclass
class Figures:
    """What is measured while `measuring` holds."""

    measuring: bool = False
    delays: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    games: int = 0


class Pair:
    """One table and both of its people."""

    def __init__(self, port: int, think: float, seed: int, figures: Figures) -> None:
        self.port, self.think, self.random, self.figures = port, think, Random(seed), figures
        self.asked: dict[tuple[int, int], float] = {}
        self.reached: dict[tuple[int, int], int] = {}

    async def play(self) -> None:
        """Game after game, until somebody has had enough."""
        while True:
            table, keys = await asyncio.to_thread(self._open)
            self.asked.clear()
            await asyncio.gather(*(self._seat(table, seat, key) for seat, key in enumerate(keys)))
            self.figures.games += 1

    def _open(self) -> tuple[str, list[str]]:
        body = json.dumps({"variant": "classic", "seats": [{"kind": "person", "name": n} for n in ("Ann", "Bo")]})
        with urlopen(Request(f"http://127.0.0.1:{self.port}/api/tables", body.encode()), timeout=60) as answer:
            opened = json.load(answer)
        return opened["table"], list(opened["keys"].values())

    async def _seat(self, table: str, seat: int, key: str) -> None:
        async with connect(
            f"ws://127.0.0.1:{self.port}/ws", compression=None, max_size=None, open_timeout=60, ping_interval=None
        ) as socket:
            await socket.send(json.dumps({"type": "hello", "id": 0, "table": table, "keys": [key]}))
            thinking: asyncio.Task[None] | None = None
            answered = 0
            async for text in socket:
                heard = _heard.decode(text)
                if heard.code:
                    self.figures.refusals.append(heard.code)
                if heard.table is None:
                    continue
                self._note(heard)
                if heard.table.state and heard.table.state.phase == "over":
                    return
                if heard.table.legal[seat] and seat not in heard.table.chosen and heard.table.asked_at > answered:
                    answered = heard.table.asked_at
                    thinking = asyncio.create_task(self._choose(socket, seat, heard.table))
            assert thinking is None or thinking.done()

    async def _choose(self, socket: ClientConnection, seat: int, table: Shown) -> None:
        await asyncio.sleep(self.random.uniform(0.5, 1.5) * self.think)
        bad = table.misthrows[seat]
        good = [action for action in table.legal[seat] if action not in bad] or bad
        choice = {"seat": seat, "action": self.random.choice(good), "version": table.version}
        self.asked[seat, table.asked_at] = perf_counter()
        self.reached[seat, table.asked_at] = 0
        await socket.send(json.dumps({"type": "choose", "id": table.version, **choice}))

    def _note(self, heard: Heard) -> None:
        """Both have heard of a choice: so long did it take."""
        for note in heard.notes:
            if note.kind != "decided":
                continue
            place = max((each for each in self.asked if each[0] == note.seat and each[1] < note.version), default=None)
            if place is None:
                continue
            self.reached[place] += 1
            if self.reached[place] == 2:
                delay = perf_counter() - self.asked.pop(place)
                if self.figures.measuring:
                    self.figures.delays.append(delay)


def disk_delays(folder: Path, seconds: float) -> dict[str, float]:
    """How long the disk itself takes to keep a little, a hundred times a second, while nothing else goes on."""
    with (folder / "probe").open("wb", buffering=0) as probe:
        delays = []
        until = perf_counter() + seconds
        while perf_counter() < until:
            began = perf_counter()
            probe.write(b"x" * 8192)
            os.fdatasync(probe)
            delays.append(perf_counter() - began)
            time.sleep(0.01)
    late = sum(max(0.0, delay - SLOW) for delay in delays)
    p50, p99, most = (round(1000 * float(np.percentile(delays, part)), 1) for part in (50, 99, 100))
    return {"p50_ms": p50, "p99_ms": p99, "most_ms": most, "percent_of_time_late": round(100 * late / seconds, 1)}


def used(pid: int) -> tuple[float, float]:
    """Seconds of a processor, and megabytes."""
    stat = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / TICKS, int(stat[21]) * PAGE / 1e6


async def measured(port: int, pid: int, given: argparse.Namespace) -> dict[str, object]:
    figures = Figures()
    think = given.tables * CHOICES_A_TURN / given.rate / THOUGHTS_A_TURN
    pairs = [Pair(port, think, number, figures) for number in range(given.tables)]
    playing = []
    for number, pair in enumerate(pairs):
        playing.append(asyncio.create_task(pair.play()))
        if number % 20 == 19:
            await asyncio.sleep(0.1)
    await asyncio.sleep(given.warm)
    gc.freeze()
    gc.disable()  # what is measured is the server's pauses
    before, began, own = used(pid), perf_counter(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    figures.measuring = True
    memory = [before[1]]
    while perf_counter() < began + given.seconds:
        await asyncio.sleep(1)
        memory.append(used(pid)[1])
        for task in playing:
            if task.done():
                task.result()
    figures.measuring = False
    took, after = perf_counter() - began, used(pid)
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)  # thoughts that nobody hears any more
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    delays = np.array(figures.delays) * 1000
    return {
        "tables": given.tables,
        "sockets": 2 * given.tables,
        "seconds": round(took, 1),
        "moves_a_second": round(len(delays) / took),
        **{f"p{part}_ms": round(float(np.percentile(delays, part)), 1) for part in (50, 95, 99)},
        "refusals": len(figures.refusals),
        "unheard": sum(perf_counter() - at > LONG for pair in pairs for at in pair.asked.values()),
        "games_finished": figures.games,
        "server_memory_mb": {
            "first": round(memory[0]),
            "each_minute": [round(each) for each in memory[60::60]],
            "last": round(memory[-1]),
            "most": round(max(memory)),
        },
        "server_cpu": round((after[0] - before[0]) / took, 2),
        "generator_cpu": round((sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - own) / took, 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=1560, help="choices a second that the players want to make")
    parser.add_argument("--folder", type=Path, help="where the database lies; else where temporary files do")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--warm", type=float, default=15, help="seconds before anything is measured")
    parser.add_argument("--store", default="", help="store the result in benchmarks/ under this name")
    given = parser.parse_args()
    if not 1 <= given.tables <= MOST_TABLES:
        parser.error(f"1 to {MOST_TABLES} tables")
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        disk = disk_delays(Path(folder), 10)
        port = free_port()
        with server(port, Path(folder) / "tables.db", patience=0) as process:
            result = asyncio.run(measured(port, process.pid, given))
    text = json.dumps({**result, "disk_alone": disk}, indent=1)
    print(text)
    if given.store:
        Path(__file__).with_name(f"{given.store}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Whether bots elsewhere slow a person's table: `make bench-tables`.

A real server with bots at their usual pace. A few people, each at a table of their own, measure how long the answer to
each choice takes, first alone, then while 200 champions play at 100 other tables. The result is stored beside this
file.
"""

import argparse
import asyncio
import json
import tempfile
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from tests.server.process import free_port, server
from websockets.asyncio.client import connect

PACE = 0.6
PEOPLE = 8


class Person:
    """A seat that always takes what comes first, a moment after it is asked."""

    def __init__(self, port: int, variant: str, bots: int, patience: float) -> None:
        self.port, self.patience, self.answers = port, patience, list[float]()
        others = [{"kind": "bot", "name": f"Bot {index + 1}", "bot": "champion"} for index in range(bots)]
        body = json.dumps({"variant": variant, "seats": [{"kind": "person", "name": "Ann"}, *others]}).encode()
        with urlopen(Request(f"http://127.0.0.1:{port}/api/tables", body)) as answer:
            opened = json.loads(answer.read())
        self.table, self.keys = opened["table"], list(opened["keys"].values())

    async def play(self) -> None:
        """Until the game is over, or somebody has had enough."""
        async with connect(f"ws://127.0.0.1:{self.port}/ws", compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "id": 0, "table": self.table, "keys": self.keys}))
            number, asked = 0, 0.0
            async for text in socket:
                message: dict[str, Any] = json.loads(text)
                if message["type"] == "done" and message["id"] == number:
                    self.answers.append(perf_counter() - asked)
                if message["type"] != "update":
                    continue
                table = message["table"]
                if table["state"]["phase"] == "over":
                    return
                legal = table["legal"].get("0")
                if legal and "0" not in table["chosen"]:
                    await asyncio.sleep(self.patience)
                    number, asked = number + 1, perf_counter()
                    choice = {"seat": 0, "action": legal[0], "version": table["version"]}
                    await socket.send(json.dumps({"type": "choose", "id": number, **choice}))


async def measured(port: int, seconds: float, tables: int) -> dict[str, float]:
    """How long answers take at a person's table, while so many others play."""
    others = [asyncio.create_task(busy(port, index)) for index in range(tables)]
    await asyncio.sleep(2 if tables else 0)
    timed = await asyncio.gather(*(answers_of(port, seconds) for _ in range(PEOPLE)))
    answers = [answer for each in timed for answer in each]
    for task in others:
        if task.done():
            task.result()
            raise RuntimeError("a table elsewhere has stopped; nothing was measured")
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    milliseconds = np.array(answers) * 1000
    return {
        "answers": len(answers),
        "median_ms": round(float(np.median(milliseconds)), 1),
        "p99_ms": round(float(np.percentile(milliseconds, 99)), 1),
    }


async def answers_of(port: int, seconds: float) -> list[float]:
    """How long each answer took to a person who plays for so long."""
    answers: list[float] = []
    end = perf_counter() + seconds
    while perf_counter() < end:
        person = await asyncio.to_thread(Person, port, "classic", 1, 0.05)
        with suppress(TimeoutError):
            await asyncio.wait_for(person.play(), max(0.1, end - perf_counter()))
        answers += person.answers
    return answers


async def busy(port: int, index: int) -> None:
    """A person and two champions, game after game."""
    await asyncio.sleep(index * 0.01)
    variants = ("classic", "longo", "mixx-a", "card", "card-joker")
    while True:
        person = await asyncio.to_thread(Person, port, variants[index % len(variants)], 2, PACE)
        await person.play()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--tables", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with server(port, Path(folder) / "tables.db", PACE, patience=0):
            alone = asyncio.run(measured(port, arguments.seconds, 0))
            among = asyncio.run(measured(port, arguments.seconds, arguments.tables))
    result = {
        "command": "make bench-tables",
        "bots_elsewhere": 2 * arguments.tables,
        "pace_s": PACE,
        "alone": alone,
        "among_them": among,
    }
    text = json.dumps(result, indent=1)
    print(text)
    Path(__file__).with_name("tables.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""A bot for `qwixx arena "cmd:python docs/examples/short_jumps.py" medium`: it crosses what skips the fewest cells."""

import json
import sys
from typing import Any


def tell(**message: object) -> None:
    print(json.dumps(message), flush=True)


def skipped(rows: list[list[str]], view: dict[str, Any], seat: int, action: str) -> int:
    """Cells between the last cross of the row and this one."""
    index, row = next((index, row) for index, row in enumerate(rows) if action in row)
    crossed = [row.index(mark) for mark in view["sheets"][seat]["rows"][index]["crosses"]]
    return row.index(action) - max(crossed, default=-1) - 1


def choose(rows: list[list[str]], view: dict[str, Any], seat: int, legal: list[str]) -> str:
    crosses = [action for action in legal if any(action in row for row in rows)]
    if not crosses:
        return legal[-1]
    best = min(crosses, key=lambda action: skipped(rows, view, seat, action))
    needy = seat == view["active"] and not view["crossed"]
    return best if skipped(rows, view, seat, best) <= (3 if needy else 2) else "pass"


def main() -> None:
    seat, rows = 0, list[list[str]]()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            tell(type="hello", protocol=1, name="short jumps")
        elif message["type"] == "game":
            seat, rows = message["seat"], [row.split() for row in message["board"]["rows"]]
        elif message["type"] == "choose":
            tell(type="choose", action=choose(rows, message["view"], seat, message["legal"]))


main()

"""A bot for `qwixx arena "cmd:python docs/examples/short_jumps.py" medium`: it crosses what skips the fewest cells."""

import json
import sys
from typing import Any


def tell(**message: object) -> None:
    print(json.dumps(message), flush=True)


def skipped(view: dict[str, Any], seat: int, action: str) -> int:
    """Cells between the last cross of the row and this one, as far as the classic sheet is concerned."""
    colour, number = action[0], int(action[1:])
    row = view["sheets"][seat]["rows"]["RYGB".index(colour)]
    crossed = [int(mark[1:]) for mark in row["crosses"]]
    if colour in "RY":
        return number - max(crossed, default=1) - 1
    return min(crossed, default=13) - number - 1


def choose(view: dict[str, Any], seat: int, legal: list[str]) -> str:
    crosses = [action for action in legal if action[0] in "RYGB" and action[1:].isdecimal()]
    if not crosses:
        return legal[-1]
    best = min(crosses, key=lambda action: skipped(view, seat, action))
    needy = seat == view["active"] and not view["crossed"]
    return best if skipped(view, seat, best) <= (3 if needy else 2) else "pass"


def main() -> None:
    seat = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            tell(type="hello", protocol=1, name="short jumps")
        elif message["type"] == "game":
            seat = message["seat"]
        elif message["type"] == "choose":
            tell(type="choose", action=choose(message["view"], seat, message["legal"]))


main()

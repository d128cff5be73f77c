"""Broken records by the million: `python -m tests.fuzz`. Nothing but a RecordError may come out of the reader."""

import argparse
import time
from functools import cache
from hashlib import sha256
from random import Random

from rich.progress import Progress

from qwixx.record import RecordError, read_record, write_record
from tests.soak import play_checked

KEYS = ("classic", "deluxe", "mixx-a", "longo", "card", "card-joker", "mini")
_SPICE = [
    "\x00",
    "\n",
    "\r",
    " ",
    "-",
    "|",
    "=",
    "x",
    "J",
    "?",
    "é",
    "٣",
    "\u2028",
    "9" * 30,
    "[[",
    '"',
    "seal: ",
    "board:\n  ",
]


@cache
def examples() -> dict[str, str]:
    return {key: write_record(play_checked(key, 2, seed, offers=False)) for seed, key in enumerate(KEYS)}


EXAMPLES = examples()


def broken(text: str, seed: int) -> str:
    """A record with a few things wrong; half of them carry a seal that fits, so that the reader gets further."""
    stream = Random(seed)
    for _ in range(stream.randint(1, 4)):
        text = stream.choice(_WAYS)(text, stream)
    return resealed(text) if stream.random() < 0.5 else text


def resealed(text: str) -> str:
    """The text with the seal that fits it: what a careful forger would make."""
    lines = [line.rstrip() for line in text.split("\n")]
    body = "\n".join(line for line in lines if line and not line.startswith(("#", "seal:")))
    seal = sha256(body.encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{body}\nseal: {seal}\n"


def _cut(text: str, stream: Random) -> str:
    start = stream.randrange(len(text) + 1)
    return text[:start] + text[start + stream.choice((1, 1, 2, 5, 40)) :]


def _spice(text: str, stream: Random) -> str:
    start = stream.randrange(len(text) + 1)
    return text[:start] + stream.choice(_SPICE) + text[start:]


def _swap_lines(text: str, stream: Random) -> str:
    lines = text.split("\n")
    first, second = stream.randrange(len(lines)), stream.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return "\n".join(lines)


def _repeat_line(text: str, stream: Random) -> str:
    lines = text.split("\n")
    place = stream.randrange(len(lines))
    return "\n".join([*lines[:place], lines[place], *lines[place:]])


def _change_number(text: str, stream: Random) -> str:
    places = [place for place, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text
    place = stream.choice(places)
    return text[:place] + str(stream.randrange(13)) + text[place + 1 :]


def _mix(text: str, stream: Random) -> str:
    other = EXAMPLES[stream.choice(KEYS)].split("\n")
    lines = text.split("\n")
    place = stream.randrange(len(lines))
    return "\n".join([*lines[:place], *other[stream.randrange(len(other)) :]])


_WAYS = (_cut, _spice, _swap_lines, _repeat_line, _change_number, _change_number, _mix)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    began, accepted = time.perf_counter(), 0
    with Progress() as progress:
        for number in progress.track(range(options.records), description="broken records"):
            seed = options.seed + number
            try:
                read_record(broken(EXAMPLES[KEYS[number % len(KEYS)]], seed))
                accepted += 1
            except RecordError:
                continue
    seconds = time.perf_counter() - began
    print(f"{options.records} broken records, {accepted} still valid, none crashed the reader, {seconds:.0f} s")


if __name__ == "__main__":
    main()

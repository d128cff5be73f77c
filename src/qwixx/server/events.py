"""What is kept of a table: an append-only list of events. Everything else about a table follows from them."""

from typing import Literal

import msgspec


class SeatPlan(msgspec.Struct, frozen=True):
    """Who a seat is meant for: a person who holds its key, anybody who joins, or a bot of some kind. `word` is what its
    bot adds to the dice; an open seat has one for the bot that may fill it."""

    kind: Literal["person", "open", "bot"]
    name: str = ""
    bot: str = ""
    key: str = ""
    word: str = ""


class Event(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that happened at a table."""


class Opened(Event, frozen=True, tag="opened"):
    """The table was set up. `board` is the TOML text of a game that is not built in; `clock` are the seconds that a
    player has for a choice, 0 for as long as it takes. Real dice are rolled and entered by people; with `paper` the
    others' sheets are of paper, too, and this table keeps one sheet alone. Chance follows from the `secret`, in hex,
    which is told when the game is over; tables from before there was one have none."""

    variant: str
    seats: tuple[SeatPlan, ...]
    date: str
    board: str = ""
    start: Literal["draw", "first-six"] | None = None
    dice: Literal["server", "real", "paper"] = "server"
    clock: int = 0
    secret: str = ""


class Joined(Event, frozen=True, tag="joined"):
    """Somebody took an open seat. Only the hash of the seat's key is kept."""

    seat: int
    name: str
    key: str


class Added(Event, frozen=True, tag="added"):
    """A seat added a word from which the dice follow, too."""

    seat: int
    word: str


class Rolled(Event, frozen=True, tag="rolled"):
    """Chance had its say: dice, a deal, a shuffle, who begins."""

    outcome: str


class Chose(Event, frozen=True, tag="chose"):
    """A seat made its choice, or the clock did. It is settled with the choices of all other acting seats (X1)."""

    seat: int
    action: str
    by_clock: bool = False


class TookBack(Event, frozen=True, tag="took-back"):
    """A seat took its choice back before the action was settled."""

    seat: int


class Handed(Event, frozen=True, tag="handed"):
    """A bot plays for a seat, or no longer does if its kind is empty."""

    seat: int
    bot: str


class Filled(Event, frozen=True, tag="filled"):
    """A bot took an open seat, because nobody came."""

    seat: int
    name: str
    bot: str


class Told(Event, frozen=True, tag="told"):
    """Somebody at the paper table closed a row, or ended the game if none is named."""

    row: int | None = None


class Rematched(Event, frozen=True, tag="rematched"):
    """The same seats play again, at another table."""

    table: str


AnyEvent = Opened | Joined | Added | Rolled | Chose | TookBack | Handed | Filled | Told | Rematched

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)


def encode_event(event: Event) -> bytes:
    return _encoder.encode(event)


def decode_event(data: bytes) -> AnyEvent:
    return _decoder.decode(data)

"""The messages between a browser and the server, defined once. The browser's types are made from these.

Seats count from 0. A request carries an `id` of the client's choosing; its answer names it again.
"""

from typing import Annotated, Any, Literal

import msgspec

from qwixx.record import StateJson
from qwixx.rules import Cell, Colour, Mark, Reason
from qwixx.rules.boardfile import LONGEST_BOARD, MOST_SEATS

LONGEST_MESSAGE = 16_384
SHORTEST_KEY = 22

Seat = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Word = Annotated[str, msgspec.Meta(max_length=64)]
Line = Annotated[str, msgspec.Meta(max_length=400)]
Keys = Annotated[tuple[Word, ...], msgspec.Meta(max_length=MOST_SEATS)]


class Request(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a client asks for."""

    id: int


class Hello(Request, frozen=True, tag="hello"):
    """Sit down at a table with the keys one holds, or watch; `since` is the last version seen."""

    table: Word
    keys: Keys = ()
    since: int = 0


class Join(Request, frozen=True, tag="join"):
    """Take an open seat, that one or the first, with a key of the client's own: long, random, told to nobody."""

    name: Line
    key: Annotated[str, msgspec.Meta(min_length=SHORTEST_KEY, max_length=64)]
    seat: Seat | None = None


class Add(Request, frozen=True, tag="add"):
    """Add a random word, from which the dice follow, too. It counts if it comes before the game begins; a seat's first
    word stays."""

    seat: Seat
    word: Word


class Choose(Request, frozen=True, tag="choose"):
    """Choose for a seat; `version` is the table's as the player saw it."""

    seat: Seat
    action: Line
    version: int


class TakeBack(Request, frozen=True, tag="take-back"):
    """Take a choice back that is not settled yet."""

    seat: Seat


class EnterDice(Request, frozen=True, tag="enter-dice"):
    """Real dice were rolled, and this is what they show."""

    outcome: Line


class HandOver(Request, frozen=True, tag="hand-over"):
    """Let a bot play for a seat that is away or that nobody took; an empty name ends it."""

    seat: Seat
    bot: Word = ""


class Ask(Request, frozen=True, tag="ask"):
    """Why is this cell not available to me?"""

    seat: Seat
    cell: Word


class Tell(Request, frozen=True, tag="tell"):
    """Somebody at the paper table closed a row, or ended the game if none is named."""

    row: Seat | None = None


class Rematch(Request, frozen=True, tag="rematch"):
    """Play again with the same seats; the same keys open them."""


AnyRequest = Hello | Join | Add | Choose | TakeBack | EnterDice | HandOver | Ask | Tell | Rematch


class Why(msgspec.Struct, frozen=True):
    """A rule's reason: its number, its kind with what fills it in (to be translated), and the English sentence."""

    rule: str
    kind: str
    facts: dict[str, str | int]
    text: str


NoteKind = Literal[
    "joined",
    "handed",
    "rolled",
    "corrected",
    "decided",
    "clock",
    "took-back",
    "settled",
    "closed",
    "misthrow",
    "over",
    "rematch",
]
RefusalCode = Literal[
    "bot",
    "crowded",
    "full",
    "hello",
    "illegal",
    "key",
    "malformed",
    "name",
    "origin",
    "over",
    "paper",
    "present",
    "seat",
    "seats",
    "size",
    "slow-down",
    "stale",
    "start",
    "storage",
    "table",
    "taken",
    "turn",
    "variant",
    "waiting",
]


class Note(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the table's log, as everybody may see it."""

    version: int
    kind: NoteKind
    seat: int | None = None
    row: int | None = None
    text: str = ""
    choices: dict[int, str] = {}


class SeatView(msgspec.Struct, frozen=True):
    """A seat as everybody sees it."""

    name: str
    kind: Literal["person", "open", "bot"]
    bot: str
    away: bool
    decided: bool


class FairView(msgspec.Struct, frozen=True):
    """Where chance comes from: the hash of a secret, what seats added, and, when the game is over, the secret itself;
    before that it is empty. What a bot of the server adds begins with `bot-` and is there from the start, also for an
    open seat that a bot may fill."""

    commitment: str
    added: dict[int, str]
    secret: str


class TableView(msgspec.Struct, frozen=True):
    """The table as one client may see it: `state` as a spectator sees it, and what belongs to the own seats.

    `asked_at` is the version since which the same thing is being decided; `to_roll` are the colours of the dice that
    are to be rolled next, if dice are; `left` are the seconds that the clock still gives; `watching` counts those who
    hold no seat; `misthrows` are the legal actions that would be one; `fair` is there where the server rolls the dice.
    """

    id: str
    version: int
    asked_at: int
    variant: str
    dice: Literal["server", "real", "paper"]
    clock: int
    left: float | None
    watching: int
    rematch: str
    seats: tuple[SeatView, ...]
    you: tuple[int, ...]
    state: StateJson | None
    to_roll: tuple[str, ...]
    hands: dict[int, tuple[str, ...]]
    legal: dict[int, tuple[str, ...]]
    misthrows: dict[int, tuple[str, ...]]
    chosen: dict[int, str]
    fair: FairView | None


class Answer(msgspec.Struct, frozen=True, tag_field="type"):
    """What the server says."""


class Update(Answer, frozen=True, tag="update"):
    """The table has a new version: what happened since the last, and how it stands."""

    notes: tuple[Note, ...]
    table: TableView


class Seated(Answer, frozen=True, tag="seated"):
    """The seat is yours; the key that came with the request opens it."""

    id: int
    seat: int


class Done(Answer, frozen=True, tag="done"):
    """The request is granted, and what it changed is on disk."""

    id: int


class Refusal(Answer, frozen=True, tag="refusal"):
    """The request is not granted, and nothing has changed. `after` are the seconds until it is worth another try, where
    waiting helps."""

    id: int
    code: RefusalCode
    text: str
    why: Why | None = None
    after: float = 0


class Refused(Exception):  # noqa: N818
    """A request that the table does not grant: a short code, a sentence, and the rule's reason if it was a rule."""

    def __init__(self, code: RefusalCode, text: str, reason: Reason | None = None) -> None:
        super().__init__(text)
        self.code: RefusalCode = code
        self.text, self.reason = text, reason


class Explained(Answer, frozen=True, tag="explained"):
    """Why a cell is not available; nothing if it is."""

    id: int
    seat: int
    cell: str
    why: Why | None = None


AnyAnswer = Update | Seated | Done | Refusal | Explained


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a table to be opened: somebody on this device, a friend by link, or a bot."""

    kind: Literal["person", "open", "bot"]
    name: Line = ""
    bot: Word = ""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    variant: Word
    seats: Annotated[tuple[NewSeat, ...], msgspec.Meta(max_length=MOST_SEATS)]
    board: Annotated[str, msgspec.Meta(max_length=LONGEST_BOARD)] = ""
    start: Literal["draw", "first-six"] | None = None
    dice: Literal["server", "real", "paper"] = "server"
    clock: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 0


class OpenedTable(msgspec.Struct, frozen=True):
    """A table that was opened, with a key for each seat of this device."""

    table: str
    keys: dict[int, str]


class Problem(msgspec.Struct, frozen=True):
    """Why a request over HTTP is not granted."""

    code: RefusalCode
    text: str


class GameInfo(msgspec.Struct, frozen=True):
    """What a client needs to draw a game's sheet and dice; the rules stay on the server."""

    key: str
    name: str
    summary: str
    seats: tuple[int, ...]
    colours: dict[str, str]
    rows: tuple[tuple[str, ...], ...]
    misthrows: int
    misthrow_cost: int
    sides: int
    lucky: tuple[tuple[int, ...], ...]
    paper: bool


class Catalogue(msgspec.Struct, frozen=True):
    """Every game, and every bot from the weakest to the strongest."""

    games: tuple[GameInfo, ...]
    bots: tuple[str, ...]


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event of a finished game, and what it led to; the first step has no event."""

    state: StateJson
    outcome: str = ""
    choices: dict[int, str] = {}


class History(msgspec.Struct, frozen=True):
    """A finished game, event by event."""

    names: tuple[str, ...]
    steps: tuple[Step, ...]


def why(reason: Reason) -> Why:
    return Why(reason.rule, reason.why.name, {name: _plain(fact) for name, fact in reason.facts}, reason.text)


def _plain(fact: object) -> str | int:
    """Cells and colours by their letters, so that a client can name them in its own language."""
    match fact:
        case int():
            return fact
        case Cell(mark):
            return str(mark)
        case Colour(letter):
            return letter
        case Mark():
            return str(fact)
    return str(fact)


_requests: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
_encoder = msgspec.json.Encoder()


def decode_request(data: bytes | str) -> AnyRequest:
    """Raises msgspec.ValidationError or DecodeError if it is not one."""
    return _requests.decode(data)


def encode(answer: msgspec.Struct) -> bytes:
    return _encoder.encode(answer)


def schema() -> dict[str, Any]:
    """The JSON schema of every message, by name."""
    kinds = (AnyRequest, AnyAnswer, NewTable, OpenedTable, Problem, GameInfo, Catalogue, History)
    _, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return components

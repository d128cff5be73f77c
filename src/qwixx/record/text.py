"""A game as a small text file: headers, one line an event, and a seal that notices any change."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from qwixx.record.fair import Fair, checked_word
from qwixx.record.game import Game, checked_date, checked_name, event_text, parse_event
from qwixx.rules import (
    BUILT_IN,
    Phase,
    QwixxError,
    Start,
    Variant,
    scores,
)
from qwixx.rules.boardfile import board_text, parse_board

FIRST_LINE = "qwixx record 1"
UNFINISHED = "unfinished"
LONGEST_RECORD = 1_000_000
_TURN_PHASES = (Phase.ROLL, Phase.TAKE)


class RecordError(ValueError):
    """A record that is broken or was tampered with: the line and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


def write_record(game: Game) -> str:
    """The record of a game, finished or not."""
    lines = [*_headers(game), *_body(game)]
    return "\n".join([*lines, "", f"seal: {_seal(lines)}"]) + "\n"


def _headers(game: Game) -> Iterator[str]:
    yield FIRST_LINE
    yield f"variant: {game.variant.key}"
    if game.variant.key not in BUILT_IN:
        yield "board:"
        yield from (f"  {line}" for line in board_text(game.variant).splitlines())
    yield f"start: {game.variant.start}"
    yield from (f"seat {seat}: {name}" for seat, name in enumerate(game.names, 1))
    yield f"date: {game.date}"
    yield f"result: {_result(game)}"
    if game.fair:
        yield f"secret: {game.fair.secret}"
        yield from (f"added {seat}: {word}" for seat, word in enumerate(game.fair.added, 1) if word)


def _result(game: Game) -> str:
    if game.state.phase is not Phase.OVER:
        return UNFINISHED
    return " ".join(str(score.total) for score in scores(game.state))


def _body(game: Game) -> Iterator[str]:
    turn = 0
    yield ""
    for state, event in zip(game.states, game.events, strict=False):
        if state.phase in _TURN_PHASES:
            turn += 1
            yield ""
            yield f"# turn {turn}: {game.names[state.active]}"
        yield event_text(event)


def _seal(lines: list[str]) -> str:
    """Over everything that counts: not over comments, empty lines or line ends."""
    return sha256("\n".join(filter(_counts, lines)).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _counts(line: str) -> bool:
    return bool(line) and not line.startswith("#")


class _Line(NamedTuple):
    number: int
    text: str


class _Reader:
    """The lines of a record that count, one after the other."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST_RECORD:
            raise RecordError(1, f"a record has at most {LONGEST_RECORD} characters")
        lines = [_Line(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1)]
        self.lines = [line for line in lines if _counts(line.text)]
        self.end = len(lines)
        self.place = 0

    def peek(self) -> _Line:
        return self.lines[self.place] if self.place < len(self.lines) else _Line(self.end, "")

    def next(self) -> _Line:
        line = self.peek()
        self.place += 1
        return line

    def header(self, name: str) -> _Line:
        """The value of the header that must come now."""
        line = self.next()
        start = f"{name}: "
        if not line.text.startswith(start):
            raise RecordError(line.number, f"expected “{name}: …”, not “{line.text[:40]}”")
        return _Line(line.number, line.text.removeprefix(start))


def read_record(text: str) -> Game:
    """Replay and verify a record; RecordError says where and why it is refused."""
    reader = _Reader(text)
    first = reader.next()
    if first.text != FIRST_LINE:
        raise RecordError(first.number, f"a record begins with “{FIRST_LINE}”")
    variant = _read_variant(reader)
    seats = _read_seats(reader)
    date, result = reader.header("date"), reader.header("result")
    with _blamed_on(date):
        checked_date(date.text)
    with _blamed_on(seats[-1] if seats else date):
        game = Game(variant, [seat.text for seat in seats], date.text)
    game.fair = _read_fair(reader, len(seats))
    _read_events(reader, game)
    _check_seal(reader)
    if result.text != _result(game):
        raise RecordError(result.number, f"the result is {_result(game)}, not {result.text}")
    return game


def _read_variant(reader: _Reader) -> Variant:
    key = reader.header("variant")
    if reader.peek().text == "board:":
        variant = _read_board(reader)
        if variant.key != key.text:
            raise RecordError(key.number, f"the variant is {key.text}, but the board below is {variant.key}")
    elif key.text in BUILT_IN:
        variant = BUILT_IN[key.text]
    else:
        raise RecordError(key.number, f"“{key.text}” is not built in, and its board is missing")
    start = reader.header("start")
    if start.text not in list(Start) or not variant.allows_start(Start(start.text)):
        raise RecordError(start.number, f"{variant.name} does not start with “{start.text}”")
    return replace(variant, start=Start(start.text))


def _read_board(reader: _Reader) -> Variant:
    heading = reader.next()
    lines = []
    while reader.peek().text.startswith("  "):
        lines.append(reader.next().text[2:])
    with _blamed_on(heading):
        return parse_board("\n".join(lines))


@contextmanager
def _blamed_on(line: _Line) -> Iterator[None]:
    """What the rules refuse in here is the fault of that line."""
    try:
        yield
    except QwixxError as error:
        raise RecordError(line.number, str(error)) from None


def _read_seats(reader: _Reader) -> list[_Line]:
    seats: list[_Line] = []
    while reader.peek().text.startswith("seat "):
        seats.append(reader.header(f"seat {len(seats) + 1}"))
        with _blamed_on(seats[-1]):
            checked_name(seats[-1].text)
    return seats


def _read_fair(reader: _Reader, seats: int) -> Fair | None:
    """Where chance came from, if the record tells."""
    if not reader.peek().text.startswith("secret: "):
        return None
    secret, added = reader.header("secret"), [""] * seats
    for seat in range(seats):
        if reader.peek().text.startswith(f"added {seat + 1}: "):
            word = reader.header(f"added {seat + 1}")
            with _blamed_on(word):
                added[seat] = checked_word(word.text)
    if reader.peek().text.startswith("added "):
        raise RecordError(reader.peek().number, "each seat adds once, in the seats' order")
    with _blamed_on(secret):
        return Fair(secret.text, tuple(added))


def _read_events(reader: _Reader, game: Game) -> None:
    while reader.peek().text and not reader.peek().text.startswith("seal:"):
        line = reader.next()
        with _blamed_on(line):
            game.apply(parse_event(line.text))


def _check_seal(reader: _Reader) -> None:
    sealed = [line.text for line in reader.lines[: reader.place]]
    seal = reader.header("seal")
    if seal.text != _seal(sealed):
        raise RecordError(seal.number, "the seal does not fit: something above was changed")
    if reader.peek().text:
        raise RecordError(reader.peek().number, "nothing may follow the seal")

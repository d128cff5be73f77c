"""A variant as TOML text: how a host or a researcher adds a board without a line of code.

Reading collects everything that is wrong, each problem naming its row and cell.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches

from qwixx.rules.catalogue import BUILT_IN
from qwixx.rules.errors import MalformedError
from qwixx.rules.marks import HIDDEN, JOKER, WHITE, Mark, parse_mark
from qwixx.rules.variant import (
    Colour,
    Deck,
    Dice,
    End,
    Lock,
    Start,
    Variant,
    lay_out,
    most_crosses,
    triangular,
)

MOST_SEATS, MOST_ROWS, MOST_CELLS, MOST_SIDES, MOST_POINTS = 8, 8, 20, 20, 1000
LONGEST_BOARD = 10_000
MOST_HAND, MOST_PLAYED = 8, 4
"""With more cards the ways to play them would be too many to list."""
MOST_DOTS = 40
"""On one line: a board has no use for keys within keys, and reading long chains of them takes long."""
_ANY_GAP = "any"
_KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BoardError(MalformedError):
    """A board that cannot be played; `problems` lists everything that is wrong with it, `where` names the board."""

    def __init__(self, problems: Sequence[str], where: str = "this board") -> None:
        super().__init__(f"{where} cannot be played: {'; '.join(problems)}")
        self.problems = tuple(problems)
        self.where = where


class _Table:
    """One table of the file, read key by key; what is wrong goes into a shared list."""

    def __init__(self, content: object, name: str, problems: list[str]) -> None:
        self.name, self.problems = name, problems
        self.content: dict[str, object] = content if isinstance(content, dict) else {}
        if not isinstance(content, dict):
            problems.append(f"{name} must be a table")
        self.asked: set[str] = set()

    def wrong(self, key: str, what: str) -> None:
        self.problems.append(f"{self.name}{'.' if self.name else ''}{key} {what}")

    def get(self, key: str, default: object) -> object:
        self.asked.add(key)
        return self.content.get(key, default)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        value = self.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
            return value
        self.wrong(key, f"must be a whole number from {low} to {high}, not {_shown(value)}")
        return default

    def yes_no(self, key: str, default: bool) -> bool:
        value = self.get(key, default)
        if isinstance(value, bool):
            return value
        self.wrong(key, f"must be true or false, not {_shown(value)}")
        return default

    def text(self, key: str, default: str | None = None) -> str:
        value = self.get(key, default)
        if isinstance(value, str) and value.isprintable() and 0 < len(value) <= 120:
            return value
        self.wrong(key, "must be a short line of text" if key in self.content else "is missing")
        return key

    def table(self, key: str) -> "_Table":
        return _Table(self.get(key, {}), key, self.problems)

    def done(self) -> None:
        """Names the keys that nobody asked for."""
        for key in self.content.keys() - self.asked:
            near = get_close_matches(key, self.asked, 1)
            self.wrong(key, f"is not known; did you mean {near[0]}?" if near else "is not known")


def _shown(value: object) -> str:
    """A value as people wrote it, if it is small; else what kind of thing it is."""
    small = isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**9)
    return repr(value) if small or isinstance(value, str) else type(value).__name__


def parse_board(text: str) -> Variant:
    """The variant that a TOML text describes, or a BoardError that says all that is wrong with it."""
    if len(text) > LONGEST_BOARD:
        raise BoardError([f"a board has at most {LONGEST_BOARD} characters"])
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise BoardError([f"a line of a board has at most {MOST_DOTS} dots"])
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BoardError([f"this is not TOML: {error}"]) from None
    problems: list[str] = []
    variant = _read(_Table(content, "", problems), problems)
    if variant is None or problems:
        raise BoardError(list(dict.fromkeys(problems)))
    return variant


def _read(top: _Table, problems: list[str]) -> Variant | None:
    key = top.text("key")
    if not _KEY.fullmatch(key) or key in BUILT_IN:
        top.wrong("key", f"must be small letters, digits and dashes and no built-in game's, not {key!r}")
    name, summary = top.text("name"), top.text("summary", "A board of our own.")
    source, lock, end = _source(top), _lock(top), _end(top)
    colours = _colours(top)
    marks = _rows(top, {colour.letter for colour in colours}, source)
    seats, solo, start = (
        _seats(top, source),
        top.yes_no("solo", isinstance(source, Dice)),
        _start(top),
    )
    points = _points(top, marks, lock)
    top.done()
    _check_whole(marks, lock, end, colours, problems)
    if problems:
        return None
    variant = Variant(
        key=key,
        name=name,
        summary=summary,
        colours=colours,
        rows=lay_out(colours, marks, lock.closing),
        source=source,
        seats=seats,
        solo=solo,
        start=start,
        lock=lock,
        end=end,
        points=points,
    )
    if not variant.allows_start(start):
        problems.append(f"start can be {start} only with dice that have a six")
    _check_deck(variant, problems)
    return variant


def _source(top: _Table) -> Dice | Deck:
    if "cards" in top.content:
        if top.get("dice", None) is not None:
            top.problems.append("a board has either dice or cards")
        table = top.table("cards")
        deck = Deck(
            jokers=table.yes_no("jokers", False),
            dealt=table.whole("dealt", Deck.dealt, 1, 9),
            hand=table.whole("hand", Deck.hand, 2, MOST_HAND),
            tableau=table.whole("tableau", Deck.tableau, 1, 9),
            most=table.whole("most", Deck.most, 1, MOST_PLAYED),
            gap=None if table.get("gap", 1) == _ANY_GAP else table.whole("gap", 1, 0, MOST_CELLS),
        )
        table.done()
        if not 0 < deck.hand - deck.dealt <= deck.tableau:
            table.wrong("hand", "must be more than is dealt, by no more than the tableau holds")
        if deck.most > deck.tableau:
            table.wrong("most", "must not be more than the tableau holds")
        return deck
    table = top.table("dice")
    sides = table.whole("sides", Dice.sides, 2, MOST_SIDES)
    dice = Dice(sides, _lucky(table, sides))
    table.done()
    return dice


def _lucky(table: _Table, sides: int) -> tuple[tuple[int, int], ...]:
    pairs = table.get("lucky", [])
    if not isinstance(pairs, list) or not all(_is_pair(pair, 2 * sides) for pair in pairs):
        table.wrong("lucky", f"must be a list of pairs like [5, 8], the smaller first, from 2 to {2 * sides}")
        return ()
    lucky = tuple((pair[0], pair[1]) for pair in pairs)
    if len(set(lucky)) < len(lucky):
        table.wrong("lucky", "must not name a pair twice")
    return lucky


def _is_pair(pair: object, highest: int) -> bool:
    match pair:
        case [int(first), int(second)]:
            return 2 <= first < second <= highest
    return False


def _is_points(value: object) -> bool:
    return type(value) is int and abs(value) <= MOST_POINTS


def _lock(top: _Table) -> Lock:
    table = top.table("lock")
    lock = Lock(
        needed=table.whole("needed", Lock.needed, 0, MOST_CELLS),
        closing=table.whole("closing", Lock.closing, 1, MOST_CELLS),
        shared=table.yes_no("shared", "cards" not in top.content),
    )
    table.done()
    return lock


def _end(top: _Table) -> End:
    table = top.table("end")
    end = End(
        rows=table.whole("rows", End.rows, 1, MOST_ROWS),
        misthrows=table.whole("misthrows", End.misthrows, 1, 20),
        cost=table.whole("cost", End.cost, 0, 100),
    )
    table.done()
    return end


def _colours(top: _Table) -> tuple[Colour, ...]:
    table = top.table("colours")
    colours = []
    for letter in table.content:
        name = table.text(letter)
        if not re.fullmatch("[A-Z]", letter) or letter in (HIDDEN, JOKER, WHITE):
            table.wrong(letter, f"must be one capital letter other than {JOKER} and {WHITE}")
        colours.append(Colour(letter, name))
    if not colours:
        top.wrong("colours", 'is missing: name a letter for each, like R = "red"')
    for name, count in Counter(colour.name for colour in colours).items():
        if count > 1:
            top.wrong("colours", f"has {name} more than once")
    return tuple(colours)


def _rows(top: _Table, letters: set[str], source: Dice | Deck) -> list[list[Mark]]:
    lines = top.get("rows", [])
    if not isinstance(lines, list) or not 1 <= len(lines) <= MOST_ROWS:
        top.wrong("rows", f'must list 1 to {MOST_ROWS} rows, each like "R2 R3 R4"')
        return []
    seen: dict[Mark, str] = {}
    return [_row(top, row, line, letters, source, seen) for row, line in enumerate(lines, 1)]


def _row(
    top: _Table, row: int, line: object, letters: set[str], source: Dice | Deck, seen: dict[Mark, str]
) -> list[Mark]:
    words = line.split() if isinstance(line, str) else []
    if not 1 <= len(words) <= MOST_CELLS:
        top.problems.append(f'row {row}: must be text with 1 to {MOST_CELLS} cells, like "R2 R3 R4"')
    marks = []
    for place, word in enumerate(words, 1):
        where = f"row {row}, cell {place}"
        try:
            mark = parse_mark(word)
        except MalformedError as error:
            top.problems.append(f"{where}: {error}")
            continue
        if mark.colour not in letters:
            top.problems.append(f"{where}: {mark} has a colour that is not among the colours")
        if isinstance(source, Dice) and not 2 <= mark.number <= 2 * source.sides:
            top.problems.append(f"{where}: two dice of {source.sides} sides never make {mark.number}")
        if mark in seen:
            top.problems.append(f"{where}: {mark} is already in {seen[mark]}")
        seen.setdefault(mark, where)
        marks.append(mark)
    return marks


def _seats(top: _Table, source: Dice | Deck) -> tuple[int, int]:
    value = top.get("seats", [2, 5])
    match value:
        case [int(fewest), int(most)] if 2 <= fewest <= most <= MOST_SEATS:
            if isinstance(source, Dice) and 0 < len(source.lucky) < most:
                top.wrong("seats", f"allows {most} players, but there are only {len(source.lucky)} lucky pairs")
            return fewest, most
    top.wrong("seats", f"must be the fewest and the most players, like [2, 5], at most {MOST_SEATS}")
    return 2, 5


def _start(top: _Table) -> Start:
    value = top.get("start", Start.DRAW.value)
    if value not in list(Start):
        top.wrong("start", f"must be one of {', '.join(Start)}")
        return Start.DRAW
    return Start(str(value))


def _points(top: _Table, marks: list[list[Mark]], lock: Lock) -> tuple[int, ...]:
    most = max((most_crosses(len(row), lock.closing) for row in marks), default=0)
    value = top.get("points", list(triangular(most)))
    if isinstance(value, list) and len(value) == most + 1 and all(_is_points(n) for n in value):
        return tuple(value)
    top.wrong("points", f"must list the points for 0 to {most} crosses, none beyond {MOST_POINTS}")
    return ()


def _check_whole(
    marks: list[list[Mark]], lock: Lock, end: End, colours: tuple[Colour, ...], problems: list[str]
) -> None:
    """What only shows when the parts are seen together."""
    for row, line in enumerate(marks, 1):
        if lock.needed > len(line) - lock.closing:
            problems.append(
                f"row {row}: {lock.needed} crosses can never come before its closing cell "
                f"({len(line)} cells, the last {lock.closing} closing)"
            )
    if marks and end.rows > len(marks):
        problems.append(f"end.rows is {end.rows}, but there are only {len(marks)} rows")
    used = {mark.colour for line in marks for mark in line}
    for colour in colours:
        if colour.letter not in used:
            problems.append(f"colours.{colour.letter} has no cell")


def _check_deck(variant: Variant, problems: list[str]) -> None:
    """With a full active hand, the other hands and the tableau there must still be a card to call (C4, C8)."""
    if isinstance(variant.source, Deck):
        deck, most = variant.source, variant.seats[1]
        held = deck.hand + (deck.hand - 1) * (most - 1) + deck.tableau
        if len(variant.cards) <= held:
            problems.append(f"cards: {len(variant.cards)} cards are too few for {most} players")


def board_text(variant: Variant) -> str:
    """The TOML text of a variant; the inverse of `parse_board` for a board that is not built in."""
    lines = [
        f"key = {_quoted(variant.key)}",
        f"name = {_quoted(variant.name)}",
        f"summary = {_quoted(variant.summary)}",
        f"seats = {list(variant.seats)}",
        f"solo = {_truth(variant.solo)}",
        f"start = {_quoted(variant.start)}",
        f"points = {list(variant.points)}",
        "rows = [",
        *(f"  {_quoted(' '.join(str(cell.mark) for cell in row))}," for row in variant.rows),
        "]",
        "[colours]",
        *(f"{colour.letter} = {_quoted(colour.name)}" for colour in variant.colours),
        *_source_lines(variant.source),
        "[lock]",
        f"needed = {variant.lock.needed}",
        f"closing = {variant.lock.closing}",
        f"shared = {_truth(variant.lock.shared)}",
        "[end]",
        f"rows = {variant.end.rows}",
        f"misthrows = {variant.end.misthrows}",
        f"cost = {variant.end.cost}",
    ]
    return "\n".join(lines) + "\n"


def _source_lines(source: Dice | Deck) -> list[str]:
    if isinstance(source, Dice):
        return ["[dice]", f"sides = {source.sides}", f"lucky = {[list(pair) for pair in source.lucky]}"]
    return [
        "[cards]",
        f"jokers = {_truth(source.jokers)}",
        f"dealt = {source.dealt}",
        f"hand = {source.hand}",
        f"tableau = {source.tableau}",
        f"most = {source.most}",
        f"gap = {_quoted(_ANY_GAP) if source.gap is None else source.gap}",
    ]


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'

"""What a game is made of, as data. Every number of a game lives in its variant and nowhere else."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from qwixx.rules.actions import Cross
from qwixx.rules.marks import JOKER, Mark, by_face

FIRST_SIX = 6
"""The throw that begins the game where the first six does (T2)."""


class Start(StrEnum):
    """How the first active seat is found (T2)."""

    DRAW = "draw"
    FIRST_SIX = "first-six"


@dataclass(frozen=True, slots=True)
class Colour:
    letter: str
    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of the sheet: its place counts from the left, from 0; a closing cell also crosses the lock."""

    mark: Mark
    colour: Colour
    row: int
    place: int
    closing: bool
    cross: Cross
    lucky: Cross

    @property
    def number(self) -> int:
        return self.mark.number

    def __str__(self) -> str:
        return f"{self.colour.name} {self.number}"


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Dice:
    """Two white dice and one of each colour (T1), and the lucky pairs that sheets may carry (T7)."""

    sides: int = 6
    lucky: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Deck:
    """One card for each cell of the sheet (C1); `gap` is what C6 allows, None where X11 lifts it."""

    jokers: bool = False
    dealt: int = 4
    hand: int = 5
    tableau: int = 4
    most: int = 3
    gap: int | None = 1


@dataclass(frozen=True)
class Lock:
    """How a row is closed (S6), and whether that closes it for everybody (L1) or its own player (C9)."""

    needed: int = 5
    closing: int = 1
    shared: bool = True


@dataclass(frozen=True)
class End:
    """What ends the game (L3, C9) and what a misthrow costs (S8)."""

    rows: int = 2
    misthrows: int = 4
    cost: int = 5


@dataclass(frozen=True)
class Variant:
    key: str
    name: str
    summary: str
    colours: tuple[Colour, ...]
    rows: tuple[Row, ...]
    source: Dice | Deck
    seats: tuple[int, int] = (2, 5)
    solo: bool = True
    start: Start = Start.DRAW
    lock: Lock = Lock()
    end: End = End()
    points: tuple[int, ...] = ()

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """How many may play; alone (X13) where the variant offers it."""
        fewest, most = self.seats
        return (*((1,) if self.solo else ()), *range(fewest, most + 1))

    def allows_start(self, start: Start) -> bool:
        """The first six needs a die that has one."""
        return start is Start.DRAW or (isinstance(self.source, Dice) and self.source.sides >= FIRST_SIX)

    @cached_property
    def cells(self) -> dict[Mark, Cell]:
        return {cell.mark: cell for row in self.rows for cell in row}

    @cached_property
    def by_number(self) -> dict[int, tuple[Cell, ...]]:
        """The cells that show a number, in the order of the rows."""
        numbers = {mark.number for mark in self.cells}
        return {n: tuple(c for c in self.cells.values() if c.number == n) for n in sorted(numbers)}

    @cached_property
    def lock_colours(self) -> tuple[str, ...]:
        """The letter of the die that leaves the game with each row: its last cell's colour."""
        return tuple(row[-1].mark.colour for row in self.rows)

    @cached_property
    def cards(self) -> tuple[Mark, ...]:
        """Every card of the deck, sorted; none in a dice game."""
        if isinstance(self.source, Dice):
            return ()
        jokers = [Mark(JOKER, number) for number in self.by_number] if self.source.jokers else []
        return tuple(sorted([*self.cells, *jokers], key=by_face))


def lay_out(colours: tuple[Colour, ...], marks: list[list[Mark]], closing: int) -> tuple[Row, ...]:
    """The rows of a sheet; the last `closing` cells of each close it."""
    named = {colour.letter: colour for colour in colours}
    return tuple(
        tuple(
            Cell(
                mark=mark,
                colour=named[mark.colour],
                row=row,
                place=place,
                closing=place >= len(line) - closing,
                cross=Cross(mark),
                lucky=Cross(mark, lucky=True),
            )
            for place, mark in enumerate(line)
        )
        for row, line in enumerate(marks)
    )


def most_crosses(cells: int, closing: int) -> int:
    """The most crosses a row can hold: all before the closing cells, one of those, and the lock (S7)."""
    return cells - closing + 2


def triangular(crosses: int) -> tuple[int, ...]:
    """The printed score table (S7), for rows of up to so many crosses."""
    return tuple(n * (n + 1) // 2 for n in range(crosses + 1))

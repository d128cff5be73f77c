"""One player's sheet: what is crossed, what may still be crossed, and what it scores."""

from typing import NamedTuple

from qwixx.rules.reasons import Why
from qwixx.rules.variant import Cell, Variant


class Sheet(NamedTuple):
    """Bit p of a row tells whether its place p is crossed; bit r of the locks, whether row r's lock is."""

    rows: tuple[int, ...]
    locks: int = 0
    misthrows: int = 0
    lucky: tuple[int, ...] = ()


class Score(NamedTuple):
    """Points by row, what the misthrows cost, and the total."""

    rows: tuple[int, ...]
    misthrows: int
    total: int


def empty_sheet(variant: Variant) -> Sheet:
    return Sheet((0,) * len(variant.rows))


def obstacle(variant: Variant, sheet: Sheet, closed: int, cell: Cell) -> Why | None:
    """What on the sheet keeps a cell from being crossed, whatever the dice; `closed` has a bit a row."""
    row = sheet.rows[cell.row]
    if row >> cell.place & 1:
        return Why.CROSSED
    if closed >> cell.row & 1:
        return Why.ROW_CLOSED
    if row >> cell.place:
        return Why.LEFT_OF_CROSS
    if cell.closing and row.bit_count() < variant.lock.needed:
        return Why.TOO_FEW
    return None


def cross(sheet: Sheet, cell: Cell) -> Sheet:
    """The sheet with that cell crossed, and the lock too where the cell closes its row (S6)."""
    rows = list(sheet.rows)
    rows[cell.row] |= 1 << cell.place
    locks = sheet.locks | cell.closing << cell.row
    return Sheet(tuple(rows), locks, sheet.misthrows, sheet.lucky)


def crosses(sheet: Sheet, row: int) -> int:
    """How many crosses a row holds, the lock counted."""
    return sheet.rows[row].bit_count() + (sheet.locks >> row & 1)


def score(variant: Variant, sheet: Sheet) -> Score:
    """What the sheet is worth (S7, S8)."""
    rows = tuple(variant.points[crosses(sheet, row)] for row in range(len(sheet.rows)))
    misthrows = -variant.end.cost * sheet.misthrows
    return Score(rows, misthrows, sum(rows) + misthrows)

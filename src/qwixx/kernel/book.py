"""A variant's data as plain arrays, and rows and cells as numbers. What the kernel knows of a game it reads here.

A row is two bytes: its crosses above, and below how far its next place is from `FAR`, 0 when the row is closed. A cell
is a number, too, made so that one addition to its row tells whether it may be crossed: then both bytes reach their
highest bit. 0 is no cell: it never does.
"""

from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.compile import inlined
from qwixx.rules import Cell, Deck, Dice, MalformedError, Start, Variant

Ints = NDArray[np.int64]

FAR = 127
"""No cell lies that far to the right."""
OPEN, CROSS, BYTE = 0x8080, 8, 127
ROW, PLACE, WORTH, LUCKY = 16, 19, 24, 26
"""Where the parts of a cell begin, above what is added: its row, its place counted from 1, the crosses it makes (two
where it closes the row), and whether luck makes them."""
ROW_MASK, PLACE_MASK, WORTH_MASK = 7, 31, 3
MOST_SEATS, MOST_ROWS, MOST_OPTIONS = 8, 8, 64
ANY_GAP = 1 << 20
JOKER_COLOUR = 255
NO_DIE = 40
"""The pips of a die that is not there: no cell shows a number of that size."""
MOST_COLOURS, MOST_NUMBERS, MOST_CELLS, MOST_CARDS, MOST_PAIRS = 24, 128, 24, 256, 64

LAYOUT = np.dtype(
    [
        (name, np.uint32 if shape and name != "points" else np.int32, shape)
        for name, shape in {
            "rows": (),
            "colours": (),
            "sides": (),
            "shared": (),
            "end_rows": (),
            "end_misthrows": (),
            "cost": (),
            "six_begins": (),
            "dealt": (),
            "hand": (),
            "tableau": (),
            "most": (),
            "gap": (),
            "pairs": (),
            "cards": (),
            "faces": (),  # one more than the highest number on a card
            "turned": (),  # what a card's number and the same number upside down make together
            "lowest": (),
            "spread": (),
            "needed": (),  # crosses before a row can be closed
            "wide": (),  # cells of the number that has the most
            "points": (MOST_CELLS,),  # by crosses in a row
            "called": (MOST_NUMBERS * MOST_COLOURS,),  # a number's cells from `number · wide` on, 0 after the last
            "coloured": (MOST_COLOURS * MOST_NUMBERS,),  # the cell at `colour · MOST_NUMBERS + number`
            "cells": (MOST_ROWS, MOST_CELLS),  # the cell by row and place
            "numbers": (MOST_ROWS, MOST_CELLS),  # the number by row and place
            "length": (MOST_ROWS,),  # cells in each row
            "lock_colour": (MOST_ROWS,),  # the colour that leaves the game with each row
            "lucky": (MOST_PAIRS, 2),  # the pairs that may be dealt
            "card_colour": (MOST_CARDS,),  # JOKER_COLOUR where it is a joker
            "card_number": (MOST_CARDS,),
            "first_card": (MOST_NUMBERS,),  # the first card of each number, counted from 1; 0 if there is none
            "next_card": (MOST_CARDS,),  # the next card of the same number, likewise
        }.items()
    ],
    align=True,
)


class Book(Protocol):
    """What the compiled code sees of a book."""

    rows: int
    colours: int
    sides: int
    shared: int
    end_rows: int
    end_misthrows: int
    cost: int
    six_begins: int
    dealt: int
    hand: int
    tableau: int
    most: int
    gap: int
    pairs: int
    cards: int
    faces: int
    turned: int
    lowest: int
    spread: int
    needed: int
    wide: int
    points: Ints
    called: Ints
    coloured: Ints
    cells: Ints
    numbers: Ints
    length: Ints
    lock_colour: Ints
    lucky: Ints
    card_colour: Ints
    card_number: Ints
    first_card: Ints
    next_card: Ints


def cell_code(variant: Variant, cell: Cell) -> int:
    """A cell as one number."""
    need, worth = (variant.lock.needed, 2) if cell.closing else (0, 1)
    added = cell.place + 2 | 128 - need << CROSS
    return added | cell.row << ROW | cell.place + 1 << PLACE | worth << WORTH


def score_range(variant: Variant) -> tuple[int, int]:
    """The lowest score there can be, and how many there are up to the highest."""
    rows, misthrows = len(variant.rows), variant.end.misthrows * variant.end.cost
    lowest = rows * min(variant.points) - misthrows
    return lowest, rows * max(variant.points) - lowest + 1


def book_of(variant: Variant) -> Book:
    """The variant's data for the kernel."""
    array = np.zeros(1, LAYOUT)
    book = array[0]
    colours = {colour.letter: index for index, colour in enumerate(variant.colours)}
    book["rows"], book["colours"], book["shared"] = len(variant.rows), len(colours), variant.lock.shared
    book["end_rows"], book["end_misthrows"], book["cost"] = variant.end.rows, variant.end.misthrows, variant.end.cost
    book["lowest"], book["spread"] = score_range(variant)
    book["needed"] = variant.lock.needed
    book["six_begins"] = variant.start is Start.FIRST_SIX
    book["points"][: len(variant.points)] = variant.points
    book["length"][: len(variant.rows)] = [len(row) for row in variant.rows]
    book["lock_colour"][: len(variant.rows)] = [colours[letter] for letter in variant.lock_colours]
    for cell in variant.cells.values():
        code = cell_code(variant, cell)
        book["coloured"][colours[cell.mark.colour] * MOST_NUMBERS + cell.number] = code
        book["cells"][cell.row, cell.place] = code
        book["numbers"][cell.row, cell.place] = cell.number
    wide = book["wide"] = max(map(len, variant.by_number.values()))
    for number, cells in variant.by_number.items():
        book["called"][number * wide : number * wide + len(cells)] = [cell_code(variant, cell) for cell in cells]
    if isinstance(variant.source, Dice):
        _write_dice(book, variant.source)
    else:
        _write_deck(book, variant, variant.source, colours)
    return cast("Book", book)


def _write_dice(book: np.void, dice: Dice) -> None:
    if len(dice.lucky) > MOST_PAIRS:
        raise MalformedError(f"the fast core knows at most {MOST_PAIRS} lucky pairs, not {len(dice.lucky)}")
    book["sides"], book["pairs"] = dice.sides, len(dice.lucky)
    if dice.lucky:
        book["lucky"][: len(dice.lucky)] = dice.lucky


def _write_deck(book: np.void, variant: Variant, deck: Deck, colours: dict[str, int]) -> None:
    cards = variant.cards
    book["dealt"], book["hand"], book["tableau"], book["most"] = deck.dealt, deck.hand, deck.tableau, deck.most
    book["gap"] = ANY_GAP if deck.gap is None else deck.gap
    numbers = [card.number for card in cards]
    book["cards"], book["faces"], book["turned"] = len(cards), max(numbers) + 1, min(numbers) + max(numbers)
    book["card_colour"][: len(cards)] = [colours.get(card.colour, JOKER_COLOUR) for card in cards]
    book["card_number"][: len(cards)] = numbers
    for card, number in reversed(list(enumerate(numbers))):
        book["next_card"][card], book["first_card"][number] = book["first_card"][number], card + 1


@inlined
def whole(number: object) -> int:
    """A number from a table, as wide as all others."""
    return np.int64(number)  # type: ignore[arg-type,return-value] # compiled


@inlined
def at(index: int) -> int:
    """A number that is small and never negative, which compiled code need not be told twice."""
    return np.uint64(index)  # type: ignore[return-value] # compiled


@inlined
def row_of(cell: int) -> int:
    return cell >> ROW & ROW_MASK


@inlined
def place_of(cell: int) -> int:
    """The cell's place in its row, counted from 1."""
    return cell >> PLACE & PLACE_MASK


@inlined
def closes(cell: int) -> bool:
    return (cell >> WORTH & WORTH_MASK) == 2


@inlined
def is_open(row: int, cell: int) -> bool:
    """Whether a cell may be crossed in its row (S5, S6, L1)."""
    return (np.uint32(row + cell) & OPEN) == OPEN


@inlined
def crossed(row: int, cell: int) -> int:
    """The row with a cell crossed, and the lock too where it closes the row (S6); no cell changes nothing."""
    worth = cell >> WORTH & WORTH_MASK
    near = (FAR - 1 - place_of(cell)) * (worth == 1)
    return row + (near - (row & BYTE)) * (worth > 0) + (worth << CROSS)


@inlined
def next_place(row: int) -> int:
    """The next place that is still to come, counted from 1; FAR in a closed row."""
    return FAR - (row & BYTE)


@inlined
def crosses(row: int) -> int:
    return row >> CROSS & BYTE


@inlined
def score(book: Book, rows: Ints, sheet: int, misthrows: int) -> int:
    """What the sheet is worth whose rows begin there (S7, S8)."""
    total = -book.cost * misthrows
    for row in range(book.rows):
        total += book.points[at(crosses(rows[at(sheet + row)]))]
    return total

"""A dice game from its first draw to its end.

Here and in table.py, loops that every turn goes through are written with `while`: a `range` costs the GPU a dozen
instructions a step.
"""

import numpy as np

from qwixx.kernel.book import NO_DIE, Book, at, whole
from qwixx.kernel.call import call
from qwixx.kernel.compile import compiled, inlined
from qwixx.kernel.draws import ACT, DICE, DICE_A_DRAW, HALF, SETUP, TURN, Stream, below, draw
from qwixx.kernel.policies import Minds, Store, choose_coloured
from qwixx.kernel.table import (
    BY_ROWS,
    DEALS,
    STARTS,
    Log,
    Table,
    clear,
    cross,
    end_turn,
    list_coloured,
    note,
    note_choice,
    note_dice,
    note_sheets,
    settle_closed,
)

FIRST_SIX = 6


@inlined
def first_seat(book: Book, seats: int, stream: Stream, log: Log) -> int:
    """Who begins: drawn, or the first to roll a six (T2)."""
    if seats == 1:
        return 0
    if not book.six_begins:
        first = below(draw(stream, SETUP), seats)
        note(log, STARTS)
        note(log, first)
        return first
    tries = 0
    while True:
        pips = 1 + below(draw(stream, SETUP + tries), book.sides)
        note(log, STARTS)
        note(log, pips)
        if pips == FIRST_SIX:
            return tries % seats
        tries += 1


@compiled
def deal_lucky(book: Book, table: Table, seats: int, stream: Stream, log: Log) -> None:
    """Each seat gets a pair that nobody else has (X6)."""
    pairs, taken = whole(book.pairs), 0
    for seat in range(seats if pairs else 0):
        index = below(draw(stream, SETUP - 1 - seat), pairs - seat)
        note(log, DEALS)
        note(log, index)
        pair = 0
        while (taken >> pair & 1) or index > 0:
            index -= 1 - (taken >> pair & 1)
            pair += 1
        taken |= 1 << pair
        table.lucky[2 * seat] = book.lucky[pair, 0]
        table.lucky[2 * seat + 1] = book.lucky[pair, 1]


@inlined
def roll(book: Book, table: Table, gone: int, stream: Stream, turn: int) -> None:
    """All dice that are still in the game (T1), three from each draw."""
    counter, sides, die = turn * TURN + DICE, whole(np.uint32(book.sides)), 0
    while die < 2 + book.colours:
        bits = whole(draw(stream, counter) >> HALF)
        for place in range(DICE_A_DRAW):
            bits *= sides
            table.dice[at(die + place)] = 1 + (bits >> 32) + NO_DIE * (gone << 2 >> die + place & 1)
            bits &= 0xFFFFFFFF
        die += DICE_A_DRAW
        counter += 1


@compiled
def remove_dice(book: Book, table: Table, gone: int) -> None:
    """Takes dice off the table whose row was closed since the roll (X3)."""
    for colour in range(book.colours):
        if gone >> colour & 1:
            table.dice[2 + colour] = NO_DIE


@inlined
def start_dice(book: Book, seats: int, stream: Stream, table: Table, log: Log) -> int:
    """Empty sheets and lucky numbers; the seat that begins."""
    clear(table, seats)
    deal_lucky(book, table, seats, stream, log)
    return first_seat(book, seats, stream, log)


@inlined
def turn_dice(
    book: Book,
    minds: Minds,
    store: Store,
    seats: int,
    active: int,
    turn: int,
    stream: Stream,
    table: Table,
    log: Log,
) -> int:
    """One turn of the active seat; what it ended the game by, if it did."""
    note_sheets(log, table, seats, book.rows)
    gone = table.gone[at(active)]
    roll(book, table, gone, stream, turn)
    note_dice(log, table, 2 + book.colours)
    number = whole(table.dice[0]) + whole(table.dice[1])
    if call(book, minds, store, seats, active, turn, number, stream, table, log):
        return BY_ROWS
    if table.gone[at(active)] != gone:
        remove_dice(book, table, table.gone[active])
    has_crossed = table.chosen[at(active)] != 0
    count = list_coloured(book, table, active)
    table.chosen[at(active)] = choose_coloured(
        book, minds, store, table, seats, active, count, has_crossed, stream, turn * TURN + ACT
    )
    note_choice(log, table, active, count)
    closing = cross(table, active, table.chosen[at(active)])
    if closing and settle_closed(book, table, seats, closing):
        return BY_ROWS
    return end_turn(book, table, active, has_crossed or table.chosen[at(active)] != 0)

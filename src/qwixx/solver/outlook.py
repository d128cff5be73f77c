"""What a network would think if it looked a roll further, on a small board for two: over every roll, what both seats
make of it by the network's present thoughts (exploit.py)."""

import numpy as np

from qwixx.kernel.book import Book, book_of
from qwixx.kernel.candidates import SCRATCH, copy_table, share_of
from qwixx.kernel.candidates_dice import act, called_number
from qwixx.kernel.kits import Array
from qwixx.kernel.table import Table
from qwixx.solver.duel import MOST_OPTIONS, Duel, compiled, lay_dice, pack, unpack
from qwixx.solver.exploit import DEEP, Thoughts, call, choices, note, preferred, thought


def look_further(duel: Duel, thoughts: Thoughts) -> Thoughts:
    """The same of every position, one roll later."""
    found = np.zeros((2, len(thoughts.keys)))
    tables, options = np.zeros(DEEP, SCRATCH), np.zeros((2, MOST_OPTIONS), np.int64)
    _look(book_of(duel.variant), thoughts, tables, options, found)
    return Thoughts(thoughts.keys, found[0], found[1])


@compiled
def _look(book: Book, thoughts: Thoughts, tables: Array, options: Array, found: Array) -> None:
    faces = book.sides**book.colours
    for index in range(len(thoughts.keys)):
        unpack(book, thoughts.keys[index], tables[0])
        for white in range(book.sides):
            for other in range(white, book.sides):
                for roll in range(faces):
                    weight = lay_dice(book, tables[0], white, other, roll)
                    if weight > 0.0:
                        mover, waiting = _after(book, thoughts, tables, options)
                        found[0, index] += weight * mover / (faces * book.sides**2)
                        found[1, index] += weight * waiting / (faces * book.sides**2)


@compiled
def _after(book: Book, thoughts: Thoughts, tables: Array, options: Array) -> tuple[float, float]:
    """What both think once they have chosen, or what they got if that ends the game."""
    table, after, last = tables[0], tables[1], tables[2]
    number = called_number(table)
    mine = options[0][: note(book, table, 0, number, options[0])]
    theirs = options[1][: note(book, table, 1, number, options[1])]
    called, chosen = choices(book, thoughts, table, after, last, mine, theirs)
    if call(book, table, after, called, chosen):
        return _shares(book, after)
    cell, _ = preferred(book, thoughts, after, last, called)
    copy_table(book, after, last, 2)
    if act(book, last, 2, 0, cell, called != 0):
        return _shares(book, last)
    key = pack(book, last, 1)
    return thought(thoughts, key, False), thought(thoughts, key, True)


@compiled
def _shares(book: Book, table: Table) -> tuple[float, float]:
    return share_of(book, table, 2, 0), share_of(book, table, 2, 1)

"""How a network does against exact play on a small board for two: no games are played, everything is worked out."""

from typing import NamedTuple

import numpy as np
from numba import types
from numba.typed import Dict as TypedDict

from qwixx.kernel.book import Book, Ints, book_of
from qwixx.kernel.candidates import SCRATCH, copy_table, share_of
from qwixx.kernel.candidates_dice import act, called_number
from qwixx.kernel.kits import Array
from qwixx.kernel.table import Table
from qwixx.rules import new_game
from qwixx.solver.duel import (
    DEEPEST,
    MOST_OPTIONS,
    Duel,
    compiled,
    compiled_anew,
    key_of,
    lay_dice,
    matrix_game,
    pack,
    unpack,
)
from qwixx.solver.exploit import DEEP, Thoughts, call, choices, note, preferred

NET_MOVES, EXACT_MOVES = 0, 1


class Room(NamedTuple):
    """Who meets whom, what a shared win counts, what is known already (where the network moves, and where it waits);
    then where positions are laid out, and the options, matrices and mixtures of each."""

    thoughts: Thoughts
    exact: Thoughts
    tie: float
    moving: Array
    waiting: Array
    tables: Array
    options: Array
    matrices: Array
    mixed: Array


class Meeting(NamedTuple):
    """How often a network wins and loses against exact play, both moving first as often."""

    won: float
    lost: float

    @property
    def decided(self) -> float:
        """Its share of the games with one winner."""
        return self.won / (self.won + self.lost)


def meet_exactly(duel: Duel, thoughts: Thoughts) -> Meeting:
    """What games of a network against exact play come to."""
    exact = Thoughts(duel.keys, duel.values, 1 - duel.values)
    won, with_shared = (_both_ways(duel, thoughts, exact, tie) for tie in (0.0, 1.0))
    return Meeting(won, 1 - with_shared)


def _both_ways(duel: Duel, thoughts: Thoughts, exact: Thoughts, tie: float) -> float:
    """What the network gets, a shared win counted as so much; the mean of moving first and second."""
    moving, waiting = (TypedDict.empty(types.int64, types.float64) for _ in range(2))
    room = Room(
        thoughts,
        exact,
        tie,
        moving,
        waiting,
        np.zeros(DEEP * DEEPEST, SCRATCH),
        np.zeros((DEEP * DEEPEST, MOST_OPTIONS), np.int64),
        np.zeros((DEEPEST, MOST_OPTIONS, MOST_OPTIONS)),
        np.zeros((DEEPEST, 6, MOST_OPTIONS)),
    )
    book, start = book_of(duel.variant), key_of(new_game(duel.variant, 2), 0)
    return sum(_got(book, start, mover, room, 0) for mover in (NET_MOVES, EXACT_MOVES)) / 2


@compiled
def _mix(book: Book, table: Table, after: Table, last: Table, mine: Ints, theirs: Ints, room: Room, depth: int) -> None:
    """How often exact play takes each option, as the mover and as the other."""
    matrix = room.matrices[depth]
    for row in range(len(mine)):
        for column in range(len(theirs)):
            if call(book, table, after, mine[row], theirs[column]):
                matrix[row, column] = share_of(book, after, 2, 0)
            else:
                matrix[row, column] = preferred(book, room.exact, after, last, mine[row])[1]
    matrix_game(matrix, len(mine), len(theirs), room.mixed[depth])


@compiled
def _counted(book: Book, table: Table, seat: int, tie: float) -> float:
    """What a game that is over brings a seat."""
    share = share_of(book, table, 2, seat)
    return tie if 0.0 < share < 1.0 else share


@compiled_anew
def _got(book: Book, key: int, mover: int, room: Room, depth: int) -> float:
    """What the network gets from a position on; `mover` tells who moves."""
    memo = room.moving if mover == NET_MOVES else room.waiting
    if key in memo:
        return memo[key]
    table, total = room.tables[DEEP * depth], 0.0
    unpack(book, key, table)
    faces = book.sides**book.colours
    for white in range(book.sides):
        for other in range(white, book.sides):
            for roll in range(faces):
                weight = lay_dice(book, table, white, other, roll)
                if weight > 0.0:
                    total += weight * _roll(book, mover, room, depth)
    result = total / (faces * book.sides * book.sides)
    memo[key] = result
    return result


@compiled_anew
def _roll(book: Book, mover: int, room: Room, depth: int) -> float:
    """What the network gets once the dice lie there."""
    first = DEEP * depth
    table, after, last = room.tables[first], room.tables[first + 1], room.tables[first + 2]
    number = called_number(table)
    mine = room.options[first][: note(book, table, 0, number, room.options[first])]
    theirs = room.options[first + 1][: note(book, table, 1, number, room.options[first + 1])]
    _mix(book, table, after, last, mine, theirs, room, depth)
    called, chosen = choices(book, room.thoughts, table, after, last, mine, theirs)
    options, who = (theirs, room.thoughts) if mover == NET_MOVES else (mine, room.exact)
    total = 0.0
    for option in range(len(options)):
        often = room.mixed[depth, 1 - mover, option]
        if often <= 0.0:
            continue
        crossed = called if mover == NET_MOVES else mine[option]
        if call(book, table, after, crossed, theirs[option] if mover == NET_MOVES else chosen):
            total += often * _counted(book, after, mover, room.tie)
            continue
        cell, _ = preferred(book, who, after, last, crossed)
        copy_table(book, after, last, 2)
        if act(book, last, 2, 0, cell, crossed != 0):
            total += often * _counted(book, last, mover, room.tie)
        else:
            total += often * _got(book, pack(book, last, 1), 1 - mover, room, depth + 1)
    return total

"""The value of one sheet from the values of the sheets that can follow it.

Given the white dice, the best that each coloured die makes possible is a random variable of its own, and what the roll
is worth is the greatest of them. So no roll is enumerated: all faces' values are sorted, and each counts as often as
no better one comes up.
"""

from math import sqrt
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from qwixx.kernel.book import MOST_CELLS, MOST_ROWS, Ints, whole
from qwixx.kernel.compile import compiled, entry, inlined
from qwixx.kernel.index import family_number
from qwixx.kernel.policies import Floats
from qwixx.solver.plan import MOST_COLOURS, MOST_NUMBERS, NO_STATE, Plan

MOST_FACES = 160
WORST = -1e18
LAYOUT = np.dtype(
    [
        ("states", np.int32, MOST_ROWS),
        ("numbers", np.int32, MOST_ROWS),
        ("closed", np.int32),
        ("gone", np.int32),
        ("index", np.int64),
        ("cells", np.int32),
        ("cell_colour", np.int32, MOST_FACES),
        ("cell_number", np.int32, MOST_FACES),
        ("cell_at", np.int32, MOST_FACES),
        ("alone", np.float64, (MOST_COLOURS, MOST_NUMBERS)),
        ("best", np.float64, (MOST_COLOURS, MOST_NUMBERS)),
        ("face_value", np.float64, MOST_FACES),
        ("face_colour", np.int32, MOST_FACES),
        ("faces_left", np.int32, MOST_COLOURS),
    ],
    align=True,
)


class Work(Protocol):
    """One sheet while it is being valued: its rows' states, its families' numbers, its closed rows, the colours whose
    die is gone, its index. Then the coloured cells that are not left of a cross; by colour and number, what a cell is
    worth alone and after the best cross of the white sum; and the faces that are better than no coloured cross."""

    states: Ints
    numbers: Ints
    closed: int
    gone: int
    index: int
    cells: int
    cell_colour: Ints
    cell_number: Ints
    cell_at: Ints
    alone: Floats
    best: Floats
    face_value: Floats
    face_colour: Ints
    faces_left: Ints


def new_work() -> Work:
    return cast("Work", np.zeros(1, LAYOUT)[0])


@inlined
def family_of(plan: Plan, row: int, state: int, other: int) -> int:
    """The number of a row's family when the row has one state and its partner, if there is one, another."""
    return state if plan.partner[row] == row else family_number(state, other)


@compiled
def read_sheet(plan: Plan, work: Work, index: int) -> int:
    """Unpacks an index; the index of the sheet's mirror image."""
    rest, mirrored = index, 0
    work.index, work.closed, work.gone = index, 0, 0
    for row in range(plan.rows):
        family = plan.family[row]
        if plan.partner[row] >= row:
            number = rest // plan.stride[family]
            rest -= number * plan.stride[family]
            mirrored += number * whole(plan.mirror[family])
            work.numbers[family] = number
            _unpack_family(plan, work, row, number)
    for row in range(plan.rows):
        if work.states[row] == plan.states - 1:
            work.closed += 1
            work.gone |= 1 << plan.lock_colour[row]
    _list_cells(plan, work)
    return mirrored


@compiled
def _unpack_family(plan: Plan, work: Work, row: int, number: int) -> None:
    if plan.partner[row] == row:
        work.states[row] = number
        return
    high = whole((sqrt(8.0 * number + 1.0) - 1.0) / 2.0)
    work.states[row] = number - high * (high + 1) // 2
    work.states[plan.partner[row]] = high


@compiled
def _list_cells(plan: Plan, work: Work) -> None:
    work.cells = 0
    for colour in range(plan.colours):
        for number in range(2, 2 * plan.sides + 1):
            at = plan.cell[colour, number]
            work.alone[colour, number] = WORST
            if at >= 0 and at % MOST_CELLS >= plan.next_place[work.states[at // MOST_CELLS]]:
                work.cell_colour[work.cells] = colour
                work.cell_number[work.cells] = number
                work.cell_at[work.cells] = at
                work.cells += 1


@inlined
def going_on(plan: Plan, values: Floats, start: int, index: int, closed: int, misthrows: int) -> float:
    """What is still to come on a sheet; nothing once the game is over."""
    if closed >= plan.end_rows or misthrows >= plan.misthrows:
        return 0.0
    return values[start + index * plan.misthrows + misthrows]


@inlined
def moved(plan: Plan, work: Work, row: int, state: int) -> int:
    """The sheet's index once a row has another state."""
    family = plan.family[row]
    number = family_of(plan, row, state, work.states[plan.partner[row]])
    return work.index + (number - work.numbers[family]) * whole(plan.stride[family])


@compiled
def weigh_coloured(
    plan: Plan,
    values: Floats,
    start: int,
    work: Work,
    misthrows: int,
    first: int,
    first_state: int,
    gained: float,
    into: Floats,
) -> None:
    """What each coloured cell is worth after a first cross in a row (−1: after none), where it beats what is known."""
    closing = first >= 0 and first_state == plan.states - 1
    closed = work.closed + closing
    gone = work.gone | (1 << plan.lock_colour[first] if closing else 0)
    index = moved(plan, work, first, first_state) if first >= 0 else work.index
    if closed >= plan.end_rows and not plan.plays_on:
        return
    for cell in range(work.cells):
        colour, at = work.cell_colour[cell], work.cell_at[cell]
        row, place = at // MOST_CELLS, at % MOST_CELLS
        state = first_state if row == first else work.states[row]
        target = plan.step[row, state, place]
        if target == NO_STATE or gone >> colour & 1:
            continue
        partner = plan.partner[row]
        beside = first_state if partner == first else work.states[partner]
        family = plan.family[row]
        number = family_of(plan, row, target, beside)
        if first >= 0 and plan.family[first] == family:
            after = work.index + (number - work.numbers[family]) * whole(plan.stride[family])
        else:
            after = index + (number - work.numbers[family]) * whole(plan.stride[family])
        value = gained + plan.gain[row, state, place]
        value += going_on(plan, values, start, after, closed + (target == plan.states - 1), misthrows)
        if value > into[colour, work.cell_number[cell]]:
            into[colour, work.cell_number[cell]] = value


@compiled
def weigh_called(
    plan: Plan, values: Floats, start: int, work: Work, misthrows: int, number: int, active: bool
) -> float:
    """The best that a white sum alone makes possible, the pass apart; for the active player, `best` takes in what the
    coloured dice add to each cross."""
    best = WORST
    for index in range(plan.called_from[number], plan.called_from[number + 1]):
        at = plan.called[index]
        value = _weigh_cross(plan, values, start, work, misthrows, at // MOST_CELLS, at % MOST_CELLS, active)
        best = value if value > best else best
    if plan.lucky[0] == number or plan.lucky[1] == number:
        fewest = _fewest(plan, work)
        for row in range(plan.rows):
            state = work.states[row]
            if state != plan.states - 1 and plan.crosses[state] == fewest:
                value = _weigh_cross(plan, values, start, work, misthrows, row, plan.next_place[state], active)
                best = value if value > best else best
    return best


@compiled
def _fewest(plan: Plan, work: Work) -> int:
    """The fewest crosses in an open row (X5)."""
    fewest = MOST_CELLS
    for row in range(plan.rows):
        state = work.states[row]
        if state != plan.states - 1 and plan.crosses[state] < fewest:
            fewest = plan.crosses[state]
    return fewest


@compiled
def _weigh_cross(
    plan: Plan, values: Floats, start: int, work: Work, misthrows: int, row: int, place: int, active: bool
) -> float:
    state = work.states[row]
    target = plan.step[row, state, place]
    if target == NO_STATE:
        return WORST
    gained = np.float64(plan.gain[row, state, place])
    if active:
        weigh_coloured(plan, values, start, work, misthrows, row, target, gained, work.best)
    closed = work.closed + (target == plan.states - 1)
    return gained + going_on(plan, values, start, moved(plan, work, row, target), closed, misthrows)


@compiled
def expected_best(plan: Plan, work: Work, first: int, second: int, base: float) -> float:
    """What a roll is worth with these white dice: the best of the coloured dice, or the base without them."""
    count = _sort_faces(plan, work, first, second, base)
    for colour in range(plan.colours):
        work.faces_left[colour] = plan.sides
    expected, chance = 0.0, 1.0
    for face in range(count):
        colour = work.face_colour[face]
        left = work.faces_left[colour]
        comes_up = chance * plan.share[left]
        expected += comes_up * work.face_value[face]
        work.faces_left[colour] = left - 1
        chance -= comes_up
    return expected + chance * base


@compiled
def _sort_faces(plan: Plan, work: Work, first: int, second: int, base: float) -> int:
    """The faces that beat the base, the best first; how many."""
    count = 0
    for colour in range(plan.colours):
        for pips in range(1, plan.sides + 1):
            value = work.best[colour, first + pips]
            other = work.best[colour, second + pips]
            value = other if other > value else value
            if value > base:
                place = count
                while place > 0 and work.face_value[place - 1] < value:
                    work.face_value[place] = work.face_value[place - 1]
                    work.face_colour[place] = work.face_colour[place - 1]
                    place -= 1
                work.face_value[place], work.face_colour[place] = value, colour
                count += 1
    return count


@compiled
def own_turn(plan: Plan, values: Floats, start: int, work: Work, misthrows: int) -> float:
    """The value of a sheet before one's own roll, over all rolls; what follows the turn is read from `start` on."""
    for cell in range(work.cells):
        work.alone[work.cell_colour[cell], work.cell_number[cell]] = WORST
    weigh_coloured(plan, values, start, work, misthrows, -1, 0, 0.0, work.alone)
    nothing = going_on(plan, values, start, work.index, work.closed, misthrows + 1) - plan.cost
    total = 0.0
    for number in range(2, 2 * plan.sides + 1):
        for colour in range(plan.colours):
            for other in range(2, 2 * plan.sides + 1):
                work.best[colour, other] = work.alone[colour, other]
        called = weigh_called(plan, values, start, work, misthrows, number, True)
        base = called if called > nothing else nothing
        for first in range(1, plan.sides + 1):
            second = number - first
            if first <= second <= plan.sides:
                weight = 1.0 if first == second else 2.0
                total += weight * expected_best(plan, work, first, second, base)
    return total / (plan.sides * plan.sides)


@compiled
def other_turn(plan: Plan, values: Floats, start: int, work: Work, misthrows: int) -> float:
    """The value of a sheet before another player's roll: one may cross the white sum."""
    nothing = going_on(plan, values, start, work.index, work.closed, misthrows)
    total = 0.0
    for number in range(2, 2 * plan.sides + 1):
        called = weigh_called(plan, values, start, work, misthrows, number, False)
        ways = plan.sides - abs(number - plan.sides - 1)
        total += ways * (called if called > nothing else nothing)
    return total / (plan.sides * plan.sides)


@compiled
def closed_by_others(plan: Plan, values: Floats, start: int, work: Work, misthrows: int) -> float:
    """The value of a sheet after another player has closed one of its open rows, any of them."""
    total = 0.0
    for row in range(plan.rows):
        if work.states[row] != plan.states - 1:
            index = moved(plan, work, row, plan.states - 1)
            total += going_on(plan, values, start, index, work.closed + 1, misthrows)
    return total / (plan.rows - work.closed)


@compiled
def solve_position(
    plan: Plan, values: Floats, players: int, rate: float, work: Work, mirrored: int, misthrows: int
) -> None:
    """Writes the values of the sheet at work with so many misthrows, for each number of rolls before one's own."""
    layer = whole(plan.size) * plan.misthrows
    for ahead in range(players):
        if ahead == 0:
            value = own_turn(plan, values, (players - 1) * layer, work, misthrows)
        else:
            value = other_turn(plan, values, (ahead - 1) * layer, work, misthrows)
            value += rate * (closed_by_others(plan, values, ahead * layer, work, misthrows) - value)
        values[ahead * layer + work.index * plan.misthrows + misthrows] = value
        values[ahead * layer + mirrored * plan.misthrows + misthrows] = value


@entry
def solve_part(
    plan: Plan, values: Floats, players: int, rate: float, work: Work, sheets: NDArray[np.int32], first: int, last: int
) -> None:
    """Some sheets, none of which depends on another."""
    for place in range(first, last):
        mirrored = read_sheet(plan, work, whole(sheets[place]))
        for misthrows in range(plan.misthrows - 1, -1, -1):
            solve_position(plan, values, players, rate, work, mirrored, misthrows)

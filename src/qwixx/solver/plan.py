"""A variant's data as the solver needs it: what each row can become, cell by cell, and what that gains.

A row's state is a number: which (next place, crosses) it has, or that it is closed (see kernel/index.py). A sheet is
the states of its rows. What has been scored is not part of it: the solver values what is still to come.
"""

from typing import Protocol, cast

import numpy as np

from qwixx.kernel.book import MOST_CELLS, MOST_ROWS, Ints
from qwixx.kernel.index import MOST_STATES, fits_index, mirror_of, row_states, sheet_index
from qwixx.kernel.policies import Floats
from qwixx.rules import Dice, MalformedError, Variant

MOST_COLOURS, MOST_NUMBERS, NO_LUCK = 8, 48, 0
NO_STATE = -1
LAYOUT = np.dtype(
    [
        (name, np.float64 if name == "share" else np.int32, shape)
        for name, shape in {
            "rows": (),
            "colours": (),
            "sides": (),
            "misthrows": (),
            "cost": (),
            "end_rows": (),
            "states": (),
            "size": (),
            "plays_on": (),
            "lucky": (2,),
            "family": (MOST_ROWS,),
            "partner": (MOST_ROWS,),
            "stride": (MOST_ROWS,),
            "mirror": (MOST_ROWS,),  # what a family's number counts for in the mirrored sheet's index
            "lock_colour": (MOST_ROWS,),
            "step": (MOST_ROWS, MOST_STATES, MOST_CELLS),  # the state after crossing a place; −1 if that is not allowed
            "gain": (MOST_ROWS, MOST_STATES, MOST_CELLS),  # points that a place adds
            "next_place": (MOST_STATES,),  # counted from 0
            "crosses": (MOST_STATES,),
            "called_from": (MOST_NUMBERS,),
            "called": (MOST_ROWS * MOST_CELLS,),  # row · MOST_CELLS + place, by number
            "cell": (MOST_COLOURS, MOST_NUMBERS),  # the same by colour and number; −1 where there is none
            "share": (MOST_NUMBERS,),  # of one in so many: multiplying is faster than dividing
        }.items()
    ],
    align=True,
)


class Plan(Protocol):
    """What the compiled code sees of a plan."""

    rows: int
    colours: int
    sides: int
    misthrows: int
    cost: int
    end_rows: int
    states: int
    size: int
    plays_on: int
    lucky: Ints
    family: Ints
    partner: Ints
    stride: Ints
    mirror: Ints
    lock_colour: Ints
    step: Ints
    gain: Ints
    next_place: Ints
    crosses: Ints
    called_from: Ints
    called: Ints
    cell: Ints
    share: Floats


def check_solvable(variant: Variant, lucky: tuple[int, ...]) -> Dice:
    """Refuses what has no solitaire solution here."""
    if not isinstance(variant.source, Dice):
        raise MalformedError(f"{variant.name} is played with cards; only dice games are solved")
    if len(variant.colours) > MOST_COLOURS or not fits_index(variant):
        raise MalformedError(f"{variant.name} has too many different sheets to be solved")
    pairs = variant.source.lucky
    if tuple(lucky) not in (pairs or ((),)):
        named = ", ".join("{},{}".format(*pair) for pair in pairs)
        raise MalformedError(
            f"name {variant.name}'s lucky numbers: one of {named}" if pairs else f"{variant.name} has no lucky numbers"
        )
    return variant.source


def plan_of(variant: Variant, lucky: tuple[int, ...] = (), plays_on: bool = False) -> Plan:
    """The variant's data for the solver. `plays_on` bends one rule, see `solve`."""
    dice = check_solvable(variant, lucky)
    plan, index = np.zeros(1, LAYOUT)[0], sheet_index(variant)
    colours = {colour.letter: number for number, colour in enumerate(variant.colours)}
    plan["rows"], plan["colours"], plan["sides"] = len(variant.rows), len(colours), dice.sides
    plan["misthrows"], plan["cost"], plan["end_rows"] = variant.end.misthrows, variant.end.cost, variant.end.rows
    plan["plays_on"] = plays_on
    plan["share"][1:] = 1.0 / np.arange(1, MOST_NUMBERS)
    plan["lucky"] = lucky or (NO_LUCK, NO_LUCK)
    plan["lock_colour"][: len(variant.rows)] = [colours[letter] for letter in variant.lock_colours]
    for name in ("states", "size", "family", "partner", "stride"):
        plan[name] = index[name]  # type: ignore[index] # a record, seen from Python
    mirror = mirror_of(variant, lucky) or list(range(len(variant.rows)))
    plan["mirror"][: len(mirror)] = plan["stride"][mirror]
    _write_states(plan, variant)
    _write_cells(plan, variant, colours)
    return cast("Plan", plan)


def _write_states(plan: np.void, variant: Variant) -> None:
    """What follows from crossing each place in each state."""
    states = row_states(variant)
    number = {state: index for index, state in enumerate(states)}
    closed, points = len(states), variant.points
    plan["step"] = NO_STATE
    for state, (place, crosses) in enumerate(states):
        plan["next_place"][state], plan["crosses"][state] = place - 1, crosses
        for row in variant.rows:
            for cell in row[place - 1 :]:
                if not cell.closing:
                    plan["step"][cell.row, state, cell.place] = number[cell.place + 2, crosses + 1]
                    plan["gain"][cell.row, state, cell.place] = points[crosses + 1] - points[crosses]
                elif crosses >= variant.lock.needed:
                    plan["step"][cell.row, state, cell.place] = closed
                    plan["gain"][cell.row, state, cell.place] = points[crosses + 2] - points[crosses]
    plan["next_place"][closed] = MOST_CELLS


def _write_cells(plan: np.void, variant: Variant, colours: dict[str, int]) -> None:
    plan["cell"] = -1
    called: list[int] = []
    for value in range(MOST_NUMBERS - 1):
        plan["called_from"][value] = len(called)
        called += [cell.row * MOST_CELLS + cell.place for cell in variant.by_number.get(value, ())]
    plan["called_from"][MOST_NUMBERS - 1] = len(called)
    plan["called"][: len(called)] = called
    for cell in variant.cells.values():
        plan["cell"][colours[cell.mark.colour], cell.number] = cell.row * MOST_CELLS + cell.place

"""Minds for the seats of a table, put together for the compiled code."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from qwixx.kernel.index import fits_index, sheet_index
from qwixx.kernel.policies import (
    EVOLVED,
    EXPECT,
    GAP_COST,
    LAYOUT,
    LINEAR,
    NET,
    RANDOM,
    SKIP,
    VALUES,
    Floats,
    Minds,
    Store,
)
from qwixx.rules import Variant


@dataclass(frozen=True)
class Mind:
    """A kind of mind, its parameters, and the numbers that it reads."""

    kind: int
    parameters: tuple[float, ...] = ()
    reads: Floats = field(default_factory=lambda: np.zeros(0))


ANY = Mind(RANDOM)
EVOLVED_BOT = Mind(EVOLVED)
GAP_COST_BOT = Mind(GAP_COST)
EXPECT_BOT = Mind(EXPECT)


def skip(most: int) -> Mind:
    """Crosses while at most so many cells are skipped; one more where its last action is all that is left against a
    misthrow."""
    return Mind(SKIP, (most,))


def linear(cross: float = 1.0, cell: float = -0.5, misthrow: float = -2.5) -> Mind:
    """Weighs crosses, cells used up and misthrows."""
    return Mind(LINEAR, (cross, cell, misthrow))


def by_values(values: Floats) -> Mind:
    """Reads the solver's table: one layer, or one for each number of other players' rolls before one's own."""
    return Mind(VALUES, (len(values),), values.reshape(-1))


def net(first: Floats, second: Floats, last: Floats) -> Mind:
    """A network with two hidden layers, each with its constants as the last line of its weights."""
    units = (first.shape[1], second.shape[1])
    return Mind(NET, units, np.concatenate([first.reshape(-1), second.reshape(-1), last.reshape(-1)]))


def seat_minds(variant: Variant, minds: Sequence[Mind]) -> tuple[Minds, Store]:
    """What the compiled code needs of the minds, seat by seat; what several of them read is there once."""
    record = np.zeros(1, LAYOUT)[0]
    places: dict[int, int] = {}
    parts: list[Floats] = []
    for seat, mind in enumerate(minds):
        if id(mind.reads) not in places:
            places[id(mind.reads)] = sum(map(len, parts))
            parts.append(mind.reads)
        record["kinds"][seat] = mind.kind
        given = (places[id(mind.reads)], *mind.parameters) if len(mind.reads) else mind.parameters
        record["parameters"][seat, : len(given)] = given
    if any(mind.kind == VALUES for mind in minds) and fits_index(variant):
        record["index"] = sheet_index(variant)
    if all(mind.kind in (RANDOM, SKIP) for mind in minds):
        return cast("Minds", record), None
    return cast("Minds", record), parts[0] if len(parts) == 1 else np.concatenate(parts)

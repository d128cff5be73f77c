"""Who meets whom: matches, and the ways to seat each."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from qwixx.rules import MalformedError, Variant

Seating = tuple[str, ...]


@dataclass(frozen=True)
class Match:
    """A line-up that is played in every rotation of its seats, on the same dice. What the measured bots win counts in
    the standings."""

    seats: Seating
    measured: tuple[str, ...]

    @property
    def rotations(self) -> list[Seating]:
        count = len(self.seats)
        return [self.seats[turn:] + self.seats[:turn] for turn in range(count)]

    @property
    def title(self) -> str:
        others = self.seats[1:]
        if len(others) > 1 and len(set(others)) == 1:
            return f"{self.seats[0]} among {len(others)} {others[0]}"
        return " – ".join(self.seats)


def matches(variant: Variant, bots: Sequence[str], players: int) -> list[Match]:
    """Every pair at two seats; at more, one full table where the bots fill it, else each bot among each other one."""
    if players not in variant.seat_counts or players < 2:
        counts = ", ".join(str(count) for count in variant.seat_counts if count > 1)
        raise MalformedError(f"{variant.name} has {counts} seats, not {players}")
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise MalformedError("name two bots or more, each once")
    if players == 2:
        return [Match(pair, pair) for pair in combinations(bots, 2)]
    if len(bots) == players:
        return [Match(tuple(bots), tuple(bots))]
    return [Match((one, *[other] * (players - 1)), (one,)) for one, other in permutations(bots, 2)]

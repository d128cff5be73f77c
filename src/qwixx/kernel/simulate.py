"""Simulation: many games of one table, on the CPU or on a GPU, with a tally that depends on the seed alone."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from qwixx.kernel import cpu
from qwixx.kernel.book import book_of
from qwixx.kernel.cores import cores
from qwixx.kernel.minds import Mind, seat_minds
from qwixx.kernel.tally import Tally
from qwixx.rules import MalformedError, Variant

if TYPE_CHECKING:
    from qwixx.kernel import gpu

Device = Literal["cpu", "cuda"]
FIRST_PART = 1 << 12
SECONDS_A_PART = 0.25
"""How long the games between two looks at the tally take, about."""


class Simulator:
    """One table: who sits there, and where the games are played."""

    def __init__(
        self,
        variant: Variant,
        minds: Sequence[Mind],
        seed: int = 0,
        device: Device = "cpu",
        workers: int | None = None,
    ) -> None:
        if len(minds) not in variant.seat_counts:
            counts = ", ".join(map(str, variant.seat_counts))
            raise MalformedError(f"{variant.name} has {counts} seats, not {len(minds)}")
        self.variant, self.seats, self.seed = variant, len(minds), seed % 2**63
        self.device, self.workers = device, workers or cores()
        self.book = book_of(variant)
        self.minds, self.store = seat_minds(variant, minds)

    def play(self, first: int, games: int) -> Tally:
        """The games with these numbers."""
        empty = Tally.empty(self.variant, self.seats)
        length = len(empty.counts)
        if self.device == "cuda":
            counts = self._on_device.play(self.seed, first, games)
        else:
            counts = cpu.play(
                self.book, self.minds, self.store, self.seats, self.seed, first, games, length, self.workers
            )
        return Tally(self.variant, self.seats, counts)

    @cached_property
    def _on_device(self) -> "gpu.Table":
        from qwixx.kernel import gpu  # only with a device

        return gpu.Table(
            self.book, self.minds, self.store, self.seats, len(Tally.empty(self.variant, self.seats).counts)
        )

    def parts(self, games: int) -> Iterator[Tally]:
        """Plays so many games and tells how things stand a few times a second."""
        tally, part = Tally.empty(self.variant, self.seats), min(FIRST_PART, games)
        while tally.games < games:
            began = perf_counter()
            tally += self.play(tally.games, min(part, games - tally.games))
            yield tally
            spent = max(perf_counter() - began, 1e-6)
            part = max(1, int(part * min(8.0, SECONDS_A_PART / spent)))

"""`solo`: plays as if it were alone, by the solver's exact values of its own sheet."""

from random import Random

from qwixx.bots.baselines import Thinker
from qwixx.rules import State, closed_rows
from qwixx.rules.sheet import score
from qwixx.solver.advise import value_of
from qwixx.solver.solve import Solution


class SoloBot(Thinker):
    """Takes what leads to the best expected score. It sees rows that others have closed, and nothing else of them."""

    def __init__(self, stream: Random, solution: Solution) -> None:
        super().__init__(stream)
        self.solution = solution

    def value(self, before: State, after: State, seat: int) -> float:
        sheet, variant = after.sheets[seat], after.variant
        closed = sheet._replace(locks=closed_rows(after, seat))
        # A row that others have closed gives no more points, and none for its lock.
        return score(variant, sheet).total - score(variant, closed).total + value_of(self.solution, closed)

"""Exact play for two on a small board: the solver's equilibrium, mixed choices and all. A yardstick."""

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from qwixx.rules import Action, Phase, State, apply_choices, legal_actions, winners
from qwixx.solver.duel import MOST_OPTIONS, Duel, key_of, matrix_game


class ExactBot:
    """Plays its part of the equilibrium."""

    def __init__(self, stream: Random, duel: Duel) -> None:
        self.stream, self.duel = stream, duel

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        if view.phase is Phase.COLOUR:
            return max(legal, key=lambda action: self._share(apply_choices(view, {seat: action}), seat))
        _, mixed = self.matrix(view)
        mixture = np.clip(mixed[0 if seat == view.active else 1, : len(legal)], 0.0, 1.0)
        return self.stream.choices(legal, weights=mixture.tolist())[0]

    def matrix(self, view: State) -> tuple[float, NDArray[np.float64]]:
        """What a roll is worth to the mover, and how often each player takes each of its options."""
        mover = view.active
        mine, theirs = legal_actions(view, mover), legal_actions(view, 1 - mover)
        matrix, mixed = np.zeros((MOST_OPTIONS, MOST_OPTIONS)), np.zeros((6, MOST_OPTIONS))
        for row, action in enumerate(mine):
            for column, other in enumerate(theirs):
                after = apply_choices(view, {mover: action, 1 - mover: other})
                matrix[row, column] = self._best(after, mover)
        return matrix_game(matrix, len(mine), len(theirs), mixed), mixed

    def _best(self, state: State, mover: int) -> float:
        """The mover's share once it has done its best with the coloured dice."""
        if state.phase is Phase.OVER:
            return self._share(state, mover)
        acts = legal_actions(state, mover)
        return max(self._share(apply_choices(state, {mover: action}), mover) for action in acts)

    def _share(self, state: State, seat: int) -> float:
        """A seat's share of the win before the next roll, or at the end."""
        if state.phase is Phase.OVER:
            best = winners(state)
            return (seat in best) / len(best)
        share = self.duel.of(key_of(state, state.active))
        return share if state.active == seat else 1.0 - share

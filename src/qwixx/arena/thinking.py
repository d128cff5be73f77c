"""How long bots think."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from time import perf_counter

import numpy as np

from qwixx.arena.play import DATE, FAST_ALONE, bot_named
from qwixx.bots.stdio import PREFIX, ForfeitError, StdioBot
from qwixx.match import Player, RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import Action, State, Variant


class Timed:
    """A player under the clock."""

    def __init__(self, player: Player, taken: list[float]) -> None:
        self.player, self.taken = player, taken

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
        began = perf_counter()
        action = self.player.choose(view, seat, legal)
        self.taken.append(perf_counter() - began)
        return action


def thinking_time(variant: Variant, name: str, players: int) -> float | None:
    """Seconds that a bot takes for a decision, in a game against itself; None where nobody but the fast core knows it,
    and for a program that gives that game up."""
    if name.startswith(FAST_ALONE):
        return None
    try:
        return float(np.mean(thinking_times(variant, name, players, 1)))
    except ForfeitError:
        return None


def thinking_times(variant: Variant, name: str, players: int, games: int) -> list[float]:
    """Seconds of every decision in some games of a bot against itself."""
    taken: list[float] = []
    with ExitStack() as stack:
        for number in range(games):
            seated: list[Player] = []
            for seat in range(players):
                if name.startswith(PREFIX):
                    program = stack.enter_context(closing(StdioBot(name.removeprefix(PREFIX))))
                    program.begin(variant, players, seat)
                    seated.append(program)
                else:
                    seated.append(bot_named(name, variant, stream(0, f"seat {seat}")))
            game = Game(variant, [f"seat {seat + 1}" for seat in range(players)], DATE)
            run(game, [Timed(player, taken) for player in seated], RandomSource(stream(number, "dice")))
    return taken

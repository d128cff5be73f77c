"""Games of one seating: by the fast core where it knows every bot at the table, else one after the other.

Either way the dice of a game depend on the seed and the game's number alone, so that every rotation gets the same.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from qwixx.arena.matches import Seating
from qwixx.bots import BOTS
from qwixx.bots.champion import ChampionBot, weights_of
from qwixx.bots.levels import FAMILIES, strategy_of
from qwixx.bots.minds import kernel_plays, mind_named, problem_of
from qwixx.bots.solo import SoloBot
from qwixx.bots.stdio import PREFIX, ForfeitError, StdioBot
from qwixx.bots.tdnet import TdBot, TdNet, knows, td_weights
from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.kits import kit_on
from qwixx.kernel.many import Value, many_on
from qwixx.kernel.minds import Mind
from qwixx.kernel.netfile import read_weights
from qwixx.kernel.simulate import Device
from qwixx.kernel.tally import ENDS_BY
from qwixx.kernel.valuenet import Judge
from qwixx.match import Player as Bot
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import Action, Dice, MalformedError, State, Variant, ending, scores
from qwixx.solver.store import solution_of

WEIGHTS = "weights:"
"""What begins the name of a bot that plays by a network in a file."""
EXTRA = ("solo", "td-net")
"""Yardsticks of the arena alone: one needs the solver, one knows the classic sheet only."""
FORFEIT = "forfeit"
"""What ends a game that a program gave up."""
DATE = "2000-01-01"
"""Records of the arena are not kept; a game needs a date all the same."""


@dataclass
class Games:
    """What some games came to: each seat's share of the win and its points, game by game; what ended them."""

    shares: NDArray[np.float64]
    points: NDArray[np.float64]
    ends: dict[str, int] = field(default_factory=dict)
    forfeits: list[str] = field(default_factory=list)


Player = Callable[[int, int], Games]
"""Plays so many games of a seating from a number on."""


@cache
def fast_mind(name: str, variant: Variant, seats: int, device: Device = "cpu") -> tuple[Mind, Value | None] | None:
    """How the fast core plays a bot; None if it cannot."""
    if name == "champion" and variant.key not in FAMILIES:
        name = "hard"
    name = strategy_of(name, variant)
    if name in ("easy", "planner") or name.startswith(PREFIX) or not kernel_plays(name, variant):
        return None
    if name.startswith(WEIGHTS) or name == "champion":
        return Mind(OUTSIDE), _judge(name, FAMILIES.get(variant.key, ""), device).chance
    if name == "td-net" and knows(variant):
        return Mind(OUTSIDE), _td_net(device).value
    return mind_named(name, variant, seats), None


@cache
def _td_net(device: Device) -> TdNet:
    return TdNet(kit_on(device), td_weights())


@cache
def _judge(name: str, family: str, device: Device) -> Judge:
    file = Path(name.removeprefix(WEIGHTS))
    return Judge(kit_on(device), read_weights(file) if name.startswith(WEIGHTS) else weights_of(family))


def player_of(variant: Variant, seating: Seating, seed: int, device: Device = "cpu") -> Player:
    """How a seating is played."""
    if all(fast_mind(name, variant, len(seating), device) for name in seating):
        return partial(side_by_side, variant, seating, seed, device)
    for name in seating:
        if name.startswith(PREFIX):
            StdioBot(name.removeprefix(PREFIX))
        else:
            bot_named(name, variant, stream(0, name))
    return partial(one_by_one, variant, seating, seed)


def bot_named(name: str, variant: Variant, whims: Random) -> Bot:
    """A bot that plays one game after the other."""
    if name in BOTS:
        return BOTS[name](whims)
    if name.startswith(WEIGHTS):
        return ChampionBot(whims, _judge(name, "", "cpu").layer)
    if name == "solo" and isinstance(variant.source, Dice):
        return SoloBot(whims, solution_of(problem_of(variant)))
    if name == "td-net" and knows(variant):
        return TdBot(_td_net("cpu"))
    raise MalformedError(f"there is no bot “{name}” here; there are {', '.join([*BOTS, *EXTRA])}, {WEIGHTS}FILE.npz")


def is_fast(player: Player) -> bool:
    return getattr(player, "func", None) is side_by_side


def side_by_side(variant: Variant, seating: Seating, seed: int, device: Device, first: int, count: int) -> Games:
    known = [fast_mind(name, variant, len(seating), device) for name in seating]
    minds = [each[0] for each in known if each]
    judges = {name: each[1] for name, each in zip(seating, known, strict=True) if each}
    many = many_on(device)(variant, minds, count, seed)
    many.play([judges[name] for name in seating], first)
    shares, points = (many.kit.get(each).astype(float) for each in many.finish())
    ended = np.bincount(many.ends(), minlength=len(ENDS_BY))
    return Games(shares, points, dict(zip(ENDS_BY, ended.tolist(), strict=False)))


def thinking_time(variant: Variant, name: str, players: int) -> float | None:
    """Seconds that a bot takes for a decision, in a game against itself; None for programs, and where only the fast
    core knows it."""
    if name not in (*BOTS, *EXTRA) and not name.startswith(WEIGHTS):
        return None
    return float(np.mean(thinking_times(variant, name, players, 1)))


def thinking_times(variant: Variant, name: str, players: int, games: int) -> list[float]:
    """Seconds of every decision in some games of a bot against itself."""
    taken: list[float] = []

    class Timed:
        def __init__(self, seat: int) -> None:
            self.bot = bot_named(name, variant, stream(0, f"seat {seat}"))

        def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action:
            began = perf_counter()
            action = self.bot.choose(view, seat, legal)
            taken.append(perf_counter() - began)
            return action

    for number in range(games):
        game = Game(variant, [f"seat {seat + 1}" for seat in range(players)], DATE)
        run(game, [Timed(seat) for seat in range(players)], RandomSource(stream(number, "dice")))
    return taken


def one_by_one(variant: Variant, seating: Seating, seed: int, first: int, count: int) -> Games:
    games = Games(np.zeros((count, len(seating))), np.zeros((count, len(seating))), dict.fromkeys(ENDS_BY, 0))
    with ExitStack() as stack:
        programs = {
            seat: stack.enter_context(closing(StdioBot(name.removeprefix(PREFIX))))
            for seat, name in enumerate(seating)
            if name.startswith(PREFIX)
        }
        for index in range(count):
            _one(variant, seating, seed, first + index, programs, games, index)
    return games


def _one(
    variant: Variant, seating: Seating, seed: int, number: int, programs: dict[int, StdioBot], games: Games, index: int
) -> None:
    """One game. A program that gives up loses it, and the others share the win by what they have."""
    players = [
        programs.get(seat) or bot_named(name, variant, stream(seed, f"game {number} {name} {seat}"))
        for seat, name in enumerate(seating)
    ]
    game, lost = Game(variant, [f"seat {seat + 1}" for seat in range(len(seating))], DATE), None
    try:
        for seat, program in programs.items():
            program.begin(variant, len(seating), seat)
        run(game, players, RandomSource(stream(seed, f"game {number}")))
        end = ending(game.state) or FORFEIT
    except ForfeitError as error:
        lost, end = error.seat, FORFEIT
        games.forfeits.append(f"{seating[lost]} lost game {number}: {error}")
    totals = [score.total for score in scores(game.state)]
    best = max(total for seat, total in enumerate(totals) if seat != lost)
    winning = [seat for seat, total in enumerate(totals) if total == best and seat != lost]
    games.shares[index, winning] = 1 / len(winning)
    games.points[index] = totals
    games.ends[end] = games.ends.get(end, 0) + 1
    for seat, program in programs.items():
        if seat != lost:
            program.end(games.shares[index].tolist(), totals, seat)

"""Games of one seating: by the fast core where it knows every bot at the table, else one after the other.

Either way the dice of a game depend on the seed and the game's number alone, so that every rotation gets the same.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from qwixx.arena.matches import Seating
from qwixx.bots import BOTS
from qwixx.bots.baselines import SkipBot
from qwixx.bots.champion import ChampionBot, weights_of
from qwixx.bots.levels import family_of, strategy_of
from qwixx.bots.minds import SKIP, kernel_plays, mind_named, problem_of
from qwixx.bots.solo import SoloBot
from qwixx.bots.stdio import PREFIX, ForfeitError, StdioBot, check_program
from qwixx.bots.tdnet import TdBot, TdNet, knows, td_weights
from qwixx.kernel.book import book_of
from qwixx.kernel.candidates import OUTSIDE
from qwixx.kernel.inputs import line_size
from qwixx.kernel.judge import judge_on
from qwixx.kernel.kits import kit_on
from qwixx.kernel.many import Value, many_on
from qwixx.kernel.minds import Mind
from qwixx.kernel.netfile import check_size, read_weights
from qwixx.kernel.simulate import Device
from qwixx.kernel.tally import ENDS_BY
from qwixx.kernel.valuenet import Weights
from qwixx.match import Player as Bot
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import Chance, Dice, MalformedError, Outcome, Roll, Variant, ending, scores
from qwixx.rules.chance import RollDice
from qwixx.solver.solve import Progress
from qwixx.solver.store import solution_of

WEIGHTS = "weights:"
"""What begins the name of a bot that plays by a network in a file."""
EXTRA = ("solo", "td-net")
"""Yardsticks of the arena alone: one needs the solver, one knows the classic sheet only."""
SOLVED = ("solo", "pace")
"""Those who play by the solver's values."""
FAST_ALONE = ("pace", "net:")
"""What the names of bots begin with that nobody but the fast core plays."""
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
    check_name(name, variant)
    if name == "champion" and not family_of(variant):
        name = "hard"
    name = strategy_of(name, variant)
    if name in ("easy", "planner") or name.startswith(PREFIX) or not kernel_plays(name, variant):
        return None
    if name.startswith(WEIGHTS) or name == "champion":
        return Mind(OUTSIDE), judge_on(kit_on(device), _weights(name, variant))
    if name == "td-net":
        return Mind(OUTSIDE), _td_net(device).value
    return mind_named(name, variant, seats), None


def solve_for(names: Iterable[str], variant: Variant, seats: int, progress: Progress) -> None:
    """Solves what some bots play by, and keeps it: that may take a minute."""
    for name in names:
        check_name(name, variant)
        if name in SOLVED:
            mind_named(name, variant, seats, progress)


@cache
def _td_net(device: Device) -> TdNet:
    return TdNet(kit_on(device), td_weights())


@cache
def _weights(name: str, variant: Variant) -> Weights:
    if not name.startswith(WEIGHTS):
        return weights_of(family_of(variant))
    weights = read_weights(Path(name.removeprefix(WEIGHTS)))
    check_size(weights, int(line_size(book_of(variant))), variant.name)
    return weights


def player_of(variant: Variant, seating: Seating, seed: int, device: Device = "cpu") -> Player:
    """How a seating is played."""
    known = [fast_mind(name, variant, len(seating), device) for name in seating]
    if None not in known:
        return partial(side_by_side, variant, seating, seed, device)
    for name in seating:
        if name.startswith(PREFIX):
            check_program(name.removeprefix(PREFIX))
        else:
            bot_named(name, variant, stream(0, name))
    return partial(one_by_one, variant, seating, seed)


def check_name(name: str, variant: Variant) -> None:
    """Refuses who is no bot, or does not play this game."""
    dice = variant.source if isinstance(variant.source, Dice) else None
    if name not in (*BOTS, *EXTRA) and not SKIP.fullmatch(name) and not name.startswith((WEIGHTS, PREFIX, *FAST_ALONE)):
        raise MalformedError(
            f"there is no bot “{name}”; there are {', '.join([*BOTS, *EXTRA])}, skip-K, pace, {WEIGHTS}FILE.npz, "
            f"net:FILE.npz and {PREFIX}PROGRAM"
        )
    if name in SOLVED and (dice is None or len(dice.lucky) > 1):
        raise MalformedError(f"“{name}” plays with dice and without lucky numbers, not {variant.name}")
    if name == "td-net" and not knows(variant):
        raise MalformedError(f"“{name}” knows the classic sheet only, not {variant.name}")


def bot_named(name: str, variant: Variant, whims: Random) -> Bot:
    """A bot that plays one game after the other."""
    if name in BOTS:
        return BOTS[name](whims)
    if name.startswith(WEIGHTS):
        return ChampionBot(whims, _weights(name, variant))
    if match := SKIP.fullmatch(name):
        return SkipBot(whims, int(match[1]))
    if name == "solo":
        return SoloBot(whims, solution_of(problem_of(variant)))
    if name == "td-net":
        return TdBot(_td_net("cpu"))
    raise MalformedError(f"“{name}” plays only among bots that the fast core knows")


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


class SameChance:
    """Chance in one game, whatever the players do: its n-th draw is the same in every rotation. Dice that have left the
    game are thrown, too, and nobody sees them."""

    def __init__(self, variant: Variant, seed: int, number: int) -> None:
        self.colours = tuple(colour.letter for colour in variant.colours)
        self.seed, self.number, self.drawn = seed, number, 0

    def draw(self, event: Chance) -> Outcome:
        self.drawn += 1
        source = RandomSource(stream(self.seed, f"game {self.number} draw {self.drawn}"))
        if not isinstance(event, RollDice):
            return source.draw(event)
        roll = source.draw(RollDice(event.sides, self.colours))
        assert isinstance(roll, Roll)
        return Roll(roll.white, tuple(die for die in roll.coloured if die.colour in event.colours))


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
        run(game, players, SameChance(variant, seed, number))
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

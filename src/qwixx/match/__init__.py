"""Runs a game: a source of chance, a player for every seat, and observers who watch."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from qwixx.record import Event, Game
from qwixx.rules import (
    Action,
    Chance,
    MalformedError,
    Node,
    Outcome,
    Phase,
    State,
    acting_seats,
    chance,
    legal_actions,
    node,
    view,
)


class Player(Protocol):
    """Chooses for a seat. It sees the seat's view, never the state."""

    def choose(self, view: State, seat: int, legal: Sequence[Action]) -> Action: ...


class Source(Protocol):
    """Where dice and shuffles come from."""

    def draw(self, event: Chance) -> Outcome: ...


class RandomSource:
    """Fair and repeatable: the same stream gives the same dice and shuffles."""

    def __init__(self, stream: Random) -> None:
        self.stream = stream

    def draw(self, event: Chance) -> Outcome:
        return event.outcome(self.stream.randrange(event.size))


def stream(seed: int, purpose: str) -> Random:
    """An independent stream of random numbers for one purpose of one game."""
    return Random(f"qwixx {seed} {purpose}")


Observer = Callable[[Game, Event], None]


def next_event(game: Game, players: Sequence[Player], source: Source) -> Event:
    """What chance or the players decide next; all acting seats choose before any choice is known (X1)."""
    state = game.state
    if node(state) is Node.CHANCE:
        return source.draw(chance(state))
    return {
        seat: players[seat].choose(view(state, seat), seat, legal_actions(state, seat)) for seat in acting_seats(state)
    }


def run(game: Game, players: Sequence[Player], source: Source, observers: Sequence[Observer] = ()) -> Game:
    """Plays the game to its end, telling the observers of every event once it has happened."""
    if len(players) != len(game.names):
        raise MalformedError(f"{len(game.names)} seats need as many players, not {len(players)}")
    while game.state.phase is not Phase.OVER:
        event = next_event(game, players, source)
        game.apply(event)
        for observer in observers:
            observer(game, event)
    return game

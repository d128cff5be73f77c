"""Runs a game: a source of chance, a player for every seat, and observers who watch."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Literal, NamedTuple, Protocol

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
    closed_rows,
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


class Change(NamedTuple):
    """What followed from an event: a row closed (for a seat, or for all if None), a misthrow, the end."""

    kind: Literal["closed", "misthrow", "over"]
    seat: int | None = None
    row: int | None = None


def changes(before: State, after: State) -> list[Change]:
    """What players should be told of, in the order of the seats."""
    shared = before.variant.lock.shared
    found = []
    for seat in range(len(before.sheets)):
        new = closed_rows(after, seat) & ~closed_rows(before, seat)
        if not shared or seat == 0:
            rows = [row for row in range(len(before.variant.rows)) if new >> row & 1]
            found += [Change("closed", None if shared else seat, row) for row in rows]
        if after.sheets[seat].misthrows > before.sheets[seat].misthrows:
            found.append(Change("misthrow", seat))
    if after.phase is Phase.OVER and before.phase is not Phase.OVER:
        found.append(Change("over"))
    return found


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

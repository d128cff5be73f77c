"""Golden playthroughs, perft counts, boards and rules pages: what the engine says today, for every variant.

A playthrough shows every node of one game with all that is legal there; a perft file counts the different
states that all choices lead to under fixed dice or deals. The boards are the variants' data, the
rules pages are in docs/games. `make golden` writes them all anew.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from qwixx.boards import all_variants
from qwixx.match import RandomSource, next_event, stream
from qwixx.record import Game, event_text
from qwixx.rules import (
    Node,
    Phase,
    State,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
    node,
    scores,
    winners,
)
from qwixx.rules.boardfile import board_text
from qwixx.rules.describe import describe
from tests.soak import Shuffler

FOLDER = Path(__file__).parent
PAGES = FOLDER.parents[1] / "docs" / "games"
SEATS = 2
MOST_STATES = 4_000
"""A perft stops at the depth where the next one would count more states than this."""


def playthrough(key: str) -> str:
    """One game, every node with its legal actions, its event and what it led to."""
    game = Game(all_variants()[key], ["Ann", "Bo"], "2026-11-15")
    players = [Shuffler(stream(7, f"golden {key} {seat}")) for seat in range(SEATS)]
    source = RandomSource(stream(7, f"golden {key}"))
    lines = [f"variant {key}", f"seats {SEATS}"]
    while game.state.phase is not Phase.OVER:
        lines += ["", *_node_lines(game.state)]
        event = next_event(game, players, source)
        game.apply(event)
        lines.append(f"event {event_text(event)}")
    lines += ["", *_state_lines(game.state), f"winners {' '.join(str(seat + 1) for seat in winners(game.state))}"]
    return "\n".join(lines) + "\n"


def _node_lines(state: State) -> Iterator[str]:
    yield from _state_lines(state)
    if node(state) is Node.CHANCE:
        yield f"outcomes {chance(state).size}"
    for seat in acting_seats(state):
        yield f"legal {seat + 1}: {', '.join(map(str, legal_actions(state, seat)))}"


def _state_lines(state: State) -> Iterator[str]:
    yield f"{node(state)} {state.phase}, active {state.active + 1}"
    for seat, sheet in enumerate(state.sheets):
        rows = " ".join(f"{row:b}" for row in sheet.rows)
        total = scores(state)[seat].total
        yield f"sheet {seat + 1}: {rows} locks {sheet.locks:b} misthrows {sheet.misthrows} total {total}"
    if state.cards:
        yield f"hands {' | '.join(' '.join(map(str, hand)) for hand in state.cards.hands)}"
        yield f"tableau {' '.join(map(str, state.cards.tableau))}, pile {len(state.cards.pile)}"


def perft(key: str) -> list[int]:
    """How many different states 0, 1, 2, … events lead to, when chance is fixed and the seats try everything."""
    level, counts = {new_game(all_variants()[key], SEATS)}, [1]
    dice = stream(3, f"perft {key}")
    while level:
        state = next(iter(level))
        if node(state) is Node.CHANCE:
            event = chance(state)
            outcome = event.outcome(dice.randrange(event.size))
            following = {apply_chance(each, outcome) for each in level if chance(each) == event}
        else:
            following = {after for each in level for after in _all_choices(each)}
        going_on = {each for each in following if each.phase is not Phase.OVER}
        counts.append(len(following))
        if len(following) > MOST_STATES:
            break
        level = _one_phase(going_on)
    return counts


def _all_choices(state: State) -> Iterator[State]:
    seats = acting_seats(state)
    for actions in product(*(legal_actions(state, seat) for seat in seats)):
        yield apply_choices(state, dict(zip(seats, actions, strict=True)))


def _one_phase(states: set[State]) -> set[State]:
    """States of the same phase and chance event move on together; the largest such group is followed."""
    groups: dict[str, set[State]] = {}
    for state in states:
        event = str(chance(state)) if node(state) is Node.CHANCE else ""
        groups.setdefault(f"{state.phase} {event}", set()).add(state)
    return max(groups.items(), key=lambda group: (len(group[1]), group[0]), default=("", set()))[1]


def perft_text(key: str) -> str:
    return "".join(f"{depth} {count}\n" for depth, count in enumerate(perft(key)))


def files() -> Iterator[tuple[Path, str]]:
    """Every golden file and what it should hold."""
    for key in all_variants():
        yield FOLDER / "playthroughs" / f"{key}.txt", playthrough(key)
        yield FOLDER / "perft" / f"{key}.txt", perft_text(key)
        yield FOLDER / "boards" / f"{key}.toml", board_text(all_variants()[key])
        yield PAGES / f"{key}.md", describe(all_variants()[key])


def main() -> None:
    for path, text in files():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")

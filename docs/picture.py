"""Draws the README's pictures of the terminal game: `make pictures`."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console

from qwixx.boards import find_variant
from qwixx.bots import BOTS
from qwixx.cli import table
from qwixx.cli.person import Person, Quit
from qwixx.match import RandomSource, next_event, stream
from qwixx.record import Game
from qwixx.rules import Phase

OUT = Path(__file__).parent / "img"
SEED = 2


class Shown(Person):
    """Sees the table as a person does, and leaves."""

    def _ask(self, prompt: str) -> str:
        self.console.print(prompt)
        raise Quit


def played(key: str, names: list[str], phase: Phase, turns: int) -> Game:
    """A game in which bots have played until seat 1 has been asked so often in that phase of its own turn."""
    game = Game(find_variant(key), names, "2026-11-15")
    source = RandomSource(stream(SEED, "picture"))
    bots = [BOTS["skip-2"](stream(SEED, f"picture {seat}")) for seat in range(len(names))]
    while turns:
        game.apply(next_event(game, bots, source))
        turns -= game.state.phase is phase and game.state.active == 0
    return game


def draw(game: Game, title: str) -> None:
    """What seat 1 sees now, as an SVG without fonts from elsewhere."""
    console = Console(
        record=True,
        width=76,
        force_terminal=True,
        color_system="truecolor",
        file=StringIO(),
        markup=False,
        highlight=False,
    )
    table.Teller(console, None)(game, game.events[-1])
    person = Shown(console, game.names, auto_pass=False, hidden=False)
    try:
        next_event(game, [person] * len(game.names), RandomSource(stream(SEED, "unused")))
    except Quit:
        svg = re.sub(r"@font-face \{.*?\n    \}\n", "", console.export_svg(title=title), flags=re.DOTALL)
        (OUT / f"{game.variant.key}.svg").write_text(svg.replace("Fira Code", "DejaVu Sans Mono"), "utf-8")


if __name__ == "__main__":
    draw(played("classic", ["Ann", "Robin (skip-2)", "Kim (skip-2)"], Phase.WHITE, 4), "make play")
    draw(played("card-joker", ["Ann", "Robin (skip-2)"], Phase.PLAY, 6), "qwixx play --variant card-joker")

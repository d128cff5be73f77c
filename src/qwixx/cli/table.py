"""The game in the terminal: seats people and bots, tells what happens, keeps the record."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.table import Table

from qwixx.bots import BOTS, CHARACTERS, LEVELS
from qwixx.cli import draw, words
from qwixx.cli.person import Person, Quit
from qwixx.match import Player, RandomSource, run, stream
from qwixx.record import Event, Game, write_record
from qwixx.rules import MalformedError, Phase, Roll, Variant, scores, view, winners

DEFAULT_BOT = "medium"
REFUSED, INTERRUPTED = 1, 130
_BOT_NAMES = ("Robin", "Kim", "Alex", "Toni", "Mika", "Lou", "Jo", "Sam")


def terminal(*, stderr: bool = False) -> Console:
    """A console that takes every text as it is: nobody's name is markup."""
    return Console(stderr=stderr, markup=False, highlight=False)


def refuse(message: str) -> NoReturn:
    """Refused input: one clear line and an exit code."""
    terminal(stderr=True).print(f"qwixx: {message}", style="red", soft_wrap=True)
    sys.exit(REFUSED)


def bot_kinds(wish: str | None, seats: int) -> list[str]:
    """The bots at the table: a number of them or their names; by default all seats but one."""
    if wish is None:
        kinds = [DEFAULT_BOT] * (seats - 1)
    elif wish.isascii() and wish.isdecimal():
        kinds = [DEFAULT_BOT] * int(wish)
    else:
        kinds = [kind.strip() for kind in wish.split(",")]
    for kind in kinds:
        if kind not in BOTS:
            raise MalformedError(f"there is no bot “{kind}”; there are {', '.join(BOTS)}")
    if len(kinds) > seats:
        raise MalformedError(f"{len(kinds)} bots do not fit on {seats} seats")
    return kinds


def seat_names(people: Sequence[str], seats: int, kinds: Sequence[str]) -> list[str]:
    """People sit first, then the bots, each with its kind."""
    count = seats - len(kinds)
    if len(people) > count:
        raise MalformedError(f"{len(people)} names, but only {count} seats are for people; --bots 0 seats no bots")
    given = list(people)
    given += [f"Player {seat + 1}" for seat in range(len(given), count)]
    return given + [f"{name} ({kind})" for name, kind in zip(_BOT_NAMES, kinds, strict=False)]


class Teller:
    """Tells at the terminal what happens, and keeps the record on disk after every event."""

    def __init__(self, console: Console, save: Path | None) -> None:
        self.console, self.save = console, save

    def __call__(self, game: Game, event: Event) -> None:
        before, after = game.states[-2:]
        if isinstance(event, Roll):
            self.console.rule(f"{game.names[before.active]} rolls", align="left", style="dim")
            self.console.print(draw.dice(game.variant, event))
        else:
            self.console.print(words.event_words(before, event, game.names), style="dim")
        for line in words.consequences(before, after, game.names):
            self.console.print(f"{line}.", style="bold")
        if self.save:
            keep(game, self.save)


def keep(game: Game, path: Path) -> None:
    """Writes the record in one step, so that a crash leaves the old one or the new one."""
    partial = path.with_name(path.name + ".part")
    try:
        partial.write_text(write_record(game), "utf-8")
        partial.replace(path)
    except OSError as error:
        raise MalformedError(f"{path} cannot be written: {error.strerror}") from None


def players(console: Console, game: Game, kinds: Sequence[str], seed: int, *, auto_pass: bool) -> list[Player]:
    """A person for every seat that no bot takes."""
    people = len(game.names) - len(kinds)
    hidden = people > 1 and game.state.cards is not None
    seated: list[Player] = [Person(console, game.names, auto_pass=auto_pass, hidden=hidden) for _ in range(people)]
    return seated + [BOTS[kind](stream(seed, f"seat {people + n}")) for n, kind in enumerate(kinds)]


def play(console: Console, game: Game, seated: Sequence[Player], seed: int, save: Path | None) -> None:
    """Plays to the end, or until somebody leaves the table."""
    if save:
        keep(game, save)
    try:
        run(game, seated, RandomSource(stream(seed, "chance")), [Teller(console, save)])
    except (Quit, KeyboardInterrupt) as stop:
        kept = f"It is kept: qwixx play --resume {save}" if save else "Next time --save FILE keeps it."
        console.print(f"\nThe game stops here. {kept}")
        if isinstance(stop, KeyboardInterrupt):
            raise
        return
    console.print(final_table(game))


def final_table(game: Game) -> Table:
    """Every seat's score by row."""
    state = game.state
    table = Table(title="Final scores" if state.phase is Phase.OVER else "Scores", title_justify="left")
    table.add_column("")
    for row in state.variant.rows:
        shades = draw.look(state.variant, row[-1].mark.colour)
        table.add_column(f"{shades.shape} {row[-1].colour.letter}", justify="right")
    table.add_column("misthrows", justify="right")
    table.add_column("total", justify="right", style="bold")
    for seat, score in enumerate(scores(state)):
        name = f"★ {game.names[seat]}" if seat in winners(state) else game.names[seat]
        table.add_row(name, *map(str, score.rows), str(score.misthrows), str(score.total))
    return table


def show_now(console: Console, game: Game) -> None:
    """Where a game stands that is taken up again."""
    state = game.state
    console.print(f"After {len(game.events)} events it is the turn of {game.names[state.active]}.", style="bold")
    if state.roll:
        console.print(draw.dice(game.variant, state.roll))


def show_step(console: Console, game: Game, step: int) -> None:
    """One step of a replay: the event, what followed, and every sheet as a spectator sees it."""
    state = view(game.states[step], None)
    if step:
        event, before = game.events[step - 1], game.states[step - 1]
        console.rule(f"step {step} of {len(game.events)}", align="left", style="dim")
        console.print(words.event_words(before, event, game.names), style="bold")
        for line in words.consequences(before, game.states[step], game.names):
            console.print(f"{line}.")
    else:
        console.print(f"{game.variant.name} · {game.date} · {', '.join(game.names)}", style="bold")
    if state.roll:
        console.print(draw.dice(game.variant, state.roll))
    if state.cards and any(state.cards.hands):
        console.print(draw.cards(game.variant, state.cards, None))
    for seat, name in enumerate(game.names):
        console.print(draw.sheet_panel(state, seat, name))


def variant_table(variants: Sequence[Variant]) -> Table:
    """The games, one line each."""
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("key", "game", "players", "what it is"):
        table.add_column(heading)
    for each in variants:
        fewest, most = each.seats
        table.add_row(each.key, each.name, f"{'1, ' if each.solo else ''}{fewest}–{most}", each.summary)
    return table


def bot_table() -> Table:
    """The bots, one line each; those for people first."""
    table = Table(show_edge=False, pad_edge=False)
    for heading in ("bot", "how it plays", ""):
        table.add_column(heading)
    for name, line in CHARACTERS.items():
        table.add_row(name, line, "an opponent for people" if name in LEVELS else "a yardstick")
    return table

"""Thin commands over everything else. Exit codes: 0 done, 1 refused input, 2 wrong usage, 130 interrupted."""

import json
import os
import secrets
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown

from qwixx.boards import all_variants, board_problems, find_variant
from qwixx.bots import BOTS, CHARACTERS
from qwixx.cli import arena, host, research, table, train
from qwixx.cli.table import INTERRUPTED, REFUSED, refuse
from qwixx.record import Fair, Game, RecordError, event_text, game_json, read_record
from qwixx.rules import MalformedError, QwixxError, Start, Variant
from qwixx.rules.boardfile import BoardError
from qwixx.rules.describe import describe
from qwixx.rules.rulebook import RULES

DEFAULT_GAME = "classic"
DEFAULT_SEATS = 3

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _complete_variant(incomplete: str) -> list[str]:
    return [key for key in all_variants() if key.startswith(incomplete)]


def _complete_topic(incomplete: str) -> list[str]:
    return [*_complete_variant(incomplete), *(rule for rule in RULES if rule.startswith(incomplete))]


def _complete_bots(incomplete: str) -> list[str]:
    return [name for name in BOTS if name.startswith(incomplete)]


VariantOption = Annotated[
    str | None,
    typer.Option(help="A game's key (see `qwixx variants`) or a board's .toml file.", autocompletion=_complete_variant),
]


@app.callback()
def _qwixx() -> None:
    """**Qwixx**: the whole family of games, exact to the letter. An unofficial fan project.

    Examples: `qwixx play` · `qwixx play --variant card-joker --seats 4` · `qwixx rules longo` · `qwixx rules S5`
    """


@app.command()
def variants(
    as_json: Annotated[bool, typer.Option("--json", help="Print the keys and names as JSON.")] = False,
) -> None:
    """List the games, with their keys."""
    games = list(all_variants().values())
    if as_json:
        print(json.dumps([{"key": g.key, "name": g.name, "seats": g.seat_counts, "summary": g.summary} for g in games]))
    else:
        table.terminal().print(table.variant_table(games))
    for problem in board_problems():
        table.terminal(stderr=True).print(f"left out: {problem}", style="red", soft_wrap=True)


@app.command(name="bots")
def list_bots(
    as_json: Annotated[bool, typer.Option("--json", help="Print the names and lines as JSON.")] = False,
) -> None:
    """List the bots, opponents for people first, each in a line."""
    if as_json:
        print(json.dumps([{"name": name, "character": line} for name, line in CHARACTERS.items()]))
    else:
        table.terminal().print(table.bot_table())


@app.command()
def rules(
    topic: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT", help="A game, a board's .toml file, or a rule's number.", autocompletion=_complete_topic
        ),
    ],
) -> None:
    """Explain a game, or one numbered rule.

    Examples: `qwixx rules classic` · `qwixx rules my-board.toml` · `qwixx rules X3`
    """
    number = topic.upper()
    text = f"**{number}** {RULES[number]}" if number in RULES else describe(find_variant(topic))
    console = table.terminal()
    console.print(Markdown(text) if console.is_terminal else text)


@app.command()
def play(
    variant: VariantOption = None,
    seats: Annotated[int | None, typer.Option(help="Players in all; 3 where the game allows it.", min=1, max=8)] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="How many bots, or which: `2`, or `hard,champion` (see `qwixx bots`).", autocompletion=_complete_bots
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same dice and the same bots.")] = None,
    names: Annotated[str, typer.Option(help="The people's names, separated by commas.")] = "",
    start: Annotated[Start | None, typer.Option(help="Who begins: drawn, or the first six.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the record in this file, after every event.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the game in this record.")] = None,
    at: Annotated[int | None, typer.Option(help="With --resume: from this step on, not the last.", min=0)] = None,
    auto_pass: Annotated[bool, typer.Option(help="Pass by itself when there is nothing to cross.")] = True,
) -> None:
    """Play in the terminal against bots, at once.

    Examples: `qwixx play` · `qwixx play --variant longo --seats 2` · `qwixx play --bots 3 --seats 3 --seed 1` to watch
    """
    console = table.terminal()
    if resume:
        if variant or seats or names or start:
            raise MalformedError(
                "--resume brings its own game and seats; leave out --variant, --seats, --names, --start"
            )
        game = _record(resume)
        game = game if at is None else game.at(at)
        save = save or (resume if at is None else None)
    else:
        if at is not None:
            raise MalformedError("--at goes with --resume")
        if save and save.exists():
            raise MalformedError(f"{save} exists: go on with it by --resume {save}, or name another file")
        game = _new_game(_with_start(find_variant(variant or DEFAULT_GAME), start), seats, bots, names)
    kinds = table.bot_kinds(bots, len(game.names))
    seed = secrets.randbelow(2**32) if seed is None else seed
    console.print(f"{game.variant.name} · {', '.join(game.names)} · seed {seed}", style="bold")
    for kind in dict.fromkeys(kinds):
        console.print(f"{kind}: {CHARACTERS[kind]}", style="dim")
    console.print("Type help at any time.", style="dim")
    if resume:
        table.show_now(console, game)
    table.play(console, game, table.players(console, game, kinds, seed, auto_pass=auto_pass), seed, save)


def _with_start(variant: Variant, start: Start | None) -> Variant:
    if start is None:
        return variant
    if not variant.allows_start(start):
        raise MalformedError(f"{variant.name} cannot start with “{start}”")
    return replace(variant, start=start)


def _new_game(variant: Variant, seats: int | None, bots: str | None, names: str) -> Game:
    count = DEFAULT_SEATS if seats is None else seats
    people = [name.strip() for name in names.split(",") if name.strip()]
    today = datetime.now(UTC).date().isoformat()
    return Game(variant, table.seat_names(people, count, table.bot_kinds(bots, count)), today)


def _record(path: Path) -> Game:
    """The game in a record's file; what is wrong with it names the file."""
    try:
        return read_record(path.read_text("utf-8"))
    except OSError as error:
        raise MalformedError(f"{path} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, RecordError) as error:
        raise MalformedError(f"{path}: {error}") from None


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record, as `qwixx play --save FILE` writes it.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print every event and state as JSON.")] = False,
    at: Annotated[int | None, typer.Option(help="Show only this step.", min=0)] = None,
) -> None:
    """Verify a record and step through it.

    Enter goes on, b goes back, a number jumps there, q quits. Example: `qwixx replay game.qwixx --json`
    """
    game = _record(file)
    console = table.terminal()
    if as_json:
        _print_json(game)
    elif at is not None:
        table.show_step(console, game.at(at), at)
    elif sys.stdin.isatty():
        _step_through(console, game)
    else:
        for step in range(len(game.states)):
            table.show_step(console, game, step)
        console.print(table.final_table(game))


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="The record of a game whose dice a server rolled.")],
    commitment: Annotated[
        str, typer.Option("--hash", help="The hash that was shown before the game; it must be that of the secret.")
    ] = "",
    words: Annotated[
        list[str] | None,
        typer.Option("--word", help="A seat's number and what it added, like 1:WORD."),
    ] = None,
) -> None:
    """Check that everything chance decided follows from the secret and from what the players added.

    Example: `qwixx verify game.qwixx --hash 3b1f…`
    """
    game, console = _record(file), table.terminal()
    fair = game.fair
    if fair is None:
        raise MalformedError(f"{file} does not say where its dice came from: no server rolled them")
    console.print(f"The secret's hash is {fair.commitment}.")
    if commitment and commitment.lower() != fair.commitment:
        refuse("That is not the hash that was shown before the game: the secret was changed.")
    for word in words or []:
        _check_word(fair, word)
    wrong = game.unlike(fair)
    for place in wrong:
        console.print(f"Event {place + 1}, “{event_text(game.events[place])}”, does not follow from the secret.")
    if wrong:
        refuse("These dice were not fair, or the record was changed.")
    added = [game.names[seat] for seat in fair.players]
    console.print(f"Players who added to the dice: {', '.join(added) or 'nobody, so the server alone made them'}.")
    console.print("These dice were fair: everything that chance decided follows from the secret.")


def _check_word(fair: Fair, told: str) -> None:
    """What a player noted of the own word must be in the record."""
    seat, _, word = told.partition(":")
    if not word or seat not in map(str, range(1, len(fair.added) + 1)):
        raise MalformedError(f"“{told}” is not a seat and its word, like 1:WORD")
    if fair.added[int(seat) - 1] != word:
        refuse(f"That is not what seat {seat} added in this record: its word was left out or changed.")


def _print_json(game: Game) -> None:
    """One document, one line a step, so that people can read along."""
    document = game_json(game)
    steps = ",\n".join(map(json.dumps, document["steps"]))
    headers = {name: value for name, value in document.items() if name != "steps"}
    print(f'{json.dumps(headers)[:-1]}, "steps": [\n{steps}\n]}}')


def _step_through(console: Console, game: Game) -> None:
    step, last = 0, len(game.events)
    while True:
        table.show_step(console, game, step)
        if step == last:
            console.print(table.final_table(game))
        try:
            answer = console.input(f"step {step}/{last} · Enter, b, a number, q ").strip().lower()
        except EOFError:
            return
        if answer == "q" or (answer == "" and step == last):
            return
        moves = {"": step + 1, "b": step - 1}
        wanted = int(answer) if answer.isdecimal() else moves.get(answer, step)
        step = min(max(wanted, 0), last)


app.command()(host.serve)
app.command()(host.backup)
app.command()(arena.arena)
app.command()(train.train)
app.command()(research.simulate)
app.command()(research.solve)


def main(arguments: list[str] | None = None) -> None:
    """The `qwixx` command: refused input becomes one clear line and an exit code."""
    try:
        app(arguments, prog_name="qwixx")
    except BoardError as error:
        refuse("\n  ".join([f"{error.where} cannot be played:", *error.problems]))
    except QwixxError as error:
        refuse(str(error))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader has had enough; nothing more may be written at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(REFUSED)

"""The commands for researchers: simulate and solve. What is compiled is imported only when one of them runs."""

import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from qwixx.boards import find_variant
from qwixx.cli.table import INTERRUPTED, terminal
from qwixx.rules import MalformedError, Variant

if TYPE_CHECKING:
    from qwixx.kernel.tally import Tally
    from qwixx.solver.solve import Solution

BARS, WIDEST = 24, 40
LuckyOption = Annotated[str, typer.Option(help="The lucky numbers of the sheet (Longo), like 5,8.", metavar="A,B")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
DaskOption = Annotated[str, typer.Option(help="Spread the games over this dask.distributed scheduler.")]
DeviceOption = Annotated[str, typer.Option(help="Where to compute: cpu or cuda.", metavar="cpu|cuda")]


def parse_lucky(text: str) -> tuple[int, ...]:
    """`5,8` as two numbers; nothing as none."""
    words = [word.strip() for word in text.split(",")] if text else []
    if words and (len(words) != 2 or not all(word.isascii() and word.isdecimal() for word in words)):
        raise MalformedError("lucky numbers are two, like 5,8")
    return tuple(map(int, words))


def checked_device(name: str) -> Any:  # noqa: ANN401
    if name not in ("cpu", "cuda"):
        raise MalformedError(f"there is no device “{name}”: cpu or cuda")
    return name


@contextmanager
def progress_bar(what: str, total: float) -> Iterator[Any]:
    """A bar on the terminal, if there is one: called with how much is done."""
    said = [TextColumn(text, markup=False) for text in ("{task.description}", "{task.fields[note]}")]
    columns = (said[0], BarColumn(), said[1], TimeRemainingColumn())
    with Progress(*columns, console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total, note="")
        yield lambda done, note="": bar.update(task, completed=done, note=note)


def simulate(
    variant: Annotated[str, typer.Option(help="A game's key or a board's .toml file.")] = "classic",
    players: Annotated[int | None, typer.Option(help="Seats at the table; else as many as bots.", min=1, max=8)] = None,
    bot: Annotated[
        str, typer.Option(help="A bot for all, or one for each seat: random, skip-2, linear, solo, pace, net:FILE.npz")
    ] = "random",
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 100_000,
    device: DeviceOption = "cpu",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.", min=0)] = None,
    lucky: LuckyOption = "",
    as_json: JsonOption = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the scores into this file (.svg or .png).")] = None,
    dask: DaskOption = "",
) -> None:
    """Play very many games and count how they go. Ctrl-C shows what has been played.

    Examples: `qwixx simulate --bot skip-2,linear` · `qwixx simulate --players 1 --bot solo --plot solo.svg`
    """
    from qwixx.bots.minds import simulator, with_lucky

    game = with_lucky(find_variant(variant), parse_lucky(lucky))
    names = _seats(game, bot, players)
    chosen = secrets.randbelow(2**63) if seed is None else seed
    _check_plot(plot)
    with progress_bar("Getting ready", 1.0) as bar:
        make = partial(simulator, game, names, chosen, checked_device(device))
        table = make(progress=bar)
        table.play(0, 0)
    parts = table.parts(games) if not dask else _spread(dask, make, games)
    began, tally, interrupted = perf_counter(), None, False
    with progress_bar("Playing", games) as bar:
        try:
            for tally in parts:
                bar(tally.games, f"{tally.games / (perf_counter() - began):,.0f} games/s")
        except KeyboardInterrupt:
            interrupted = True
    seconds = perf_counter() - began
    if tally is not None:
        _show(tally, names, chosen, seconds, as_json)
        if plot:
            _plot(tally, names, plot)
    if interrupted:
        sys.exit(INTERRUPTED)


def _spread(address: str, make: Any, games: int) -> Any:  # noqa: ANN401
    from qwixx.kernel.cluster import parts

    return parts(address, make, games)


def _seats(variant: Variant, bots: str, players: int | None) -> list[str]:
    """A bot's name for each seat."""
    names = [name.strip() for name in bots.split(",") if name.strip()] or ["random"]
    fewest = variant.seat_counts[0] if len(names) == 1 else len(names)
    seats = players or (2 if len(names) == 1 and 2 in variant.seat_counts else fewest)
    if len(names) not in (1, seats):
        raise MalformedError(f"{len(names)} bots for {seats} seats: name one for all, or one for each")
    return names if len(names) == seats else names * seats


def _check_plot(path: Path | None) -> None:
    """Better to refuse before the games than after."""
    if path is None:
        return
    if path.suffix not in (".svg", ".png"):
        raise MalformedError(f"{path} must end in .svg or .png")
    try:
        import matplotlib as mpl

        mpl.use("Agg")
    except ImportError:
        raise MalformedError("--plot needs matplotlib: pip install 'qwixx[plot]'") from None


def _show(tally: "Tally", names: list[str], seed: int, seconds: float, as_json: bool) -> None:
    speed = tally.games / max(seconds, 1e-9)
    if as_json:
        print(json.dumps(_document(tally, names, seed, speed)))
        return
    console = terminal()
    console.print(
        f"{tally.variant.name} · {tally.games:,} games · {speed:,.0f} games/s · seed {seed}\n"
        f"{tally.mean_turns:.1f} turns a game · ended by "
        + ", ".join(f"{by} {count / tally.games:.1%}" for by, count in tally.ends_by.items())
    )
    table = Table("seat", "bot", "mean score", "spread", "± of the mean", "wins")
    for seat, name in enumerate(names):
        spread = tally.score_spread[seat]
        error = spread / tally.games**0.5
        mean, share = tally.mean_score[seat], tally.win_share[seat]
        table.add_row(str(seat + 1), name, f"{mean:.2f}", f"{spread:.2f}", f"{error:.3f}", f"{share:.2%}")
    console.print(table)
    console.print(_histogram(tally))


def _document(tally: "Tally", names: list[str], seed: int, speed: float) -> dict[str, object]:
    return {
        "variant": tally.variant.key,
        "players": tally.seats,
        "bots": names,
        "seed": seed,
        "games": tally.games,
        "games_per_second": round(speed, 1),
        "mean_score": tally.mean_score,
        "score_spread": tally.score_spread,
        "win_share": tally.win_share,
        "mean_turns": tally.mean_turns,
        "ends_by": tally.ends_by,
    }


def _histogram(tally: "Tally") -> str:
    """All seats' scores as bars."""
    counts, points = tally.scores.sum(axis=0), tally.points
    seen = counts.nonzero()[0]
    low, high = int(points[seen[0]]), int(points[seen[-1]])
    step = max(1, -(-(high - low + 1) // BARS))
    sums = [int(counts[(points >= start) & (points < start + step)].sum()) for start in range(low, high + 1, step)]
    lines = [
        f"{start:>5} {'█' * round(WIDEST * count / max(sums))} {count / counts.sum():.1%}"
        for start, count in zip(range(low, high + 1, step), sums, strict=True)
    ]
    return "\n".join(["score", *lines])


def _plot(tally: "Tally", names: list[str], path: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.5))
    for seat, name in enumerate(names):
        counts = tally.scores[seat] / tally.games
        axes.step(tally.points, counts, where="mid", label=f"{seat + 1} {name}: {tally.mean_score[seat]:.1f}")
    seen = tally.scores.sum(axis=0).nonzero()[0]
    axes.set_xlim(tally.points[seen[0]] - 1, tally.points[seen[-1]] + 1)
    axes.set_ylim(bottom=0)
    axes.set(xlabel="score", ylabel="share of games", title=f"{tally.variant.name}, {tally.games:,} games")
    axes.legend(title="seat, bot: mean")
    figure.tight_layout()
    try:
        figure.savefig(path)
    except OSError as error:
        raise MalformedError(f"{path} cannot be written: {error.strerror}") from None
    pyplot.close(figure)


def solve(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="A dice game, or a board's .toml file.")],
    lucky: LuckyOption = "",
    players: Annotated[int, typer.Option(help="At the pace of a table with so many players.", min=1, max=5)] = 1,
    rate: Annotated[
        float, typer.Option(help="The chance that others close an open row in a turn of theirs.", min=0, max=0.99)
    ] = 0.0,
    sheet: Annotated[
        str | None, typer.Option(help="Crossed cells, and - for each misthrow: “R2 R3 G12 -”; “” is empty.")
    ] = None,
    roll: Annotated[str, typer.Option(help="Your roll, white dice first: “4 1 R3 Y6 G5 B2”.")] = "",
    device: DeviceOption = "cpu",
    as_json: JsonOption = False,
) -> None:
    """Solve a game exactly for one player: the best expected score, of the empty sheet or of yours.

    Examples: `qwixx solve classic` · `qwixx solve classic --sheet "R2 R3 G12 -" --roll "4 1 R3 Y6 G5 B2"`
    """
    from qwixx.solver.store import Problem, solution_of

    game, numbers = find_variant(variant), parse_lucky(lucky)
    problem = Problem(game, numbers, players, rate)
    with progress_bar(f"Solving {game.name}", 1.0) as bar:
        solution = solution_of(problem, bar, checked_device(device))
    if sheet is not None or roll:
        _advise(solution, sheet or "", roll, as_json)
    elif as_json:
        print(json.dumps(_solution_document(solution)))
    else:
        terminal().print(
            f"{game.name}{_lucky_words(numbers)}: the best play alone expects {solution.value:.4f} points"
            + (f" at the pace of {players} players" if players > 1 else "")
            + f".\n{solution.states:,} positions, solved in {solution.seconds:.1f} s; kept for the next time."
        )


def _lucky_words(lucky: tuple[int, ...]) -> str:
    return f" with lucky {lucky[0]} and {lucky[1]}" if lucky else ""


def _solution_document(solution: "Solution") -> dict[str, object]:
    return {
        "variant": solution.variant.key,
        "lucky": list(solution.lucky),
        "players": solution.players,
        "value": solution.value,
        "states": solution.states,
        "seconds": solution.seconds,
    }


def _advise(solution: "Solution", sheet_text: str, roll_text: str, as_json: bool) -> None:
    from qwixx.solver.advise import choices, parse_roll, parse_sheet, value_of

    sheet = parse_sheet(solution.variant, sheet_text, solution.lucky)
    value = value_of(solution, sheet)
    found = choices(solution, sheet, parse_roll(roll_text)) if roll_text else []
    told = [{"choice": list(map(str, each.actions)), "value": each.value, "loses": each.loses} for each in found]
    if as_json:
        print(json.dumps({"variant": solution.variant.key, "sheet": sheet_text, "value": value, "choices": told}))
        return
    console = terminal()
    console.print(f"This sheet is worth {value:.4f} points at the end of the game, before the roll.")
    if found:
        table = Table("white", "coloured", "worth", "loses")
        for each in found:
            white, coloured = (*map(str, each.actions), "–")[:2]
            table.add_row(white, coloured, f"{each.value:.4f}", f"{each.loses:.4f}" if each.loses else "best")
        console.print(table)

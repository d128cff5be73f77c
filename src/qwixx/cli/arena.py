"""The command for contests between bots. What is compiled is imported only when it runs."""

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from qwixx.boards import find_variant
from qwixx.cli.research import DaskOption, DeviceOption, JsonOption, checked_device, progress_bar
from qwixx.cli.table import INTERRUPTED, terminal

SHOWN = 5
"""So many lost games are told of."""

if TYPE_CHECKING:
    from qwixx.arena.contest import Contest


def arena(
    bots: Annotated[
        list[str], typer.Argument(help="Two bots or more (`qwixx bots`, solo, td-net), weights:FILE.npz, cmd:PROGRAM.")
    ],
    variant: Annotated[str, typer.Option(help="A game's key or a board's .toml file.")] = "classic",
    players: Annotated[int, typer.Option(help="Seats at the table.", min=2, max=8)] = 2,
    games: Annotated[
        int, typer.Option(help="Games in each match, all rotations counted, each at least once.", min=1)
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same dice.", min=0)] = 1,
    until: Annotated[
        float, typer.Option(help="Stop a match once its shares are known to within this, like 0.01.", min=0, max=0.5)
    ] = 0.0,
    device: DeviceOption = "cpu",
    dask: DaskOption = "",
    as_json: JsonOption = False,
    report: Annotated[Path | None, typer.Option(help="Draw a page with the results into this folder.")] = None,
) -> None:
    """Let bots play against each other, on the same dice in every rotation of the seats. Ctrl-C shows what is known.

    Examples: `qwixx arena champion hard` · `qwixx arena champion evolved --players 4 --games 100000 --until 0.005`
    """
    from qwixx.arena.contest import Contest
    from qwixx.arena.play import solve_for
    from qwixx.arena.report import document, open_page, page

    game, where = find_variant(variant), checked_device(device)
    with progress_bar("Getting ready", 1.0) as bar:
        solve_for(bots, game, players, bar)
        contest = Contest(game, bots, players, games, seed, until, where, dask)
    drawn = open_page(report) if report else None
    began, interrupted = perf_counter(), False
    with progress_bar("Playing", contest.total) as bar:
        try:
            for result in contest.run():
                speed = contest.played / (perf_counter() - began)
                bar(contest.played, f"{result.match.title}: {speed:,.0f} games/s")
        except KeyboardInterrupt:
            interrupted = True
            contest.thinking = dict.fromkeys(bots)  # who is in a hurry does not wait for another game
    contest.results = [result for result in contest.results if result.games]
    if as_json:
        print(json.dumps(document(contest)))
    else:
        _show(contest, perf_counter() - began)
    if drawn:
        drawn.write_text(page(contest), "utf-8")
        terminal(stderr=True).print(f"The report is in {drawn}.")
    if interrupted:
        sys.exit(INTERRUPTED)


def _show(contest: "Contest", seconds: float) -> None:
    from qwixx.arena.report import milliseconds

    table = Table(show_edge=False, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for heading in ("wins", "between", "of decided", "points", "rating", "thinks"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in contest.standings():
        table.add_row(
            each.bot,
            f"{each.win_share:.1%}",
            f"{each.win_low:.1%} – {each.win_high:.1%}",
            f"{each.decided_share:.1%}",
            f"{each.mean_score:.1f}",
            f"{each.rating:+.0f} ± {each.rating_high - each.rating:.0f}",
            milliseconds(contest.thinking[each.bot]),
        )
    console = terminal()
    console.print(table)
    for lost in contest.forfeits[:SHOWN]:
        console.print(lost, style="red", soft_wrap=True)
    ends = ", ".join(f"{end} {share:.0%}" for end, share in contest.ends.items())
    console.print(f"ended by: {ends}", style="dim")
    console.print(f"{contest.played:,} games, {contest.played / max(seconds, 1e-9):,.0f} a second", style="dim")

"""The command that trains a champion. What is compiled is imported only when it runs."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Annotated

import typer

from qwixx.boards import find_variant
from qwixx.cli.research import DeviceOption, checked_device, progress_bar
from qwixx.cli.table import INTERRUPTED, terminal
from qwixx.rules import Dice, MalformedError, Variant

if TYPE_CHECKING:
    from qwixx.kernel.valuenet import Weights
    from qwixx.train.school import Rival, School

CHECKPOINT, NET, HISTORY, CURVE = "checkpoint.npz", "net.npz", "history.json", "curve.svg"
SHARE = "share "
"""So begin the scores in a training's history."""


def train(
    to: Annotated[Path, typer.Argument(help="The folder for checkpoints, curve and weights; training goes on there.")],
    variant: Annotated[str, typer.Option(help="A game's key or a board's .toml file.")] = "classic",
    seats: Annotated[str, typer.Option(help="Seats of one round after the other, like 2,3,2,4.")] = "",
    rounds: Annotated[
        int | None, typer.Option(help="Rounds in all; 0 only writes down what it begins with.", min=0)
    ] = None,
    games: Annotated[
        int | None, typer.Option(help="Games in a round of two seats; with more seats fewer.", min=1)
    ] = None,
    units: Annotated[str, typer.Option(help="Units of the two hidden layers.")] = "512,512",
    batch: Annotated[int, typer.Option(help="States in one step of learning.", min=1)] = 4096,
    against: Annotated[
        str, typer.Option(help="Look for a best response to this bot, or to weights:FILE.npz, instead of self-play.")
    ] = "",
    sparring: Annotated[
        int | None,
        typer.Option(
            help="After so many rounds against itself, one among evolved, with cards skip-2; 0 for none.", min=0
        ),
    ] = None,
    begin: Annotated[
        list[Path] | None,
        typer.Option(help="Begin with the weights in this file, not with nothing; repeated, with their mean."),
    ] = None,
    shares: Annotated[str, typer.Option(help="What each of several counts in their mean, like 3,1.")] = "",
    every: Annotated[int, typer.Option(help="Score and keep a checkpoint after so many rounds.", min=1)] = 20,
    ladder: Annotated[
        str, typer.Option(help="Bots to score against; the strongest public ones if you name none.")
    ] = "",
    scored: Annotated[int, typer.Option(help="Games in each score.", min=1)] = 8192,
    trim: Annotated[
        bool, typer.Option(help="Leave units out of the weights that never answer; such networks have no mean.")
    ] = False,
    seed: Annotated[
        int, typer.Option(help="The same seed gives the same training, if nothing interrupts it.", min=0)
    ] = 1,
    device: DeviceOption = "cpu",
) -> None:
    """Train a champion from nothing, or go on with a training. Ctrl-C keeps a checkpoint.

    What you do not say of seats, rounds, games and sparring is as the game's recipe has it.

    Examples: `qwixx train out --device cuda` · `qwixx train mini --variant mini --units 64,32 --games 4000 --rounds 40`
    """
    from qwixx.train.recipes import syllabus_of
    from qwixx.train.school import School, Syllabus, rival_named

    game, (first, second) = find_variant(variant), _numbers(units, 2)
    usual = Syllabus(game) if against else syllabus_of(game)
    cycle = tuple(_numbers(seats)) if seats else usual.seats
    where = checked_device(device)
    plan = Syllabus(
        game,
        cycle,
        usual.rounds if rounds is None else rounds,
        games or usual.games,
        (first, second),
        batch,
        seed,
        rival_named(against, game, cycle[0], where) if against else None,
        usual.sparring if sparring is None else sparring,
    )
    school = School(plan, where, _beginning(begin or [], shares))
    _check_folder(to)
    if (to / CHECKPOINT).exists():
        school.resume(to / CHECKPOINT)
        terminal(stderr=True).print(f"Going on after round {school.round}.")
    names = [name.strip() for name in (ladder or _ladder(game)).split(",")]
    rivals = {name: rival_named(name, game, cycle[0], where) for name in names}
    interrupted = False
    with progress_bar("Training", plan.rounds) as bar:
        try:
            for report in school.run():
                bar(report.round, f"{report.games:,} games, error {report.error:.4f}")
                if report.round % every == 0 or report.round == plan.rounds:
                    _keep(school, to, rivals, scored)
        except KeyboardInterrupt:
            interrupted = True
    _keep(school, to, rivals if not interrupted else {}, scored, trim and not interrupted)
    terminal().print(f"{school.games:,} games in {school.seconds:,.0f} s; the weights are in {to / NET}.")
    if interrupted:
        sys.exit(INTERRUPTED)


def _check_folder(folder: Path) -> None:
    """Better to refuse before the training than after."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise MalformedError(f"{folder} is not a folder to write in: {error.strerror}") from None


def _beginning(files: Sequence[Path], shares: str) -> "Weights | None":
    """The weights in a file, or the mean of several; without one, nothing."""
    from qwixx.kernel.netfile import read_weights
    from qwixx.train.net import mean_of

    if not files:
        if shares:
            raise MalformedError("--shares is for the networks of several --begin")
        return None
    return mean_of(list(map(read_weights, files)), _numbers(shares, len(files)) if shares else [1] * len(files))


def _ladder(variant: Variant) -> str:
    return "evolved,gap-cost,skip-2" if isinstance(variant.source, Dice) else "skip-2"


def _numbers(text: str, count: int | None = None) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() and int(word) for word in words) or count not in (None, len(words)):
        wanted = ",".join(["2"] * count) if count else "2,3"
        raise MalformedError(f"“{text}” is not a list of numbers, like {wanted}")
    return list(map(int, words))


def _is_share(key: str) -> bool:
    return key.startswith(SHARE)


def _score(school: "School", rivals: "dict[str, Rival]", games: int) -> None:
    """Plays against the ladder at each number of seats; says and writes down what the network wins."""
    shares = {
        f"{name}, {seats} seats": school.share(seats, rival, games)[0]
        for seats in sorted(set(school.syllabus.seats))
        for name, rival in rivals.items()
    }
    school.history[-1] |= {SHARE + name: share for name, share in shares.items()}
    told = "; ".join(f"{share:.1%} against {name}" for name, share in shares.items())
    terminal().print(f"After round {school.round}, {school.games:,} games, {school.seconds:,.0f} s: {told}")


def _keep(school: "School", folder: Path, rivals: "dict[str, Rival]", games: int, trim: bool = False) -> None:
    """Scores the network against the ladder, and writes everything down."""
    from qwixx.train.curve import draw

    if rivals and school.history and not any(map(_is_share, school.history[-1])):
        _score(school, rivals, games)
    lines: dict[str, list[tuple[float, float]]] = {}
    for entry in school.history:
        for key, share in entry.items():
            if _is_share(key):
                lines.setdefault(key.removeprefix(SHARE), []).append((entry["games"], share))
    title = f"{school.syllabus.variant.name}: share of the wins"
    try:
        school.save(folder / CHECKPOINT)
        school.pack(folder / NET, trim)
        (folder / HISTORY).write_text(json.dumps(school.history, indent=1) + "\n", "utf-8")
        (folder / CURVE).write_text(draw(title, lines), "utf-8")
    except OSError as error:
        raise MalformedError(f"the training cannot be kept in {folder}: {error.strerror}") from None

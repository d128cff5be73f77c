"""Every bot against every bot: `make results` (better: on a GPU, `make results DEVICE=cuda`). Writes docs/results.md.

Classic with two to five seats, every bot against every other; in the other games the ladder with two seats. With more
than two seats, one of a kind sits among others of one kind. Bots that only Python knows play fewer games.
"""

import argparse
import json
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

from qwixx.arena.contest import Contest
from qwixx.arena.play import fast_mind
from qwixx.arena.standings import CONFIDENT, Result
from qwixx.boards import all_variants, find_variant
from qwixx.kernel.simulate import Device

ALL = [
    "champion",
    "td-net",
    "hard",
    "gap-cost",
    "expect-1",
    "linear",
    "skip-2",
    "skip-1",
    "solo",
    "easy",
    "random",
]
LADDER = ["champion", "hard", "medium", "easy"]
BASELINES = ["evolved", "gap-cost", "expect-1", "linear", "skip-2"]
DOCS = Path(__file__).parents[1] / "docs" / "results.md"
HEAD = """# Every bot against every bot

Made by `make results`; the figures are also in `benchmarks/results.json`. Seats are rotated, and every rotation gets
the same dice. With two seats, a figure is the row's share of the games with one winner; with more, the share of the
wins of one such bot among others of the column's kind. Half the width of the 95 % interval follows. In classic, `hard`
is `evolved`.
"""


def met(variant: str, one: str, other: str, players: int, games: int, slow: int, device: Device) -> Result:
    """One bot among others of one kind."""
    game = find_variant(variant)
    fast = all(fast_mind(name, game, players, device) for name in (one, other))
    contest = Contest(game, [one, other], players, games if fast else slow, seed=1, device=device)
    contest.matches = [match for match in contest.matches if match.seats[0] == one]
    for _ in contest.run():
        pass
    return contest.results[0]


def table(variant: str, bots: Sequence[str], against: Sequence[str], players: int, found: dict[str, Result]) -> str:
    """Rows: the share of the wins of one among others of the column's kind; with two seats, of the decided games."""
    lines = [f"| | {' | '.join(against)} |", f"| --- |{' --- |' * len(against)}"]
    for one in bots:
        cells = []
        for other in against:
            result = found.get(_name(variant, players, one, other))
            cells.append("" if result is None else _figure(result, one, players))
        lines.append(f"| {one} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _figure(result: Result, bot: str, players: int) -> str:
    line = result.lines[bot]
    if players > 2:
        return f"{line.share.mean:.1%} ± {CONFIDENT * line.share.error:.1%}"
    share, decided = line.won / max(line.decided, 1), max(line.decided, 1)
    return f"{share:.1%} ± {CONFIDENT * sqrt(share * (1 - share) / decided):.1%}"


def _name(variant: str, players: int, one: str, other: str) -> str:
    return f"{variant}, {players} seats: {one} among {other}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games of a pairing that the fast core knows")
    parser.add_argument("--slow", type=int, default=400, help="games of any other pairing")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    given = parser.parse_args()
    text, found = [HEAD], dict[str, Result]()

    def play(variant: str, bots: Sequence[str], against: Sequence[str], players: int) -> None:
        for one, other in ((one, other) for one in bots for other in against if one != other):
            name, turned = _name(variant, players, one, other), _name(variant, players, other, one)
            if players == 2 and turned in found:
                found[name] = found[turned]
                continue
            found[name] = met(variant, one, other, players, given.games, given.slow, given.device)
            print(f"{name}: {_figure(found[name], one, players)}", flush=True)

    for players in (2, 3, 4, 5):
        play("classic", ALL, ALL, players)
        text += [f"\n## Classic, {players} seats\n", table("classic", ALL, ALL, players, found)]
    for key, game in all_variants().items():
        if key != "classic":
            rivals = [name for name in dict.fromkeys([*LADDER, *BASELINES]) if name != "champion"]
            play(key, LADDER, rivals, 2)
            text += [f"\n## {game.name} (`{key}`), 2 seats\n", table(key, LADDER, rivals, 2, found)]
        DOCS.write_text("\n".join(text) + "\n", "utf-8")
    figures = {
        name: {"games": result.games, **{bot: line.share.mean for bot, line in result.lines.items()}}
        for name, result in found.items()
    }
    Path(__file__).with_name("results.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

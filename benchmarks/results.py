"""Every bot against every bot: `make results` (better: on a GPU, `make results DEVICE=cuda`). Writes docs/results.md.

Classic with two to five seats, every bot against every other; in the other games the ladder with two seats. With more
than two seats, one of a kind sits among others of one kind. Outside classic at two seats a quarter of the games are
played; bots that only Python knows play fewer. What has been played stays in results.json and is not played again,
unless more games are asked for; `--anew` plays all games again, or some, or in them what one bot plays.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path

from qwixx.arena.contest import Contest
from qwixx.arena.play import fast_mind
from qwixx.arena.standings import CONFIDENT
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
RIVALS = ["hard", "medium", "easy", "evolved", "gap-cost", "expect-1", "linear", "skip-2"]
DOCS, KEPT = Path(__file__).parents[1] / "docs" / "results.md", Path(__file__).with_name("results.json")
HEAD = """# Every bot against every bot

Made by `make results`; the figures are also in `benchmarks/results.json`. Seats are rotated, and every rotation gets
the same dice. With two seats, a figure is the row's share of the games with one winner; with more, the share of the
wins of one such bot among others of the column's kind. Half the width of the 95 % interval follows. Pairings with bots
that the fast core does not know (`easy`, and `hard` where it is the planner) have had fewer games. In classic, `hard`
is `evolved`, and `medium` is `skip-2` everywhere.
"""


@dataclass(frozen=True)
class Met:
    """How one bot did among others of one kind."""

    games: int
    share: float
    error: float
    won: int
    decided: int

    def turned(self) -> "Met":
        """How the other one did, at two seats."""
        return Met(self.games, 1 - self.share, self.error, self.decided - self.won, self.decided)


@dataclass(frozen=True)
class Pairing:
    """One bot among others of one kind."""

    variant: str
    players: int
    one: str
    other: str

    @property
    def name(self) -> str:
        return f"{self.variant}, {self.players} seats: {self.one} among {self.other}"

    def is_fast(self, device: Device) -> bool:
        game = find_variant(self.variant)
        return all(fast_mind(name, game, self.players, device) for name in (self.one, self.other))

    def games(self, most: int, slow: int, device: Device) -> int:
        """How many: most in classic at two seats, few where only Python knows a bot; every rotation as often."""
        whole = self.variant == "classic" and self.players == 2
        games = slow if not self.is_fast(device) else most if whole else most // 4
        return games // self.players * self.players

    def play(self, games: int, device: Device) -> Met:
        contest = Contest(find_variant(self.variant), [self.one, self.other], self.players, games, 1, device=device)
        contest.matches = [match for match in contest.matches if match.seats[0] == self.one]
        for _ in contest.run():
            pass
        line = contest.results[0].lines[self.one]
        return Met(contest.results[0].games, line.share.mean, line.share.error, line.won, line.decided)


def pairings() -> Iterator[Pairing]:
    """Who meets whom; at two seats, whoever comes first in the lists."""
    for players in (2, 3, 4, 5):
        yield from _meetings("classic", players, ALL, ALL)
    for key in all_variants():
        if key != "classic":
            yield from _meetings(key, 2, LADDER, RIVALS)


def _meetings(variant: str, players: int, bots: Sequence[str], against: Sequence[str]) -> Iterator[Pairing]:
    done: set[tuple[str, str]] = set()
    for one in bots:
        for other in against:
            if one != other and not (players == 2 and (other, one) in done):
                done.add((one, other))
                yield Pairing(variant, players, one, other)


def table(variant: str, players: int, bots: Sequence[str], against: Sequence[str], found: dict[str, Met]) -> str:
    """Rows: the share of the wins of one among others of the column's kind; with two seats, of the decided games."""
    lines = [f"| | {' | '.join(against)} |", f"| --- |{' --- |' * len(against)}"]
    for one in bots:
        cells = []
        for other in against:
            met, turned = (found.get(Pairing(variant, players, *pair).name) for pair in ((one, other), (other, one)))
            if met is None and turned and players == 2:
                met = turned.turned()
            cells.append(figure(met, players) if met else "")
        lines.append(f"| {one} | {' | '.join(cells)} |")
    return "\n".join(lines)


def figure(met: Met, players: int) -> str:
    """A share and half the width of its interval."""
    if players > 2:
        return f"{met.share:.1%} ± {CONFIDENT * met.error:.1%}"
    decided = max(met.decided, 1)
    share = met.won / decided
    return f"{share:.1%} ± {CONFIDENT * sqrt(share * (1 - share) / decided):.1%}"


def page(found: dict[str, Met]) -> str:
    text = [HEAD]
    for players in (2, 3, 4, 5):
        text += _section("Classic", "classic", players, ALL, ALL, found)
    for key, game in all_variants().items():
        if key != "classic":
            text += _section(game.name, key, 2, LADDER, RIVALS, found)
    return "\n".join(text)


def _section(
    title: str, key: str, players: int, bots: Sequence[str], against: Sequence[str], found: dict[str, Met]
) -> list[str]:
    """One table, and how many games its pairings had."""
    here = (found.get(pairing.name) for pairing in _meetings(key, players, bots, against))
    games = " or ".join(f"{count:,}" for count in sorted({met.games for met in here if met}, reverse=True))
    head = f"## {title} (`{key}`), {players} seats\n\n{games} games a pairing.\n"
    return [head, table(key, players, bots, against, found) + "\n"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000, help="games of a classic pairing at two seats")
    parser.add_argument("--slow", type=int, default=1000, help="games of a pairing that the fast core does not know")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--fast", action="store_true", help="only what the fast core knows")
    parser.add_argument(
        "--anew", nargs="*", choices=all_variants(), metavar="GAME", help="play these games again; all if you name none"
    )
    parser.add_argument("--bot", default="", help="with --anew: only pairings of this one")
    given = parser.parse_args()
    if given.bot and given.anew is None:
        parser.error("--bot goes with --anew")
    found = {name: Met(**kept) for name, kept in json.loads(KEPT.read_text("utf-8")).items()} if KEPT.exists() else {}
    again = all_variants() if given.anew == [] else given.anew or []
    todo = [pairing for pairing in pairings() if not given.fast or pairing.is_fast(given.device)]
    for pairing in todo:
        if pairing.variant in again and given.bot in ("", pairing.one, pairing.other):
            found.pop(pairing.name, None)
    for pairing in todo:
        games = pairing.games(given.games, given.slow, given.device)
        if pairing.name not in found or found[pairing.name].games < games:
            found[pairing.name] = pairing.play(games, given.device)
            print(f"{pairing.name}: {figure(found[pairing.name], pairing.players)}", flush=True)
            KEPT.write_text(json.dumps({name: asdict(met) for name, met in found.items()}, indent=1) + "\n", "utf-8")
    DOCS.write_text(page(found), "utf-8")


if __name__ == "__main__":
    main()

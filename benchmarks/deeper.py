"""How much a deeper look would bring a champion: `make bench-deeper VARIANT=card`.

At some decisions of its games against itself, each of the choices it likes best is followed through many futures to the
end of the next turn, and what the network thinks there is counted on average. What looks best then is judged in as many
other futures, beside what the champion chose. With cards, whatever the seat cannot know is dealt anew in every future.
Stored beside this file, game by game.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qwixx.arena.standings import CONFIDENT
from qwixx.boards import find_variant
from qwixx.bots.champion import weights_of
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.candidates import ACTS, TAKES
from qwixx.kernel.cards import END, NOTHING, TOP
from qwixx.kernel.judge import SparseJudge
from qwixx.kernel.kits import Array
from qwixx.kernel.many import Many, Value, unchanged
from qwixx.kernel.table import GOES_ON, MOST_HAND
from qwixx.kernel.valuenet import BEFORE, CALLED, TAKEN
from qwixx.rules import Deck, Variant
from qwixx.train.selfplay import ASKED

KEPT = Path(__file__).with_name("deeper.json")
SEATS, ASKED_SEATS = 2, [ASKED] * 2
NAMES = {TAKES: "takes", ACTS: "last action"}
"""What is decided at a stage; else what to cross of the called number."""
SINCE = {TAKES: BEFORE, ACTS: CALLED}
MOST_CHOICES = 4
ENOUGH = 30
"""Of fewer decisions, nothing is said."""
AT_ONCE = 6000
"""Futures played side by side: more need too much memory."""


class Decision(NamedTuple):
    """A seat about to choose: its game as it stands, and what each choice is worth to the champion, the best first."""

    kind: str
    since: int
    seat: int
    courses: Array
    tables: Array
    choices: Array
    worth: list[tuple[int, float]]


class Watched(Many):
    """Games whose decisions are written down, the last thought of each."""

    thoughts: dict[tuple[int, str], Decision]

    def _launch(self, step: str, items: int, *given: Array) -> None:
        super()._launch(step, items, *given)
        if step == "choose":
            _, _, _, counts, ends, found, values, _, _, stage, _ = given
            kind = NAMES.get(stage, "called number")
            column = found.coloured if stage in NAMES else found.called
            for place in np.flatnonzero(counts).tolist():
                mine = slice(ends[place] - counts[place], ends[place])
                worth = sorted(_worth(column[mine], values[mine], stage == TAKES).items(), key=lambda each: -each[1])
                game, since = place // SEATS, SINCE.get(stage, TAKEN)
                now = self.courses[game].copy(), self.tables[game].copy(), self.choices[game].copy()
                self.thoughts[place, kind] = Decision(kind, since, place % SEATS, *now, worth)


def _worth(column: Array, values: Array, is_mean: bool) -> dict[int, float]:
    """What each choice is worth: taken cards on average, others by the best way to go on."""
    return {
        choice: float(values[column == choice].mean() if is_mean else values[column == choice].max())
        for choice in np.unique(column).tolist()
    }


class Futures(Many):
    """Games that go on from decisions; the next choice of the seats is given."""

    forced: tuple[int, Array, Array] | None = None

    def _launch(self, step: str, items: int, *given: Array) -> None:
        if self.forced and (step == "take" or (step == "advance" and (self.forced[0] == CALLED) == bool(given[6]))):
            _, columns, chosen = self.forced
            self.choices[np.arange(self.games), columns] = chosen
            self.forced = None
        super()._launch(step, items, *given)


def deal_anew(variant: Variant, table: Array, seat: int, stream: np.random.Generator) -> None:
    """Puts other cards wherever a seat does not know what lies there; what shows keeps its number."""
    first, end = int(table["cards_left"][TOP]), int(table["cards_left"][END])
    table["pile"][first + 1 : end] = stream.permutation(table["pile"][first + 1 : end])
    numbers = np.array([card.number for card in variant.cards])
    places = [("pile", place) for place in range(first, end)]
    laid = table["laid"][: variant.source.tableau].tolist() if isinstance(variant.source, Deck) else []
    places += [("laid", place) for place, card in enumerate(laid) if card != NOTHING]
    for other in range(SEATS):
        if other != seat:
            places += [("hands", MOST_HAND * other + place) for place in range(table["held"][other])]
    cards = np.array([table[name][place] for name, place in places])
    for number in set(numbers[cards].tolist()):
        same = np.flatnonzero(numbers[cards] == number)
        cards[same] = cards[stream.permutation(same)]
    for (name, place), card in zip(places, cards.tolist(), strict=True):
        table[name][place] = card
    for other in range(SEATS):
        table["hands"][MOST_HAND * other :][: table["held"][other]].sort()


def follow(
    variant: Variant, value: Value, asked: Sequence[tuple[Decision, int]], futures: int, seed: int
) -> NDArray[np.float64]:
    """What choices are worth to their seats at the end of the next turn, on average; all of one kind. The same futures
    come to all."""
    each, found = max(1, AT_ONCE // futures), []
    for begin in range(0, len(asked), each):
        part = asked[begin : begin + each]
        many = Futures(variant, ASKED_SEATS, len(part) * futures, seed)
        seats = np.repeat([decision.seat for decision, _ in part], futures)
        for name in ("courses", "tables", "choices"):
            standing = np.stack([getattr(decision, name) for decision, _ in part])
            getattr(many, name)[:] = np.repeat(standing, futures, axis=0)
        many.courses["game"] = np.tile(np.arange(futures), len(part))
        if variant.cards:
            for game in range(many.games):
                stream = np.random.default_rng((seed, game % futures))
                deal_anew(variant, many.tables[game], int(seats[game]), stream)
        since = part[0][0].since
        chosen = np.repeat([choice for _, choice in part], futures)
        many.forced = since, 2 * seats + (part[0][0].kind in NAMES.values()), chosen
        many.go_on([value] * SEATS, since)
        many.turn([value] * SEATS)
        found.append(_ended(many, value, seats).reshape(-1, futures).mean(1))
    return np.concatenate(found)


def _ended(many: Many, value: Value, seats: Array) -> NDArray[np.float64]:
    """What games are worth to a seat each: what they brought, or what the network thinks."""
    games = np.arange(many.games)
    going = np.flatnonzero(many.courses["end"] == GOES_ON)
    worth = np.asarray(many.finish()[0][games, seats], float)
    if len(going):
        many._launch("begin", many.games, many.courses, many.tables, many.seed, many.moments)
        samples = np.stack([going, seats[going], 0 * going], 1)
        worth[going] = value(many.inputs(samples, np.array([unchanged()]), many.moments), SEATS - 1)
    return worth


class Gains:
    """What following the best choices brought at decisions of one kind."""

    def __init__(self) -> None:
        self.looked, self.differ = 0, 0
        self.gains: list[float] = []

    def add(self, close: Sequence[Decision], worth: Sequence[NDArray[np.float64]]) -> None:
        """Decisions, and what their choices are worth in two sets of futures."""
        at = 0
        for decision in close:
            first, second = (each[at : at + len(decision.worth)] for each in worth)
            at += len(decision.worth)
            better = int(np.argmax(first))
            self.differ += better != 0
            self.gains.append(float(second[better] - second[0]))
        self.looked += len(close)

    def told(self, decisions_a_game: float) -> dict[str, float]:
        """In percentage points of the wins, for all such decisions of one seat's game."""
        mean = 100 * float(np.mean(self.gains)) * decisions_a_game
        error = 100 * float(np.std(self.gains)) / len(self.gains) ** 0.5 * decisions_a_game
        found = {
            "close_decisions_a_game": round(decisions_a_game, 2),
            "looked_at": self.looked,
            "chosen_otherwise": round(self.differ / self.looked, 3),
        }
        if self.looked < ENOUGH:
            return found
        return found | {"points_of_wins_a_game": round(mean, 2), "half_of_interval": round(CONFIDENT * error, 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", nargs="?", default="card", choices=FAMILIES)
    parser.add_argument("--games", type=int, default=40, help="games whose decisions are looked at")
    parser.add_argument("--part", type=float, default=0.2, help="of the close decisions, so many are looked at")
    parser.add_argument("--futures", type=int, default=256, help="for each choice, twice")
    parser.add_argument("--margin", type=float, default=0.02, help="choices that seem at most so much worse")
    given = parser.parse_args()
    variant = find_variant(given.variant)
    value = SparseJudge(weights_of(FAMILIES[given.variant])).chance
    stream, gains, close_ones = np.random.default_rng(1), dict[str, Gains](), dict[str, int]()
    many = Watched(variant, ASKED_SEATS, given.games, seed=1)
    many.start(0)
    while (many.courses["end"] == GOES_ON).any():
        many.thoughts = {}
        many.turn([value] * SEATS)
        kinds: dict[str, list[Decision]] = {}
        for decision in many.thoughts.values():
            least = decision.worth[0][1] - given.margin
            likely = [each for each in decision.worth[:MOST_CHOICES] if each[1] >= least]
            if len(likely) > 1:
                close_ones[decision.kind] = close_ones.get(decision.kind, 0) + 1
                if stream.random() < given.part:
                    kinds.setdefault(decision.kind, []).append(decision._replace(worth=likely))
        for kind, close in kinds.items():
            asked = [(decision, choice) for decision in close for choice, _ in decision.worth]
            worth = [follow(variant, value, asked, given.futures, seed) for seed in (2, 3)]
            gains.setdefault(kind, Gains()).add(close, worth)
        print(f"{sum(each.looked for each in gains.values())} decisions looked at", flush=True)
    told = {kind: each.told(close_ones[kind] / given.games / SEATS) for kind, each in gains.items()}
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    kept[variant.key] = vars(given) | {"gains": told}
    KEPT.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()

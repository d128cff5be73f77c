"""The kernel against the rules: the kernel plays and writes down everything, the rules replay it and must agree.

`python -m tests.kernel.crosscheck --games N` checks so many games of every variant and number of seats.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from qwixx.boards import all_variants, find_variant
from qwixx.kernel.book import BYTE, CROSS, FAR, LUCKY, book_of, cell_code
from qwixx.kernel.cpu import run_of
from qwixx.kernel.minds import ANY, Mind, seat_minds
from qwixx.kernel.plays import COLOUR, CROSSED
from qwixx.kernel.table import CHOOSES, DEALS, ROLLS, SHUFFLES, STANDS, STARTS, TAKES, new_table
from qwixx.kernel.tally import Tally
from qwixx.rules import (
    PASS,
    Action,
    Begins,
    Mark,
    Outcome,
    Phase,
    Play,
    Roll,
    Sheet,
    Shuffle,
    Start,
    StartDie,
    State,
    Take,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    closed_rows,
    ending,
    legal_actions,
    new_game,
    scores,
    winners,
)

LONGEST = 1 << 20


class DisagreementError(AssertionError):
    """The kernel and the rules see a game differently."""


def agree(what: str, kernel: object, rules: object) -> None:
    if kernel != rules:
        raise DisagreementError(f"{what}: the kernel has {kernel}, the rules have {rules}"[:1000])


def cell_codes(variant: Variant) -> dict[Action, int]:
    """How the kernel writes each cross, and the pass."""
    codes: dict[Action, int] = {PASS: 0}
    for cell in variant.cells.values():
        codes[cell.cross] = cell_code(variant, cell)
        codes[cell.lucky] = codes[cell.cross] | 1 << LUCKY
    return codes


def play_code(play: Play, hand: Sequence[Mark], colours: str) -> int:
    """How the kernel writes a play of cards from this hand."""
    cards = [hand.index(card) for card in play.cards]
    crosses = [next(place for place in cards if hand[place].number == number) for number in play.crosses]
    code = sum(1 << place for place in cards) | sum(1 << place + CROSSED for place in crosses)
    return code | colours.index(play.colour) + 1 << COLOUR


class Replay:
    """One of the kernel's games, replayed with the rules."""

    def __init__(self, variant: Variant, seats: int, log: Iterator[int]) -> None:
        self.variant, self.seats, self.log = variant, seats, log
        self.state = new_game(variant, seats)
        self.choices: dict[int, Action] = {}
        self.codes = cell_codes(variant)
        self.colours = "".join(colour.letter for colour in variant.colours)

    def run(self) -> State:
        handlers = {
            STARTS: self.starts,
            DEALS: self.deals,
            ROLLS: self.rolls,
            SHUFFLES: self.shuffles,
            TAKES: self.takes,
            CHOOSES: self.chooses,
            STANDS: self.stands,
        }
        for kind in self.log:
            handlers[kind]()
        return self.state

    def draw(self, outcome: Outcome) -> None:
        self.state = apply_chance(self.state, outcome)

    def starts(self) -> None:
        number = next(self.log)
        self.draw(StartDie(number) if self.variant.start is Start.FIRST_SIX else Begins(number))

    def deals(self) -> None:
        self.draw(chance(self.state).outcome(next(self.log)))

    def rolls(self) -> None:
        white = next(self.log), next(self.log)
        example = chance(self.state).outcome(0)
        assert isinstance(example, Roll)
        self.draw(Roll(white, tuple(Mark(die.colour, next(self.log)) for die in example.coloured)))

    def shuffles(self) -> None:
        cards = [self.variant.cards[next(self.log)] for _ in range(next(self.log))]
        self.draw(Shuffle(tuple(cards)))

    def takes(self) -> None:
        taken = next(self.log)
        take = Take(tuple(slot for slot in range(26) if taken >> slot & 1))
        self.state = apply_choices(self.state, {self.state.active: take})

    def chooses(self) -> None:
        seat, chosen, count = next(self.log), next(self.log), next(self.log)
        listed = sorted(next(self.log) for _ in range(count))
        legal = {self.code(action): action for action in legal_actions(self.state, seat)}
        agree(f"what is legal for seat {seat}", listed, sorted(legal))
        self.choices[seat] = legal[chosen]
        if len(self.choices) == len(acting_seats(self.state)):
            self.state = apply_choices(self.state, self.choices)
            self.choices = {}

    def code(self, action: Action) -> int:
        if isinstance(action, Play):
            assert self.state.cards is not None
            return play_code(action, self.state.cards.hands[self.state.active], self.colours)
        return self.codes[action]

    def stands(self) -> None:
        for seat in range(self.seats):
            misthrows, rows = next(self.log), [next(self.log) for _ in self.variant.rows]
            compare_sheet(self.state, seat, rows, misthrows)


def compare_sheet(state: State, seat: int, rows: list[int], misthrows: int) -> None:
    """Next places, crosses and misthrows of a seat, as both see them."""
    sheet, closed = state.sheets[seat], closed_rows(state, seat)
    agree(f"misthrows of seat {seat}", misthrows, sheet.misthrows)
    for row, bits in enumerate(rows):
        seen = (FAR - (bits & BYTE), bits >> CROSS & BYTE)
        agree(f"row {row} of seat {seat}", seen, row_as_rules_see_it(sheet, row, bool(closed >> row & 1)))


def row_as_rules_see_it(sheet: Sheet, row: int, closed: bool) -> tuple[int, int]:
    crosses = sheet.rows[row].bit_count() + (sheet.locks >> row & 1)
    return FAR if closed else sheet.rows[row].bit_length() + 1, crosses


def check_table(variant: Variant, minds: list[Mind], games: range, seed: int = 1) -> int:
    """Replays these games of a table; how many there were."""
    seats, book, table = len(minds), book_of(variant), new_table()
    packed, store = seat_minds(variant, minds)
    log = np.zeros(LONGEST, np.int64)
    for game in games:
        log[0] = 0
        tally = Tally.empty(variant, seats)
        run_of(book)(book, packed, store, seats, seed, game, 1, table, tally.counts, log)
        try:
            compare_end(Replay(variant, seats, iter(log[1 : log[0] + 1].tolist())).run(), tally)
        except Exception as error:
            raise DisagreementError(f"{variant.key}, {seats} seats, seed {seed}, game {game}: {error}") from error
    return len(games)


def compare_end(state: State, tally: Tally) -> None:
    agree("whether it is over", True, state.phase is Phase.OVER)
    agree("what ended it", [by for by, count in tally.ends_by.items() if count], [ending(state)])
    agree("scores", tally.mean_score, [float(score.total) for score in scores(state)])
    agree("winners", [seat for seat, share in enumerate(tally.win_share) if share], list(winners(state)))


def tables() -> list[tuple[str, int]]:
    """Every variant with every number of seats."""
    return [(key, seats) for key, variant in all_variants().items() for seats in variant.seat_counts]


def _check(key: str, seats: int, games: range) -> int:
    return check_table(find_variant(key), [ANY] * seats, games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="games of every table")
    games = parser.parse_args().games
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        jobs = [(key, seats, pool.submit(_check, key, seats, range(games))) for key, seats in tables()]
        for key, seats, job in jobs:
            print(f"{key} with {seats}: {job.result():,} games agree", flush=True)


if __name__ == "__main__":
    main()

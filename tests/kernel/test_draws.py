"""The kernel's random numbers: even, independent, and a matter of seed and game alone."""

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.book import Book, book_of
from qwixx.kernel.compile import entry
from qwixx.kernel.dice import first_seat, roll
from qwixx.kernel.draws import below, draw, stream_of
from qwixx.kernel.policies import Floats
from qwixx.kernel.table import Table, new_table

ROLLS = 200_000


@entry
def _roll_games(book: Book, table: Table, seed: int, turn: int, pips: Floats) -> None:
    """The roll of one turn in each of many games."""
    for game in range(pips.shape[0]):
        roll(book, table, 0, stream_of(seed, game), turn)
        for die in range(pips.shape[1]):
            pips[game, die] = table.dice[die]


@entry
def _below_many(seed: int, size: int, drawn: Floats) -> None:
    for game in range(drawn.shape[0]):
        drawn[game] = below(draw(stream_of(seed, game), 77), size)


@entry
def _first_seats(book: Book, seats: int, drawn: Floats) -> None:
    for game in range(drawn.shape[0]):
        drawn[game] = first_seat(book, seats, stream_of(4, game), None)


def surprise(counts: np.ndarray) -> float:
    """How far counts that should be equal are from it, in standard deviations of chi squared."""
    expected = counts.sum() / counts.size
    chi = ((counts - expected) ** 2 / expected).sum()
    return float((chi - (counts.size - 1)) / np.sqrt(2 * (counts.size - 1)))


def rolled(key: str, seed: int, turn: int) -> np.ndarray:
    variant = find_variant(key)
    pips = np.zeros((ROLLS, 2 + len(variant.colours)))
    _roll_games(book_of(variant), new_table(), seed, turn, pips)
    return pips.astype(int) - 1


@pytest.mark.parametrize(("key", "sides"), [("classic", 6), ("longo", 8), ("mini", 3)])
@pytest.mark.parametrize("turn", [1, 2, 17])
def test_every_die_and_every_pair_of_dice_is_even(key: str, sides: int, turn: int) -> None:
    pips = rolled(key, seed=1, turn=turn)
    assert pips.min() == 0
    assert pips.max() == sides - 1
    for die in range(pips.shape[1]):
        assert surprise(np.bincount(pips[:, die], minlength=sides)) < 5
        for other in range(die):
            together = pips[:, die] * sides + pips[:, other]
            assert surprise(np.bincount(together, minlength=sides * sides)) < 5


def test_turns_games_and_seeds_know_nothing_of_each_other() -> None:
    base, later, reseeded = rolled("classic", 1, 1), rolled("classic", 1, 2), rolled("classic", 2, 1)
    for one, other in ((base, later), (base, reseeded), (base[:-1], base[1:])):
        for die in range(6):
            together = one[:, die] * 6 + other[:, die]
            assert surprise(np.bincount(together, minlength=36)) < 5


@pytest.mark.parametrize("size", [2, 3, 5, 9, 55])
def test_choices_are_even(size: int) -> None:
    drawn = np.zeros(ROLLS)
    _below_many(3, size, drawn)
    assert surprise(np.bincount(drawn.astype(int), minlength=size)) < 5


def test_the_first_six_favours_earlier_seats_as_it_must() -> None:
    drawn = np.zeros(ROLLS)
    _first_seats(book_of(find_variant("deluxe")), 3, drawn)
    shares = np.bincount(drawn.astype(int), minlength=3) / ROLLS
    whole = 1 - (5 / 6) ** 3
    assert shares == pytest.approx([1 / 6 / whole, 5 / 36 / whole, 25 / 216 / whole], abs=0.005)

"""Random numbers by counting: each depends on the seed, the game's number and what it is drawn for, on nothing else.

A game has a key and an odd step of its own, mixed from seed and number; a draw mixes `key + counter · step`, as the
splittable generators of Steele, Lea and Flood do. Counters belong to turns, so that the dice of a turn are the same
whatever the players have drawn.
"""

from typing import NamedTuple

import numpy as np

from qwixx.kernel.compile import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
STEP_FIRST, STEP_SECOND = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
ONE, HALF = np.uint64(1), np.uint64(32)
S27, S30, S31, S33 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(33)

# What a turn's draws are for; a turn has so many.
TURN = 32
DICE, CALL, ACT, TAKE = 0, 10, 18, 19
DICE_A_DRAW = 3
# Draws that belong to no turn.
SETUP = 1 << 40
SHUFFLE = 1 << 41
SHUFFLED = 256
EXPLORE = 1 << 42


class Stream(NamedTuple):
    """Where one game's random numbers come from."""

    key: np.uint64
    step: np.uint64


@inlined
def mix(number: np.uint64) -> np.uint64:
    number = (number ^ (number >> S30)) * FIRST
    number = (number ^ (number >> S27)) * SECOND
    return number ^ (number >> S31)


@inlined
def stream_of(seed: int, game: int) -> Stream:
    """The stream of one game."""
    key = mix(mix(np.uint64(seed) + GOLDEN) + np.uint64(game) * GOLDEN)
    step = (key ^ (key >> S33)) * STEP_FIRST
    step = (step ^ (step >> S33)) * STEP_SECOND
    return Stream(key, (step ^ (step >> S33)) | ONE)


@inlined
def draw(stream: Stream, counter: int) -> np.uint64:
    """64 random bits."""
    return mix(stream.key + np.uint64(counter) * stream.step)


@inlined
def below(bits: np.uint64, size: int) -> int:
    """A whole number from 0 to size − 1; for the sizes of this game no likelier than another by 1 in 10 million."""
    return np.int64(((bits >> HALF) * np.uint64(np.uint32(size))) >> HALF)  # type: ignore[return-value] # compiled

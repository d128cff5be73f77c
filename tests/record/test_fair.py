"""Fair dice: the construction by hand, no value likelier than another, and no change that goes unnoticed."""

import hashlib
import hmac
from collections import Counter
from math import factorial, sqrt
from random import Random

import numpy as np
import pytest

from qwixx.boards import all_variants, find_variant
from qwixx.bots import BOTS
from qwixx.match import Player, next_event
from qwixx.record import Fair, Game, RecordError, game_json, read_record, write_record
from qwixx.rules import MalformedError, Node, Phase, Roll, Shuffle, State, chance, node

SECRET = "00112233445566778899aabbccddeeff" * 2
FAIR = Fair(SECRET, ("ann-adds-this", "", "Cy_too"))


def played(key: str, seats: int, fair: Fair, seed: int = 1) -> Game:
    """A game whose chance follows from a secret."""
    game, number = Game(find_variant(key), [f"Seat {seat}" for seat in range(seats)], "2026-01-01"), 0
    players: list[Player] = [BOTS["skip-2"](Random(seed + seat)) for seat in range(seats)]
    while game.state.phase is not Phase.OVER:
        if node(game.state) is Node.CHANCE:
            game.apply(fair.outcome(game.state, number))
            number += 1
        else:
            game.apply(next_event(game, players, NoSource()))
    game.fair = fair
    return game


class NoSource:
    def draw(self, event: object) -> Roll:
        raise AssertionError("chance comes from the secret")


def test_the_construction_by_hand() -> None:
    """As the documentation has it, with nothing but the standard library's HMAC."""
    seed = hmac.new(bytes.fromhex(SECRET), b"qwixx fair 1\n1 ann-adds-this\n3 Cy_too", hashlib.sha256).digest()
    for number, size in ((0, 3), (1, 46_656), (7, 6**6), (300, 2), (5, 1), (4, factorial(44)), (9, 2**256)):
        bits = (size - 1).bit_length()
        text, place = b"", 0
        for block in range(40):
            text += hmac.new(seed, number.to_bytes(8, "big") + block.to_bytes(4, "big"), hashlib.sha256).digest()
        while True:
            part = text[place : place + (bits + 7) // 8]
            value = int.from_bytes(part, "big") % 2**bits
            place += len(part)
            if value < size:
                break
        assert FAIR.index(number, size) == value
    assert FAIR.commitment == hashlib.sha256(bytes.fromhex(SECRET)).hexdigest()


def chi_square(counts: Counter[int], values: int) -> float:
    """How far counts are from even, in standard deviations of what chance itself does."""
    expected = counts.total() / values
    square = sum((counts[value] - expected) ** 2 / expected for value in range(values))
    return (square - (values - 1)) / sqrt(2 * (values - 1))


def test_millions_of_dice_are_even() -> None:
    """Six dice of half a million rolls: each die alone, each pair, and the roll before it with this one."""
    rolls = np.array([FAIR.index(number, 6**6) for number in range(500_000)])
    dice = [rolls // 6**die % 6 for die in range(6)]
    for die in range(6):
        assert abs(chi_square(Counter(dice[die].tolist()), 6)) < 4
        for other in range(die):
            assert abs(chi_square(Counter((dice[die] * 6 + dice[other]).tolist()), 36)) < 4
        assert abs(chi_square(Counter((dice[die][1:] * 6 + dice[die][:-1]).tolist()), 36)) < 4


@pytest.mark.parametrize("size", [3, 5, 6, 7, 10, 129, 257])
def test_no_value_is_likelier_where_bits_do_not_fit(size: int) -> None:
    counts = Counter(FAIR.index(number, size) for number in range(40_000))
    assert set(counts) <= set(range(size))
    assert abs(chi_square(counts, size)) < 4


def test_shuffles_are_even() -> None:
    """Where each card of a deck ends up, and which follows which."""
    event = chance(before_the_deal())
    tops, pairs = Counter[int](), Counter[int]()
    first = event.outcome(0)
    assert isinstance(first, Shuffle)
    names = {card: number for number, card in enumerate(first.cards)}
    for number in range(20_000):
        pile = event.outcome(FAIR.index(number, event.size))
        assert isinstance(pile, Shuffle)
        tops[names[pile.cards[0]]] += 1
        pairs[names[pile.cards[0]] * len(names) + names[pile.cards[-1]]] += 1
    assert abs(chi_square(tops, len(names))) < 4
    assert not any(pairs[number * len(names) + number] for number in range(len(names)))


def before_the_deal() -> State:
    game = Game(find_variant("card"), ["Ann", "Bo"], "2026-01-01")
    number = 0
    while game.state.phase is not Phase.SHUFFLE:
        game.apply(FAIR.outcome(game.state, number))
        number += 1
    return game.state


@pytest.mark.parametrize("key", all_variants())
def test_a_game_can_be_checked_and_any_change_shows(key: str) -> None:
    seats = max(2, find_variant(key).seat_counts[0])
    fair = Fair(SECRET, ("one", *["" for _ in range(seats - 1)]))
    game = played(key, seats, fair)
    assert game.unlike(fair) == []
    again = read_record(write_record(game))
    assert again.fair == fair
    assert again.unlike(fair) == []
    for other in (
        Fair("f" + SECRET[1:], fair.added),
        Fair(SECRET, ("onf", *fair.added[1:])),
        Fair(SECRET, ("", *fair.added[1:])),
        Fair(SECRET, (*fair.added[:-1], "one")),
    ):
        assert game.unlike(other)


def test_a_single_changed_roll_is_found() -> None:
    game = played("classic", 2, fair := Fair(SECRET, ("", "")))
    place = max(place for place, event in enumerate(game.events) if isinstance(event, Roll))
    roll = game.events[place]
    assert isinstance(roll, Roll)
    game.events[place] = Roll((roll.white[0] % 6 + 1, roll.white[1]), roll.coloured)
    assert game.unlike(fair) == [place]


def test_the_words_belong_to_their_seats() -> None:
    """No two ways to add lead to the same dice."""
    ways = [("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"), ("a", ""), ("", "a"), ("", ""), ("a", "b2"), ("a-b", "")]
    assert len({Fair(SECRET, way).index(0, 1 << 128) for way in ways}) == len(ways)


def test_a_record_tells_where_its_dice_came_from() -> None:
    game = played("classic", 2, Fair(SECRET, ("", "bo")))
    text = write_record(game)
    assert text.splitlines()[6:9] == [f"result: {result_of(text)}", f"secret: {SECRET}", "added 2: bo"]
    assert game_json(game)["fair"] == {
        "secret": SECRET,
        "commitment": hashlib.sha256(bytes.fromhex(SECRET)).hexdigest(),
        "added": ["", "bo"],
    }
    assert write_record(read_record(text)) == text


def result_of(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("result: ")).removeprefix("result: ")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (f"secret: {SECRET}", "secret: 00", "line 8: a secret has 64 hex digits"),
        ("added 2: bo", "added 2: b o", "line 9: what a seat adds has 1 to 64 letters"),
        ("added 2: bo", "added 3: bo", "line 9: each seat adds once, in the seats' order"),
    ],
)
def test_a_broken_secret_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    text = write_record(played("classic", 2, Fair(SECRET, ("", "bo"))))
    with pytest.raises(RecordError, match=said):
        read_record(text.replace(old, new))


@pytest.mark.parametrize("word", ["ä", "a b", "a\n", "x" * 65])
def test_a_word_is_plain(word: str) -> None:
    with pytest.raises(MalformedError, match="1 to 64 letters"):
        Fair(SECRET, (word,))

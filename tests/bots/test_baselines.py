"""The public strategies: a decision or two of each, worked out by hand; and every bot plays every game."""

from collections import Counter
from random import Random

import pytest

from qwixx.boards import all_variants, find_variant
from qwixx.bots import BOTS, CHARACTERS, LEVELS
from qwixx.bots.baselines import EvolvedBot, ExpectBot, GapCostBot, LinearBot, skipped
from qwixx.bots.minds import problem_of
from qwixx.bots.solo import SoloBot
from qwixx.match import RandomSource, run, stream
from qwixx.record import Game
from qwixx.rules import Mark, Phase, Roll, Sheet, State, legal_actions, parse_action, scores
from qwixx.solver.store import solution_of

CLASSIC = find_variant("classic")


def bits(*places: int) -> int:
    return sum(1 << place for place in places)


def table(
    own: Sheet, other: Sheet, active: int, white: tuple[int, int], coloured: str, phase: Phase, crossed: bool = False
) -> State:
    dice = tuple(Mark(word[0], int(word[1:])) for word in coloured.split())
    return State(CLASSIC, phase, (own, other), active, crossed, Roll(white, dice))


def chosen(bot: str, state: State) -> str:
    return str(BOTS[bot](Random(1)).choose(state, 0, legal_actions(state, 0)))


EMPTY = Sheet((0, 0, 0, 0))
# On the empty sheet, seven is the sixth cell of every row: five are skipped.
SEVEN = table(EMPTY, EMPTY, 1, (3, 4), "R1 Y1 G1 B1", Phase.WHITE)
TWO = table(EMPTY, EMPTY, 1, (1, 1), "R1 Y1 G1 B1", Phase.WHITE)


@pytest.mark.parametrize("bot", ["skip-1", "skip-2", "linear", "gap-cost", "expect-1", "evolved"])
def test_the_first_cell_is_crossed_and_the_sixth_is_not(bot: str) -> None:
    assert chosen(bot, TWO) in ("R2", "Y2")
    assert chosen(bot, SEVEN) == "pass"


def test_linear_takes_a_misthrow_for_two_and_a_half() -> None:
    """Red 8 alone may be crossed: one cross, seven cells used up, is −2.5, like the misthrow; red 7 is −2."""
    closed = Sheet((0, bits(10), bits(10), bits(10)))
    eight = table(closed, EMPTY, 0, (4, 4), "R6 Y6 G6 B6", Phase.COLOUR)
    assert LinearBot(Random(1)).value(eight, eight, 0) == pytest.approx(3 - 0.5 * 33)
    seven = table(closed, EMPTY, 0, (1, 1), "R6 Y6 G6 B6", Phase.COLOUR)
    assert chosen("linear", seven) == "R7"
    nine = table(closed, EMPTY, 0, (3, 3), "R6 Y6 G6 B6", Phase.COLOUR)
    assert chosen("linear", nine) == "pass"
    equal = table(closed, EMPTY, 0, (2, 2), "R6 Y6 G6 B6", Phase.COLOUR)
    ways = {str(LinearBot(Random(seed)).choose(equal, 0, legal_actions(equal, 0))) for seed in range(20)}
    assert ways == {"R8", "pass"}, "chance settles what is worth the same"


def test_evolved_by_hand() -> None:
    """Empty: 2 and 12 come up once in 36, each would be the first cross: 0.49085 · 4 / 36. Red 2 crossed: 3 comes up
    twice and would be the second."""
    bot = EvolvedBot(Random(1))
    assert bot.value(TWO, TWO, 0) == pytest.approx(0.49085 * 4 / 36)
    after = TWO._replace(sheets=(Sheet((1, 0, 0, 0)), EMPTY))
    assert bot.value(TWO, after, 0) == pytest.approx(0.49085 * (2 * 2 + 3) / 36 + 0.018462)
    missed = TWO._replace(sheets=(Sheet((0b100, 0, 0, 0), misthrows=1), EMPTY))
    worth = 0.49085 * (4 * 2 + 3) / 36 + 0.018462 - 2 * 0.056006 - 0.86924
    assert bot.value(TWO, missed, 0) == pytest.approx(worth)


def test_evolved_ends_the_game_ahead_and_not_behind() -> None:
    """Red is closed already; yellow's last cell would end the game."""
    full = bits(0, 1, 2, 3, 4)
    own, behind = Sheet((full | 1 << 10, full, 0, 0), locks=1), Sheet((full, full, full, full))
    ahead = table(own, EMPTY, 1, (6, 6), "G1 B1", Phase.WHITE)
    assert chosen("evolved", ahead) == "Y12"
    assert chosen("evolved", ahead._replace(sheets=(own, behind))) != "Y12"


def test_gap_cost_by_hand() -> None:
    """Red 2 on an empty row: 1 + 0.71407 · (0.5 · 9 + 0.5), nothing is skipped. Red 3 skips place 0, of weight 5."""
    bot, cells = GapCostBot(Random(1)), CLASSIC.rows[0]
    assert bot.worth(TWO, 0, cells[0], False) == pytest.approx(1 + 0.71407 * 5)
    lost = 12 * 0.49005 * (0.823284 * 0.921692) ** 5
    assert bot.worth(TWO, 0, cells[1], False) == pytest.approx(1 + 0.71407 * 4.5 - 0.949905**4 * lost)


def test_gap_cost_takes_minus_five_at_worst() -> None:
    """Green 8 skips 12 to 9: 1 + 0.71407 · 3 less 0.949905 · 0.49005 · (12·q⁵ + 11·q⁴ + 10·q³ + 9·q²), q = 0.7588, is
    −4.41. Green 7 skips 8, too, and comes to 1 + 0.71407 · 2.5 − 10.92 = −8.14."""
    eight = table(EMPTY, EMPTY, 0, (2, 2), "R6 Y6 G6 B6", Phase.COLOUR)
    cells = CLASSIC.rows[2]
    assert GapCostBot(Random(1)).worth(eight, 0, cells[4], True) == pytest.approx(-4.41, abs=0.005)
    assert GapCostBot(Random(1)).worth(eight, 0, cells[5], True) == pytest.approx(-8.14, abs=0.005)
    assert chosen("gap-cost", eight) in ("G8", "B8"), "rather than a misthrow"
    assert chosen("gap-cost", eight._replace(crossed=True)) == "pass"
    assert chosen("gap-cost", table(EMPTY, EMPTY, 0, (1, 1), "R6 Y6 G6 B6", Phase.COLOUR)) == "pass"


def test_random_takes_everything_as_often() -> None:
    """Four crosses and a pass, each in a fifth of 5,000 choices, give or take five standard deviations."""
    bot, legal = BOTS["random"](Random(1)), legal_actions(SEVEN, 0)
    assert len(legal) == 5
    times = Counter(bot.choose(SEVEN, 0, legal) for _ in range(5000))
    assert all(abs(times[action] - 1000) < 5 * (5000 * 0.2 * 0.8) ** 0.5 for action in legal)


def test_solo_does_not_look_at_the_others() -> None:
    """Blue is closed, red 6 ends the game. Passing costs a misthrow and can bring no more than red 6 does now: so it is
    crossed, though the other one is ahead and wins. `evolved` would rather wait."""
    mini = find_variant("mini")
    own, ahead = Sheet((bits(0, 1), 0)), Sheet((bits(0, 1, 2, 3), bits(0, 1, 4)), locks=2)
    state = State(mini, Phase.COLOUR, (own, ahead), 0, False, Roll((3, 3), (Mark("R", 3),)))
    legal = legal_actions(state, 0)
    assert [str(action) for action in legal] == ["R6", "pass"]
    assert str(SoloBot(Random(1), solution_of(problem_of(mini))).choose(state, 0, legal)) == "R6"
    assert str(EvolvedBot(Random(1)).choose(state, 0, legal)) == "pass"


def test_expect_1_by_hand() -> None:
    """Red 3 skips the 2, which ten white rolls show with 1 − (35/36)¹⁰; red 4 skips 2 and 3."""
    bot, cells = ExpectBot(Random(1)), CLASSIC.rows[0]
    two, three = 1 - (35 / 36) ** 10, 1 - (34 / 36) ** 10
    assert bot.worth(TWO, 0, cells[1], False) == pytest.approx(1 - two)
    assert bot.worth(TWO, 0, cells[2], False) == pytest.approx(1 - two - three)
    # Red and either white die make 2 in 11 of 216 rolls, 3 in 22; half of ten rolls are its own.
    two, three = 1 - (205 / 216) ** 5, 1 - (194 / 216) ** 5
    assert bot.worth(TWO, 0, cells[2], True) == pytest.approx(1 - two - three)


def test_expect_1_would_rather_have_a_misthrow_than_lose_by_a_cross() -> None:
    """Red 7 skips 2 to 6."""
    closed = Sheet((0, bits(10), bits(10), bits(10)))
    assert chosen("expect-1", table(closed, EMPTY, 0, (1, 1), "R6 Y6 G6 B6", Phase.COLOUR)) == "pass"
    assert chosen("expect-1", table(closed, EMPTY, 0, (1, 1), "R2 Y6 G6 B6", Phase.COLOUR)) == "R3"


def test_skip_puts_up_with_one_more_cell_when_its_last_action_is_left() -> None:
    """Red 5 skips three cells: too many for the white dice, even in its own turn; not for a coloured die, unless it has
    crossed already."""
    closed = Sheet((0, bits(10), bits(10), bits(10)))
    assert chosen("skip-2", table(closed, EMPTY, 0, (1, 4), "R6 Y6 G6 B6", Phase.WHITE)) == "pass"
    coloured = table(closed, EMPTY, 0, (1, 1), "R4 Y6 G6 B6", Phase.COLOUR)
    assert chosen("skip-2", coloured) == "R5"
    assert chosen("skip-1", coloured) == "pass"
    assert chosen("skip-2", coloured._replace(crossed=True)) == "pass"


def test_skipped_cells_are_counted() -> None:
    sheet = Sheet((bits(0, 3), 0, 0, 0))
    assert skipped(SEVEN, sheet, parse_action("R7")) == 1
    assert skipped(SEVEN, sheet, parse_action("Y7")) == 5
    assert skipped(SEVEN, sheet, parse_action("pass")) == 0


@pytest.mark.parametrize("key", all_variants())
def test_every_bot_plays_every_game(key: str) -> None:
    variant = find_variant(key)
    names = list(BOTS)
    seats = variant.seats[1]
    for first in range(0, len(names), seats):
        kinds = (names[first : first + seats] * seats)[:seats]
        game = Game(variant, [f"seat {seat}" for seat in range(seats)], "2026-01-01")
        players = [BOTS[kind](stream(1, f"{kind} {seat}")) for seat, kind in enumerate(kinds)]
        run(game, players, RandomSource(stream(2, "dice")))
        assert game.state.phase is Phase.OVER
        assert len(scores(game.state)) == seats


@pytest.mark.parametrize("key", [key for key, variant in all_variants().items() if variant.solo])
def test_every_bot_plays_alone_where_a_game_has_solo_rules(key: str) -> None:
    for kind in BOTS:
        game = Game(find_variant(key), ["alone"], "2026-01-01")
        run(game, [BOTS[kind](stream(1, kind))], RandomSource(stream(2, "dice")))
        assert game.state.phase is Phase.OVER


def test_every_bot_has_a_line() -> None:
    assert list(CHARACTERS) == list(BOTS)
    assert list(LEVELS) == ["easy", "medium", "hard", "champion"]

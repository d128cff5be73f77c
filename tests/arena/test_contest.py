"""The arena: everybody meets everybody on the same dice, and what is said to be known is known."""

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from itertools import combinations, pairwise
from multiprocessing import active_children
from os import cpu_count
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from benchmarks.results import ALL, KEPT, Pairing

from qwixx.arena.contest import Contest
from qwixx.arena.matches import Match, matches
from qwixx.arena.play import Games, SameChance, fast_mind, is_fast, one_by_one, player_of, side_by_side, solve_for
from qwixx.arena.report import document, page
from qwixx.arena.standings import CONFIDENT, Result, Sum, interval, rate, standings
from qwixx.arena.thinking import thinking_time
from qwixx.boards import all_variants, find_variant
from qwixx.bots import BOTS
from qwixx.kernel.minds import EVOLVED_BOT
from qwixx.match import run, stream
from qwixx.record import Game
from qwixx.rules import MalformedError, Roll
from qwixx.rules.boardfile import parse_board

CLASSIC, MINI = find_variant("classic"), find_variant("mini")
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NETS = Path(str(files("qwixx.bots") / "nets"))


def played(contest: Contest) -> Contest:
    list(contest.run())
    return contest


def test_who_meets_whom() -> None:
    pairs = matches(CLASSIC, ["a", "b", "c"], 2)
    assert [match.seats for match in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs[0].rotations == [("a", "b"), ("b", "a")]
    [full] = matches(CLASSIC, ["a", "b", "c"], 3)
    assert full.rotations == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]
    among = matches(CLASSIC, ["a", "b"], 4)
    assert [match.title for match in among] == ["a among 3 b", "b among 3 a"]
    assert [match.measured for match in among] == [("a",), ("b",)]
    assert pairs[0].title == "a – b"


@pytest.mark.parametrize(
    ("bots", "players", "said"), [(["a", "b"], 6, "seats, not 6"), (["a"], 2, "two bots"), (["a", "a"], 2, "each once")]
)
def test_what_cannot_be_played_is_refused(bots: Sequence[str], players: int, said: str) -> None:
    with pytest.raises(MalformedError, match=said):
        matches(CLASSIC, bots, players)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(MalformedError, match="no bot “clever”"):
        Contest(CLASSIC, ["clever", "random"], 2, 10)
    with pytest.raises(MalformedError, match="no bot “clever”"):
        Contest(CLASSIC, ["clever", "easy"], 2, 10)


def test_rotations_get_the_same_dice() -> None:
    """Two bots that play alike change seats: every game goes the other way round, and each wins half."""
    contest = played(Contest(CLASSIC, ["hard", "evolved"], 2, 400, seed=3))
    [result] = contest.results
    assert result.lines["hard"].share.mean == 0.5
    assert result.lines["hard"].share.error == 0.0


@pytest.mark.parametrize("key", ["classic", "longo", "mixx-a"])
def test_rotations_get_the_same_dice_one_by_one(key: str) -> None:
    """Whoever sits where, and whichever rows are closed: the n-th roll shows the same, as far as its dice are there."""
    variant, apart = find_variant(key), 0
    for number in range(20):
        rolls = [
            [event for event in run(game, seated, SameChance(variant, 5, number)).events if isinstance(event, Roll)]
            for game, seated in (
                (Game(variant, ["A", "B"], "2026-01-01"), [BOTS[kind](stream(1, kind)) for kind in kinds])
                for kinds in (("skip-2", "evolved"), ("evolved", "skip-2"))
            )
        ]
        for one, other in zip(*rolls, strict=False):
            assert one.white == other.white
            shown = [{die.colour: die.number for die in roll.coloured} for roll in (one, other)]
            assert all(shown[0][colour] == shown[1][colour] for colour in shown[0].keys() & shown[1].keys())
            apart += shown[0].keys() != shown[1].keys()
    assert apart, "some have closed rows that the others have not"


def test_games_in_parts_are_the_same_games() -> None:
    whole = side_by_side(CLASSIC, ("skip-2", "random"), 1, "cpu", 0, 30)
    parts = [side_by_side(CLASSIC, ("skip-2", "random"), 1, "cpu", first, 10) for first in (0, 10, 20)]
    assert np.array_equal(whole.points, np.concatenate([part.points for part in parts]))
    slow = one_by_one(MINI, ("easy", "medium"), 1, 0, 30)
    assert np.array_equal(
        slow.points, np.concatenate([one_by_one(MINI, ("easy", "medium"), 1, n, 10).points for n in (0, 10, 20)])
    )


def test_a_contest_of_all_kinds() -> None:
    contest = played(Contest(CLASSIC, ["champion", "easy", "random"], 2, 60, seed=1))
    assert [standing.bot for standing in contest.standings()] == ["champion", "easy", "random"]
    assert contest.played == contest.total == 180
    assert sum(result.ends["rows"] + result.ends["misthrows"] for result in contest.results) == 180
    assert not is_fast(player_of(CLASSIC, ("easy", "random"), 1))
    assert contest.results[0].forfeits == []
    assert is_fast(player_of(CLASSIC, ("champion", "random"), 1))


def test_one_among_others() -> None:
    contest = played(Contest(CLASSIC, ["evolved", "random"], 3, 300, seed=1))
    among = contest.results[0]
    assert among.match.title == "evolved among 2 random"
    shares = [among.lines[bot].share.mean for bot in ("evolved", "random")]
    assert shares[0] + 2 * shares[1] == pytest.approx(1)
    assert shares[0] > 0.9


def test_it_stops_when_the_question_is_settled() -> None:
    contest = played(Contest(CLASSIC, ["skip-2", "random"], 2, 100_000, seed=1, until=0.02))
    assert contest.played < 20_000
    assert contest.results[0].settled(0.02)
    assert not contest.results[0].settled(0.00001)


def test_an_interval_is_that_of_the_mean() -> None:
    numbers = np.random.default_rng(1).normal(3, 2, 10_000)
    found = Sum()
    found.add(numbers[:4000])
    found.add(numbers[4000:])
    assert found.mean == pytest.approx(numbers.mean())
    assert found.error == pytest.approx(numbers.std(ddof=1) / 100)
    assert Sum().error == float("inf")


def test_an_interval_of_a_share_is_never_a_point_too_soon() -> None:
    """Who has won all of 20 games may still win fewer than nine of ten; with both sides' wins it is the usual one."""
    low, high = interval(1.0, 0.0, 20)
    assert low == pytest.approx(20 / (20 + CONFIDENT**2))
    assert high == 1.0
    assert interval(0.0, 0.0, 20)[1] == pytest.approx(1 - low)
    assert np.allclose(interval(0.6, 0.005, 10_000), [0.6 - CONFIDENT * 0.005, 0.6 + CONFIDENT * 0.005], atol=1e-4)
    low, high = interval(0.5, 0.0, 400)
    assert 0.495 < low < 0.5 < high < 0.505, "two that play alike, on the same dice"
    assert interval(0.5, float("inf"), 1) == interval(1.0, 0.0, 1) == (0.0, 1.0)


@pytest.mark.parametrize("count", [2, 3, 5, 10, 40])
def test_an_interval_holds_the_truth_as_often_as_it_says(count: int) -> None:
    """Also after few games, where all may be alike by chance."""
    dice, held = np.random.default_rng(count), 0
    for _ in range(2000):
        found = Sum()
        found.add(dice.choice([0.0, 0.5, 1.0], count, p=[0.1, 0.5, 0.4]))
        low, high = interval(found.mean, found.error, found.count)
        held += low <= 0.65 <= high
    assert held >= 0.93 * 2000


def result(seats: tuple[str, ...], shares: list[float], games: int) -> Result:
    """A match in which each seat has such a share of the wins."""
    made = Result(Match(seats, seats))
    order = list(seats)
    rotations = []
    for seating in made.match.rotations:
        line = [shares[order.index(bot)] for bot in seating]
        rotations.append(Games(np.tile(line, (games, 1)), np.zeros((games, len(seats))), {"rows": games}))
    made.add(rotations)
    return made


def test_ratings_are_bradley_terry() -> None:
    """Who wins ten games of eleven is 400 points better; strengths in a row add up."""
    found = rate([result(("a", "b"), [10 / 11, 1 / 11], 10_000)], ["a", "b"])
    assert found["a"][0] - found["b"][0] == pytest.approx(400, abs=1)
    three = rate(
        [result(("a", "b"), [2 / 3, 1 / 3], 10_000), result(("b", "c"), [2 / 3, 1 / 3], 10_000)], ["a", "b", "c"]
    )
    assert three["a"][0] - three["c"][0] == pytest.approx(2 * (three["a"][0] - three["b"][0]), abs=0.5)
    table = rate([result(("a", "b", "c"), [0.5, 0.25, 0.25], 10_000)], ["a", "b", "c"])
    assert table["a"][0] - table["b"][0] == pytest.approx(400 * np.log10(2), abs=0.5)
    fewer = rate([result(("a", "b"), [10 / 11, 1 / 11], 100)], ["a", "b"])
    assert fewer["a"][1] == pytest.approx(10 * found["a"][1], rel=0.05)


@pytest.mark.parametrize("games", [30, 100, 1000, 100_000])
def test_a_rating_of_who_has_won_everything_is_uncertain(games: int) -> None:
    """However many games: all that is known of how seldom it loses is that it has not yet."""
    found = rate([result(("a", "b"), [1.0, 0.0], games)], ["a", "b"])
    assert found["a"][0] == pytest.approx(-found["b"][0])
    assert found["a"][0] > 400
    assert 100 < found["a"][1] < 150
    assert found["a"][1] == pytest.approx(found["b"][1])


def test_standings_and_what_is_told_of_them() -> None:
    contest = played(Contest(MINI, ["evolved", "random"], 2, 100, seed=1))
    told = document(contest)
    assert (told["variant"], told["players"], told["games"]) == ("mini", 2, 100)
    best = told["bots"]["evolved"]
    assert best["win_low"] <= best["win_share"] <= best["win_high"]
    assert best["mean_score"] > told["bots"]["random"]["mean_score"]
    assert best["seconds_a_decision"] > 0
    assert "evolved – random" in page(contest)
    assert "seed 1" in page(contest)
    assert "Stopped after" not in page(contest)
    assert "given up" not in page(contest)
    contest.games = 101
    assert "Stopped after" not in page(contest), "both rotations equally often"
    contest.games = 200
    assert "Stopped after 100 of 200 games" in page(contest)
    contest.results[0].forfeits = [f"a <b> lost game {number}: late" for number in range(22)]
    assert "a &lt;b&gt; lost game 19: late" in page(contest)
    assert "And 2 more" in page(contest)
    assert standings([], ["evolved"])[0].win_share == 0.0
    assert thinking_time(MINI, "pace", 2) is None
    assert thinking_time(MINI, f"cmd:{sys.executable} -c pass", 2) is None, "it gives its game up"
    assert sum(contest.ends.values()) == pytest.approx(1)


def test_programs_are_timed_too() -> None:
    taken = thinking_time(CLASSIC, f"cmd:{sys.executable} {EXAMPLES / 'short_jumps.py'}", 2)
    assert taken is not None
    assert 0 < taken < 1


@pytest.mark.parametrize(
    ("bots", "key", "said"),
    [
        (["champion", "nosuch"], "classic", "there are easy, medium, hard, champion.*td-net.*weights:.*cmd:"),
        (["solo", "evolved"], "longo", "“solo” plays with dice and without lucky numbers, not Qwixx Longo"),
        (["td-net", "easy"], "mixx-a", "“td-net” knows the classic sheet only"),
        (["pace", "easy"], "mini", "“pace” plays only among bots that the fast core knows"),
        (["weights:longo", "evolved"], "classic", "for another game"),
        (["weights:longo", "easy"], "classic", "for another game"),
        (["weights:card", "evolved"], "classic", "for another game"),
    ],
)
def test_who_does_not_play_here_is_refused_in_words(bots: list[str], key: str, said: str) -> None:
    named = [f"weights:{NETS / bot[8:]}.npz" if bot.startswith("weights:") else bot for bot in bots]
    with pytest.raises(MalformedError, match=said):
        Contest(find_variant(key), named, 2, 10)


def test_any_number_of_skipped_cells_plays_with_anybody() -> None:
    assert played(Contest(MINI, ["skip-3", "easy"], 2, 4)).played == 4


def test_every_pair_of_the_results_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the fast core, or one by one; the solver need not run for it."""
    monkeypatch.setattr("qwixx.arena.play.mind_named", lambda *_: EVOLVED_BOT)
    monkeypatch.setattr("qwixx.arena.play.solution_of", lambda _: None)
    fast_mind.cache_clear()
    for one, other in combinations(ALL, 2):
        assert is_fast(player_of(CLASSIC, (one, other), 1)) == ("easy" not in (one, other))
    fast_mind.cache_clear()


def test_networks_and_yardsticks_also_play_one_by_one() -> None:
    name = f"weights:{files('qwixx.bots')}/nets/classic.npz"
    games = one_by_one(CLASSIC, (name, "td-net"), 1, 0, 3)
    assert games.shares.sum() == 3


def test_slow_programs_soon_show_something() -> None:
    """The first goes are short, and later ones as long as all before them."""
    contest = Contest(CLASSIC, ["easy", "random"], 2, 400, seed=1)
    played = [result.games for result in contest.run()]
    assert played[0] <= 2 * (cpu_count() or 1)
    assert played == sorted(played)
    assert played[-1] == 400
    assert len(played) < 40


def test_helpers_do_not_outlive_the_arena() -> None:
    """Even if it is killed."""
    play = "from tests.arena.test_contest import contest_with_helpers; contest_with_helpers()"
    arena = subprocess.Popen([sys.executable, "-c", play], stdout=subprocess.PIPE, text=True)
    assert arena.stdout
    helpers = [int(word) for word in arena.stdout.readline().split()]
    assert helpers
    arena.kill()
    arena.wait()
    arena.stdout.close()
    for _ in range(200):
        if not any(is_running(helper) for helper in helpers):
            return
        sleep(0.05)
    raise AssertionError("a helper is still there")


def contest_with_helpers() -> None:
    """Plays on and on; says who helps."""
    for count, _ in enumerate(Contest(CLASSIC, ["easy", "random"], 2, 1_000_000).run()):
        if count == 0:
            print(*[child.pid for child in active_children()], flush=True)


def is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] not in "ZX"


def test_a_row_of_one_cell_is_a_row_to_gap_cost() -> None:
    """In the fast core and one by one."""
    text = (files("qwixx.boards") / "mini.toml").read_text("utf-8")
    board = parse_board(text.replace("R2 R3 R4 R5 R6", "R4").replace("needed = 2", "needed = 0"))
    for play in (
        partial(side_by_side, board, ("gap-cost",) * 2, 1, "cpu"),
        partial(one_by_one, board, ("gap-cost",) * 2, 1),
    ):
        games = play(0, 20)
        assert games.shares.sum() == 20
        assert np.isfinite(games.points).all()
        assert games.points.max() > 0


def test_levels_are_eight_points_of_wins_apart_in_every_game() -> None:
    """By the stored results; in classic, hard is evolved and medium is skip-2."""
    kept = json.loads(KEPT.read_text("utf-8"))
    for key in all_variants():
        names = ["champion", "hard", "skip-2" if key == "classic" else "medium", "easy"]
        for better, worse in pairwise(names):
            share = kept[Pairing(key, 2, better, worse).name]["share"]
            assert share - (1 - share) >= 0.08, (key, better, worse)


def test_solving_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    told: list[float] = []
    solve_for(["skip-2", "solo"], MINI, 2, told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    again: list[float] = []
    solve_for(["solo"], MINI, 2, again.append)
    assert not again, "it is kept"

"""Training: a small network learns a small game from nothing, stops and goes on, and learns to beat one opponent."""

from pathlib import Path

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.kernel.kits import Array
from qwixx.kernel.minds import ANY, EVOLVED_BOT, skip
from qwixx.rules import MalformedError
from qwixx.train.net import Net
from qwixx.train.school import FAST, FASTEST, Rival, School, Syllabus
from qwixx.train.selfplay import ASKED, Lesson, Round, margins

MINI = find_variant("mini")


def syllabus(rounds: int, **more: object) -> Syllabus:
    return Syllabus(MINI, **{"seats": (2,), "rounds": rounds, "games": 1500, "units": (32, 16), "batch": 256, **more})  # type: ignore[arg-type]


def test_it_learns_to_win() -> None:
    school = School(syllabus(9))
    reports = list(school.run())
    assert [report.round for report in reports] == list(range(1, 10))
    assert school.share(2, Rival(ANY), 1000)[0] > 0.8
    assert school.share(2, Rival(skip(2)), 2000)[0] > 0.5
    assert school.share(2, Rival(EVOLVED_BOT), 2000)[1] > 0.48


def test_the_same_seed_learns_the_same() -> None:
    first, second = School(syllabus(2)), School(syllabus(2))
    errors = [[report.error for report in school.run()] for school in (first, second)]
    assert errors[0] == errors[1]
    assert np.array_equal(first.net.flat, second.net.flat)


def test_who_begins_with_weights_takes_shorter_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []

    def noted(
        lesson: Lesson, net: Net, rounds: list[Round], orders: Array, steps: int, size: int, rate: float
    ) -> float:
        rates.append(rate)
        return 0.0

    monkeypatch.setattr("qwixx.train.school.teach", noted)
    plan = Syllabus(MINI, rounds=10, games=8, units=(16, 8))
    school = School(plan)
    assert len(list(school.run())) == 10
    assert rates[0] == FASTEST
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < FASTEST / 20
    next(School(plan, weights=school.net.weights).run())
    assert rates[-1] == FAST < FASTEST


def test_it_stops_and_goes_on(tmp_path: Path) -> None:
    school = School(syllabus(3, games=300))
    for _ in zip(range(2), school.run(), strict=False):
        pass
    school.save(tmp_path / "half.npz")
    other = School(syllabus(4, games=300))
    other.resume(tmp_path / "half.npz")
    assert (other.round, other.games, other.net.steps) == (school.round, school.games, school.net.steps)
    assert np.array_equal(other.net.flat, school.net.flat)
    assert other.from_nothing, "the teacher's rounds are not over"
    assert [report.round for report in other.run()] == [3, 4]
    with pytest.raises(MalformedError, match="another size"):
        School(syllabus(4, games=300, units=(16, 16))).resume(tmp_path / "half.npz")
    with pytest.raises(MalformedError, match="trained with games 300, not 301"):
        School(syllabus(4, games=301)).resume(tmp_path / "half.npz")
    refused = School(syllabus(4, games=300, seed=2))
    with pytest.raises(MalformedError, match="trained with seed 1, not 2"):
        refused.resume(tmp_path / "half.npz")
    assert (refused.round, refused.history) == (0, []), "what is refused changes nothing"
    (tmp_path / "half.npz").write_bytes((tmp_path / "half.npz").read_bytes()[:-99])
    with pytest.raises(MalformedError, match="not a checkpoint"):
        other.resume(tmp_path / "half.npz")


def test_a_best_response_is_looked_for() -> None:
    """Against one who plays at random, a network that begins with nothing soon wins most games."""
    school = School(syllabus(14, games=1500, rival=Rival(ANY)))
    list(school.run())
    assert school.share(2, Rival(ANY), 2000)[0] > 0.8


def test_a_best_response_to_a_network() -> None:
    champion = School(syllabus(1, games=300))
    rival = Rival(ASKED, champion.net.chance)
    school = School(syllabus(2, games=300, rival=rival), weights=champion.net.weights)
    assert not school.from_nothing
    assert [report.round for report in school.run()] == [1, 2]
    assert not np.array_equal(school.net.flat, champion.net.flat)


def test_it_spars_with_its_teacher_now_and_then() -> None:
    """Every third round here, once the teacher has shown enough; only the learner's side of such a round teaches."""
    school = School(syllabus(9, games=200, sparring=2))
    list(school.run())
    itself, teacher = school.lessons[2, False], school.lessons[2, True]
    assert (itself.learners, teacher.learners) == ((0, 1), (0,))
    assert teacher.values[1] is None
    assert [len(school.memory[2, spars]) for spars in (False, True)] == [4, 2]


def test_several_numbers_of_seats_share_a_network() -> None:
    school = School(syllabus(4, seats=(2, 3), games=300))
    assert [entry["seats"] for entry in (list(school.run()), school.history)[1]] == [2, 3, 2, 3]
    assert 0 < school.share(3, Rival(ANY), 300)[0] <= 1


def test_margins_are_to_the_best_of_the_others() -> None:
    kit = School(syllabus(1, games=10)).kit
    points = np.array([[30.0, 60.0, 0.0]], np.float32)
    assert margins(kit, points).tolist() == [[-1.0, 1.0, -2.0]]

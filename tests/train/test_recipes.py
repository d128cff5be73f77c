"""How champions are trained where nothing else is said."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks import responses
from benchmarks.champions import Course
from benchmarks.responses import Question

from qwixx.boards import find_variant
from qwixx.bots.levels import FAMILIES
from qwixx.kernel.netfile import read_weights
from qwixx.train.recipes import RECIPES, syllabus_of
from qwixx.train.school import TEACHER_ROUNDS, Syllabus
from tests.cli.run import qwixx


@pytest.mark.parametrize("key", FAMILIES)
def test_every_game_with_a_champion_has_a_recipe_for_two_seats_and_more(key: str) -> None:
    variant = find_variant(key)
    syllabus = syllabus_of(variant)
    assert syllabus.rounds == RECIPES[key].rounds
    assert 2 in syllabus.seats
    if key != "mini":
        assert {2, 3, 4, 5} <= set(syllabus.seats)
    assert (syllabus.sparring > 0) == bool(variant.cards), (
        "with cards, who plays only itself does not know skip-2's games"
    )


@pytest.mark.parametrize("key", [key for key in FAMILIES if RECIPES[key].sparring])
def test_every_number_of_seats_plays_itself_and_spars(key: str) -> None:
    syllabus, rounds = syllabus_of(find_variant(key)), Counter[tuple[int, int]]()
    for number in range(syllabus.rounds):
        seats = syllabus.seats[number % len(syllabus.seats)]
        rounds[seats, int(number % (syllabus.sparring + 1) == syllabus.sparring)] += 1
    assert all(
        rounds[seats, spars] > 2 * TEACHER_ROUNDS - spars for seats in set(syllabus.seats) for spars in (False, True)
    )


def test_a_board_of_ones_own_is_trained_for_two_whatever_its_key() -> None:
    own = replace(find_variant("card"), points=(0, *find_variant("card").points[:-1]))
    assert syllabus_of(own) == Syllabus(own)


def test_the_command_follows_the_recipe_but_where_it_is_told_otherwise(tmp_path: Path) -> None:
    few = ("--variant", "card", "--units", "16,8", "--rounds", "0", "--scored", "1")
    assert qwixx("train", str(tmp_path / "usual"), *few) == 0
    assert qwixx("train", str(tmp_path / "other"), *few, "--seats", "2,3", "--games", "64", "--sparring", "0") == 0
    usual, other = (plan_in(tmp_path / name) for name in ("usual", "other"))
    recipe = RECIPES["card"]
    assert (usual["seats"], usual["games"], usual["sparring"]) == (list(recipe.seats), recipe.games, recipe.sparring)
    assert (other["seats"], other["games"], other["sparring"]) == ([2, 3], 64, 0)


def plan_in(folder: Path) -> dict[str, object]:
    with np.load(folder / "checkpoint.npz") as kept:
        plan: dict[str, object] = json.loads(str(kept["state"]))["plan"]
        return plan


def test_a_champion_is_trained_and_measured_and_nothing_is_done_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = Course("longo", "cpu", tmp_path, part=1e-6)
    course.run()
    found = json.loads((tmp_path / "longo.json").read_text("utf-8"))
    assert set(found) == {"champion", "best response to itself", "best response to evolved"}
    assert 0 <= found["champion"]["2 seats, among champion"]["share_of_wins"] <= 1
    assert found["best response to itself"]["games"] >= found["champion"]["games"]
    net = read_weights(tmp_path / "longo.npz")
    del found["best response to evolved"]
    (tmp_path / "longo.json").write_text(json.dumps(found), "utf-8")
    monkeypatch.setattr(Course, "train", lambda self: pytest.fail("the champion is there"))
    asked: list[str] = []
    ask = Course.ask

    def noted(self: Course, against: str, games: int) -> Question:
        asked.append(against)
        return ask(self, against, games)

    monkeypatch.setattr(Course, "ask", noted)
    course.run()
    again = json.loads((tmp_path / "longo.json").read_text("utf-8"))
    assert {name: again[name] for name in found} == found
    assert "best response to evolved" in again
    assert asked == ["evolved"]
    assert all(np.array_equal(net[name], array) for name, array in read_weights(tmp_path / "longo.npz").items())


def test_what_a_best_response_wins_is_stored_with_its_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small answer to a public bot; the champion wins something there, too."""
    command = ("mini", "--against", "skip-1", "--games", "8", "--each", "8", "--batch", "64", "--scored", "16")
    monkeypatch.setattr(responses, "KEPT", tmp_path)
    monkeypatch.setattr(responses, "argv", ["responses", *command])
    monkeypatch.setattr("sys.argv", ["responses", *command, "--folder", str(tmp_path)])
    responses.main()
    found = json.loads((tmp_path / "mini-2-skip-1.json").read_text("utf-8"))
    assert found["command"] == f"python -m benchmarks.responses {' '.join(command)}"
    assert (found["games"], found["scored"], found["champions_games"]) == (8, 16, 10_500_000)
    assert all(0 <= found[who]["share_of_wins"] <= 1 for who in ("champion", "best_response"))

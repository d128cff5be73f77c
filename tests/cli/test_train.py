"""`qwixx train` from the command line, on the smallest board."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from qwixx.kernel.netfile import read_weights
from tests.cli.run import qwixx

SMALL = ("--variant", "mini", "--units", "16,8", "--games", "200", "--batch", "64", "--every", "2", "--scored", "100")


def test_a_training_is_kept_and_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert qwixx("train", str(tmp_path), *SMALL, "--rounds", "3") == 0
    history = json.loads((tmp_path / "history.json").read_text("utf-8"))
    assert [entry["round"] for entry in history] == [1, 2, 3]
    share = history[1]["share evolved, 2 seats"]
    assert 0 <= share <= 1
    assert f"{share:.1%} against evolved, 2 seats" in capsys.readouterr().out.replace("\n", " ")
    assert "evolved, 2 seats" in (tmp_path / "curve.svg").read_text("utf-8")
    before = read_weights(tmp_path / "net.npz")
    assert qwixx("train", str(tmp_path), *SMALL, "--rounds", "5") == 0
    assert "Going on after round 3" in capsys.readouterr().err
    history = json.loads((tmp_path / "history.json").read_text("utf-8"))
    assert [entry["round"] for entry in history] == [1, 2, 3, 4, 5]
    assert not np.array_equal(before["first"], read_weights(tmp_path / "net.npz")["first"])


def test_the_same_command_gives_the_same_weights(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert qwixx("train", str(tmp_path / name), *SMALL, "--rounds", "2") == 0
    assert (tmp_path / "one" / "net.npz").read_bytes() == (tmp_path / "two" / "net.npz").read_bytes()


def test_a_best_response_begins_where_the_champion_is(tmp_path: Path) -> None:
    assert qwixx("train", str(tmp_path / "champion"), *SMALL, "--rounds", "1") == 0
    net = tmp_path / "champion" / "net.npz"
    more = ("--rounds", "2", "--against", f"weights:{net}", "--begin", str(net))
    assert qwixx("train", str(tmp_path / "answer"), *SMALL, *more) == 0
    assert (tmp_path / "answer" / "net.npz").exists()


def test_the_mean_of_networks_is_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = [tmp_path / name / "net.npz" for name in ("one", "two", "mean")]
    for seed, file in enumerate(files[:2], 1):
        assert qwixx("train", str(file.parent), *SMALL, "--rounds", "1", "--seed", str(seed)) == 0
    both = ("--begin", str(files[0]), "--begin", str(files[1]))
    assert qwixx("train", str(files[2].parent), *SMALL, "--rounds", "0", *both, "--shares", "3,1") == 0
    one, two, mean = map(read_weights, files)
    for name in one:
        step = np.abs(mean[name]).max() / 100  # weights are kept in steps
        assert np.allclose(mean[name], 0.75 * one[name] + 0.25 * two[name], atol=step)
    assert qwixx("train", str(tmp_path / "no"), *SMALL, *both, "--shares", "1") == 1
    assert "is not a list of numbers, like 2,2" in capsys.readouterr().err
    assert qwixx("train", str(tmp_path / "big"), *SMALL, "--rounds", "1", "--units", "8,8") == 0
    other = ("--begin", str(files[0]), "--begin", str(tmp_path / "big" / "net.npz"))
    assert qwixx("train", str(tmp_path / "no"), *SMALL, *other) == 1
    assert "of one size" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--units", "512"), "list of numbers"),
        (("--seats", "two"), "list of numbers"),
        (("--against", "easy"), "does not know “easy”"),
        (("--against", "clever"), "no bot “clever”"),
        (("--device", "abacus"), "no device"),
        (("--variant", "card", "--ladder", "evolved"), "does not know “evolved” in"),
        (("--seats", "2,9"), "9 seats"),
        (("--shares", "3,1"), "--shares is for"),
    ],
)
def test_wrong_input_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert qwixx("train", str(tmp_path), *SMALL, "--rounds", "1", *arguments) == 1
    assert said in capsys.readouterr().err


def test_a_folder_that_is_none_and_a_network_of_another_game_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert qwixx("train", str(file), *SMALL, "--rounds", "1") == 1
    assert "is not a folder to write in" in capsys.readouterr().err
    classic = files("qwixx.bots") / "nets" / "classic.npz"
    assert qwixx("train", str(tmp_path / "out"), *SMALL, "--rounds", "1", "--begin", str(classic)) == 1
    assert "for another game" in capsys.readouterr().err


def test_another_plan_does_not_go_on_with_a_training(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert qwixx("train", one, *SMALL, "--rounds", "1") == 0
    kept = (tmp_path / "one" / "checkpoint.npz").read_bytes()
    assert qwixx("train", one, *SMALL, "--rounds", "2", "--against", "skip-2") == 1
    assert "opponent itself, not skip-2" in capsys.readouterr().err.replace("\n", " ")
    begin = ("--begin", str(tmp_path / "one" / "net.npz"))
    assert qwixx("train", one, *SMALL, "--rounds", "2", *begin) == 1
    assert "beginning nothing, not" in capsys.readouterr().err.replace("\n", " ")
    assert (tmp_path / "one" / "checkpoint.npz").read_bytes() == kept, "what is refused changes nothing"
    assert qwixx("train", two, *SMALL, "--rounds", "1", *begin) == 0
    assert qwixx("train", two, *SMALL, "--rounds", "2", *begin) == 0
    assert qwixx("train", two, *SMALL, "--rounds", "3") == 1


def test_what_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "net.npz").mkdir()
    assert qwixx("train", str(tmp_path), *SMALL, "--rounds", "1") == 1
    assert "cannot be kept in" in capsys.readouterr().err


def test_one_game_is_a_score(tmp_path: Path) -> None:
    assert qwixx("train", str(tmp_path), *SMALL, "--rounds", "1", "--scored", "1") == 0
    history = json.loads((tmp_path / "history.json").read_text("utf-8"))
    assert history[0]["share skip-2, 2 seats"] in (0, 0.25, 0.5, 0.75, 1)

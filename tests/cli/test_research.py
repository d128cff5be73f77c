"""The commands simulate and solve."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.run import qwixx

FIELDS = {
    "variant", "players", "games", "games_per_second", "mean_score", "win_share", "mean_turns", "ends_by",
}  # fmt: skip


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert qwixx(*arguments) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_simulate_tells_how_games_go(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("simulate", "--bot", "skip-2,random", "--games", "2000", "--seed", "3", "--json")
    first, again = told(capsys, *arguments), told(capsys, *arguments)
    assert set(first) >= FIELDS
    assert (first["variant"], first["players"], first["games"]) == ("classic", 2, 2000)
    assert first["games_per_second"] != 0
    for field in ("mean_score", "win_share", "mean_turns", "ends_by"):
        assert first[field] == again[field]
    assert first["win_share"] == pytest.approx([0.99, 0.01], abs=0.02)


def test_simulate_draws_what_it_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert qwixx("simulate", "--variant", "card", "--players", "3", "--games", "500", "--seed", "1") == 0
    shown = capsys.readouterr().out
    assert "500 games" in shown
    assert "█" in shown
    assert "misthrows" in shown


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_simulate_plots(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"scores.{suffix}"
    assert qwixx("simulate", "--games", "500", "--seed", "1", "--plot", str(file)) == 0
    start = file.read_bytes()[:200]
    assert b"svg" in start if suffix == "svg" else start.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--bot", "clever"), "no bot “clever”"),
        (("--bot", "random,random", "--players", "3"), "2 bots for 3 seats"),
        (("--players", "6"), "seats, not 6"),
        (("--variant", "nowhere"), "no game “nowhere”"),
        (("--plot", "scores.pdf"), "must end in .svg or .png"),
        (("--device", "tpu"), "no device “tpu”"),
        (("--device", "cuda"), "no CUDA device"),
        (("--bot", "net:none.npz"), "none.npz is not a network"),
        (("--variant", "longo", "--bot", "solo"), "--lucky A,B"),
        (("--lucky", "5,8"), "no lucky pair 5,8"),
        (("--lucky", "5"), "lucky numbers are two"),
        (("--variant", "card", "--bot", "solo"), "only dice games"),
    ],
)
def test_simulate_refuses_what_it_cannot_do(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert qwixx("simulate", "--games", "10", *arguments) == 1
    assert said in capsys.readouterr().err


def test_simulate_plays_a_network_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    inputs = 2 * (2 * 64 + 32)
    np.savez(file, first=np.ones((inputs + 1, 3)), second=np.ones((4, 2)), last=np.ones(3))
    shown = told(capsys, "simulate", "--variant", "mini", "--bot", f"net:{file}", "--games", "50", "--json")
    assert shown["games"] == 50
    np.savez(file, first=np.ones((7, 3)), second=np.ones((4, 2)), last=np.ones(3))
    assert qwixx("simulate", "--variant", "mini", "--bot", f"net:{file}", "--games", "50") == 1
    assert f"first must be {inputs + 1}" in capsys.readouterr().err


def test_ctrl_c_gives_what_has_been_played() -> None:
    assert qwixx("simulate", "--games", "10", "--seed", "1", "--json") == 0, "so that all is compiled"
    command = [sys.executable, "-m", "qwixx", "simulate", "--games", "100000000000", "--seed", "1", "--json"]
    heeds = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # it may be ignored where the tests were started
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heeds)
    try:
        time.sleep(8)
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert 0 < json.loads(out)["games"] < 100_000_000_000


def test_solve_tells_the_value(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    made = told(capsys, "solve", "mini", "--json")
    assert (made["variant"], made["value"]) == ("mini", pytest.approx(20.0766, abs=1e-4))
    assert made["states"] == 429
    assert made == told(capsys, "solve", "mini", "--json"), "the second time it comes from the file"
    assert qwixx("solve", "mini", "--players", "3") == 0
    assert "at the pace of 3 players" in capsys.readouterr().out


def test_solve_advises(capsys: pytest.CaptureFixture[str]) -> None:
    assert qwixx("solve", "mini", "--sheet", "R2 -", "--roll", "1 2 R2 B3") == 0
    shown = capsys.readouterr().out
    assert "worth" in shown
    assert "best" in shown
    advice = told(capsys, "solve", "mini", "--sheet", "R2 -", "--roll", "1 2 R2 B3", "--json")
    best, *others = advice["choices"]
    assert best["loses"] == 0
    assert all(other["loses"] >= 0 for other in others)
    empty = told(capsys, "solve", "mini", "--sheet", "", "--json")
    assert empty["value"] == pytest.approx(20.0766, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("card",), "played with cards"),
        (("longo",), "one of 4,9"),
        (("mini", "--sheet", "R9"), "no cell R9"),
        (("mini", "--roll", "9 9 R1 B1"), "qwixx:"),
    ],
)
def test_solve_refuses_what_it_cannot_do(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert qwixx("solve", *arguments) == 1
    assert said in capsys.readouterr().err


def test_other_commands_do_not_pay_for_the_kernel() -> None:
    code = "import sys; import qwixx.cli; print(sorted({'numba', 'numpy', 'matplotlib'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

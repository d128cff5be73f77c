"""`qwixx arena` from the command line."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.run import qwixx


def test_json_has_what_programs_need(capsys: pytest.CaptureFixture[str]) -> None:
    assert qwixx("arena", "skip-2", "random", "--games", "200", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert {"variant", "players", "games", "bots"} <= set(told)
    assert {"win_share", "win_low", "win_high", "mean_score"} <= set(told["bots"]["skip-2"])
    assert told["bots"]["skip-2"]["win_share"] > 0.9


def test_people_get_a_table_and_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert (
        qwixx("arena", "easy", "medium", "--variant", "mini", "--games", "40", "--report", str(tmp_path / "out")) == 0
    )
    shown = capsys.readouterr()
    assert "wins" in shown.out
    assert "40 games" in shown.out
    assert "ended by: rows" in shown.out
    assert " ms" in shown.out
    assert "<h2>Standings</h2>" in (tmp_path / "out" / "index.html").read_text("utf-8")


def test_wrong_input_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert qwixx("arena", "clever", "random") == 1
    assert "no bot “clever”" in capsys.readouterr().err
    assert qwixx("arena", "random", "--games", "10") == 1
    assert "two bots" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("")
    assert qwixx("arena", "skip-2", "random", "--games", "10", "--report", str(file)) == 1
    assert "cannot be written" in capsys.readouterr().err


def test_a_bots_name_is_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    assert qwixx("arena", f"cmd:{sys.executable} -c [/red]", "random", "--games", "2") == 0
    assert "[/red] lost game 0" in capsys.readouterr().out.replace("\n", " ")

"""What the tests of the commands share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from qwixx.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def qwixx(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command with some lines typed in; gives the exit code and what was printed."""
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*arguments: str, typed: str = "") -> tuple[int, str, str]:
        lines = iter(typed.splitlines())

        def typing(prompt: str = "") -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", typing)
        with pytest.raises(SystemExit) as stopped:
            main(list(arguments))
        printed = capsys.readouterr()
        return int(stopped.value.code or 0), printed.out, printed.err

    return run


@pytest.fixture
def record(qwixx: Run, tmp_path: Path) -> Path:
    file = tmp_path / "game.qwixx"
    qwixx("play", "--variant", "card-joker", "--seats", "2", "--bots", "2", "--seed", "5", "--save", str(file))
    return file

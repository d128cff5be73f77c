"""The commands as a person and a script use them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from qwixx.boards import all_variants
from qwixx.cli import main
from qwixx.cli.person import Person
from qwixx.record import read_record
from qwixx.rules import PASS, Phase
from qwixx.rules.rulebook import RULES
from tests.scene import dice_table, roll

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


def test_variants_lists_every_game(qwixx: Run) -> None:
    code, out, _ = qwixx("variants")
    assert code == 0
    assert all(key in out for key in all_variants())


def test_variants_as_json(qwixx: Run) -> None:
    _, out, _ = qwixx("variants", "--json")
    games = {game["key"]: game for game in json.loads(out)}
    assert set(games) == set(all_variants())
    assert games["deluxe"]["seats"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert games["card"]["seats"] == [2, 3, 4, 5]


@pytest.mark.parametrize("key", sorted(all_variants()))
def test_rules_of_a_game(qwixx: Run, key: str) -> None:
    code, out, _ = qwixx("rules", key)
    assert code == 0
    assert all_variants()[key].name in out
    assert "S5" in out


@pytest.mark.parametrize("number", ["S5", "x3"])
def test_one_rule(qwixx: Run, number: str) -> None:
    _, out, _ = qwixx("rules", number)
    assert RULES[number.upper()][:40] in out


def test_the_numbers_in_the_rules_are_the_variants_own(qwixx: Run) -> None:
    _, longo, _ = qwixx("rules", "longo")
    _, mini, _ = qwixx("rules", "mini")
    assert "at least six crosses" in longo
    assert "all with eight sides" in longo
    assert "at least two crosses" in mini
    assert "misthrow number 3" in mini


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("rules", "chess"), 1, "there is no game “chess”; there are classic"),
        (("rules", "none.toml"), 1, "none.toml cannot be read"),
        (("play", "--variant", "chess"), 1, "there is no game “chess”"),
        (("play", "--seats", "6"), 1, "Qwixx has 1, 2, 3, 4, 5 seats, not 6"),
        (("play", "--bots", "clever"), 1, "there is no bot “clever”; there are random"),
        (("play", "--bots", "4", "--seats", "2"), 1, "4 bots do not fit on 2 seats"),
        (("play", "--variant", "card", "--start", "first-six"), 1, "cannot start with “first-six”"),
        (("play", "--names", "x" * 50), 1, "is not a name"),
        (("replay", "none.qwixx"), 1, "none.qwixx cannot be read"),
        (("play", "--seats", "many"), 2, "Invalid value for '--seats'"),
        (("dance",), 2, "No such command"),
    ],
)
def test_friendly_errors_and_exit_codes(qwixx: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    got, out, err = qwixx(*arguments)
    assert got == code
    assert message in " ".join(err.split()).replace("│ ", "")
    assert "Traceback" not in out + err


@pytest.mark.parametrize("arguments", [("--help",), ("play", "-h"), ("rules", "--help"), ("replay", "--help")])
def test_help_has_examples(qwixx: Run, arguments: tuple[str, ...]) -> None:
    code, out, _ = qwixx(*arguments)
    assert code == 0
    assert "Example" in out


def test_no_arguments_shows_help(qwixx: Run) -> None:
    _, out, err = qwixx()
    assert "play" in out + err


@pytest.mark.parametrize("key", sorted(all_variants()))
def test_bots_play_a_whole_game(qwixx: Run, tmp_path: Path, key: str) -> None:
    file = tmp_path / "game.qwixx"
    code, out, _ = qwixx("play", "--variant", key, "--seats", "2", "--bots", "2", "--seed", "5", "--save", str(file))
    assert code == 0
    assert "Final scores" in out
    assert read_record(file.read_text("utf-8")).state.phase is Phase.OVER


def test_the_same_seed_plays_the_same_game(qwixx: Run) -> None:
    arguments = ("play", "--seats", "3", "--bots", "skip-2,random,skip-1", "--seed", "8")
    assert qwixx(*arguments) == qwixx(*arguments)


def test_a_person_plays(qwixx: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.qwixx"
    typed = "\n".join(
        ["help", "all", "sheets", "? R2", "? R12", "? nonsense", "R99", "take a", "x y", "p", *["p"] * 60]
    )
    code, out, _ = qwixx("play", "--seats", "2", "--seed", "4", "--names", "Ann", "--save", str(file), typed=typed)
    assert code == 0
    assert "Final scores" in out
    assert "Ann takes a misthrow" in out
    assert "S1: this sheet has no cell R99" in out
    assert "T3: now you cross the white sum or pass" in out
    assert "is not a colour's letter and a number" in out
    assert "Type help to see what you can do" in out
    game = read_record(file.read_text("utf-8"))
    assert game.names == ("Ann", "Robin (skip-2)")
    assert game.state.sheets[0].misthrows == 4


def test_a_person_crosses_in_small_letters(qwixx: Run) -> None:
    code, out, _ = qwixx("play", "--seats", "1", "--seed", "6", typed="r7\ny7\ng7\nb7\nr6\ny6\nr5\nr4\nr8\nr9")
    assert code == 0
    assert "Player 1 crosses" in out


def test_leaving_and_coming_back(qwixx: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.qwixx"
    code, out, _ = qwixx("play", "--seats", "2", "--seed", "4", "--save", str(file), typed="p\np\nquit")
    assert code == 0
    assert "The game stops here" in out
    left = read_record(file.read_text("utf-8"))
    assert left.state.phase is not Phase.OVER
    code, _, _ = qwixx("play", "--resume", str(file), "--seed", "5", typed="p\n" * 80)
    resumed = read_record(file.read_text("utf-8"))
    assert resumed.state.phase is Phase.OVER
    assert resumed.events[: len(left.events)] == left.events
    other = tmp_path / "other.qwixx"
    arguments = ("play", "--resume", str(file), "--at", "2", "--bots", "2", "--seed", "1", "--save", str(other))
    assert qwixx(*arguments)[0] == 0
    assert read_record(other.read_text("utf-8")).events[:2] == left.events[:2]
    assert qwixx("play", "--resume", str(file), "--at", "9999")[0] == 1


def test_cards_are_covered_between_people(qwixx: Run) -> None:
    typed = "\ntake a\n\np\n\np\n\nplay q\nall\nquit"
    code, out, _ = qwixx("play", "--variant", "card", "--seats", "2", "--bots", "0", "--seed", "1", typed=typed)
    assert code == 0
    assert "hand" in out
    assert "tableau" in out
    assert "Play one to three cards" in out


def test_nothing_to_cross_passes_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    table = roll(dice_table("mini", "R5", ""), "1 1 R1 B1")
    person = Person(Console(), ["Ann", "Bo"], auto_pass=True, hidden=False)
    assert person.choose(table, 0, [PASS]) == PASS
    assert "Ann: nothing to cross, so you pass." in capsys.readouterr().out


def test_passing_by_itself_can_be_switched_off(qwixx: Run) -> None:
    typed = "p\n" * 30
    automatic = qwixx("play", "--variant", "mini", "--seats", "1", "--seed", "2", typed=typed)[1]
    asked = qwixx("play", "--variant", "mini", "--seats", "1", "--seed", "2", "--no-auto-pass", typed=typed)[1]
    assert asked.count("Player 1 passes") == automatic.count("Player 1 passes") == 6


@pytest.fixture
def record(qwixx: Run, tmp_path: Path) -> Path:
    file = tmp_path / "game.qwixx"
    qwixx("play", "--variant", "card-joker", "--seats", "2", "--bots", "2", "--seed", "5", "--save", str(file))
    return file


def test_replay_shows_every_step(qwixx: Run, record: Path) -> None:
    code, out, _ = qwixx("replay", str(record))
    game = read_record(record.read_text("utf-8"))
    assert code == 0
    assert f"step {len(game.events)} of {len(game.events)}" in out
    assert "Final scores" in out


def test_replay_of_one_step(qwixx: Run, record: Path) -> None:
    _, out, _ = qwixx("replay", str(record), "--at", "3")
    assert "step 3 of 3" in out
    assert "step 4" not in out


def test_replay_step_by_step(qwixx: Run, record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    _, out, _ = qwixx("replay", str(record), typed="\n\nb\n5\nnonsense\nq")
    assert re.findall(r"step (\d+) of", out) == ["1", "2", "1", "5", "6"]
    last = len(read_record(record.read_text("utf-8")).events)
    _, out, _ = qwixx("replay", str(record), typed=f"{last}\n\n")
    assert "Final scores" in out


def test_replay_as_json(qwixx: Run, record: Path) -> None:
    code, out, _ = qwixx("replay", str(record), "--json")
    document = json.loads(out)
    game = read_record(record.read_text("utf-8"))
    assert code == 0
    assert len(document["steps"]) == len(game.states)
    assert document["steps"][-1]["state"]["phase"] == "over"
    assert len(out.splitlines()) == len(game.states) + 2, "one line a step"


def test_a_tampered_record_is_refused(qwixx: Run, record: Path) -> None:
    record.write_text(record.read_text("utf-8").replace("date: 20", "date: 19"), "utf-8")
    code, _, err = qwixx("replay", str(record))
    assert code == 1
    assert "the seal does not fit" in err


def test_a_board_from_a_file(qwixx: Run, tmp_path: Path) -> None:
    board = tmp_path / "board.toml"
    text = (Path(__file__).parents[2] / "src/qwixx/boards/mini.toml").read_text("utf-8")
    board.write_text(text.replace('"mini"', '"tiny"').replace("Mini-Qwixx", "Tiny").replace("red", "pink"), "utf-8")
    code, out, _ = qwixx("play", "--variant", str(board), "--seats", "2", "--bots", "2", "--seed", "1")
    assert code == 0
    assert "Tiny" in out
    board.write_text(text.replace("B4", "B44"), "utf-8")
    code, _, err = qwixx("rules", str(board))
    assert code == 1
    assert "row 2, cell 3" in err


def test_an_interrupt_has_its_own_code(qwixx: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("qwixx.cli.table.run", lambda *_: interrupt())
    assert qwixx("play", "--seats", "2")[0] == 130


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "PYTHONUTF8": "1", **environment}
    return subprocess.run(
        [sys.executable, "-m", "qwixx", *arguments], capture_output=True, text=True, env=env, input="", check=False
    )


def test_as_a_process_without_a_keyboard() -> None:
    done = command("play")
    assert done.returncode == 0
    assert "The game stops here" in done.stdout
    assert done.stderr == ""
    assert command("rules", "chess").returncode == 1


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(
    ("line", "offer"), [("rules lo", "longo"), ("rules X1", "X13"), ("play --bots skip", "skip-2")]
)
def test_shell_completion(shell: str, line: str, offer: str) -> None:
    words = f"qwixx {line}"
    done = command(
        _QWIXX_COMPLETE=f"complete_{shell}",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split()) - 1),
        _TYPER_COMPLETE_ARGS=words,
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert offer in done.stdout
    assert "classic" not in done.stdout

"""The commands as a person and a script use them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from qwixx.boards import all_variants
from qwixx.cli.person import Person
from qwixx.record import read_record
from qwixx.rules import PASS, Phase, legal_actions
from qwixx.rules.rulebook import RULES
from tests.cli.conftest import Run
from tests.scene import card_table, dice_table, roll


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
        (("play", "--bots", "clever"), 1, "there is no bot “clever”; there are easy, medium"),
        (("play", "--bots", "²", "--seats", "3"), 1, "there is no bot “²”"),
        (("play", "--bots", "4", "--seats", "2"), 1, "4 bots do not fit on 2 seats"),
        (("play", "--variant", "card", "--start", "first-six"), 1, "cannot start with “first-six”"),
        (("play", "--names", "x" * 50), 1, "is not a name"),
        (("play", "--names", "A,B,C"), 1, "3 names, but only 1 seats are for people; --bots 0 seats no bots"),
        (("play", "--variant", "clasic"), 1, "there is no game “clasic”; did you mean classic?"),
        (("play", "--save", "/no/such/folder/x.qwixx"), 1, "/no/such/folder/x.qwixx cannot be written: No such file"),
        (("play", "--at", "3"), 1, "--at goes with --resume"),
        (("play", "--resume", "x.qwixx", "--variant", "card"), 1, "--resume brings its own game and seats"),
        (("play", "--resume", "none.qwixx"), 1, "none.qwixx cannot be read: No such file"),
        (("play", "--resume", "README.md"), 1, "README.md: line 3: a record begins with"),
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
    arguments = ("play", "--seats", "3", "--bots", "skip-2, random,skip-1", "--seed", "8")
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
    assert "“x y” is not understood here. Cross the" in out
    assert "Ask about a cell, like ? R4, or a rule, like ? S5." in out
    game = read_record(file.read_text("utf-8"))
    assert game.names == ("Ann", "Robin (medium)")
    assert game.state.sheets[0].misthrows == 4


def test_a_person_crosses_in_small_letters(qwixx: Run) -> None:
    typed = "\n".join(f"{colour} {number}" for number in range(2, 13) for colour in ("red", "y", "GREEN"))
    code, out, _ = qwixx("play", "--seats", "1", "--seed", "6", typed=typed)
    assert code == 0
    assert "Player 1 crosses" in out


def test_leaving_and_coming_back(qwixx: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.qwixx"
    code, out, _ = qwixx("play", "--seats", "2", "--seed", "4", "--save", str(file), typed="p\np\nquit")
    assert code == 0
    assert f"The game stops here. It is kept: qwixx play --resume {file}" in " ".join(out.split())
    assert qwixx("play", "--save", str(file))[0] == 1, "a kept game is not overwritten"
    left = read_record(file.read_text("utf-8"))
    assert left.state.phase is not Phase.OVER
    code, out, _ = qwixx("play", "--resume", str(file), "--seed", "5", typed="p\n" * 80)
    assert "events it is the turn of" in out
    resumed = read_record(file.read_text("utf-8"))
    assert resumed.state.phase is Phase.OVER
    assert resumed.events[: len(left.events)] == left.events
    other = tmp_path / "other.qwixx"
    arguments = ("play", "--resume", str(file), "--at", "2", "--bots", "2", "--seed", "1", "--save", str(other))
    assert qwixx(*arguments)[0] == 0
    assert read_record(other.read_text("utf-8")).events[:2] == left.events[:2]
    assert qwixx("play", "--resume", str(file), "--at", "9999")[0] == 1


def test_cards_are_covered_between_people(qwixx: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "\na\n\np\n\np\n\nplay q\nall\nquit"
    cleared: list[str] = []
    monkeypatch.setattr("rich.console.Console.clear", lambda self: cleared.append("cleared"))
    code, out, _ = qwixx("play", "--variant", "card", "--seats", "2", "--bots", "0", "--seed", "1", typed=typed)
    assert code == 0
    assert len(cleared) == 7, "before and after each of three choices, and before the fourth"
    assert "takes 1 card" in out
    assert "Play cards of one colour" in out
    assert "Crossing nothing is a misthrow" in out


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
    assert re.findall(r"step (\d+) of", out) == ["1", "2", "1", "5", "5"]
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
    assert err.startswith("qwixx: board.toml cannot be played:\n  row 2, cell 3: ")


def test_an_interrupt_has_its_own_code(qwixx: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(prompt: str = "") -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("qwixx.cli.table.run", lambda *_: interrupt())
    code, out, _ = qwixx("play", "--seats", "2")
    assert code == 130
    assert "The game stops here. Next time --save FILE keeps it." in out


def test_a_reader_that_stops_early() -> None:
    command = f"{sys.executable} -m qwixx play --variant longo --seats 2 --bots 2 --seed 1 | head -c 100"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, env=os.environ)
    assert len(done.stdout) <= 100
    assert done.stderr == ""


def test_bad_boards_of_a_folder_spoil_no_game(qwixx: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.toml").write_text("rows = 7", "utf-8")
    monkeypatch.setenv("QWIXX_BOARDS", str(tmp_path))
    code, out, err = qwixx("variants")
    assert code == 0
    assert "classic" in out
    assert "left out: broken.toml cannot be played" in err
    assert qwixx("rules", "classic")[0] == 0


ANSWERS = {
    "R7": "",
    "red 7": "",
    "r 7": "",
    "p": "",
    "? R7": "You can: type R7",
    "? red 8": "T3: the white dice add up to 7, so red 8 is not available.",
    "? s5": "S5: A row is crossed from left to right",
    "?": "Ask about a cell, like ? R4, or a rule, like ? S5.",
    "pass R7": "“pass R7” is not understood here. Cross the 7, or pass. Or type help.",
    "Hello" * 10: "“HelloHelloHelloHelloHelloHello…” is not understood here.",
    "*R2": "Not allowed. T7: this sheet has no lucky numbers.",
    "help": "R2 or red 2 crosses that cell (R red, Y yellow, G green, B blue)",
}


@pytest.mark.parametrize("line", ANSWERS)
def test_what_the_table_answers(line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line, "pass"]
    monkeypatch.setattr("builtins.input", lambda prompt: lines.pop(0))
    table = roll(dice_table("classic", "", ""), "3 4 R1 Y1 G1 B1")
    person = Person(Console(width=120), ["Ann", "Bo"], auto_pass=True, hidden=False)
    action = person.choose(table, 0, legal_actions(table, 0))
    printed = capsys.readouterr().out
    assert ANSWERS[line] in printed
    assert len(lines) == (1 if ANSWERS[line] == "" else 0), "what is no choice is asked again"
    assert str(action) == ("R7" if ANSWERS[line] == "" and line != "p" else "pass")


def test_longo_marks_lucky_cells(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda prompt: "*g16")
    table = roll(dice_table("longo", "", "", lucky=[(6, 11), (5, 8)]), "2 4 R1 Y1 G1 B1")
    person = Person(Console(width=120), ["Ann", "Bo"], auto_pass=True, hidden=False)
    assert str(person.choose(table, 0, legal_actions(table, 0))) == "*G16"
    printed = capsys.readouterr().out
    assert "*16*" in printed
    assert "Cross the 6, with your lucky number a cell marked *, or pass." in printed


def test_a_card_player_is_told_what_to_type(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["? g3", "G3", "play g3 x 3"]
    monkeypatch.setattr("builtins.input", lambda prompt: lines.pop(0))
    table = card_table("card", "", "", hands=["G3 G4 R2 R3 Y9", "B2 B3 B4 B5"], phase=Phase.PLAY)
    person = Person(Console(width=120), ["Ann", "Bo"], auto_pass=True, hidden=False)
    assert str(person.choose(table, 0, legal_actions(table, 0))) == "play G3 x 3"
    printed = capsys.readouterr().out
    assert "You can: type play G3 x 3" in printed
    assert "Not allowed. C5: play one to 3 cards" in printed


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


def test_the_bots_are_listed(qwixx: Run) -> None:
    code, out, _ = qwixx("bots")
    assert code == 0
    assert "champion" in out
    assert "a yardstick" in out
    code, out, _ = qwixx("bots", "--json")
    assert [bot["name"] for bot in json.loads(out)][:4] == ["easy", "medium", "hard", "champion"]

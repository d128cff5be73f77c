"""Bots from elsewhere: whatever a program does, it loses its game at most."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from qwixx.arena.contest import Contest
from qwixx.arena.play import one_by_one
from qwixx.boards import find_variant
from qwixx.bots.stdio import ForfeitError, StdioBot
from qwixx.rules import MalformedError, legal_actions
from tests.bots.test_baselines import SEVEN

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
CLASSIC = find_variant("classic")
HELLO = 'print(\'{"type": "hello", "protocol": 1, "name": "x"}\', flush=True)'


def program(tmp_path: Path, answer: str, hello: str = HELLO) -> str:
    """A program that says hello, hears of its game, then does this at its first decision."""
    file = tmp_path / "bot.py"
    file.write_text(
        f"import sys, time, os\nsys.stdin.readline()\n{hello}\nsys.stdin.readline()\nsys.stdin.readline()\n{answer}\n"
    )
    return f"{sys.executable} {file}"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("time.sleep(60)", "longer than 0.5 s"),
        ("os._exit(1)", "it has stopped"),
        ("print('hm', flush=True); time.sleep(9)", "not a JSON object"),
        ("print('[1]', flush=True); time.sleep(9)", "not a JSON object"),
        ("print('[' * 60000, flush=True); time.sleep(9)", "not a JSON object"),
        ("print('x' * 70000, flush=True); time.sleep(9)", "too long"),
        ("print('{}', flush=True); time.sleep(9)", "not a legal action"),
        ('print(\'{"type": "choose", "action": "R99"}\', flush=True); time.sleep(9)', "not a legal action"),
        ('print(\'{"type": "choose", "action": ["pass"]}\', flush=True); time.sleep(9)', "not a legal action"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush(); time.sleep(9)", "not a JSON object"),
    ],
)
def test_who_hangs_breaks_or_babbles_loses(tmp_path: Path, answer: str, why: str) -> None:
    bot = StdioBot(program(tmp_path, answer), seconds=0.5)
    bot.begin(CLASSIC, 2, 0)
    with pytest.raises(ForfeitError, match=why) as lost:
        bot.choose(SEVEN, 0, legal_actions(SEVEN, 0))
    assert lost.value.seat == 0
    assert bot.process is None, "no process is left behind"


def test_who_speaks_another_version_is_not_understood(tmp_path: Path) -> None:
    hello = HELLO.replace("1,", "2,")
    with pytest.raises(ForfeitError, match="version 1"):
        StdioBot(program(tmp_path, "", hello)).begin(CLASSIC, 2, 0)


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(MalformedError, match="cannot be started"):
        StdioBot("no-such-program").begin(CLASSIC, 2, 0)
    with pytest.raises(MalformedError, match="needs a program"):
        Contest(CLASSIC, ["cmd:", "random"], 2, 2)


def test_a_bad_program_loses_its_games_and_never_the_arena(tmp_path: Path) -> None:
    bad = f"cmd:{program(tmp_path, 'os._exit(3)')}"
    games = one_by_one(CLASSIC, (bad, "random"), 1, 0, 3)
    assert games.shares.tolist() == [[0.0, 1.0]] * 3
    assert games.ends["forfeit"] == 3
    assert "it has stopped" in games.forfeits[0]


def test_the_example_in_python_plays(tmp_path: Path) -> None:
    source = (EXAMPLES / "short_jumps.py").read_text("utf-8")
    assert len(source.splitlines()) < 60
    bot = f"cmd:{sys.executable} {EXAMPLES / 'short_jumps.py'}"
    games = one_by_one(CLASSIC, (bot, "random"), 1, 0, 6)
    assert "forfeit" not in games.ends
    assert games.shares[:, 0].sum() == 6
    same = one_by_one(CLASSIC, (bot, "random"), 1, 0, 6)
    assert np.array_equal(games.points, same.points)


def test_the_example_in_another_language_plays() -> None:
    node = shutil.which("node")
    assert node, "node builds the page, so it is there"
    games = one_by_one(CLASSIC, (f"cmd:{node} {EXAMPLES / 'first_choice.mjs'}", "random"), 1, 0, 3)
    assert "forfeit" not in games.ends


def test_a_program_sees_its_view_alone(tmp_path: Path) -> None:
    """In the card game, other hands are turned over."""
    file, seen = tmp_path / "bot.py", tmp_path / "seen.txt"
    file.write_text(
        "import sys, json\n"
        f"log = open({str(seen)!r}, 'a')\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    log.write(line); log.flush()\n"
        "    if message['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1}), flush=True)\n"
        "    if message['type'] == 'choose':\n"
        "        print(json.dumps({'type': 'choose', 'action': message['legal'][-1]}), flush=True)\n"
    )
    one_by_one(find_variant("card"), (f"cmd:{sys.executable} {file}", "random"), 1, 0, 1)
    views = [json.loads(line)["view"] for line in seen.read_text("utf-8").splitlines() if '"choose"' in line]
    assert views
    assert all(card.startswith("?") for view in views for card in view["cards"]["hands"][1])
    assert not any(card.startswith("?") for view in views for card in view["cards"]["hands"][0])

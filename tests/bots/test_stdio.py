"""Bots from elsewhere: whatever a program does, it loses its game at most."""

import json
import shutil
import sys
import tomllib
from collections import deque
from collections.abc import Callable
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from qwixx.arena.contest import Contest
from qwixx.arena.play import one_by_one
from qwixx.boards import find_variant
from qwixx.bots.stdio import ForfeitError, StdioBot
from qwixx.rules import MalformedError, legal_actions
from qwixx.rules.boardfile import board_text
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


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("cmd:no-such-program", "no-such-program cannot be started"),
        ("cmd:", "needs a program"),
        ("cmd:python 'my bot", "is not a command"),
    ],
)
def test_a_program_that_is_not_there_is_refused(bot: str, why: str) -> None:
    with pytest.raises(MalformedError, match=why):
        Contest(CLASSIC, [bot, "random"], 2, 2)


def test_who_does_not_listen_loses(tmp_path: Path) -> None:
    """It answers what it is not asked, and never reads: once the pipe is full, it is late."""
    file = tmp_path / "deaf.py"
    file.write_text(f'{HELLO}\nwhile True: print(\'{{"type": "choose", "action": "pass"}}\', flush=True)\n')
    bot = StdioBot(f"{sys.executable} {file}", seconds=0.2)
    bot.begin(CLASSIC, 2, 0)
    with pytest.raises(ForfeitError, match=r"did not listen for 0\.2 s"):
        deque(bot.choose(SEVEN, 0, legal_actions(SEVEN, 0)) for _ in range(1000))
    assert bot.process is None


def test_who_cannot_be_started_again_loses_the_games_that_are_left(tmp_path: Path) -> None:
    """It deletes itself and breaks down: the game it is in is lost, and all that follow."""
    file = tmp_path / "once.py"
    file.write_text(f"#!{sys.executable}\nimport os, sys\n{HELLO}\nos.unlink(sys.argv[0])\n")
    file.chmod(0o755)
    games = one_by_one(CLASSIC, (f"cmd:{file}", "random"), 1, 0, 4)
    assert games.shares.tolist() == [[0.0, 1.0]] * 4
    assert "cannot be started" in games.forfeits[1]
    assert "it does not start" in games.forfeits[3], "it has been tried often enough"
    later = one_by_one(CLASSIC, (f"cmd:{file}", "random"), 1, 4, 2)
    assert all("it does not start" in lost for lost in later.forfeits), "nor is it tried in games to come"


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    child = tmp_path / "child"
    answer = f"os.system('sleep 600 & echo $! > {child}'); os._exit(0)"
    bot = StdioBot(program(tmp_path, answer), seconds=5)
    bot.begin(CLASSIC, 2, 0)
    with pytest.raises(ForfeitError):
        bot.choose(SEVEN, 0, legal_actions(SEVEN, 0))
    status = Path(f"/proc/{child.read_text().strip()}/stat")
    wait_until(lambda: not status.exists() or status.read_text().split()[2] in "ZX")


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(100):
        if holds():
            return
        sleep(0.05)
    raise AssertionError("it does not come about")


def test_a_program_hears_how_its_last_game_went(tmp_path: Path) -> None:
    file, heard = tmp_path / "bot.py", tmp_path / "heard.txt"
    file.write_text(
        "import sys, json\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1}), flush=True)\n"
        "    if message['type'] == 'choose':\n"
        "        print(json.dumps({'type': 'choose', 'action': message['legal'][-1]}), flush=True)\n"
        f"    if message['type'] == 'result': print(line, file=open({str(heard)!r}, 'a'))\n"
    )
    one_by_one(CLASSIC, (f"cmd:{sys.executable} {file}", "random"), 1, 0, 2)
    assert heard.read_text("utf-8").count('"result"') == 2


def test_a_bad_program_loses_its_games_and_never_the_arena(tmp_path: Path) -> None:
    bad = f"cmd:{program(tmp_path, 'os._exit(3)')}"
    games = one_by_one(CLASSIC, (bad, "random"), 1, 0, 3)
    assert games.shares.tolist() == [[0.0, 1.0]] * 3
    assert games.ends["forfeit"] == 3
    assert "it has stopped" in games.forfeits[0]


@pytest.mark.parametrize("key", ["classic", "mixx-b", "longo"])
def test_the_example_in_python_plays(key: str) -> None:
    """On any board, as the arena tells it what the rows are."""
    source = (EXAMPLES / "short_jumps.py").read_text("utf-8")
    assert len(source.splitlines()) < 60
    bot = f"cmd:{sys.executable} {EXAMPLES / 'short_jumps.py'}"
    games = one_by_one(find_variant(key), (bot, "random"), 1, 0, 6)
    assert "forfeit" not in games.ends
    assert games.shares[:, 0].sum() == 6
    same = one_by_one(find_variant(key), (bot, "random"), 1, 0, 6)
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


@pytest.mark.parametrize("key", ["classic", "mixx-b", "longo", "card-joker", "mini"])
def test_a_program_is_told_what_the_board_is(tmp_path: Path, key: str) -> None:
    """As a board file has it: so a program plays boards that nobody has heard of."""
    file, heard = tmp_path / "bot.py", tmp_path / "heard.json"
    game = f"open({str(heard)!r}, 'w').write(sys.stdin.readline())"
    file.write_text(f"import sys\nsys.stdin.readline()\n{HELLO}\n{game}\n")
    bot, variant = StdioBot(f"{sys.executable} {file}"), find_variant(key)
    bot.begin(variant, 2, 1)
    bot.close(patience=10)
    told = json.loads(heard.read_text())
    assert (told["variant"], told["seats"], told["seat"]) == (key, 2, 1)
    assert told["board"] == tomllib.loads(board_text(variant))
    assert [row.split() for row in told["board"]["rows"]] == [[str(cell.mark) for cell in row] for row in variant.rows]

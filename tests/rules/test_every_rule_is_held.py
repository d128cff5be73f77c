"""No rule without a test, and no test that would pass without its rule."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qwixx.rules import Why
from qwixx.rules.rulebook import RULES
from tests.drops import DROPS

ROOT = Path(__file__).parents[2]
RULE_TESTS = sorted((ROOT / "tests" / "rules").glob("test_*.py"))


def marked_rules() -> set[str]:
    marks = re.findall(r"pytest\.mark\.rule\(([^)]*)\)", "\n".join(map(Path.read_text, RULE_TESTS)))
    return {rule for mark in marks for rule in re.findall(r'"(\w+)"', mark)}


def test_every_rule_has_a_test_and_every_mark_is_a_rule() -> None:
    assert marked_rules() == set(RULES)


def test_every_reason_names_a_rule() -> None:
    assert {why.rule for why in Why} <= set(RULES)


def test_every_rule_can_be_dropped() -> None:
    assert set(DROPS) == set(RULES)


@pytest.mark.parametrize("rule", RULES)
def test_without_a_rule_its_tests_fail(rule: str) -> None:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--drop", rule]
    files = [str(file) for file in RULE_TESTS if file.name != Path(__file__).name]
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run([*command, *files], cwd=ROOT, env=unmeasured, capture_output=True, text=True, check=False)
    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert re.search(r"\b1 failed", done.stdout), done.stdout

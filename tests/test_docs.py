"""The documentation is true: its examples run, its generated parts are fresh, its links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest

from qwixx.boards import all_variants
from qwixx.rules import Why
from qwixx.rules.rulebook import RULES

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")])
WITH_EXAMPLES = [page for page in PAGES if ">>> " in page.read_text("utf-8")]


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def test_there_are_examples() -> None:
    assert {"README.md", "docs/engine.md", "docs/records.md", "docs/boards.md"} <= set(map(name, WITH_EXAMPLES))


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 0


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def rules_page() -> str:
    groups = {"S": "The sheet", "T": "A dice turn", "L": "Locks and the end", "C": "The card game", "X": "Rulings"}
    lines = ["# Every rule, by its number", "", "Errors and tests name these numbers. `qwixx rules S5` shows one."]
    for letter, title in groups.items():
        lines += ["", f"## {letter} · {title}", ""]
        lines += [f"- **{rule}** {text}" for rule, text in RULES.items() if rule[0] == letter]
    return "\n".join(lines) + "\n"


def test_the_rules_page_is_the_rulebook() -> None:
    assert (ROOT / "docs" / "rules.md").read_text("utf-8") == rules_page()


def test_the_readme_names_both_commands_and_every_game() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert "make play" in readme
    assert "make test" in readme
    assert all(f"`{key}`" in readme for key in all_variants())
    assert "trademark" in readme


def test_every_board_key_is_documented() -> None:
    page = (ROOT / "docs" / "boards.md").read_text("utf-8")
    keys = re.findall(r"^(\w+) =", (ROOT / "src/qwixx/boards/mini.toml").read_text("utf-8"), re.MULTILINE)
    assert keys
    assert all(key in page for key in keys)


def test_every_reason_is_one_plain_sentence() -> None:
    for why in Why:
        assert not why.sentence.endswith(".")
        assert ". " not in why.sentence
        assert len(why.sentence) < 110

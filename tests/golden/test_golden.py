"""The engine still says what it said; and nothing is missing or left over."""

import runpy
from pathlib import Path

import pytest

from qwixx.boards import all_variants
from qwixx.rules import BUILT_IN, catalogue
from qwixx.rules.boardfile import board_text
from qwixx.rules.describe import describe
from tests.golden import FOLDER, PAGES, perft_text, playthrough

KEYS = sorted(all_variants())


@pytest.mark.parametrize("key", KEYS)
def test_playthrough(key: str) -> None:
    assert playthrough(key) == (FOLDER / "playthroughs" / f"{key}.txt").read_text("utf-8")


@pytest.mark.parametrize("key", KEYS)
def test_perft(key: str) -> None:
    stored = (FOLDER / "perft" / f"{key}.txt").read_text("utf-8")
    assert perft_text(key) == stored
    assert len(stored.splitlines()) > 5


@pytest.mark.parametrize("key", KEYS)
def test_rules_page(key: str) -> None:
    assert describe(all_variants()[key]) == (PAGES / f"{key}.md").read_text("utf-8")


def test_the_data_of_the_built_in_games() -> None:
    """Built anew from the source, so that what runs at import is tested too."""
    fresh = runpy.run_path(catalogue.__file__, run_name=catalogue.__name__)["BUILT_IN"]
    assert fresh == BUILT_IN
    for key, variant in fresh.items():
        assert board_text(variant) == (FOLDER / "boards" / f"{key}.toml").read_text("utf-8")


FOLDERS = [FOLDER / "playthroughs", FOLDER / "perft", FOLDER / "boards", PAGES]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_variant_has_its_file_and_no_other(folder: Path) -> None:
    assert sorted(path.stem for path in folder.iterdir()) == KEYS

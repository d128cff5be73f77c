"""What docs/solved.md publishes is consistent with itself: all first rolls together are worth what the board is."""

import json
from pathlib import Path

import pytest

PUBLISHED = json.loads((Path(__file__).parents[2] / "docs" / "solved.json").read_text("utf-8"))
PAGE = (Path(__file__).parents[2] / "docs" / "solved.md").read_text("utf-8")


@pytest.mark.parametrize("name", PUBLISHED["boards"])
def test_the_first_rolls_add_up_to_the_value(name: str) -> None:
    board = PUBLISHED["boards"][name]
    weights = {white: 1 if len(set(white.split())) == 1 else 2 for white in board["openings"]}
    total = sum(weights[white] * board["openings"][white]["expected"] for white in weights)
    assert total / sum(weights.values()) == pytest.approx(board["value"], abs=1e-9)
    for choices in board["openings"].values():
        assert sum(share for kind, share in choices.items() if kind != "expected") == pytest.approx(1)


def test_the_page_has_the_published_figures() -> None:
    values = [board["value"] for board in PUBLISHED["boards"].values()]
    assert all(f"{value:.4f}" in PAGE for value in values)
    assert all(f"{value:.3f}" in PAGE for value in PUBLISHED["longo_pairs"].values())
    assert all(f"{value:.2f}" in PAGE for value in PUBLISHED["classic_pace"].values())


def test_mirrored_lucky_pairs_are_worth_the_same() -> None:
    pairs = {tuple(map(int, pair.split("·"))): value for pair, value in PUBLISHED["longo_pairs"].items()}
    for (low, high), value in pairs.items():
        assert pairs[18 - high, 18 - low] == pytest.approx(value, abs=1e-9)

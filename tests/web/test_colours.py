"""The four row colours stay apart for the common kinds of colour blindness (and each has a shape besides)."""

import re
from itertools import combinations, pairwise
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "web" / "src" / "app.css").read_text("utf-8")
ROWS = ("red", "yellow", "green", "blue")
LEAST_DIFFERENCE = 12
"""In CIE Lab; from about 10 on two areas differ at a glance."""
Matrix = tuple[tuple[float, float, float], ...]
# How a dichromat sees linear RGB, after Machado, Oliveira and Fernandes (2009).
SIGHT: dict[str, Matrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def scheme(dark: bool) -> dict[str, str]:
    part = CSS[CSS.index("@media (prefers-color-scheme: dark)") :] if dark else CSS
    return {name: re.search(rf"--{name}: (#[0-9a-f]{{6}})", part)[1] for name in ROWS}  # type: ignore[index]


def linear(colour: str) -> list[float]:
    parts = [int(colour[start:end], 16) / 255 for start, end in pairwise((1, 3, 5, 7))]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(rgb: list[float]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part)) for part in rgb)
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116


def seen(colour: str, sight: Matrix) -> tuple[float, float, float]:
    parts = linear(colour)
    return lab([sum(weight * part for weight, part in zip(row, parts, strict=True)) for row in sight])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHT)
def test_the_row_colours_stay_apart(sight: str, dark: bool) -> None:
    colours = scheme(dark)
    for one, other in combinations(ROWS, 2):
        pairs = zip(seen(colours[one], SIGHT[sight]), seen(colours[other], SIGHT[sight]), strict=True)
        assert sum((a - b) ** 2 for a, b in pairs) ** 0.5 >= LEAST_DIFFERENCE, (one, other)

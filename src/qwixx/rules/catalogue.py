"""The games of the five rulebooks, as data."""

from dataclasses import replace

from qwixx.rules.errors import MalformedError
from qwixx.rules.marks import parse_mark
from qwixx.rules.variant import (
    Colour,
    Deck,
    Dice,
    Lock,
    Row,
    Start,
    Variant,
    lay_out,
    most_crosses,
    triangular,
)

RED, YELLOW, GREEN, BLUE = (
    Colour("R", "red"),
    Colour("Y", "yellow"),
    Colour("G", "green"),
    Colour("B", "blue"),
)
FOUR = (RED, YELLOW, GREEN, BLUE)


def _rows(*lines: str, closing: int = 1) -> tuple[Row, ...]:
    return lay_out(FOUR, [[parse_mark(word) for word in line.split()] for line in lines], closing)


def _up_and_down(highest: int, closing: int = 1) -> tuple[Row, ...]:
    """Red and yellow rise from 2, green and blue fall to it (S2, S4)."""
    rising = range(2, highest + 1)
    lines = [[f"{c.letter}{n}" for n in rising] for c in (RED, YELLOW)]
    lines += [[f"{c.letter}{n}" for n in reversed(rising)] for c in (GREEN, BLUE)]
    return _rows(*map(" ".join, lines), closing=closing)


CLASSIC_ROWS = _up_and_down(12)
LONGO_ROWS = _up_and_down(16, closing=2)
MIXX_A_ROWS = _rows(
    "Y2 Y3 Y4 B5 B6 B7 G8 G9 G10 R11 R12",
    "R2 R3 G4 G5 G6 G7 B8 B9 Y10 Y11 Y12",
    "B12 B11 B10 Y9 Y8 Y7 R6 R5 R4 G3 G2",
    "G12 G11 R10 R9 R8 R7 Y6 Y5 B4 B3 B2",
)
MIXX_B_ROWS = _rows(
    "R10 R6 R2 R8 R3 R4 R12 R5 R9 R7 R11",
    "Y9 Y12 Y4 Y6 Y7 Y2 Y5 Y8 Y11 Y3 Y10",
    "G8 G2 G10 G12 G6 G9 G7 G4 G5 G11 G3",
    "B5 B7 B11 B9 B12 B3 B8 B10 B2 B6 B4",
)
LUCKY_PAIRS = (
    (4, 9), (5, 8), (5, 10), (6, 7), (6, 11), (7, 12), (8, 13), (9, 14), (10, 13), (11, 12),
)  # fmt: skip

CLASSIC = Variant(
    key="classic",
    name="Qwixx",
    summary="Two white dice for everybody, one coloured die for the one who rolls.",
    colours=FOUR,
    rows=CLASSIC_ROWS,
    source=Dice(),
    points=triangular(most_crosses(11, 1)),
)
DELUXE = replace(
    CLASSIC,
    key="deluxe",
    name="Qwixx Deluxe",
    summary="The classic sheet for up to eight; the first six begins.",
    seats=(2, 8),
    start=Start.FIRST_SIX,
)
MIXX_A = replace(
    DELUXE,
    key="mixx-a",
    name="Qwixx Mixx A",
    summary="Every row changes its colour on the way, the numbers keep their order.",
    rows=MIXX_A_ROWS,
)
MIXX_B = replace(
    DELUXE,
    key="mixx-b",
    name="Qwixx Mixx B",
    summary="One colour a row, its numbers out of order.",
    rows=MIXX_B_ROWS,
)
LONGO = replace(
    CLASSIC,
    key="longo",
    name="Qwixx Longo",
    summary="Eight-sided dice, rows up to 16, two ways to close and two lucky numbers each.",
    rows=LONGO_ROWS,
    source=Dice(sides=8, lucky=LUCKY_PAIRS),
    lock=Lock(needed=6, closing=2),
    points=triangular(most_crosses(15, 2)),
)
CARD = replace(
    CLASSIC,
    key="card",
    name="Qwixx – The Card Game",
    summary="Cards instead of dice: their numbers are open, their colours are yours alone.",
    source=Deck(),
    solo=False,
    lock=Lock(shared=False),
)


def _with_jokers(variant: Variant) -> Variant:
    assert isinstance(variant.source, Deck)
    return replace(
        variant,
        key=variant.key.replace("card", "card-joker"),
        name=f"{variant.name}, with jokers",
        summary="The card game with eleven jokers, each of the colour its player names.",
        source=replace(variant.source, jokers=True),
    )


def _on_mixx(variant: Variant) -> Variant:
    """The card game on a Mixx sheet (X11)."""
    return replace(
        CARD,
        key=f"card-{variant.key}",
        name=f"{CARD.name}, on {variant.name.removeprefix('Qwixx ')}",
        summary=f"The card game on the sheet of {variant.name}, with gaps allowed in a play.",
        rows=variant.rows,
        source=Deck(gap=None),
    )


CARD_GAMES = (CARD, _on_mixx(MIXX_A), _on_mixx(MIXX_B))
BUILT_IN = {
    variant.key: variant
    for variant in (CLASSIC, DELUXE, MIXX_A, MIXX_B, LONGO, *CARD_GAMES, *map(_with_jokers, CARD_GAMES))
}


def variant(key: str) -> Variant:
    """The built-in game of that key."""
    if key not in BUILT_IN:
        raise MalformedError(f"there is no game “{key}”; there are {', '.join(BUILT_IN)}")
    return BUILT_IN[key]

"""S · the sheet."""

import pytest

from qwixx.boards import all_variants
from qwixx.rules import BUILT_IN, Phase, parse_mark, scores, variant, winners
from qwixx.rules.sheet import score
from tests.scene import choose, crossed, dice_table, legal, refused, roll, sheet, why


def layout(key: str) -> list[str]:
    return [" ".join(str(cell.mark) for cell in row) for row in all_variants()[key].rows]


@pytest.mark.rule("S1")
@pytest.mark.parametrize("key", BUILT_IN)
def test_four_rows_of_cells_and_a_lock(key: str) -> None:
    rows = variant(key).rows
    assert len(rows) == 4
    for index, row in enumerate(rows):
        assert [(cell.row, cell.place) for cell in row] == [(index, place) for place in range(len(row))]
        locked = sheet(variant(key), " ".join(str(cell.mark) for cell in row[:6]) + f" {row[-1].mark}")
        assert locked.locks == 1 << index, "each row has a lock of its own"


@pytest.mark.rule("S1")
def test_a_cell_that_is_not_there() -> None:
    table = roll(dice_table("classic", ""), "6 6 R1 Y1 G1 B1")
    assert refused(table, 0, "R13") == "S1: this sheet has no cell R13"
    assert why(table, 0, "W2") == "S1: this sheet has no cell W2"


@pytest.mark.rule("S2")
@pytest.mark.parametrize("key", ["classic", "deluxe", "card", "card-joker"])
def test_classic_sheet(key: str) -> None:
    assert layout(key) == [
        "R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12",
        "Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9 Y10 Y11 Y12",
        "G12 G11 G10 G9 G8 G7 G6 G5 G4 G3 G2",
        "B12 B11 B10 B9 B8 B7 B6 B5 B4 B3 B2",
    ]


@pytest.mark.rule("S3")
@pytest.mark.parametrize("key", ["mixx-a", "card-mixx-a", "card-joker-mixx-a"])
def test_mixx_a_sheet(key: str) -> None:
    assert layout(key) == [
        "Y2 Y3 Y4 B5 B6 B7 G8 G9 G10 R11 R12",
        "R2 R3 G4 G5 G6 G7 B8 B9 Y10 Y11 Y12",
        "B12 B11 B10 Y9 Y8 Y7 R6 R5 R4 G3 G2",
        "G12 G11 R10 R9 R8 R7 Y6 Y5 B4 B3 B2",
    ]
    assert variant(key).lock_colours == ("R", "Y", "G", "B")


@pytest.mark.rule("S3")
@pytest.mark.parametrize("key", ["mixx-b", "card-mixx-b", "card-joker-mixx-b"])
def test_mixx_b_sheet(key: str) -> None:
    assert layout(key) == [
        "R10 R6 R2 R8 R3 R4 R12 R5 R9 R7 R11",
        "Y9 Y12 Y4 Y6 Y7 Y2 Y5 Y8 Y11 Y3 Y10",
        "G8 G2 G10 G12 G6 G9 G7 G4 G5 G11 G3",
        "B5 B7 B11 B9 B12 B3 B8 B10 B2 B6 B4",
    ]


@pytest.mark.rule("S3")
@pytest.mark.parametrize("key", ["mixx-a", "mixx-b"])
def test_every_coloured_number_occurs_once(key: str) -> None:
    words = " ".join(layout(key)).split()
    assert sorted(words) == sorted(f"{letter}{number}" for letter in "RYGB" for number in range(2, 13))


@pytest.mark.rule("S4")
def test_longo_sheet() -> None:
    rising, falling = range(2, 17), range(16, 1, -1)
    assert layout("longo") == [
        *(" ".join(f"{letter}{n}" for n in rising) for letter in "RY"),
        *(" ".join(f"{letter}{n}" for n in falling) for letter in "GB"),
    ]
    assert all(len(pair) == 2 for pair in variant("longo").source.lucky)  # type: ignore[union-attr]


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("crosses", "cell", "reason"),
    [
        ("R7", "R4", "S5: red 4 lies left of your red 7"),
        ("R3 R7 R9", "R4", "S5: red 4 lies left of your red 9"),
        ("R4", "R4", "S5: red 4 is crossed already"),
        ("R3 R4 R7", "R3", "S5: red 3 is crossed already"),
        ("R2 R3", "R4", ""),
        ("", "R4", ""),
        ("Y7", "R4", ""),
    ],
)
def test_only_right_of_every_cross(crosses: str, cell: str, reason: str) -> None:
    table = roll(dice_table("classic", crosses), f"{int(cell[1:]) - 1} 1 R6 Y6 G6 B6")
    assert refused(table, 0, cell) == reason
    assert (cell in legal(table, 0)) == (reason == "")


@pytest.mark.rule("S6")
@pytest.mark.parametrize(
    ("key", "crosses", "cell", "allowed"),
    [
        ("classic", "R2 R3 R4 R5", "R12", False),
        ("classic", "R2 R3 R4 R5 R6", "R12", True),
        ("classic", "R2 R3 R4 R5 R6 R7", "R12", True),
        ("classic", "G12 G11 G10 G9", "G2", False),
        ("classic", "G12 G11 G10 G9 G8", "G2", True),
        ("mixx-b", "R10 R6 R2 R8", "R11", False),
        ("mixx-b", "R10 R6 R2 R8 R3", "R11", True),
        ("longo", "R2 R3 R4 R5 R6", "R15", False),
        ("longo", "R2 R3 R4 R5 R6 R7", "R15", True),
        ("longo", "R2 R3 R4 R5 R6 R7", "R16", True),
        ("longo", "R2 R3 R4 R5 R6", "R14", True),
        ("mini", "R2", "R6", False),
        ("mini", "R2 R3", "R6", True),
    ],
)
def test_closing_needs_crosses_first(key: str, crosses: str, cell: str, allowed: bool) -> None:
    table = dice_table(key, crosses)
    number, sides = int(cell[1:]), table.variant.source.sides  # type: ignore[union-attr]
    first = max(1, number - sides)
    dice = " ".join(f"{colour.letter}1" for colour in table.variant.colours)
    rolled = roll(table, f"{first} {number - first} {dice}")
    assert (cell in legal(rolled, 0)) == allowed
    have = len(crosses.split())
    name = rolled.variant.cells[parse_mark(cell)]
    expected = f"S6: {name} closes its row and needs {table.variant.lock.needed} crosses there first; you have {have}"
    assert refused(rolled, 0, cell) == ("" if allowed else expected)


@pytest.mark.rule("S6")
def test_the_lock_is_crossed_at_once_and_only_with_a_closing_cell() -> None:
    table = roll(dice_table("classic", "R2 R3 R4 R5 R6"), "6 6 R1 Y1 G1 B1")
    assert crossed(choose(table, "R12"), 0) == {"R2", "R3", "R4", "R5", "R6", "R12", "L1"}
    table = roll(dice_table("classic", "R2 R3 R4 R5 R6"), "5 6 R1 Y1 G1 B1")
    assert "L1" not in crossed(choose(table, "R11"), 0)


@pytest.mark.rule("S7")
def test_points_of_a_classic_row() -> None:
    assert variant("classic").points == (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78)
    full = sheet(variant("classic"), " ".join(f"R{n}" for n in range(2, 13)))
    assert score(variant("classic"), full).total == 78, "eleven cells and the lock"


@pytest.mark.rule("S7")
def test_points_of_a_longo_row() -> None:
    most = sheet(variant("longo"), " ".join(f"R{n}" for n in range(2, 16)))
    assert most.locks == 1
    assert score(variant("longo"), most).total == 120, "thirteen cells, one closing cell and the lock"
    assert variant("longo").points[-1] == 120


@pytest.mark.rule("S7")
def test_mixx_rows_score_by_row() -> None:
    points = score(variant("mixx-a"), sheet(variant("mixx-a"), "Y2 Y3 Y4 B5 R2 R3"))
    assert points.rows == (10, 3, 0, 0)


@pytest.mark.rule("S8")
def test_misthrows_cost_five_and_the_highest_total_wins() -> None:
    table = dice_table("classic", "R2 R3 R4", "Y2 Y3 Y4", misthrows=[1, 0])
    assert [each.total for each in scores(table)] == [1, 6]
    assert scores(table)[0].misthrows == -5
    assert winners(table._replace(phase=Phase.OVER)) == (1,)

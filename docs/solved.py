"""What the solutions teach: `python -m docs.solved measure` writes docs/solved.json, `… draw` the pictures.

Measuring needs every board's solution (an hour on two cores, a minute with `--device cuda`).
"""

import argparse
import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from qwixx.boards import find_variant
from qwixx.kernel.simulate import Device
from qwixx.rules import Dice, Sheet, Variant
from qwixx.rules.catalogue import LUCKY_PAIRS
from qwixx.rules.sheet import cross, empty_sheet, obstacle
from qwixx.solver.advise import value_of
from qwixx.solver.solve import Solution
from qwixx.solver.store import Problem, solution_of

HERE = Path(__file__).parent
DATA, IMAGES = HERE / "solved.json", HERE / "img"
BOARDS: dict[str, tuple[str, tuple[int, ...]]] = {
    "classic": ("classic", ()),
    "mixx-a": ("mixx-a", ()),
    "mixx-b": ("mixx-b", ()),
    "longo": ("longo", (5, 8)),
}
KINDS = ("both actions", "white alone", "colour alone", "nothing")
COLOURS = {"R": "#d9342b", "Y": "#c99700", "G": "#2c8a3d", "B": "#2463c5"}


def solved(key: str, lucky: tuple[int, ...], device: Device, players: int = 1) -> Solution:
    return solution_of(Problem(find_variant(key), lucky, players), device=device)


def first_crosses(solution: Solution) -> dict[str, float]:
    """The expected score after one's first turn, with one cross alone, by cell."""
    variant, sheet = solution.variant, _empty(solution)
    open_cells = [cell for cell in variant.cells.values() if obstacle(variant, sheet, 0, cell) is None]
    return {str(cell.mark): value_of(solution, cross(sheet, cell)) for cell in open_cells}


def _empty(solution: Solution) -> Sheet:
    return empty_sheet(solution.variant)._replace(lucky=solution.lucky)


def openings(solution: Solution) -> dict[str, dict[str, float]]:
    """By white dice: how often each kind of first choice is best, over all coloured dice, and the expected score."""
    variant, start = solution.variant, _empty(solution)
    assert isinstance(variant.source, Dice)
    faces = range(1, variant.source.sides + 1)
    found: dict[str, dict[str, float]] = {}
    for first, second in product(faces, faces):
        if first <= second:
            found[f"{first} {second}"] = _opening(solution, variant, start, first, second)
    return found


def _opening(solution: Solution, variant: Variant, start: Sheet, first: int, second: int) -> dict[str, float]:
    assert isinstance(variant.source, Dice)
    after_white = _after_number(variant, start, first + second)
    missed = value_of(solution, start._replace(misthrows=1))
    base = [(value_of(solution, sheet), "white alone") for sheet in after_white] + [(missed, "nothing")]
    sides, tables = range(1, variant.source.sides + 1), []
    for colour in variant.colours:
        by_face = []
        for pips in sides:
            marks = {number + pips for number in (first, second)}
            cells = [c for c in variant.cells.values() if c.mark.colour == colour.letter and c.number in marks]
            options = [
                (value_of(solution, cross(sheet, cell)), "both actions" if sheet is not start else "colour alone")
                for sheet in (start, *after_white)
                for cell in cells
                if obstacle(variant, sheet, 0, cell) is None
            ]
            by_face.append(max([*options, *base]))
        tables.append(by_face)
    best = [max(values) for values in product(*tables)]
    kinds = Counter(kind for _, kind in best)
    shares = {kind: kinds[kind] / len(best) for kind in KINDS}
    return {"expected": sum(value for value, _ in best) / len(best), **shares}


def _after_number(variant: Variant, sheet: Sheet, number: int) -> list[Sheet]:
    """The sheets after a cross of a called number, a lucky one too: on an empty sheet that is any row's first cell."""
    cells = list(variant.by_number.get(number, ()))
    if number in sheet.lucky:
        cells += [row[0] for row in variant.rows]
    return [cross(sheet, cell) for cell in dict.fromkeys(cells) if obstacle(variant, sheet, 0, cell) is None]


def measure(device: Device) -> dict[str, Any]:
    boards = {}
    for name, (key, lucky) in BOARDS.items():
        solution = solved(key, lucky, device)
        misthrows, empty = range(solution.variant.end.misthrows), _empty(solution)
        boards[name] = {
            "lucky": list(lucky),
            "value": solution.value,
            "by_misthrows": [value_of(solution, empty._replace(misthrows=count)) for count in misthrows],
            "first_crosses": first_crosses(solution),
            "openings": openings(solution),
        }
        print(name, solution.value, flush=True)
    lucky_pairs = {"{}·{}".format(*pair): solved("longo", pair, device).value for pair in LUCKY_PAIRS}
    pace = {players: solved("classic", (), device, players).value for players in range(1, 6)}
    return {"boards": boards, "longo_pairs": lucky_pairs, "classic_pace": pace}


def draw(found: dict[str, Any]) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "qwixx"
    _draw_openings(found["boards"])
    _draw_first_crosses(found["boards"])
    _draw_misthrows(found["boards"])


def _draw_openings(boards: dict[str, Any]) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(13, 8))
    for axis, (name, board) in zip(axes.flat, boards.items(), strict=True):
        whites = list(board["openings"])
        bottom = np.zeros(len(whites))
        for kind, colour in zip(KINDS, ("#2c8a3d", "#8fb8de", "#e8a33d", "#b9b4a8"), strict=True):
            shares = np.array([board["openings"][white][kind] for white in whites])
            axis.bar(whites, shares, bottom=bottom, color=colour, label=kind)
            bottom += shares
        axis.set_title(name)
        axis.tick_params(axis="x", labelrotation=90, labelsize=8)
        axis.set_ylabel("share of coloured rolls")
    figure.suptitle("The best first choice, by the white dice")
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="lower center", ncols=len(KINDS))
    figure.savefig(IMAGES / "solved-openings.svg", metadata={"Date": None})
    pyplot.close(figure)


def _draw_first_crosses(boards: dict[str, Any]) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(13, 8))
    for axis, (name, board) in zip(axes.flat, boards.items(), strict=True):
        for rows, (colour, values) in _curves(find_variant(BOARDS[name][0]), board).items():
            axis.plot(range(1, len(values) + 1), values, marker="o", color=colour, label=rows)
        axis.axhline(0, color="#888", linewidth=0.8)
        axis.set(title=name, xlabel="place in the row", ylabel="points gained or lost")
        axis.legend()
    figure.suptitle("One cross as the whole first turn: the expected score against the value of the game")
    figure.tight_layout()
    figure.savefig(IMAGES / "solved-first-crosses.svg", metadata={"Date": None})
    pyplot.close(figure)


def _curves(variant: Variant, board: dict[str, Any]) -> dict[str, tuple[str, list[float]]]:
    """What the first cross gains, by place; rows in which it is the same share a curve."""
    rows: dict[tuple[float, ...], list[int]] = {}
    for row, cells in enumerate(variant.rows):
        gains = [board["first_crosses"].get(str(cell.mark)) for cell in cells]
        rows.setdefault(tuple(round(gain - board["value"], 6) for gain in gains if gain is not None), []).append(row)
    return {
        ("row " if len(same) == 1 else "rows ") + ", ".join(variant.lock_colours[row] for row in same): (
            COLOURS[variant.lock_colours[same[0]]],
            list(gains),
        )
        for gains, same in rows.items()
    }


def _draw_misthrows(boards: dict[str, Any]) -> None:
    from matplotlib import pyplot

    figure, axis = pyplot.subplots(figsize=(8, 4.5))
    width = 0.8 / len(boards)
    for index, (name, board) in enumerate(boards.items()):
        costs = -np.diff(board["by_misthrows"])
        axis.bar(np.arange(len(costs)) + index * width, costs, width, label=name)
    axis.set_xticks(np.arange(3) + 0.4 - width / 2, ["first", "second", "third"])
    axis.set(ylabel="points", title="What a misthrow costs on an empty sheet, its 5 points included")
    axis.legend()
    figure.tight_layout()
    figure.savefig(IMAGES / "solved-misthrows.svg", metadata={"Date": None})
    pyplot.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=["measure", "draw"])
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    arguments = parser.parse_args()
    if arguments.step == "measure":
        DATA.write_text(json.dumps(measure(arguments.device), indent=1) + "\n", "utf-8")
    else:
        draw(json.loads(DATA.read_text("utf-8")))


if __name__ == "__main__":
    main()

"""Where games are found by key or by file: the built-in ones, the boards shipped here, and a host's own.

This is the one place of the rules' world that reads files, so that `qwixx.rules` reads none.
"""

import os
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from qwixx.rules import BUILT_IN, MalformedError, Variant
from qwixx.rules.boardfile import BoardError, parse_board

SHIPPED = Path(__file__).parent
FOLDER_VARIABLE = "QWIXX_BOARDS"
"""The environment variable that names a folder with further boards."""


def load_board(path: Path) -> Variant:
    """Read one board's TOML file."""
    try:
        return parse_board(path.read_text("utf-8"))
    except OSError as error:
        raise MalformedError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise MalformedError(f"{path} cannot be read: {error}") from None
    except BoardError as error:
        raise BoardError(error.problems, path.name) from None


@cache
def _boards(*folders: Path) -> tuple[dict[str, Variant], tuple[str, ...]]:
    """The boards of some folders by key, and what was left out and why: one bad board spoils no other."""
    boards: dict[str, Variant] = {}
    problems = [f"there is no folder {folder}" for folder in folders if not folder.is_dir()]
    for file in (file for folder in folders for file in sorted(folder.glob("*.toml"))):
        try:
            board = load_board(file)
        except MalformedError as error:
            problems.append(str(error))
            continue
        if board.key in boards:
            problems.append(f"{file.name}: key {board.key} is taken by another board")
        boards.setdefault(board.key, board)
    return boards, tuple(problems)


def _folders() -> tuple[Path, ...]:
    own = os.environ.get(FOLDER_VARIABLE)
    return (SHIPPED, *([Path(own)] if own else []))


def all_variants() -> dict[str, Variant]:
    """Every game by its key: built in, shipped, and in the folder that QWIXX_BOARDS names."""
    return {**BUILT_IN, **_boards(*_folders())[0]}


def board_problems() -> tuple[str, ...]:
    """Why some boards of the folders are not among the games."""
    return _boards(*_folders())[1]


def find_variant(name: str) -> Variant:
    """The game with that key, or the board in that TOML file."""
    if name.endswith(".toml"):
        return load_board(Path(name))
    variants = all_variants()
    if name not in variants:
        near = get_close_matches(name, variants, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(variants)}, or name a .toml file"
        raise MalformedError("; ".join([f"there is no game “{name}”; {hint}", *board_problems()]))
    return variants[name]

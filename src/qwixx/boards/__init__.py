"""Where games are found by key or by file: the built-in ones, the boards shipped here, and a host's own.

This is the one place of the rules' world that reads files, so that `qwixx.rules` reads none.
"""

import os
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
    except (OSError, UnicodeDecodeError) as error:
        raise MalformedError(f"{path} cannot be read: {error}") from None
    except BoardError as error:
        raise BoardError([f"{path.name}: {problem}" for problem in error.problems]) from None


@cache
def _boards(*folders: Path) -> dict[str, Variant]:
    """The boards of some folders by key; no two may share one."""
    boards: dict[str, Variant] = {}
    for file in (file for folder in folders for file in sorted(folder.glob("*.toml"))):
        board = load_board(file)
        if board.key in boards:
            raise BoardError([f"{file.name}: key {board.key} is taken by another board"])
        boards[board.key] = board
    return boards


def all_variants() -> dict[str, Variant]:
    """Every game by its key: built in, shipped, and in the folder that QWIXX_BOARDS names."""
    own = os.environ.get(FOLDER_VARIABLE)
    return {**BUILT_IN, **_boards(SHIPPED, *([Path(own)] if own else []))}


def find_variant(name: str) -> Variant:
    """The game with that key, or the board in that TOML file."""
    if name.endswith(".toml"):
        return load_board(Path(name))
    variants = all_variants()
    if name not in variants:
        raise MalformedError(f"there is no game “{name}”; there are {', '.join(variants)}, or name a .toml file")
    return variants[name]

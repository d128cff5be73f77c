"""The shape of the house: who may import whom, what the rules may use, and what must not be in the tree."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE = ROOT / "src" / "qwixx"
# A module may import what stands before it in this list, never what stands after.
ORDER = [
    "rules",
    "boards",
    "record",
    "match",
    "kernel",
    "solver",
    "bots",
    "arena",
    "train",
    "coach",
    "envs",
    "server",
    "sheets",
    "cli",
]
# What the rules may use: no clocks, no files, no random numbers, nothing from outside the standard library.
PURE = {
    "abc",
    "collections",
    "collections.abc",
    "dataclasses",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "itertools",
    "math",
    "re",
    "tomllib",
    "typing",
}
IMPURE_CALLS = {"open", "input", "print", "exec", "eval", "__import__"}


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for part in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(part, ast.Import):
            found |= {alias.name for alias in part.names}
        if isinstance(part, ast.ImportFrom):
            assert part.level == 0, f"{file} imports relatively"
            found.add(part.module or "")
            found |= {f"{part.module}.{alias.name}" for alias in part.names if part.module == "qwixx"}
    return found


def room(module: str) -> str:
    return module.split(".")[1] if module.startswith("qwixx.") else ""


def modules(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def test_every_room_has_its_place() -> None:
    rooms = {path.name for path in HOUSE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms <= set(ORDER)
    assert {"rules", "boards", "record", "match", "bots", "cli"} <= rooms


@pytest.mark.parametrize("file", modules(HOUSE), ids=lambda file: str(file.relative_to(HOUSE)))
def test_imports_go_one_way(file: Path) -> None:
    own = file.relative_to(HOUSE).parts[0]
    if own not in ORDER:
        return
    below = ORDER[ORDER.index(own) + 1 :]
    assert not [name for name in imports(file) if room(name) in below]


@pytest.mark.parametrize("file", modules(HOUSE / "rules"), ids=lambda file: file.name)
def test_the_rules_are_pure(file: Path) -> None:
    outside = {name for name in imports(file) if not name.startswith("qwixx.rules")}
    assert outside <= PURE
    calls = {
        part.func.id
        for part in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name)
    }
    assert not calls & IMPURE_CALLS


def test_the_rules_load_nothing_else() -> None:
    code = "import sys, qwixx.rules; print(*{name.split('.')[0] for name in sys.modules})"
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT / "src")
    assert not {"rich", "typer", "random", "secrets", "datetime", "numpy"} & set(done.stdout.split())


@pytest.mark.parametrize("file", modules(HOUSE), ids=lambda file: str(file.relative_to(HOUSE)))
def test_every_module_says_what_lives_in_it(file: Path) -> None:
    if file.stat().st_size:
        assert ast.get_docstring(ast.parse(file.read_text("utf-8")))


def test_the_numbers_of_the_game_live_in_the_variant() -> None:
    """Outside the data, the rules name no number but 0, 1 and 2."""
    data = {"catalogue.py", "variant.py", "boardfile.py", "rulebook.py", "describe.py"}
    for file in modules(HOUSE / "rules"):
        numbers = {
            part.value
            for part in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(part, ast.Constant) and type(part.value) is int
        }
        assert file.name in data or numbers <= {0, 1, 2}, f"{file.name} names {numbers}"


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [ROOT / name for name in listed if (ROOT / name).is_file()]


def test_locks_name_no_host() -> None:
    locks = [*ROOT.glob("requirements*.lock"), *ROOT.glob("web/package-lock.json")]
    assert locks
    for lock in locks:
        text = lock.read_text("utf-8")
        assert '"resolved"' not in text
        assert "--index" not in text
        assert lock.suffix == ".json" or "://" not in text


def test_no_path_of_this_machine_is_named() -> None:
    for file in tracked():
        assert ROOT.as_posix() not in file.read_text("utf-8", errors="ignore"), file

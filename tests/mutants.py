"""Sums up the last `mutmut run`: how many mutants were killed, and the difference each survivor makes."""

import subprocess
from collections import Counter
from pathlib import Path

STORED = Path(__file__).parents[1] / "benchmarks" / "mutants.txt"
KILLED = ("killed", "timeout")


def results() -> dict[str, str]:
    """Every mutant and what became of it."""
    done = subprocess.run(["mutmut", "results", "--all", "true"], capture_output=True, text=True, check=True)
    pairs = [line.split(": ") for line in done.stdout.splitlines() if ": " in line]
    return {name.strip(): fate.strip() for name, fate in pairs}


def difference(name: str) -> str:
    """What a mutant changes: only the lines that go and come."""
    shown = subprocess.run(["mutmut", "show", name], capture_output=True, text=True, check=True).stdout
    lines = [line for line in shown.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    return "\n".join(lines)


def main() -> None:
    fates = results()
    killed = sum(fate in KILLED for fate in fates.values())
    summary = (
        f"{killed} of {len(fates)} mutants killed ({100 * killed / len(fates):.1f} %): {dict(Counter(fates.values()))}"
    )
    survivors = [f"{name}\n{difference(name)}" for name, fate in fates.items() if fate not in KILLED]
    STORED.write_text("\n\n".join(["make mutants", summary, *survivors]) + "\n", "utf-8")
    print(summary)
    print(f"The survivors are in {STORED.name}.")


if __name__ == "__main__":
    main()

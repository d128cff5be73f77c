"""How fast the kernel plays and the solver solves, beside plain C in the same run: `make bench-kernel`.

On a machine with a CUDA device, `python -m benchmarks.kernel --device cuda` measures that device. Results are stored
beside this file.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from qwixx.boards import find_variant
from qwixx.kernel.minds import ANY
from qwixx.kernel.simulate import Simulator
from qwixx.solver.solve import solve

HERE = Path(__file__).parent
CLASSIC = find_variant("classic")
FIRST_CALL = """
import time
began = time.perf_counter()
from qwixx.kernel.minds import ANY
from qwixx.kernel.simulate import Simulator
from qwixx.boards import find_variant
table = Simulator(find_variant("classic"), [ANY] * 2)
imported = time.perf_counter()
table.play(0, 1)
print(imported - began, time.perf_counter() - imported)
"""


def compiled_c(name: str, folder: Path, *flags: str) -> str:
    program = folder / name
    subprocess.run(["gcc", "-O3", "-march=native", *flags, "-o", str(program), str(HERE / f"{name}.c")], check=True)
    return str(program)


def c_games_a_second(program: str, games: int) -> float:
    words = subprocess.run([program, str(games), "1"], capture_output=True, text=True, check=True).stdout.split()
    return games / float(words[1])


def games_a_second(cores: int, games: int) -> float:
    table = Simulator(CLASSIC, [ANY] * 2, seed=1, workers=cores)
    table.play(0, 1)
    began = time.perf_counter()
    table.play(0, games)
    return games / (time.perf_counter() - began)


def first_call(cache: Path) -> dict[str, float]:
    """The first call in a new process, with whatever that cache holds."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALL], capture_output=True, text=True, check=True, env=environment
    )
    imported, called = map(float, done.stdout.split())
    return {"import_seconds": round(imported, 2), "call_seconds": round(called, 2)}


def on_cpu(games: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program, solver = compiled_c("random_games", folder), compiled_c("solve_classic", folder, "-fopenmp")
        rounds = [
            (c_games_a_second(program, games), games_a_second(1, games), games_a_second(2, 2 * games)) for _ in range(5)
        ]
        plain, one, two = (sorted(speeds)[len(speeds) // 2] for speeds in zip(*rounds, strict=True))
        cold, warm = first_call(folder / "cache"), first_call(folder / "cache")
        c_seconds = float(subprocess.run([solver], capture_output=True, text=True, check=True).stdout.split()[0])
    solve(find_variant("mini"))
    solution = solve(CLASSIC)
    return {
        "games_a_second": {"plain C, one core": round(plain), "one core": round(one), "two cores": round(two)},
        "one_core_to_c": round(one / plain, 2),
        "two_cores_to_one": round(two / one, 2),
        "first_call_cold": cold,
        "first_call_warm": warm,
        "solve_classic": {
            "value": solution.value,
            "seconds": round(solution.seconds, 2),
            "plain C, seconds": round(c_seconds, 2),
        },
    }


def on_device(games: int) -> dict[str, Any]:
    table = Simulator(CLASSIC, [ANY] * 2, seed=1, device="cuda")
    same = (table.play(0, 20_000).counts == Simulator(CLASSIC, [ANY] * 2, seed=1).play(0, 20_000).counts).all()
    speeds = []
    for _ in range(5):
        began = time.perf_counter()
        table.play(0, games)
        speeds.append(games / (time.perf_counter() - began))
    solutions = {}
    for key, lucky in (("classic", ()), ("mixx-a", ()), ("mixx-b", ()), ("longo", (5, 8))):
        variant = find_variant(key)
        times = [solve(variant, lucky, device="cuda") for _ in range(3 if key == "classic" else 1)]
        best = min(times, key=lambda each: each.seconds)
        solutions[key] = {"value": best.value, "seconds": round(best.seconds, 3)}
    return {"games_a_second": round(sorted(speeds)[2]), "same_as_cpu": bool(same), "solve": solutions}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--games", type=int, default=0)
    arguments = parser.parse_args()
    cuda = arguments.device == "cuda"
    result = on_device(arguments.games or 1 << 31) if cuda else on_cpu(arguments.games or 2_000_000)
    command = "python -m benchmarks.kernel --device cuda" if cuda else "make bench-kernel"
    text = json.dumps({"command": command, **result}, indent=1)
    print(text)
    (HERE / ("kernel-cuda.json" if cuda else "kernel.json")).write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""How fast the readable engine plays random games, on one core: `make bench`.

A game is everything from the draw for the start to the last score; a step is one event applied, with the legal
actions of every acting seat listed before it. The result is stored beside this file.
"""

import json
import platform
import time
from pathlib import Path
from random import Random

from qwixx.boards import all_variants
from qwixx.rules import (
    Node,
    Phase,
    State,
    Variant,
    acting_seats,
    apply_chance,
    apply_choices,
    chance,
    legal_actions,
    new_game,
    node,
    scores,
)

RESULT = Path(__file__).with_suffix(".json")
SECONDS = 3.0
SEATS = 2


def step(state: State, stream: Random) -> State:
    if node(state) is Node.CHANCE:
        event = chance(state)
        return apply_chance(state, event.outcome(stream.randrange(event.size)))
    choices = {seat: stream.choice(legal_actions(state, seat)) for seat in acting_seats(state)}
    return apply_choices(state, choices)


def measure(variant: Variant, seconds: float = SECONDS) -> dict[str, float]:
    """Random games of one variant for about so long."""
    stream = Random(1)
    games = steps = choices = 0
    began = time.perf_counter()
    while time.perf_counter() - began < seconds:
        state = new_game(variant, SEATS)
        while state.phase is not Phase.OVER:
            choices += len(acting_seats(state))
            state = step(state, stream)
            steps += 1
        scores(state)
        games += 1
    spent = time.perf_counter() - began
    return {
        "games_per_second": round(games / spent),
        "choices_per_second": round(choices / spent),
        "steps_per_game": round(steps / games, 1),
    }


def main() -> None:
    print(f"random {SEATS}-player games on one core, {SECONDS:.0f} s each")
    variants = {}
    for key, variant in all_variants().items():
        variants[key] = measure(variant)
        speed = variants[key]
        print(f"  {key:<18} {speed['games_per_second']:>6.0f} games/s  {speed['choices_per_second']:>7.0f} choices/s")
    result = {"command": "make bench", "python": platform.python_version(), "seats": SEATS, "variants": variants}
    RESULT.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Trains `td-net` from nothing by TD(0.8) self-play on the CPU, and stores it in the package: `make td-net`."""

import argparse
from pathlib import Path

import numpy as np

import qwixx.bots
from qwixx.boards import find_variant
from qwixx.bots.tdnet import FEATURES, TdNet
from qwixx.kernel.kits import Array, NumpyKit
from qwixx.kernel.many import Many, unchanged
from qwixx.kernel.minds import EVOLVED_BOT
from qwixx.kernel.netfile import pack_weights
from qwixx.kernel.valuenet import layers
from qwixx.train.net import Net, new_weights
from qwixx.train.selfplay import ASKED, SCALE, watch

DECAY, STRAYS, TEACHER_STRAYS, TEACHER_ROUNDS = 0.8, 0.02, 0.1, 3
REMEMBERED = 6
"""So many rounds are learnt from, each anew in every round."""
BATCH, FASTEST, SLOWEST = 1024, 1e-3, 3e-5
FILE = Path(qwixx.bots.__file__).parent / "nets" / "td-net.npz"
CLASSIC = find_variant("classic")


def lessons(many: Many, player: TdNet | None, number: int) -> tuple[Array, Array, Array]:
    """Games, and what they teach: features of every seat before every roll, the λ-return and the final points."""
    kit, seats = many.kit, many.seats
    strays = STRAYS if player else TEACHER_STRAYS
    seen = watch(many, [player.value if player else None] * seats, number, strays)
    points = many.finish()[1] / SCALE
    judge = player or TdNet(kit, new_weights(FEATURES, (128, 64), 1))
    returned, found = points, []
    for moments in reversed(seen):
        going = np.flatnonzero(moments.active >= 0)
        columns = []
        for seat in range(seats):
            samples = np.stack([going, 0 * going + seat, 0 * going], axis=1)
            inputs = many.inputs(samples, np.array([unchanged()]), moments)
            features = judge.features(judge.sides(inputs, seats - 1), 0)
            found.append((features, returned[going, seat], points[going, seat]))
            columns.append(judge.guess(features)[0])
        decay = DECAY if player else 1.0
        returned = returned.copy()
        returned[going] = decay * returned[going] + (1 - decay) * np.stack(columns, axis=1)
    features, targets, ends = (np.concatenate([part[which] for part in found]) for which in range(3))
    return features, targets, ends


def learn(net: Net, features: Array, targets: Array, ends: Array, rate: float, stream: np.random.Generator) -> float:
    """One pass over the lessons: likely points, and how far the real ones were from them."""
    error, order = 0.0, stream.permutation(len(features))
    for first in range(0, len(order) - BATCH + 1, BATCH):
        part = order[first : first + BATCH]
        made = layers(net.kit, net.layer, features[part], 1)
        mean, spread = made[3][:, 0], np.clip(made[3][:, 1], -4, 2)
        sure = np.exp(-spread)
        off = mean - ends[part]
        slope = np.stack([(mean - targets[part]) * sure, 0.5 * (1 - off * off * sure)], axis=1) / BATCH
        net.descend(features[part], 1, made, slope.astype(np.float32), rate)
        error += float((off * off).mean())
    return error / max(1, len(order) // BATCH)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=180)
    parser.add_argument("--games", type=int, default=2048, help="games in a round")
    arguments = parser.parse_args()
    kit, stream = NumpyKit(1), np.random.default_rng(1)
    net = Net(kit, new_weights(FEATURES, (128, 64), 1))
    tables = {seats: Many(CLASSIC, [ASKED] * seats, arguments.games * 2 // seats, 1) for seats in (2, 3, 4)}
    teachers = {seats: Many(CLASSIC, [EVOLVED_BOT] * seats, arguments.games * 2 // seats, 2) for seats in (2, 3, 4)}
    memory: list[tuple[Array, Array, Array]] = []
    for turn in range(arguments.rounds):
        seats = (2, 3, 2, 4)[turn % 4]
        taught = turn < TEACHER_ROUNDS
        player = None if taught else TdNet(kit, net.weights)
        rate = SLOWEST + (FASTEST - SLOWEST) * (1 - turn / arguments.rounds)
        many = teachers[seats] if taught else tables[seats]
        memory = [*memory[1 - REMEMBERED :], lessons(many, player, turn * arguments.games)]
        features, targets, ends = (np.concatenate(parts) for parts in zip(*memory, strict=True))
        error = learn(net, features, targets, ends, rate, stream)
        print(f"round {turn + 1}: points are {SCALE * error**0.5:.1f} off", end="\r", flush=True)
    pack_weights(net.weights, FILE)
    print(f"\n{FILE.name} is in the package")


if __name__ == "__main__":
    main()

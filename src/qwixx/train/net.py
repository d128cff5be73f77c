"""How a value network learns, over numpy's arrays or torch's."""

from collections.abc import Sequence
from math import prod
from zlib import crc32

import numpy as np

from qwixx.kernel.judge import judge_on
from qwixx.kernel.kits import Array, Kit
from qwixx.kernel.many import Value
from qwixx.kernel.slope import Aims, slope_of
from qwixx.kernel.ties import Ties, joined, untied
from qwixx.kernel.valuenet import NAMES, Weights, layers
from qwixx.rules import MalformedError

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8
MARGIN = 0.1
"""How much the error of the points' difference weighs beside that of the chance to win."""
SEEN, HEARD = 8, 64
"""About one input in so many is not zero. A unit of a later layer that hears more than so many takes shorter steps."""
WARM = 500
"""So many steps grow to their full length. Long ones at once leave many units dead: they answer nothing any more."""


def new_weights(inputs: int, units: Sequence[int], seed: int) -> Weights:
    """Weights to begin with, small and random."""
    stream, (first, second) = np.random.default_rng(seed), units
    sizes = {"first": (inputs, first, inputs / SEEN), "second": (first, second, first), "last": (second, 2, 4 * second)}
    weights: Weights = {}
    for name, (above, below, seen) in sizes.items():
        weights[name] = (stream.standard_normal((above, below)) * np.sqrt(2 / seen)).astype(np.float32)
        weights[f"{name}_bias"] = np.zeros(below, np.float32)
    return weights


def mean_of(nets: Sequence[Weights], shares: Sequence[int]) -> Weights:
    """The weighted mean of networks that grew from one: often it has the strengths of each."""
    if any(net[name].shape != nets[0][name].shape for net in nets for name in NAMES):
        raise MalformedError("only networks of one size have a mean")
    return {name: np.average([net[name] for net in nets], axis=0, weights=shares).astype(np.float32) for name in NAMES}


def paces_of(weights: Weights) -> Weights:
    """How long each weight's steps are by comparison: where many weights make one sum, they would move it too far."""
    paces = {name: min(1.0, HEARD / len(weights[name])) for name in ("second", "last")} | {"first": 1.0}
    return {name: np.full_like(weights[name], paces[name.removesuffix("_bias")]) for name in NAMES}


def fingerprint(weights: Weights) -> str:
    """Tells networks apart."""
    return f"{crc32(joined(weights).tobytes()):08x}"


class Net:
    """The free weights, which lie in one array, the running moments of their gradients (Adam), and the layers that
    they make, where one weight may stand in many places."""

    def __init__(self, kit: Kit, weights: Weights, ties: Ties | None = None) -> None:
        self.kit, ties = kit, ties or untied(weights)
        self.which, self.places = kit.put(ties.which), kit.put(ties.places)
        self.shapes = [weights[name].shape for name in NAMES]
        self.flat = kit.put(joined(weights)[ties.places[:, 0]])
        self.mean, self.square, self.steps = 0 * self.flat, 0 * self.flat, 0
        self.pace = kit.put(joined(paces_of(weights))[ties.places[:, 0]])
        self.spread()

    def spread(self) -> None:
        """Makes the layers of the free weights."""
        self.layer: dict[str, Array] = {}
        self.judge: Value | None = None
        whole, begin = self.flat[self.which], 0
        for name, shape in zip(NAMES, self.shapes, strict=True):
            end = begin + prod(shape)
            self.layer[name] = whole[begin:end].reshape(shape)
            begin = end

    @property
    def weights(self) -> Weights:
        return {name: np.array(self.kit.get(self.layer[name])) for name in NAMES}

    def chance(self, inputs: Array, lines: int) -> Array:
        """The chance to win, for each table as a seat sees it."""
        if self.judge is None:
            self.judge = judge_on(self.kit, self.layer)
        return self.judge(inputs, lines)

    def learn(self, inputs: Array, lines: int, target: Array, margin: Array, rate: float) -> Array:
        """One step towards these targets; the error of the chance before it, as cross-entropy."""
        if self.kit.sparse:
            slope, error = slope_of(self.layer, inputs, lines, Aims(target, margin, MARGIN))
            self._adam(slope[self.places].mean(1), rate)
            return error
        made = layers(self.kit, self.layer, inputs, lines)
        guess = self.kit.sigmoid(made[3][:, 0])
        slope = self.kit.stacked([guess - target, 2 * MARGIN * (made[3][:, 1] - margin)]) / len(guess)
        self.descend(inputs, lines, made, slope, rate)
        return self.kit.cross_entropy(guess, target)

    def descend(
        self, inputs: Array, lines: int, made: tuple[Array, Array, Array, Array], slope: Array, rate: float
    ) -> None:
        """One step down, from what the layers made of the inputs and the slope of the error in the last of them."""
        layer, kit, (first, pooled, second, _) = self.layer, self.kit, made
        to_second = (slope @ layer["last"].T) * (second > 0)
        to_pooled = to_second @ layer["second"].T / lines
        to_first = (kit.repeated(to_pooled, lines) if lines > 1 else to_pooled) * (first > 0)
        gradients = {
            "first": inputs.T @ to_first,
            "first_bias": to_first.sum(0),
            "second": pooled.T @ to_second,
            "second_bias": to_second.sum(0),
            "last": second.T @ slope,
            "last_bias": slope.sum(0),
        }
        whole = kit.joined([gradients[name].reshape(-1) for name in NAMES])
        self._adam(whole[self.places].mean(1), rate)

    def _adam(self, gradient: Array, rate: float) -> None:
        self.steps += 1
        one, two = 1 - FIRST_MOMENT**self.steps, 1 - SECOND_MOMENT**self.steps
        self.mean *= FIRST_MOMENT
        self.mean += (1 - FIRST_MOMENT) * gradient
        self.square *= SECOND_MOMENT
        self.square += (1 - SECOND_MOMENT) * gradient * gradient
        rate *= min(1.0, self.steps / WARM) / one
        self.flat -= rate * self.pace * self.mean / ((self.square / two) ** 0.5 + TINY)
        self.spread()

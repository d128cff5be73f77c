"""The network learns what it is told: its gradients are right, and its errors fall."""

import numpy as np
import pytest

from qwixx.kernel.kits import STEEPEST, Array, NumpyKit
from qwixx.kernel.valuenet import NAMES, layers
from qwixx.train.net import MARGIN, WARM, Net, new_weights


def net_and_data(lines: int) -> tuple[Net, Array, Array, Array]:
    stream = np.random.default_rng(3)
    net = Net(NumpyKit(), new_weights(12, (7, 5), 1))
    net.flat[:] += stream.standard_normal(len(net.flat)).astype(np.float32) / 10
    net.spread()
    inputs = stream.standard_normal((6 * lines, 12)).astype(np.float32)
    return net, inputs, stream.random(6).astype(np.float32), stream.standard_normal(6).astype(np.float32)


def loss(net: Net, inputs: Array, lines: int, target: Array, margin: Array) -> float:
    net.spread()
    layer = {name: net.layer[name].astype(np.float64) for name in NAMES}
    out = layers(net.kit, layer, inputs.astype(np.float64), lines)[3]
    guess = 1 / (1 + np.exp(-out[:, 0]))
    chance = -(target * np.log(guess) + (1 - target) * np.log(1 - guess)).mean()
    return float(chance + MARGIN * ((out[:, 1] - margin) ** 2).mean())


@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("lines", [1, 3])
def test_the_gradient_is_the_slope(lines: int, sparse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NumpyKit, "sparse", sparse)
    net, inputs, target, margin = net_and_data(lines)
    found: list[Array] = []
    monkeypatch.setattr(Net, "_adam", lambda self, gradient, rate: found.append(gradient))
    net.learn(inputs, lines, target, margin, 0.1)
    step = 1e-3
    for place in range(0, len(net.flat), 5):
        before = net.flat[place]
        net.flat[place] = before + step
        above = loss(net, inputs, lines, target, margin)
        net.flat[place] = before - step
        below = loss(net, inputs, lines, target, margin)
        net.flat[place] = before
        assert found[0][place] == pytest.approx((above - below) / (2 * step), abs=2e-4)


@pytest.mark.parametrize("lines", [1, 2])
def test_line_by_line_it_learns_what_it_learns_layer_by_layer(lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where most inputs are zero, some tables are hopeless, and there are more units than inputs."""
    weights = new_weights(24, (40, 48), 1)
    weights["last"] *= 300
    stream, nets, errors = np.random.default_rng(5), [], []
    inputs = (stream.random((300 * lines, 24)) < 0.2).astype(np.float32)
    target, margin = (stream.random(300) < 0.5).astype(np.float32), stream.standard_normal(300).astype(np.float32)
    for sparse in (True, False):
        monkeypatch.setattr(NumpyKit, "sparse", sparse)
        net = Net(NumpyKit(), weights)
        logits = layers(net.kit, net.layer, inputs, lines)[3][:, 0]
        assert logits.min() < -STEEPEST
        assert logits.max() > STEEPEST
        errors.append([net.learn(inputs, lines, target, margin, 0.01) for _ in range(20)])
        nets.append(net)
    assert errors[0] == pytest.approx(errors[1], rel=0.02), "next to nothing, the last digits count"
    assert np.allclose(nets[0].flat, nets[1].flat, atol=1e-4)


def test_errors_fall() -> None:
    net, inputs, target, margin = net_and_data(2)
    least = -(target * np.log(target) + (1 - target) * np.log(1 - target)).mean()
    assert loss(net, inputs, 2, target, margin) > least + 0.1
    for _ in range(300):
        net.learn(inputs, 2, target, margin, 0.01)
    assert loss(net, inputs, 2, target, margin) < least + 0.01


def test_what_is_used_in_play_follows_what_is_learnt() -> None:
    net, inputs, target, margin = net_and_data(1)
    before = net.chance(inputs.copy(), 1)
    net.learn(inputs, 1, target, margin, 0.05)
    assert not np.allclose(before, net.chance(inputs.copy(), 1))


def test_the_first_step_is_short_and_shorter_where_many_are_heard() -> None:
    """Adam's first step is as long as the rate, whatever the slope; while it warms up, a part of that. A weight of the
    second layer here is one of 128 in its sum, so it goes half as far as one of the first layer."""
    stream = np.random.default_rng(1)
    net = Net(NumpyKit(), new_weights(12, (128, 16), 1))
    before = net.weights
    inputs, target = stream.standard_normal((64, 12)).astype(np.float32), stream.random(64).astype(np.float32)
    net.learn(inputs, 1, target, target, 0.5)
    moved = {name: np.abs(net.weights[name] - before[name]).max() for name in NAMES}
    for name, pace in {
        "first": 1,
        "first_bias": 1,
        "second": 0.5,
        "second_bias": 0.5,
        "last": 1,
        "last_bias": 1,
    }.items():
        assert moved[name] == pytest.approx(pace * 0.5 / WARM, rel=0.01)


def test_after_the_first_steps_they_have_their_full_length() -> None:
    net, inputs, target, margin = net_and_data(1)
    for _ in range(WARM):
        net.learn(inputs, 1, target, margin, 0.0)
    before = net.flat.copy()
    net.learn(inputs, 1, target, margin, 1e-3)
    assert np.abs(net.flat - before).max() == pytest.approx(1e-3, rel=0.01)

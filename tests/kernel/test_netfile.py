"""A network comes back from its file as it was, to 16 bits."""

from functools import partial
from pathlib import Path
from random import Random

import numpy as np
import pytest

from qwixx.boards import find_variant
from qwixx.bots.minds import read_net
from qwixx.kernel.netfile import pack_weights, read_weights
from qwixx.kernel.valuenet import NAMES, Weights
from qwixx.rules import MalformedError
from qwixx.train.net import new_weights
from qwixx.train.school import School, Syllabus

UNITS = (64, 32)


def is_almost(found: Weights, known: Weights) -> bool:
    """Equal to eleven binary digits of each weight."""
    return tuple(found) == NAMES and all(
        found[name].shape == known[name].shape
        and found[name].dtype == np.float32
        and np.allclose(found[name], known[name], rtol=2.0**-11, atol=1e-7)
        for name in NAMES
    )


def test_weights_that_are_one_are_written_once(tmp_path: Path) -> None:
    school = School(Syllabus(find_variant("card"), units=UNITS))
    known = school.net.weights
    school.pack(tmp_path / "tied.npz")
    pack_weights(known, tmp_path / "untied.npz")
    assert is_almost(read_weights(tmp_path / "tied.npz"), known)
    assert is_almost(read_weights(tmp_path / "untied.npz"), known)
    with np.load(tmp_path / "tied.npz") as tied, np.load(tmp_path / "untied.npz") as untied:
        assert len(untied["free"]) == sum(map(np.size, known.values()))
        assert len(tied["free"]) == len(school.net.flat) < len(untied["free"]) / 7


def test_weights_without_the_boards_symmetries_are_all_written(tmp_path: Path) -> None:
    school = School(Syllabus(find_variant("card"), units=UNITS))
    known = new_weights(school.moves.shape[1], UNITS, 3)
    pack_weights(known, tmp_path / "net.npz", school.moves)
    assert is_almost(read_weights(tmp_path / "net.npz"), known)


@pytest.mark.parametrize(
    "kept",
    [{"first": 1}, *({"free": np.zeros(count), "moves": np.arange(8)[None], "units": [4, 4]} for count in (9, 67))],
)
def test_a_file_without_a_network_is_refused(kept: dict[str, object], tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", **kept)  # type: ignore[arg-type]
    np.save(tmp_path / "lonely.npy", np.zeros(9))
    (tmp_path / "empty.npz").touch()
    (tmp_path / "half.npz").write_bytes((tmp_path / "other.npz").read_bytes()[:200])
    for name in ("nothing.npz", "other.npz", "lonely.npy", "empty.npz", "half.npz"):
        with pytest.raises(MalformedError, match=f"{name} has no network"):
            read_weights(tmp_path / name)


@pytest.mark.parametrize("name", NAMES[1:])
def test_layers_that_do_not_fit_each_other_are_refused(name: str, tmp_path: Path) -> None:
    """Compiled code would read beyond their ends."""
    weights = new_weights(16, (8, 4), 1)
    np.savez(tmp_path / "whole.npz", **weights)  # type: ignore[arg-type]
    assert read_weights(tmp_path / "whole.npz")["first"].shape == (16, 8)
    np.savez(tmp_path / "short.npz", **weights | {name: weights[name][:-1]})  # type: ignore[arg-type]
    with pytest.raises(MalformedError, match="do not fit each other"):
        read_weights(tmp_path / "short.npz")


def test_a_damaged_file_is_a_network_or_refused(tmp_path: Path) -> None:
    """Whatever bytes have changed, and whichever of the libraries below notices."""
    school = School(Syllabus(find_variant("mini"), units=UNITS))
    school.pack(tmp_path / "net.npz")
    whole, stream, refused = (tmp_path / "net.npz").read_bytes(), Random(1), 0
    for _ in range(600):
        damaged = bytearray(whole)
        for _ in range(stream.randint(1, 5)):
            damaged[stream.randrange(len(whole))] = stream.randrange(256)
        (tmp_path / "damaged.npz").write_bytes(damaged)
        for read in (read_weights, partial(read_net, variant=find_variant("mini"))):
            try:
                read(tmp_path / "damaged.npz")
            except MalformedError:
                refused += 1
    assert refused > 600, "a network of the other kind is never one"

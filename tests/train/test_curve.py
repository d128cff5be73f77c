"""A training's curves."""

import re
from xml.etree import ElementTree

from qwixx.train.curve import COLOURS, draw


def test_lines_are_named_in_the_order_in_which_they_end() -> None:
    picture = draw("mini", {"falls": [(1, 0.6), (2, 0.3)], "rises": [(1, 0.2), (2, 0.55)]})
    assert picture.index("rises 55.0%") < picture.index("falls 30.0%")


def test_no_two_lines_look_the_same() -> None:
    picture = draw("classic", {f"bot {number}": [(1, number / 20)] for number in range(2 * len(COLOURS))})
    looks = re.findall(r'<polyline [^>]*stroke="([^"]+)"[^>]*stroke-dasharray="([^"]+)"', picture)
    assert len(looks) == len(set(looks)) == 2 * len(COLOURS)


def test_names_are_text_and_a_training_without_scores_has_a_picture() -> None:
    texts = [each.text for each in ElementTree.fromstring(draw("<b>", {"a & b": [(1, 0.5)]})).iter() if each.text]
    assert "<b>" in texts
    assert "a & b 50.0%" in texts
    assert "nothing yet" in [each.text for each in ElementTree.fromstring(draw("nothing yet", {})).iter()]

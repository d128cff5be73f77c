"""Every screen: accessible in light and dark, and without scrolling while one plays."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Visit
from tests.browser.screens import PLAYING, SCREENS, SIZES

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SMALLEST_CELL = (24, 40)
IN_GERMAN = """localStorage.setItem("qwixx", JSON.stringify({...JSON.parse(localStorage.qwixx), language: "de"}))"""
COVERED = """[...document.querySelectorAll("main button:not(:disabled), .die, .other")].filter(each => {
    const box = each.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return box.width && !each.contains(top);
}).map(each => each.outerHTML.slice(0, 120))"""
"""What lies under something else, so that it cannot be tapped or seen."""


def violations(page: Page) -> list[str]:
    """What axe-core finds, in a line each."""
    page.evaluate(AXE.read_text("utf-8"))
    found: dict[str, Any] = page.evaluate(
        "tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})", TAGS
    )
    return [
        f"{violation['id']}: {violation['help']} {[node['html'][:160] for node in violation['nodes'][:3]]}"
        for violation in found["violations"]
    ]


@pytest.mark.parametrize("name", SCREENS)
def test_axe_finds_nothing(visit: Visit, name: str) -> None:
    page = visit(reduced_motion="reduce", viewport={"width": 360, "height": 640})
    SCREENS[name](page)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(100)
        assert violations(page) == [], scheme


@pytest.mark.parametrize("name", PLAYING)
def test_nobody_has_to_scroll_while_playing(visit: Visit, name: str) -> None:
    """On every size in English, and in German, whose words are longer."""
    page = visit(reduced_motion="reduce")
    SCREENS[name](page)
    for language in ("en", "de"):
        if language == "de":
            page.evaluate(IN_GERMAN)
            page.reload()
            page.locator("main.table").wait_for()
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(100)
            everything_fits(page, width, height)


def everything_fits(page: Page, width: int, height: int) -> None:
    tall, wide = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert (tall, wide) == (height, width)
    assert page.evaluate(COVERED) == []
    for box in [each.bounding_box() for each in page.locator("section.mine button.cell:visible").all()]:
        assert box
        assert box["width"] >= SMALLEST_CELL[0]
        assert box["height"] >= SMALLEST_CELL[1]
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= height

"""Whole games in a real browser, as a person taps them."""

import re

import pytest
from playwright.sync_api import Page, expect

from qwixx.boards import all_variants
from qwixx.record import read_record
from qwixx.rules import scores
from tests.browser.play import SENTENCE, is_over, play_to_the_end


@pytest.mark.parametrize("key", sorted(all_variants()))
def test_a_whole_game(page: Page, key: str) -> None:
    page.goto("/")
    page.get_by_placeholder("Your name").fill("Ann")
    name = page.locator("b", has_text=re.compile(f"^{re.escape(all_variants()[key].name)}$"))
    page.locator("button.game").filter(has=name).click()
    page.get_by_role("button", name="2", exact=True).click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    page.locator(SENTENCE).wait_for()
    play_to_the_end(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    game = read_record(download.value.path().read_text("utf-8"))
    assert game.variant.key == key
    totals = [score.total for score in scores(game.state)]
    shown = [int(total) for total in page.locator("tbody td:last-child").all_inner_texts()]
    assert shown == sorted(totals, reverse=True)
    page.get_by_role("button", name="Were the dice fair?").click()
    expect(page.get_by_role("status").filter(has_text="These dice were fair.")).to_contain_text("Ann added to them")
    assert game.fair
    assert game.fair.added[0]
    assert game.unlike(game.fair) == []


def test_a_whole_game_by_keyboard_alone(page: Page) -> None:
    """From the start page to the end: nothing is tapped, no one-letter shortcut is used."""
    page.goto("/")
    page.locator(".game").first.wait_for()
    _tab_to(page, "Play now against two bots")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    page.locator(SENTENCE).wait_for()
    for _ in range(400):
        if is_over(page):
            break
        if page.locator("button.cell.can").count():
            _cross_by_keys(page)
        page.wait_for_timeout(20)
    expect(page.locator("main.end h1")).to_contain_text(re.compile("won with|share the win with"))
    _tab_to(page, "Back")
    page.keyboard.press("Enter")
    expect(page.locator(".told")).to_contain_text(re.compile(r"Step (\d+) of"))


def _cross_by_keys(page: Page) -> None:
    """Walks to the first available cell with the arrows, picks it and confirms it."""
    label = page.locator("button.cell.can").first.get_attribute("data-at", timeout=1000)
    if not label or not _focus_sheet(page):
        return
    row, place = map(int, label.split(","))
    for _ in range(30):
        at = page.evaluate("document.activeElement.dataset.at ?? ''")
        if not at or at == label:
            break
        here_row, here_place = map(int, at.split(","))
        step = "ArrowDown" if here_row < row else "ArrowUp" if here_row > row else ""
        page.keyboard.press(step or ("ArrowRight" if here_place < place else "ArrowLeft"))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")


def _focus_sheet(page: Page) -> bool:
    for _ in range(12):
        if page.evaluate("document.activeElement.classList.contains('cell')"):
            return True
        page.keyboard.press("Tab")
    return False


def _tab_to(page: Page, name: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == name:
            return
    raise AssertionError(f"“{name}” cannot be reached with the Tab key")

"""Whole games in a real browser, as a person taps them."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from qwixx.boards import all_variants

MOST_TAPS = 1500


def open_table(page: Page, name: str, seats: int = 2) -> None:
    page.goto("/")
    page.get_by_placeholder("Your name").fill("Ann")
    page.locator("button.game").filter(has=page.locator("b", has_text=re.compile(f"^{re.escape(name)}$"))).click()
    page.get_by_role("button", name=str(seats), exact=True).click()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")


def tap(page: Page) -> None:
    """One thing that the player can do now."""
    sentence = page.locator(".say b").inner_text()
    cells = page.locator("button.cell.can")
    if cells.count():
        cells.first.click()
        page.keyboard.press("Enter")
    elif match := re.match(r"Take (\d)", sentence):
        for _ in range(int(match[1])):
            page.locator("button.back:not(.pick):enabled").first.click()
        page.keyboard.press("Enter")
    elif sentence.startswith("Play cards"):
        page.locator("button.face:enabled").first.click()
        page.keyboard.press("Enter")
    page.wait_for_timeout(30)


@pytest.mark.parametrize("key", sorted(all_variants()))
def test_a_whole_game(page: Page, key: str) -> None:
    page.set_default_timeout(5000)
    open_table(page, all_variants()[key].name)
    for _ in range(MOST_TAPS):
        if " won with " in page.locator(".say b").inner_text():
            break
        tap(page)
    expect(page.locator(".say b")).to_contain_text(" won with ")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    assert download.value.path().read_text("utf-8").startswith(f"qwixx record 1\nvariant: {key}\n")


def test_one_tap_starts_against_two_bots(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now against two bots").click()
    expect(page.locator("aside .card")).to_have_count(2)
    page.goto("/")
    expect(page.get_by_role("link", name=re.compile("^classic"))).to_have_count(1)


def test_a_friend_joins_by_link(page: Page, browser: Browser) -> None:
    page.goto("/")
    page.get_by_placeholder("Your name").fill("Ann")
    page.locator("button.game").first.click()
    page.get_by_role("button", name="2", exact=True).click()
    page.get_by_label("Seats 2").select_option("friend")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    other = browser.new_context(locale="de-DE").new_page()
    other.goto(page.url)
    other.get_by_placeholder("Dein Name").fill("Bo")
    other.get_by_role("button", name="Platz nehmen").click()
    expect(other.locator(".say b")).to_be_visible()
    expect(page.locator("aside h3")).to_contain_text("Bo")
    other.context.close()


def test_a_cell_that_is_not_available_says_why(page: Page) -> None:
    open_table(page, "Qwixx")
    expect(page.locator("button.cell.can").first).to_be_visible()
    page.get_by_role("button", name="red 12").click()
    expect(page.get_by_role("status")).to_contain_text(re.compile("^(S6|T3|T4): "))


def test_an_unknown_table(page: Page) -> None:
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table.")).to_be_visible()

"""Whole games in a real browser, as a person taps them."""

import contextlib
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as TappedTooLate

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
    """One thing that the player can do now; the table may move on meanwhile, and then there is nothing to tap."""
    with contextlib.suppress(TappedTooLate):
        _tap(page)
    page.wait_for_timeout(30)


def _tap(page: Page) -> None:
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


@pytest.mark.parametrize("key", sorted(all_variants()))
def test_a_whole_game(page: Page, key: str) -> None:
    open_table(page, all_variants()[key].name)
    page.set_default_timeout(1000)
    for _ in range(MOST_TAPS):
        if " won with " in page.locator(".say b").inner_text():
            break
        tap(page)
    expect(page.locator(".say b")).to_contain_text(" won with ")
    page.set_default_timeout(30_000)
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


def test_real_dice_are_entered_with_six_taps(page: Page) -> None:
    page.goto("/")
    page.locator("button.game").first.click()
    page.get_by_role("button", name="2", exact=True).click()
    page.get_by_label("We roll real dice").check()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/t/*")
    for die, pips in enumerate((4, 1, 3, 6, 5, 2)):
        page.locator("fieldset").nth(die).get_by_role("button", name=str(pips), exact=True).click()
    page.get_by_role("button", name="These were rolled").click()
    expect(page.locator(".say b")).to_contain_text("Cross the 5, or pass.")
    expect(page.locator("button.cell.can")).to_have_count(4)


def test_a_personal_link_moves_the_seat(page: Page, browser: Browser) -> None:
    open_table(page, "Qwixx")
    expect(page.locator("button.cell.can").first).to_be_visible()
    table = page.url.rsplit("/", 1)[-1]
    key = page.evaluate("table => JSON.parse(localStorage.getItem('qwixx')).tables[table].keys[0]", table)
    other = browser.new_context().new_page()
    other.goto(f"{page.url}#key={key}")
    expect(other.locator("section.mine")).to_be_visible()
    assert "#" not in other.url, "the key does not stay in the address"
    other.context.close()


def test_an_unknown_table(page: Page) -> None:
    page.goto("/t/nowhere")
    expect(page.get_by_text("There is no such table.")).to_be_visible()

"""Tapping a cell that is not available says why, with the rule, in plain words."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.play import ME, SENTENCE, cell, cross, opened, roll, seated, tap

BO = {"kind": "person", "name": "Bo"}


def why(page: Page, name: str, text: str) -> None:
    cell(page, name).first.click()
    expect(page.locator(".toast")).to_have_text(text)


def crossed(page: Page, name: str) -> None:
    cross(page, name)
    expect(cell(page, name)).to_have_accessible_name(f"{name}, crossed")


def test_dice(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    why(page, "red 7", "The dice have not been rolled yet (T3).")
    roll(page, 3, 4, 1, 1, 6, 6)
    why(page, "red 8", "The white dice add up to 7, so red 8 is not available (T3).")
    why(page, "red 12", "Red 12 closes its row and needs 5 crosses there first; you have 0 (S6).")
    crossed(page, "red 7")
    why(page, "red 7", "Red 7 is crossed already (S5).")
    why(page, "red 4", "Red 4 lies left of your red 7 (S5).")
    why(page, "yellow 9", "No white die and the yellow die add up to yellow 9 (T4).")


def test_the_turn_of_somebody_else(page: Page, visit: Visit) -> None:
    address, (ann, bo) = opened(page, "classic", ME, BO)
    other = visit()
    page.goto(f"{address}#key={ann}")
    other.goto(f"{address}#key={bo}")
    for each in (page, other):
        each.locator("button.cell.can").first.wait_for()
        each.keyboard.press("p")
    both = {"1": page, "2": other}
    while not (active := [seat for seat, each in both.items() if each.get_by_text("Add one white").count()]):
        page.wait_for_timeout(20)
    waiting = other if active == ["1"] else page
    expect(waiting.locator(SENTENCE)).to_contain_text("'s roll.")
    name = {"1": "Ann", "2": "Bo"}[active[0]]
    why(waiting, "red 7", f"Only the active player, {name}, adds a coloured die (T4).")


def test_rows_that_others_closed(page: Page) -> None:
    seated(page, "mixx-a", ME, dice="paper")
    roll(page, 3, 4, 1, 1, 6, 6)
    page.get_by_role("button", name="Pass", exact=True).click()
    _close(page, 0)
    why_row = page.locator("section.mine .row").first.locator("button.cell").first
    why_row.click()
    expect(page.locator(".toast")).to_contain_text(re.compile(r"was closed in action 1 of this turn \(X3\)\.$"))
    closed = _colour_of_the_closed_row(page)
    _tap_elsewhere(page, closed)
    expect(page.locator(".toast")).to_have_text(f"The {closed} die left the game in action 1 of this turn (X3).")
    page.locator("button.cell.can").first.click()
    page.locator("button.cell.pick").first.click()
    roll(page, 6, 6, 2, 2, 2)
    page.get_by_role("button", name="Pass", exact=True).click()
    why_row.click()
    expect(page.locator(".toast")).to_contain_text(re.compile(r"is closed for everybody \(L1\)\.$"))
    _tap_elsewhere(page, closed)
    expect(page.locator(".toast")).to_contain_text(f"The {closed} die is out of the game")


def _close(page: Page, row: int) -> None:
    page.get_by_role("button", name=re.compile("^Somebody else closed")).nth(row).click()
    page.get_by_role("button", name="Yes", exact=True).click()
    expect(page.locator(".row.shut")).to_have_count(1)


def _colour_of_the_closed_row(page: Page) -> str:
    return (page.locator(".row.shut").get_attribute("aria-label") or "").split()[-1]


def _tap_elsewhere(page: Page, colour: str) -> None:
    """Taps an open cell of that colour in a row that is not closed: far right, so that nothing lies to its right."""
    cells = page.locator(f".row:not(.shut) button.cell.{colour}:not(.x):not(.skip):not(.can)")
    cells.nth(0).click()


@pytest.mark.parametrize("variant", ["card"])
def test_cards(page: Page, variant: str) -> None:
    seated(page, variant, ME, {"kind": "bot", "name": "Robin", "bot": "skip-2"})
    seen: set[str] = set()
    for _ in range(60):
        asked = page.locator(SENTENCE).inner_text()
        if "The pile calls" in asked and "call" not in seen:
            number = int(re.findall(r"\d+", asked)[0])
            other = next(name for name in _open_cells(page) if name.split()[1] != str(number))
            why(page, other, f"The pile calls {number}, so {other} is not available (C4).")
            seen.add("call")
        if asked.startswith("Take") and "take" not in seen:
            why(page, next(_open_cells(page)), "First the active player takes cards up to a hand of 5 (C3).")
            seen.add("take")
        if "Play cards" in asked and "play" not in seen:
            _no_card(page)
            seen.add("play")
        if len(seen) == 3:
            break
        tap(page)
    assert seen == {"call", "take", "play"}


def _no_card(page: Page) -> None:
    held = [face.get_attribute("aria-label") for face in page.locator("button.face").all()]
    free = next(name for name in _open_cells(page) if name not in held)
    why(page, free, f"You hold no card for {free} (C5).")


def _open_cells(page: Page) -> Iterator[str]:
    """Cells that nothing but the moment keeps from being crossed."""
    names = [f"{colour} {number}" for number in range(3, 12) for colour in ("red", "blue")]
    return (name for name in names if cell(page, name).first.get_attribute("aria-label") == name)

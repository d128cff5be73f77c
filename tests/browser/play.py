"""What a person does at the table, for the tests of the page and for its pictures."""

import contextlib
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TappedTooLate

MOST_TAPS = 1500
LONGEST_GAME = 90.0
"""Seconds that tapping through a game takes at most, also on a busy machine."""
ME = {"kind": "person", "name": "Ann"}
FRIEND = {"kind": "open"}
SENTENCE = ".say b"


def bot(name: str, kind: str = "skip-2") -> dict[str, str]:
    return {"kind": "bot", "name": name, "bot": kind}


def opened(page: Page, variant: str, *seats: dict[str, str], **options: Any) -> tuple[str, list[str]]:  # noqa: ANN401
    """Opens a table without a page and gives its address and the keys of its people."""
    table = {"variant": variant, "seats": seats or (ME, bot("Robin")), **options}
    answer = page.request.post("/api/tables", data=table)
    assert answer.status == 201, answer.text()
    body = answer.json()
    return f"/t/{body['table']}", list(body["keys"].values())


def seated(page: Page, variant: str, *seats: dict[str, str], **options: Any) -> str:  # noqa: ANN401
    """Opens a table and sits down at it; its address."""
    address, keys = opened(page, variant, *seats, **options)
    page.goto(f"{address}#{'&'.join(f'key={key}' for key in keys)}")
    return address


def sentence(page: Page) -> str:
    return page.locator(SENTENCE).inner_text(timeout=5000)


def roll(page: Page, *pips: int) -> None:
    """Enters real dice, one tap a die."""
    for die, number in enumerate(pips):
        page.locator("form .die").nth(die).get_by_role("button", name=str(number), exact=True).click()
    done = page.get_by_role("button", name="This was rolled")
    done.click()
    done.wait_for(
        state="hidden"
    )  # the table has heard of it; before, a tap on a cell would only ask why it is not free


def roll_for_all(page: Page, *pips: int) -> None:
    """Enters real dice, also where another seat is to roll them."""
    page.locator("form .die").or_(page.get_by_role("button", name="Enter the dice")).first.wait_for()
    if page.get_by_role("button", name="Enter the dice").count():
        page.get_by_role("button", name="Enter the dice").click()
    roll(page, *pips)


def cell(page: Page, name: str) -> Locator:
    """A cell of one's own sheet, like `red 7`."""
    return page.locator("section.mine .sheet").get_by_role("button", name=re.compile(f"^{name}(,|$)"))


def free(page: Page, name: str) -> Locator:
    """A cell of one's own sheet that may be crossed now; a tap waits until the table has come so far."""
    return page.locator("section.mine .sheet").get_by_role("button", name=re.compile(f"^{name},.* available$"))


def cross(page: Page, name: str) -> None:
    free(page, name).click()
    cell(page, name).click()


def is_over(page: Page) -> bool:
    return page.locator("main.end").count() > 0


def tap(page: Page) -> None:
    """One thing that the player can do now; the table may move on meanwhile, and then there is nothing to tap."""
    with contextlib.suppress(TappedTooLate):
        _tap(page)
    page.wait_for_timeout(20)


def _tap(page: Page) -> None:
    if page.locator("button", has_text="show my cards").count():
        page.locator("button", has_text="show my cards").click(timeout=500)
        return
    if page.locator(".act .go:enabled").count():  # picked, but the tap that confirms it came too late
        page.locator(".act .go").click(timeout=500)
        return
    asked = page.locator(SENTENCE).inner_text(timeout=500)
    cells = page.locator("button.cell.can")
    if cells.count():
        cells.first.click(timeout=500)
        page.locator("button.cell.pick").first.click(timeout=500)
    elif match := re.search(r"Take (\d)", asked):
        for _ in range(int(match[1])):
            page.locator("button.paper.can").first.click(timeout=500)
        page.locator(".act .go").click(timeout=500)
    elif "Play cards" in asked:
        page.locator("button.face:enabled").first.click(timeout=500)
        page.locator(".act .go").click(timeout=500)
        page.get_by_role("button", name="Yes, take the misthrow").click(timeout=500)


def play_on(page: Page, taps: int = MOST_TAPS, until: Callable[[], bool] = lambda: False) -> bool:
    """Plays so many taps, or to the end of the game, or until something holds; whether it does."""
    deadline = time.monotonic() + LONGEST_GAME
    for _ in range(taps):
        if until():
            return True
        if is_over(page):
            break
        assert time.monotonic() < deadline, f"the game does not go on:\n{page.locator('body').inner_text()}"
        tap(page)
    return until()


def play_to_the_end(page: Page) -> None:
    play_on(page)
    expect(page.locator("main.end h1")).to_contain_text(re.compile("won with|share the win|is over"))

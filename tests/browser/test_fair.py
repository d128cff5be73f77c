"""The page checks the dice itself, and is not easily fooled."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.browser.play import ME, bot, play_to_the_end, seated


@pytest.fixture
def finished(page: Page) -> Page:
    seated(page, "mini", ME, bot("Robin"))
    play_to_the_end(page)
    return page


def verdict(page: Page) -> str:
    page.get_by_role("button", name="Were the dice fair?").click()
    return page.get_by_role("status").filter(has_text="These dice").inner_text()


def test_the_menu_shows_the_promise_and_the_end_keeps_it(page: Page) -> None:
    seated(page, "mini", ME, bot("Robin"))
    page.get_by_role("button", name="Menu").click()
    promised = page.get_by_role("dialog").locator("code").inner_text()
    assert len(promised) == 64
    page.keyboard.press("Escape")
    play_to_the_end(page)
    assert verdict(page).startswith("✔ These dice were fair.")
    assert page.locator("code").inner_text() == promised


def test_a_changed_roll_is_found(finished: Page) -> None:
    def changed(route: Route) -> None:
        history: dict[str, Any] = route.fetch().json()
        rolled = [number for number, step in enumerate(history["steps"]) if step.get("outcome", "").startswith("roll")]
        kind, first, *rest = history["steps"][rolled[1]]["outcome"].split()
        history["steps"][rolled[1]]["outcome"] = " ".join([kind, "2" if first == "1" else "1", *rest])
        found.append(rolled[1])
        route.fulfill(json=history)

    found: list[int] = []
    finished.route("**/history", changed)
    finished.reload()
    assert verdict(finished) == f"✘ These dice were not fair: they do not follow from the secret at step {found[0]}."


@pytest.mark.parametrize(
    ("fact", "forged", "said"),
    [
        ("promise", "0" * 64, "the secret is not the one that was promised before the game"),
        ("bots", {"1": "bot-another"}, "the words of Robin were fixed before the game and are others now"),
        ("words", {"0": "another-word"}, "what this device added to them is missing"),
    ],
)
def test_what_the_device_remembers_counts(finished: Page, fact: str, forged: object, said: str) -> None:
    table = finished.url.rsplit("/", 1)[1]
    memory = json.loads(finished.evaluate("localStorage.getItem('qwixx')"))
    assert memory["tables"][table][fact] != forged
    memory["tables"][table][fact] = forged
    finished.evaluate("text => localStorage.setItem('qwixx', text)", json.dumps(memory))
    finished.reload()
    assert said in verdict(finished)


def test_the_next_game_has_a_promise_of_its_own(finished: Page) -> None:
    before = finished.url.rsplit("/", 1)[1]
    finished.get_by_role("button", name="Play again").click()
    finished.wait_for_url(lambda url: before not in url)
    finished.locator("section.mine").wait_for()
    play_to_the_end(finished)
    assert verdict(finished).startswith("✔ These dice were fair.")
    tables = json.loads(finished.evaluate("localStorage.getItem('qwixx')"))["tables"]
    assert len({tables[each]["promise"] for each in tables}) == 2

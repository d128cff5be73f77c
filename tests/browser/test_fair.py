"""The page checks the dice itself, and is not easily fooled."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute

from tests.browser.conftest import Visit
from tests.browser.play import ME, bot, play_to_the_end, seated


@pytest.fixture
def finished(page: Page) -> Page:
    seated(page, "mini", ME, bot("Robin"))
    play_to_the_end(page)
    return page


def remembered(page: Page) -> dict[str, Any]:
    """What the device keeps of the table."""
    memory = json.loads(page.evaluate("localStorage.getItem('qwixx')"))
    kept: dict[str, Any] = memory["tables"][page.url.rsplit("/", 1)[1]]
    return kept


def remember(page: Page, fact: str, forged: object) -> None:
    """The device remembers something else, and looks again."""
    memory = json.loads(page.evaluate("localStorage.getItem('qwixx')"))
    kept = memory["tables"][page.url.rsplit("/", 1)[1]]
    assert kept[fact] != forged
    kept[fact] = forged
    page.evaluate("text => localStorage.setItem('qwixx', text)", json.dumps(memory))
    page.reload()


def verdict(page: Page) -> str:
    page.get_by_role("button", name="Were the dice fair?").click()
    return page.get_by_role("status").filter(has_text="These dice").inner_text()


def test_the_menu_shows_the_promise_and_the_end_keeps_it(page: Page) -> None:
    seated(page, "mini", ME, bot("Robin"))
    page.get_by_role("button", name="Menu").click()
    promised, word = page.get_by_role("dialog").locator("code").all_inner_texts()
    assert len(promised) == 64
    assert word == remembered(page)["words"]["0"]
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
    remember(finished, fact, forged)
    assert said in verdict(finished)


def test_a_bot_that_is_called_a_person_afterwards_is_found(finished: Page) -> None:
    """A server could choose another word for it, and then say that somebody brought it."""
    remember(finished, "bots", {"1": "bot-another"})
    finished.route_web_socket("**/ws", lambda socket: _as_person(socket, 1))
    finished.reload()
    assert "the words of Robin were fixed before the game and are others now" in verdict(finished)


def _as_person(socket: WebSocketRoute, seat: int) -> None:
    """Whatever the server says, that seat is a person's."""

    def changed(message: str | bytes) -> None:
        told = json.loads(message)
        if told["type"] == "update":
            told["table"]["seats"][seat]["kind"] = "person"
        socket.send(json.dumps(told))

    socket.connect_to_server().on_message(changed)


def test_who_was_not_there_before_the_game_is_told_so(finished: Page, visit: Visit) -> None:
    other = visit()
    other.goto(finished.url)
    assert verdict(other).endswith("compare the hash with what a player noted.")


def test_the_next_game_has_a_promise_of_its_own(finished: Page) -> None:
    before = finished.url.rsplit("/", 1)[1]
    finished.get_by_role("button", name="Play again").click()
    finished.wait_for_url(lambda url: before not in url)
    finished.locator("section.mine").wait_for()
    play_to_the_end(finished)
    assert verdict(finished).startswith("✔ These dice were fair.")
    tables = json.loads(finished.evaluate("localStorage.getItem('qwixx')"))["tables"]
    assert len({tables[each]["promise"] for each in tables}) == 2

"""Reloads, lost connections and a server that dies: the game goes on, and nothing is lost."""

import re
import signal
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.play import ME, SENTENCE, bot, cell, opened, play_on, play_to_the_end, roll_for_all, seated
from tests.browser.test_looks import violations
from tests.browser.wire import wire
from tests.server.process import free_port, server

BO = {"kind": "person", "name": "Bo"}


def port_of(page: Page) -> int:
    return int(page.evaluate("location.port"))


def test_a_reload_and_a_lost_connection_in_the_middle_of_action_1(page: Page, visit: Visit) -> None:
    address, (ann, bo) = opened(page, "classic", ME, BO, dice="real")
    page.goto(f"{address}#key={ann}")
    with wire(port_of(page)) as cable:
        other = visit(base_url=f"http://127.0.0.1:{cable.port}")
        other.goto(f"{address}#key={bo}")
        other.locator("main.table").wait_for()
        expect(page.locator(".other"), "so that whose turn it is shows").not_to_contain_text("away")
        roll_for_all(page, 4, 1, 3, 6, 5, 2)
        expect(other.locator(SENTENCE)).to_contain_text("Cross the 5, or pass.")

        cell(page, "red 5").click()
        page.get_by_role("button", name="Cross red 5").click()
        expect(page.locator(SENTENCE)).to_contain_text("You chose: Cross red 5")
        page.reload()
        expect(page.locator(SENTENCE)).to_contain_text("You chose: Cross red 5")

        cell(other, "blue 5").click()
        cable.cut()
        expect(other.get_by_text("The connection is lost; trying again …")).to_be_visible()
        expect(page.locator(".other")).to_contain_text("away")
        cell(other, "blue 5").click()
        expect(other.locator(".toast")).to_contain_text("The connection is lost")
        cable.mend()
        expect(other.get_by_text("The connection is lost; trying again …")).to_have_count(0)
        expect(other.locator("button.cell.pick"), "what was picked is still picked").to_have_count(1)
        cell(other, "blue 5").click()
        expect(page.locator(".other .on")).to_have_count(1)
        expect(other.locator(".cell.x")).to_have_count(1)


def test_the_server_is_killed_in_mid_game_and_restarted(visit: Visit, tmp_path: Path) -> None:
    port, database = free_port(), tmp_path / "tables.db"
    with server(port, database) as first:
        page = visit(base_url=f"http://127.0.0.1:{port}")
        seated(page, "classic", ME, bot("Robin"), bot("Kim"))
        page.locator("button.cell.can").first.wait_for()
        play_on(page, 4)
        expect(page.locator("header.say")).not_to_contain_text("lost")
        before = _at_rest(page)
        first.send_signal(signal.SIGKILL)
        first.wait()
        expect(page.get_by_text("The connection is lost; trying again …")).to_be_visible()
    with server(port, database):
        expect(page.get_by_text("The connection is lost; trying again …")).to_have_count(0)
        assert _sheets(page) == before
        page.reload()
        page.locator("section.mine").wait_for()
        assert _sheets(page) == before
        play_to_the_end(page)


def _at_rest(page: Page) -> list[str]:
    """The sheets once the bots have moved and nothing changes any more: the table waits for the person."""
    page.locator("button.cell.can").first.wait_for()
    seen = _sheets(page)
    while True:
        page.wait_for_timeout(700)
        now = _sheets(page)
        if now == seen:
            return now
        seen = now


def _sheets(page: Page) -> list[str]:
    """Every cross of every sheet, as it is drawn."""
    mine = [str(cell.get_attribute("aria-label")) for cell in page.locator("section.mine .cell.x").all()]
    others = page.locator(".other .mini").evaluate_all("all => all.map(each => each.innerHTML)")
    return [*mine, *map(str, others)]


def test_the_shell_opens_without_a_server(visit: Visit, tmp_path: Path) -> None:
    port = free_port()
    with server(port, tmp_path / "tables.db"):
        page = visit(base_url=f"http://127.0.0.1:{port}")
        page.goto("/")
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.locator(".game").first.wait_for()
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text(
        "The server cannot be reached, so no game can be opened just now."
    )
    expect(page.locator(".game")).not_to_have_count(0)
    expect(page.get_by_role("button", name="Play now against two bots")).to_be_disabled()
    assert violations(page) == []
    page.goto("/t/abcdefgh")
    expect(page.get_by_role("status")).to_contain_text("The connection is lost; trying again …")


def test_german(visit: Visit) -> None:
    page = visit(locale="de-DE")
    page.goto("/")
    page.get_by_placeholder("Dein Name").fill("Änne")
    page.locator("button.game").filter(has_text="Das Kartenspiel").first.wait_for()
    page.locator("button.game").first.click()
    page.get_by_label("Würfel").select_option("real")
    page.get_by_role("button", name="1", exact=True).click()
    page.get_by_role("button", name="Tisch eröffnen").click()
    for die, number in enumerate((3, 4, 1, 1, 6, 6)):
        page.locator("form .die").nth(die).get_by_role("button", name=str(number), exact=True).click()
    page.get_by_role("button", name="Das wurde gewürfelt").click()
    expect(page.locator(SENTENCE)).to_have_text("Dein Wurf. Kreuze die 7 an oder passe.")
    page.locator("section.mine").get_by_role("button", name="Rot 8", exact=True).click()
    expect(page.locator(".toast")).to_have_text("Die weißen Würfel ergeben 7, also geht Rot 8 nicht (T3).")
    page.get_by_role("button", name="Passen", exact=True).click()
    page.get_by_role("button", name="Passen und einen Fehlwurf nehmen").click()
    expect(page.get_by_role("alert")).to_contain_text("Ein Fehlwurf kostet 5 Punkte.")
    page.get_by_role("button", name="Menü").click()
    page.get_by_role("button", name="English").click()
    expect(page.locator(SENTENCE)).to_have_text("Add one white and one coloured die, or pass.")
    assert page.evaluate("document.documentElement.lang") == "en"
    expect(page.get_by_role("button", name=re.compile("Pass and take a misthrow"))).to_be_visible()

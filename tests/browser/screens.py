"""Pictures of every screen, phone and laptop, light and dark: `python -m tests.browser.screens FOLDER [SCREEN ...]`."""

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import launched
from tests.browser.play import (
    FRIEND,
    ME,
    bot,
    cell,
    cross,
    opened,
    play_on,
    play_to_the_end,
    roll,
    roll_for_all,
    seated,
)
from tests.server.process import free_port, server

Screen = Callable[[Page], None]
SIZES = {"phone": (360, 640), "landscape": (640, 360), "laptop": (1280, 800)}
ASSETS = Path(__file__).parents[2] / "web" / "public" / "assets"
ROBIN, KIM = bot("Robin"), bot("Kim")
EIGHT = (ME, ROBIN, KIM, *map(bot, ("Alex", "Toni", "Mika", "Lou", "Jo")))
MOST_GAMES = 20
TWO_HERE = (ME, {"kind": "person", "name": "Bo"})


def start(page: Page) -> None:
    seated(page, "classic", ME, ROBIN)
    page.locator("main.table").wait_for()
    seated(page, "longo", ME, FRIEND)
    page.locator("main.wait").wait_for()
    page.goto("/")
    page.locator(".game").first.wait_for()


def setup(page: Page) -> None:
    page.goto("/")
    page.locator(".game").first.click()


def waiting(page: Page) -> None:
    seated(page, "classic", ME, FRIEND, ROBIN)
    page.locator("main.wait img").wait_for()


def join(page: Page) -> None:
    address, _ = opened(page, "card", ME, FRIEND)
    page.goto(address)
    page.locator("main.wait img").wait_for()


def white(page: Page) -> None:
    """A few turns with dice as in the design's picture, then a choice to make."""
    seated(page, "classic", ME, ROBIN, KIM, bot("Alex"), dice="real")
    chosen = (
        "red 2",
        "yellow 3",
        "yellow 4",
        "red 4",
        "red 5",
        "green 12",
        "green 11",
        "blue 12",
        "yellow 6",
        "blue 10",
    )
    for name in chosen:
        number = int(name.split()[1])
        _enter(page, number // 2, number - number // 2, 1, 1, 6, 6)
        cross(page, name)
        _finish_turn(page)
    _enter(page, 3, 4, 2, 6, 5, 4)
    cell(page, "red 7").click()


def _enter(page: Page, *pips: int) -> None:
    roll_for_all(page, *pips)
    page.locator("button.cell.can").first.wait_for()


def _finish_turn(page: Page) -> None:
    """Passes in action 2 where it is one's own roll."""
    asked = page.get_by_text("Add one white and one coloured die")
    page.locator("form .die").or_(page.get_by_role("button", name="Enter the dice")).or_(asked).first.wait_for()
    if asked.count():
        page.get_by_role("button", name="Pass", exact=True).click()


def misthrow(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    roll(page, 4, 3, 2, 6, 5, 1)
    page.get_by_role("button", name="Pass", exact=True).click()
    page.get_by_role("button", name="Pass and take a misthrow").click()


def eight_misthrow(page: Page) -> None:
    """The most people and the longest words for what one may do."""
    seated(page, "deluxe", *EIGHT, dice="real")
    asked = page.get_by_text("Add one white and one coloured die")
    while not asked.count():
        _enter(page, 4, 3, 2, 6, 5, 1)
        page.get_by_role("button", name="Pass", exact=True).click()
        page.locator("form .die").or_(page.get_by_role("button", name="Enter the dice")).or_(asked).first.wait_for()


def why_not(page: Page) -> None:
    seated(page, "classic", ME, ROBIN)
    page.locator("button.cell.can").first.wait_for()
    cell(page, "blue 2").click()
    page.locator(".toast span").wait_for()


def late(variant: str, taps: int, *seats: dict[str, str], asked: str = "") -> Screen:
    """A game after so many taps, with something to choose where it is asked; another game if it has ended by then."""

    def screen(page: Page) -> None:
        to_choose = page.locator("main.table", has=page.locator("button.cell.can")).filter(has_text=asked)
        for _ in range(MOST_GAMES):
            seated(page, variant, *(seats or (ME, ROBIN, KIM)))
            page.locator("main.table").wait_for()
            play_on(page, taps)
            if play_on(page, until=lambda: to_choose.count() > 0):
                return
        raise AssertionError(f"no {variant} game came so far")

    return screen


def hand(page: Page) -> None:
    late("card-joker", 0, asked="Play cards of one colour")(page)
    page.locator("button.cell.can").first.click()


def cover(page: Page) -> None:
    seated(page, "card", *TWO_HERE)
    page.get_by_role("button", name=re.compile("show my cards")).wait_for()


def real_dice(page: Page) -> None:
    seated(page, "classic", ME, dice="real")
    page.locator("form .die").first.wait_for()


def longo_dice(page: Page) -> None:
    seated(page, "longo", ME, dice="real")
    page.locator("form .die").first.wait_for()


def paper(page: Page) -> None:
    seated(page, "classic", ME, dice="paper")
    page.get_by_role("button", name="Somebody else's").click()


def spectator(page: Page) -> None:
    address, _ = opened(page, "classic", ME, ROBIN, KIM)
    page.goto(address.replace("/t/", "/w/"))
    page.locator(".other").first.wait_for()


def other_sheet(page: Page) -> None:
    late("classic", 4)(page)
    page.get_by_role("button", name="Open Robin's sheet").click()


def menu(page: Page) -> None:
    late("classic", 3)(page)
    page.get_by_role("button", name="Menu").click()


def end(page: Page) -> None:
    seated(page, "classic", ME, ROBIN, KIM)
    page.locator("main.table").wait_for()
    play_to_the_end(page)
    page.locator("polyline").first.wait_for()


def card_end(page: Page) -> None:
    seated(page, "card-joker", ME, ROBIN)
    page.locator("main.table").wait_for()
    play_to_the_end(page)
    page.locator(".held").first.wait_for()


def replay(page: Page) -> None:
    end(page)
    page.get_by_role("slider").fill("30")


def unknown(page: Page) -> None:
    page.goto("/t/nowhere")
    page.locator("main.alone").wait_for()


SCREENS: dict[str, Screen] = {
    "start": start,
    "setup": setup,
    "waiting": waiting,
    "join": join,
    "white": white,
    "misthrow": misthrow,
    "why-not": why_not,
    "classic": late("classic", 10),
    "deluxe-eight": late("deluxe", 6, *EIGHT),
    "eight-misthrow": eight_misthrow,
    "mixx-a": late("mixx-a", 8),
    "longo": late("longo", 8, ME, ROBIN, KIM, bot("Alex"), bot("Toni")),
    "card": late("card", 10),
    "hand": hand,
    "cover": cover,
    "real-dice": real_dice,
    "longo-dice": longo_dice,
    "paper": paper,
    "spectator": spectator,
    "other-sheet": other_sheet,
    "menu": menu,
    "end": end,
    "card-end": card_end,
    "replay": replay,
    "unknown": unknown,
}


PLAYING = (
    "white",
    "misthrow",
    "why-not",
    "deluxe-eight",
    "eight-misthrow",
    "mixx-a",
    "longo",
    "card",
    "hand",
    "real-dice",
    "longo-dice",
    "paper",
)


def photograph(browser: Browser, address: str, folder: Path, names: list[str]) -> None:
    for name in names:
        for size, (width, height) in SIZES.items():
            for scheme in ("light", "dark"):
                context = browser.new_context(
                    base_url=address,
                    locale="en-US",
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if scheme == "dark" else "light",
                    reduced_motion="reduce",
                )
                page = context.new_page()
                page.set_default_timeout(20_000)
                SCREENS[name](page)
                page.wait_for_timeout(150)
                page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
                tall = page.evaluate("document.documentElement.scrollHeight")
                print(f"{name} {size} {scheme}: {tall} of {height} px high", flush=True)
                context.close()


def draw_icons(browser: Browser) -> None:
    """The app's icons, from their one drawing; a maskable one leaves room around it."""
    drawing = (ASSETS / "icon.svg").read_text("utf-8")
    for name, size, margin in (("icon-192", 192, 0), ("icon-512", 512, 0), ("icon-maskable", 512, 64)):
        page = browser.new_page(viewport={"width": size, "height": size})
        inner = size - 2 * margin
        style = f"* {{ margin: 0 }} svg {{ display: block; width: {inner}px; margin: {margin}px }}"
        page.set_content(f"<style>{style} body {{ background: {'#fffdf8' if margin else 'none'} }}</style>{drawing}")
        page.screenshot(path=ASSETS / f"{name}.png", omit_background=not margin)
        page.close()


def main() -> None:
    folder, names = Path(sys.argv[1]), sys.argv[2:] or list(SCREENS)
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    with tempfile.TemporaryDirectory() as kept, server(port, Path(kept) / "tables.db"), sync_playwright() as playwright:
        browser = launched(playwright)
        draw_icons(browser)
        photograph(browser, f"http://127.0.0.1:{port}", folder, names)
        browser.close()


if __name__ == "__main__":
    main()

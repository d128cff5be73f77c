"""A real browser and a real server for the tests of the page.

The browser is an installed Chromium or Chrome, else Debian's package where we may install it, else Playwright's own
download. Where none can be had, the tests of the page do not run, and each of them says so.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, sync_playwright

from qwixx.server.app import PAGES
from tests.server.process import free_port, server

FROZEN = 120.0
"""Seconds after which a browser must have done whatever a test asks of it."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def installed_browser() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


def install_debians() -> None:
    """Debian's Chromium, where there is apt and we are root; several test processes wait for each other."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        patient = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
        subprocess.run([*patient, "update"], capture_output=True, check=False)
        subprocess.run([*patient, "install", "-y", "chromium"], capture_output=True, check=False)


def launched(playwright: Playwright) -> Browser:
    """The machine's browser, or one that can be brought; skips where there is none."""
    if installed_browser() is None:
        install_debians()
    installed = installed_browser()
    if installed is None:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], capture_output=True, check=False)
    try:
        return playwright.chromium.launch(executable_path=installed, args=FLAGS)
    except Error as error:
        pytest.skip(f"no browser can be had here, so the page was not tested: {error.message.splitlines()[0]}")


class Machine:
    """A device with a browser, which is started anew where it died."""

    def __init__(self, playwright: Playwright) -> None:
        self._playwright = playwright
        self._browser = launched(playwright)

    def browser(self) -> Browser:
        if not self._browser.is_connected():
            self._browser = launched(self._playwright)
        return self._browser

    def close(self) -> None:
        with suppress(Error):
            self._browser.close()


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    """Not for the whole session: while it lives, its event loop would be in the way of other tests."""
    if not (PAGES / "index.html").is_file():
        pytest.fail("the page has not been built: make web")
    with sync_playwright() as playwright:
        started = Machine(playwright)
        yield started
        started.close()


@pytest.fixture(autouse=True)
def no_frozen_browser() -> Iterator[None]:
    """Once in a long while Chromium freezes, and whatever is asked of it never returns. Then it is killed."""
    timer = Timer(FROZEN, kill_browsers)
    timer.start()
    yield
    timer.cancel()


def kill_browsers() -> None:
    """Every Chromium that this process has started, by way of Playwright."""
    parents: dict[int, tuple[int, str]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = stat.read_text("utf-8", "replace").partition(" (")
            name, _, facts = rest.rpartition(") ")
            parents[int(number)] = int(facts.split()[1]), name
    for pid, (parent, name) in parents.items():
        while parent not in (0, 1, os.getpid()):
            parent = parents.get(parent, (0, ""))[0]
        if parent == os.getpid() and name.startswith("chrom"):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser that died says nothing about the page, so such a test gets a second try; no other failure does."""
    for item in items:
        if "machine" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=["TargetClosedError"]))


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of this session's own, with bots that do not dawdle."""
    port = free_port()
    with server(port, tmp_path_factory.mktemp("server") / "tables.db"):
        yield f"http://127.0.0.1:{port}"


Visit = Callable[..., Page]


@pytest.fixture
def visit(machine: Machine, address: str) -> Iterator[Visit]:
    """Opens a page of somebody else's device. No page may complain: neither in its console nor by an error."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(**options: Any) -> Page:  # noqa: ANN401
        usual = {"base_url": address, "locale": "en-US", "viewport": {"width": 1280, "height": 800}}
        context = machine.browser().new_context(**{**usual, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    lost = "ERR_CONNECTION|ERR_SOCKET|ERR_EMPTY|ERR_INTERNET|Connection closed|404"
    assert [text for text in complaints if not any(word in text for word in lost.split("|"))] == []
    for context in contexts:
        with suppress(Error):
            context.close()


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit()

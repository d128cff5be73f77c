"""The tests of the page do not hang with a browser that does."""

from threading import Timer

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import Visit, kill_browsers


def test_a_frozen_browser_is_killed_and_started_anew(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    Timer(0.5, kill_browsers).start()
    with pytest.raises(Error, match="closed"):
        page.evaluate("() => { while (true); }")
    again = visit()
    again.goto("/")
    again.locator(".game").first.wait_for()

"""What the tests in a browser share: one service, one Chromium, and windows of it.

What playwright drives ends with this folder: its event loop is one that no other test must meet.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from web_service import RunningService, running_service

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

    from browser.visits import OpenVisit, Visit

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
"""Names of the browser, first the one of Debian."""

collect_ignore_glob = [] if importlib.util.find_spec("playwright") else ["test_*.py"]


def chromium_path() -> str:
    """Return where Chromium lies; skips the test where there is none."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), "")
    if not found:
        pytest.skip("there is no chromium on this machine (Debian: apt-get install chromium)")
    return found


def launch_chromium(playwright: Playwright, *arguments: str) -> Browser:
    """Start Chromium with further arguments, such as those of a fake camera; whoever starts it closes it."""
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=arguments)
    page = browser.new_page()
    page.set_content("<span>1</span>")
    drawn = page.locator("span").bounding_box()
    page.close()
    if not (drawn and drawn["width"]):
        browser.close()
        pytest.skip("Chromium finds no font on this machine (Debian: apt-get install fonts-dejavu-core)")
    return browser


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What drives browsers, once for this folder."""
    chromium_path()
    from playwright.sync_api import expect, sync_playwright

    from browser.visits import PATIENCE

    expect.set_options(PATIENCE)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="package")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium without a window."""
    browser = launch_chromium(playwright)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def windows(chromium: Browser) -> dict[str, Page]:
    """The usual window of each device, once opened: to open one takes as long as a short test."""
    return {}


@pytest.fixture(scope="session")
def service() -> Iterator[RunningService]:
    """The service on this machine, over http."""
    with running_service() as running:
        yield running


@pytest.fixture
def open_visit(request: pytest.FixtureRequest, windows: dict[str, Page]) -> Iterator[OpenVisit]:
    """Open windows at the page; at the end of the test nothing may have gone wrong in any of them.

    ``open_visit("phone", address, browser=..., **options)``: a device of ``visits.DEVICES``, the page's
    address (the http service's if none is given), a Chromium of one's own, a ``script`` that runs before the
    page's own, and options of playwright's ``new_context``. Motion is off and the language English unless an
    option says otherwise. A window of a device and nothing else serves one test after the other.
    """
    from browser.visits import DEVICES, PATIENCE, Visit

    visits: dict[Visit, str] = {}
    failed = request.session.testsfailed

    def open_one(
        device: str = "desktop",
        address: str = "",
        *,
        browser: Browser | None = None,
        script: str = "",
        **options: Any,
    ) -> Visit:
        is_usual = not (address or browser or script or options)
        browser = browser or request.getfixturevalue("chromium")
        address = address or request.getfixturevalue("service").address
        usual: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce", "ignore_https_errors": True}
        usual |= {"service_workers": "block"}  # what they fetch can't be held back or changed by a test
        usual = {**usual, **DEVICES[device], **options}
        page = windows.pop(device, None) if is_usual else None
        page = page or browser.new_context(**usual).new_page()
        page.context.set_default_timeout(PATIENCE)
        page.set_viewport_size(usual["viewport"])
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
        visit = Visit(page.context, page, origin, usual.get("has_touch", False))
        visits[visit] = device if is_usual else ""
        if script:
            visit.page.add_init_script(script)
        visit.watch()
        visit.open(address)
        return visit

    yield open_one
    problems = []
    for visit, device in visits.items():
        try:
            if device and request.session.testsfailed == failed:
                visit.leave()
                windows[device] = visit.page
            else:
                visit.close()
        except AssertionError as error:
            problems.append(str(error))
    assert not problems, "\n".join(problems)


@pytest.fixture
def desktop(open_visit: OpenVisit) -> Visit:
    """A window of 1280 x 800 at the page."""
    return open_visit("desktop")


@pytest.fixture
def phone(open_visit: OpenVisit) -> Visit:
    """A touch screen of 390 x 844 at the page."""
    return open_visit("phone")

"""Measure waiting times at the page, without the time of the service. Chromium imitates a slow phone.

Used by ``benchmarks/web.py``. Needs playwright (``pip install '.[dev]'``) and a chromium on this machine.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from drawn.pages import draw_page
from playwright.sync_api import Locator, Page, expect, sync_playwright

from sudoku_vision.output.save import encode
from workshop.rendering import Optics, random_conditions

SLOWED = 4
"""Chromium's processor is slowed down by this factor: then it is as slow as a usual phone's."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 3,
    "has_touch": True,
    "is_mobile": True,
    "locale": "en-GB",
}
SIZES = {"VGA": (640, 480), "12 megapixels": (4032, 3024)}
ACTS = ("choose", "solve", "tap", "digit", "hint", "check", "steps", "answers")

_CLOCK = """() => {
  const times = window.times = { started: 0, shown: 0, ready: 0 };
  addEventListener("DOMContentLoaded", () => {
    const ready = () => { if (document.body.dataset.ready) times.ready ||= performance.now(); };
    new MutationObserver(ready).observe(document.body, { attributeFilter: ["data-ready"] });
    ready();
    for (const name of ["change", "pointerdown"])
      addEventListener(name, (event) => { times.started ||= event.timeStamp; }, { capture: true });
    const isOfClock = ({ target }) => ["clock", "rating"].includes(target.id);  // written every second
    new MutationObserver((changes) => changes.every(isOfClock) || requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { times.shown = performance.now(); };
      port2.postMessage(0);
    })).observe(document.getElementById("content"), { subtree: true, childList: true, attributes: true });
  });
  window.waits = () => {
    const asked = performance.getEntriesByType("resource").filter(({ name, startTime }) =>
      /api.(solve|hint|check|explain|settle)/.test(name) && startTime > times.started);
    const service = asked.reduce((sum, one) => sum + one.duration, 0);
    return [times.shown - times.started - service, service];
  };
  window.again = () => Object.assign(times, { started: 0, shown: 0 });
}"""
"""JavaScript for the page. It records when a person acts, when the page last changes, and how long the
service takes to answer."""


def drawn_page(size: tuple[int, int]) -> bytes:
    """Return a drawn JPEG of a half-solved page with pencil marks. *size*: width and height in pixels."""
    rng = np.random.default_rng(21)
    conditions = replace(random_conditions(rng, "half_solved_page"), size=size, optics=Optics())
    return encode(draw_page(rng, conditions).pixels, ".jpg")


@contextmanager
def phone(address: str, slowed: int = SLOWED) -> Iterator[tuple[Page, float]]:
    """Open the page at *address* as on a phone that is *slowed* times slower than this machine.

    Yields the page, and the milliseconds until the page was ready.
    """
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        page = browser.new_context(**PHONE).new_page()
        page.add_init_script(f"({_CLOCK})()")
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        page.goto(address)
        expect(page.locator("body[data-ready=true]")).to_be_attached()
        yield page, page.evaluate("times.ready")
        browser.close()


def waits(page: Page, photo: Path) -> dict[str, tuple[float, float]]:
    """Return two times in ms for each of ACTS: the wait without the service, and the service's time."""
    waited: dict[str, tuple[float, float]] = {}

    def measure(name: str, act: Callable[[], object]) -> None:
        page.evaluate("again()")
        act()
        page.wait_for_function(
            "() => times.shown && performance.now() - times.shown > 400"
            " && !document.querySelector('.waiting, .reading')",
            timeout=120_000,
        )
        beside, asked = page.evaluate("waits()")
        waited[name] = (beside, asked)

    def choose() -> None:
        page.locator("#choose-file-input").set_input_files(photo)
        expect(page.locator("#board .cell.clue").first).to_be_attached(timeout=120_000)

    def tap(place: Locator) -> None:  # without the checks that Locator.tap runs in the page
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    if page.locator("#home").is_visible():
        page.locator("#home").tap()
    page.wait_for_timeout(500)
    measure("choose", choose)
    blank = "#board .cell:not(.clue, .written) >> nth=0"
    places = {"tap": blank, "digit": "#pad-5"}  # the other acts change the mode
    for name in ACTS[1:]:
        page.wait_for_timeout(500)
        if name == "hint":
            tap(page.locator("#pad-close"))
            page.wait_for_timeout(500)
        measure(name, partial(tap, page.locator(places.get(name, f"#mode-{name}"))))
    return waited

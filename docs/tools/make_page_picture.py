"""Draw the picture of web.md, which shows the page on a phone: the answers, a hint, and entries checked.

python docs/tools/make_page_picture.py ADDRESS [OUT.jpg] [--chromium PATH]

ADDRESS is that of a running ``sudoku-vision serve``. Needs the extra ``test`` and a Chromium.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PIL import Image as Pictures
from PIL import ImageDraw
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

SAMPLES = Path(__file__).resolve().parents[1] / "sample_images"
PHONE: ViewportSize = {"width": 390, "height": 844}
"""The window of the page, in CSS pixels."""
SHOWN, GAP, CORNER = 400, 36, 34
"""Width of a screen in the picture, what lies between two, and the radius of its corners, in pixels."""
DESK, EDGE = (236, 238, 243), (24, 26, 32)
"""Colours of what the screens lie on, and of their rims, in RGB."""
QUALITY = 86
AT_REST = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished))"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the picture; gives the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="as sudoku-vision serve tells it")
    parser.add_argument("out", nargs="?", type=Path, default=Path("docs/page.jpg"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    options = parser.parse_args(arguments)
    if options.chromium is None:
        parser.error("there is no chromium here: name one with --chromium")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        screens = [framed(screen) for screen in screenshots(browser, options.address)]
        browser.close()
    side_by_side(screens).save(options.out, quality=QUALITY)
    print(f"{options.out}: {options.out.stat().st_size / 1e3:.0f} kB")
    return 0


def screenshots(browser: Browser, address: str) -> Iterator[bytes]:
    """Take the screens, as PNG."""
    with opened(browser, address, "newspaper.jpg", "light") as page:
        yield screenshot(page)
    with opened(browser, address, "half_solved.jpg", "light") as page:
        page.locator("#mode-hint").click()
        for _ in range(2):  # where, then why
            page.locator("#hint-next").click()
        yield screenshot(page)
    with opened(browser, address, "pencil.jpg", "dark") as page:
        page.locator("#mode-check").click()
        yield screenshot(page)


def screenshot(page: Page) -> bytes:
    """Take a screen once all that moves has come to rest: answers are written one after another."""
    page.wait_for_load_state("networkidle")
    page.evaluate(AT_REST)
    return page.screenshot()


@contextmanager
def opened(browser: Browser, address: str, sample: str, scheme: Literal["light", "dark"]) -> Iterator[Page]:
    """Open the page in a window of its own with a sample that was read."""
    page = browser.new_page(
        viewport=PHONE, device_scale_factor=2, has_touch=True, is_mobile=True, color_scheme=scheme
    )
    page.goto(address)
    page.locator("#choose-file-input").set_input_files(SAMPLES / sample)
    expect(page.locator("#status")).to_have_attribute("data-status", "solved", timeout=20_000)
    page.wait_for_load_state("networkidle")
    yield page
    page.close()


def framed(screen: bytes) -> Pictures.Image:
    """Return a screen as the phone shows it: small, with round corners and a rim."""
    picture = Pictures.open(io.BytesIO(screen)).convert("RGB")
    height = round(SHOWN * picture.height / picture.width)
    picture = picture.resize((SHOWN, height), Pictures.Resampling.LANCZOS)
    rim = 8
    whole = Pictures.new("RGB", (SHOWN + 2 * rim, height + 2 * rim), DESK)
    ImageDraw.Draw(whole).rounded_rectangle((0, 0, whole.width - 1, whole.height - 1), CORNER + rim, EDGE)
    mask = Pictures.new("L", (2 * SHOWN, 2 * height), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), 2 * CORNER, 255)
    whole.paste(picture, (rim, rim), mask.resize(picture.size, Pictures.Resampling.LANCZOS))
    return whole


def side_by_side(screens: Sequence[Pictures.Image]) -> Pictures.Image:
    """Lay screens beside one another."""
    width = sum(one.width for one in screens) + GAP * (len(screens) + 1)
    whole = Pictures.new("RGB", (width, screens[0].height + 2 * GAP), DESK)
    left = GAP
    for one in screens:
        whole.paste(one, (left, GAP))
        left += one.width + GAP
    return whole


if __name__ == "__main__":
    sys.exit(main())

"""A person's visit to the page: one browser window, and all that went wrong in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, expect

SAMPLES = Path(__file__).resolve().parents[3] / "sample_images"
PATIENCE = 60_000.0
"""Milliseconds that a browser waits for what takes a part of a second on an idle machine."""

DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "has_touch": True,
        "is_mobile": True,
    },
}
"""The two windows that the page is looked at in."""


@dataclass
class Visit:
    """One window at the page. ``troubles`` are the console's errors, the page's own, and foreign requests."""

    context: BrowserContext
    page: Page
    origin: str
    has_touch: bool = False
    troubles: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Take note of what goes wrong from now on."""
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        self.page.on("websocket", lambda socket: self._asked(socket.url))
        self.context.on("request", self._requested)

    def allow(self, pattern: str) -> None:
        """Let the console tell of what this test brings about: a browser logs each answer from 400 on."""
        self.allowed.append(pattern)

    def open(self, address: str) -> None:
        """Go to the page, and wait until it is ready."""
        self.page.goto(address)
        expect(self.page.locator("body[data-ready=true]")).to_be_attached()

    def choose(self, name: str | Path) -> None:
        """Choose a file with the page's button, a sample by its name."""
        with self.page.expect_file_chooser() as chooser:
            self.page.locator("#choose-file").click()
        chooser.value.set_files(SAMPLES / name)

    def press(self, *names: str) -> None:
        """Press buttons of the page one after the other, by their ids: on a touch screen with a finger."""
        for name in names:
            button = self.page.locator(f"#{name}")
            button.tap() if self.has_touch else button.click()

    def enter(self, cell: int, digit: int | str) -> None:
        """Press a cell of the board, 0 to 80, and a digit of the pad."""
        cell_of_board = self.cell(cell // 9 + 1, cell % 9 + 1)
        cell_of_board.tap() if self.has_touch else cell_of_board.click()
        self.press(f"pad-{digit}")

    def read(self, name: str | Path, status: str = "solved") -> None:
        """Choose a file, and wait until it is read."""
        self.choose(name)
        self.expect_status(status)

    def expect_status(self, status: str) -> None:
        """Wait until the page says how things stand: "solved", "uncertain", "no_grid" ..."""
        expect(self.page.locator("#status")).to_have_attribute("data-status", status)
        expect(self.page.locator("#work")).not_to_have_class(re.compile(r"\b(waiting|reading)\b"))

    def cell(self, row: int, column: int) -> Locator:
        """Return a cell of the board beside the photo, counted from 1."""
        return self.page.locator(f'#board [data-cell="{9 * (row - 1) + column - 1}"]')

    def expect_clues(self, clues: str) -> None:
        """Wait until the board beside the photo shows these 81 printed digits, 0 where none is."""
        other = re.compile(r"^(?!.*\bclue\b)")
        kinds = [other if digit == "0" else re.compile(r"\bclue\b") for digit in clues]
        expect(self.page.locator("#board [data-cell]")).to_have_class(kinds)
        digits = [digit for digit in clues if digit != "0"]
        expect(self.page.locator("#board [data-cell].clue")).to_have_text(digits)

    def expect_drawn(self, digits: int) -> None:
        """Wait until so many digits are drawn into the photo."""
        expect(self.page.locator("#layer-ink g[data-cell]")).to_have_count(digits)

    def close(self) -> None:
        """Close the window; nothing may have gone wrong in it."""
        self.context.close()
        unexpected = [one for one in self.troubles if not any(re.search(ok, one) for ok in self.allowed)]
        assert not unexpected, "\n".join(unexpected)

    def _heard(self, message: ConsoleMessage) -> None:
        blocked = "Service Worker registration blocked" in message.text  # as the tests want it
        if message.type in ("error", "warning") and not blocked:
            place = message.location
            self.troubles.append(f"console {message.type}: {message.text} ({place['url']})")

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        self._asked(request.url)

    def _asked(self, url: str) -> None:
        parts, own = urlsplit(url), urlsplit(self.origin)
        if parts.scheme not in ("data", "blob") and parts.netloc != own.netloc:
            self.troubles.append(f"a request to another host: {url}")


OpenVisit = Callable[..., Visit]
"""What the fixture ``open_visit`` gives."""

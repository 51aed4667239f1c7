"""A person's visit to the page: one browser window, and all that went wrong in it."""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

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

COPIES = "() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }"
NO_COPIES = "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed')); }"
"""Have the page copy into a variable, or be refused to."""
TRANSFER = """({ events, file, text }) => {
  const transfer = new DataTransfer();
  if (file) {
    const bytes = Uint8Array.from(atob(file), (one) => one.charCodeAt(0));
    transfer.items.add(new File([bytes], "picture.jpg", { type: "image/jpeg" }));
  } else transfer.setData("text/plain", text);
  for (const name of events) {
    const what = { bubbles: true, cancelable: true };
    document.body.dispatchEvent(name === "paste"
      ? new ClipboardEvent(name, { ...what, clipboardData: transfer })
      : new DragEvent(name, { ...what, dataTransfer: transfer }));
  }
}"""


@dataclass(eq=False)
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
        self.page.on("pageerror", self._failed)
        self.page.on("websocket", self._connected)
        self.context.on("request", self._requested)

    def allow(self, pattern: str) -> None:
        """Let the console tell of what this test brings about: a browser logs each answer from 400 on."""
        self.allowed.append(pattern)

    def open(self, address: str) -> None:
        """Go to the page, and wait until it is ready."""
        self.page.goto(address)
        expect(self.find("body[data-ready=true]")).to_be_attached()

    def find(self, selector: str) -> Locator:
        """Return elements of the page."""
        return self.page.locator(selector)

    def place_in(self, element: Locator, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """Return a place in an element, in shares of its size, as pixels of the window."""
        box = element.bounding_box()
        assert box is not None
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag the mouse from one place of the window to another."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=9)
        self.page.mouse.up()

    def transfer(self, *events: str, file: Path | None = None, text: str = "") -> None:
        """Do what a browser does when a file or a text is pasted or dropped."""
        data = base64.b64encode(file.read_bytes()).decode() if file else ""
        self.page.evaluate(TRANSFER, {"events": events, "file": data, "text": text})

    def paste(self, board: str, status: str = "solved") -> None:
        """Paste a board in text, and wait until it is read."""
        self.transfer("paste", text=board)
        self.expect_status(status)

    def choose(self, name: str | Path) -> None:
        """Choose a file with the page's button, a sample by its name."""
        with self.page.expect_file_chooser() as chooser:
            self.find("#choose-file").click()
        chooser.value.set_files(SAMPLES / name)

    def press(self, *names: str) -> None:
        """Press buttons of the page one after the other, by their ids: on a touch screen with a finger."""
        for name in names:
            button = self.find(f"#{name}")
            button.tap() if self.has_touch else button.click()

    def enter(self, cell: int, digit: int | str) -> None:
        """Press a cell of the board, 0 to 80, and a digit of the pad."""
        self.at(cell).tap() if self.has_touch else self.at(cell).click()
        self.press(f"pad-{digit}")

    def choose_cells(self, cells: Sequence[int]) -> None:
        """Choose several cells of the board, 0 to 80."""
        for cell in cells:
            self.at(cell).click(modifiers=["Shift"] if cell != cells[0] else None)

    def read(self, name: str | Path, status: str = "solved") -> None:
        """Choose a file, and wait until it is read."""
        self.choose(name)
        self.expect_status(status)

    def expect_status(self, status: str) -> None:
        """Wait until the page says how things stand: "solved", "uncertain", "no_grid" ..."""
        expect(self.find("#status")).to_have_attribute("data-status", status)
        expect(self.find("#work")).not_to_have_class(re.compile(r"\b(waiting|reading)\b"))

    def cell(self, row: int, column: int) -> Locator:
        """Return a cell of the board beside the photo, counted from 1."""
        return self.at(9 * (row - 1) + column - 1)

    def at(self, cell: int) -> Locator:
        """Return a cell of the board, 0 to 80."""
        return self.find(f'#board [data-cell="{cell}"]')

    def marks(self, cell: int) -> str:
        """Return the digits noted in a cell of the board, 0 to 80."""
        noted = self.at(cell).locator("[data-mark]").all()
        return "".join(one.get_attribute("data-mark") or "" for one in noted)

    def expect_clues(self, clues: str) -> None:
        """Wait until the board beside the photo shows these 81 printed digits, 0 where none is."""
        other = re.compile(r"^(?!.*\bclue\b)")
        kinds = [other if digit == "0" else re.compile(r"\bclue\b") for digit in clues]
        expect(self.find("#board [data-cell]")).to_have_class(kinds)
        digits = [digit for digit in clues if digit != "0"]
        expect(self.find("#board [data-cell].clue")).to_have_text(digits)

    def expect_drawn(self, digits: int) -> None:
        """Wait until so many digits are drawn into the photo."""
        expect(self.find("#layer-ink g[data-cell]")).to_have_count(digits)

    def close(self) -> None:
        """Close the window; nothing may have gone wrong in it."""
        self.context.close()
        self._check()

    def leave(self) -> None:
        """Leave the page, and forget all that is kept of it; nothing may have gone wrong in the window."""
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("websocket", self._connected)
        self.context.remove_listener("request", self._requested)
        for other in self.context.pages[1:]:
            other.close()
        self.page.unroute_all(behavior="ignoreErrors")
        self.page.goto("about:blank")
        session = self.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": self.origin, "storageTypes": "all"})
        session.send("Page.resetNavigationHistory")
        session.detach()
        self._check()

    def _check(self) -> None:
        unexpected = [one for one in self.troubles if not any(re.search(ok, one) for ok in self.allowed)]
        assert not unexpected, "\n".join(unexpected)

    def _heard(self, message: ConsoleMessage) -> None:
        blocked = "Service Worker registration blocked" in message.text  # as the tests want it
        if message.type in ("error", "warning") and not blocked:
            place = message.location
            self.troubles.append(f"console {message.type}: {message.text} ({place['url']})")

    def _failed(self, error: Error) -> None:
        self.troubles.append(f"page error: {error}")

    def _connected(self, socket: WebSocket) -> None:
        self._asked(socket.url)

    def _requested(self, request: Request) -> None:
        self.requests.append(request)
        self._asked(request.url)

    def _asked(self, url: str) -> None:
        parts, own = urlsplit(url), urlsplit(self.origin)
        if parts.scheme not in ("data", "blob") and parts.netloc != own.netloc:
            self.troubles.append(f"a request to another host: {url}")


OpenVisit = Callable[..., Visit]
"""What the fixture ``open_visit`` gives."""

"""Firefox, driven over WebDriver BiDi, the W3C's protocol, of which a smoke test needs a few commands."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 30.0
"""Seconds for one command, and for what is waited for."""


class Firefox:
    """A window of Firefox. ``log`` holds what its console said, and its errors."""

    def __init__(self, socket: ClientConnection) -> None:
        """Begin a session on a connection to Firefox."""
        self._socket = socket
        self._numbers = itertools.count(1)
        self.log: list[str] = []
        self.requests: list[str] = []
        self.call("session.new", capabilities={})
        self._context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def call(self, method: str, **parameters: Any) -> Any:
        """Give a command, and return its result."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self._socket.recv(PATIENCE))
            if told.get("type") == "event":
                self._take_note(told)
            elif told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]

    def open(self, address: str) -> None:
        """Go to a page, and wait until it is loaded."""
        self.call("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression in the page: a number, a text, whether, or nothing."""
        told = self._evaluate(expression)
        return told.get("value")

    def set_files(self, selector: str, *paths: Path) -> None:
        """Choose files for an input."""
        element = self._evaluate(f"document.querySelector({json.dumps(selector)})")
        self.call(
            "input.setFiles",
            context=self._context,
            element={"sharedId": element["sharedId"]},
            files=[str(path) for path in paths],
        )

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true in the page."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"never true: {expression}\n" + "\n".join(self.log)
            time.sleep(0.05)

    def _evaluate(self, expression: str) -> dict[str, Any]:
        told = self.call(
            "script.evaluate", expression=expression, target={"context": self._context}, awaitPromise=True
        )
        assert told["type"] == "success", told
        found: dict[str, Any] = told["result"]
        return found

    def _take_note(self, event: dict[str, Any]) -> None:
        told = event["params"]
        if event["method"] == "log.entryAdded":
            self.log.append(f"{told['level']}: {told['text']}")
        else:
            self.requests.append(told["request"]["url"])


@contextlib.contextmanager
def running_firefox() -> Iterator[Firefox]:
    """Run Firefox without a window, with a profile of its own."""
    profile = tempfile.mkdtemp()
    command = [
        "firefox-esr",
        "--headless",
        "--no-remote",
        "--profile",
        profile,
        "--remote-debugging-port",
        "0",
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        try:
            with connect(f"{_address_told(process)}/session", max_size=None) as socket:
                firefox = Firefox(socket)
                yield firefox
                firefox.call("browser.close")
                process.wait(PATIENCE)
        finally:
            process.kill()
            process.communicate()
            shutil.rmtree(profile, ignore_errors=True)


def _address_told(process: subprocess.Popen[str]) -> str:
    """Wait until Firefox has named the address that it listens at."""
    assert process.stderr is not None
    told = []
    for line in process.stderr:
        told.append(line)
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
        if found:
            return found[1]
    raise AssertionError("Firefox did not start:\n" + "".join(told))

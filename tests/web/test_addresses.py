"""The addresses of this machine in its networks, as text and as a code to scan."""

import io
import re
from typing import Any

import cv2
import numpy as np
import pytest

from sudoku_vision.web import addresses
from sudoku_vision.web.addresses import lan_addresses, page_address, shows_codes, terminal_qr_code

TOKEN = "q3Zk0r9mW1yT7uXb5LsV2A"


class Terminal(io.StringIO):
    """A stream that passes for a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_the_usual_address_comes_first_and_each_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_usual_addresses", lambda: iter(["192.168.1.5", "2001:db8::5"]))
    others = ["127.0.0.1", "10.0.0.7", "192.168.1.5", "169.254.3.3", "::1", "fe80::1", "fd00::2", "nonsense"]
    monkeypatch.setattr(addresses, "_addresses_of_interfaces", lambda: iter(others))
    assert lan_addresses() == ("192.168.1.5", "10.0.0.7", "2001:db8::5", "fd00::2")


def test_the_address_of_the_page() -> None:
    assert page_address("192.168.1.5", 8000) == "http://192.168.1.5:8000/"
    assert page_address("fd00::2", 8443, https=True) == "https://[fd00::2]:8443/"
    assert page_address("192.168.1.5", 443, https=True, token=TOKEN) == f"https://192.168.1.5/?token={TOKEN}"


def drawn(code: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The code as a terminal shows it, a module four pixels wide."""
    rows = []
    for line in code.splitlines():
        halves = re.fullmatch(r"\x1b\[38;5;16;48;5;231m([ ▀▄█]+)\x1b\[0m", line)
        assert halves
        rows.append([char in "▀█" for char in halves[1]])
        rows.append([char in "▄█" for char in halves[1]])
    dark = np.array(rows)
    return np.where(np.kron(dark, np.ones((4, 4), bool)), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("host", ["192.168.178.123", "fd00:1234:5678:9abc:def0:1234:5678:9abc"])
def test_the_code_on_the_terminal_can_be_scanned(host: str) -> None:
    address = page_address(host, 8000, https=True, token=TOKEN)
    code = terminal_qr_code(address)
    assert len(code.splitlines()) <= 24  # fits into the smallest terminal
    assert cv2.QRCodeDetector().detectAndDecode(drawn(code))[0] == address


@pytest.mark.parametrize(("term", "columns"), [("xterm", 80), ("xterm", 20), ("dumb", 80)])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_a_code_is_shown_where_it_can_be_scanned(
    monkeypatch: pytest.MonkeyPatch, term: str, columns: int, encoding: str
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = Terminal()
    terminal.encoding = encoding
    shown = (term, columns, encoding) == ("xterm", 80, "utf-8")
    assert shows_codes(terminal, "http://192.168.1.5/") == shown

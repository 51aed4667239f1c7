"""Interrupts: the signals by which servers and closed terminals stop a program end it as Ctrl-C does."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn

_STOPS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""What a service manager sends, and what a terminal does when it is closed; Windows has no SIGHUP."""


@contextlib.contextmanager
def stopped_as_by_ctrl_c() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise :class:`KeyboardInterrupt` within, so that what was begun is ended well.

    What is ignored, as under ``nohup``, stays so.
    """

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    heeded = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

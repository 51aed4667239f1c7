"""Interrupts: the signal by which servers stop a program ends it as Ctrl-C does."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from typing import NoReturn


@contextlib.contextmanager
def stopped_as_by_ctrl_c() -> Iterator[None]:
    """Let SIGTERM raise :class:`KeyboardInterrupt` within, so that what was begun is ended well."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

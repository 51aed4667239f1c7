"""A desk with faults planted in it, by which the harness is tested."""

from __future__ import annotations

import contextlib
import json
import os
import time

from .desk import MEMORY_FILES, most_memory


class FaultyDesk:
    """Does to a case what its name says."""

    def attempt(self, kind: str, name: str, data: bytes) -> bytes:
        """Crash, hang, eat or raise; ``kind`` and ``data`` don't count."""
        with contextlib.suppress(OSError):
            MEMORY_FILES[0].write_text("5")
        begun, eaten = time.process_time(), b""
        if name == "crash":
            os.abort()
        if name == "hang":
            time.sleep(60)
        if name == "foreign":
            raise ZeroDivisionError("planted")
        if name == "hog":
            eaten = b"x" * 1_600_000_000
        if name == "glutton":
            eaten = b"x" * (4 << 30)
        told = {"outcome": "done", "seconds": time.process_time() - begun, "memory": most_memory()}
        return json.dumps({**told, "error": str(len(eaten))[:0]}).encode()

"""A worker with planted faults, to test the harness."""

import json
import os
import time

from .case_worker import peak_memory


class FaultyWorker:
    """Fails in the way that the name of a case says."""

    def attempt(self, kind: str, name: str, data: bytes) -> bytes:
        """Crash, hang, use memory or raise, by *name*; *kind* and *data* are ignored."""
        begun, filled = time.process_time(), b""
        if name == "crash":
            os.abort()
        if name == "hang":
            time.sleep(60)
        if name == "foreign":
            raise ZeroDivisionError("planted")
        if name == "glutton":
            filled = b"x" * (4 << 30)
        result = {"outcome": "done", "seconds": time.process_time() - begun, "memory": peak_memory()}
        return json.dumps({**result, "error": str(len(filled))[:0]}).encode()

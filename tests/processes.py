"""Processes that tests start, and how they find out what became of them."""

import os


def is_alive(process: int) -> bool:
    """Whether there is a process of this id."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True

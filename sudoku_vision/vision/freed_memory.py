"""Freed memory: kept for the next picture, not handed back to the system each time.

Reading a picture takes some megabytes for a moment, again and again. The C library of Linux hands memory back
to the system as soon as twice the largest block that was ever freed lies idle, and for a small photo that is
so little that the same pages are handed back, asked for and cleared anew a thousand times a photo.
"""

from functools import lru_cache

import numpy as np

_LARGEST_BLOCK = 16 << 20
"""Bytes: several times what a photo of VGA size takes at once; twice as much may lie idle from then on."""


@lru_cache(maxsize=1)
def keep_freed_memory() -> None:
    """Have this process keep what it frees, up to a few dozen megabytes, from the first call on.

    A block that large is freed once, never written to: glibc takes that for what this process works with, and
    moves its thresholds (mallopt(3), ``M_MMAP_THRESHOLD``: they are dynamic). Elsewhere nothing happens.
    """
    np.empty(_LARGEST_BLOCK, np.uint8)

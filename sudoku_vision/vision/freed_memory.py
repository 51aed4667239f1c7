"""Keep freed memory for the next picture, instead of returning it to the system each time.

Reading a picture needs some megabytes for a moment, again and again. The C library of Linux returns memory to
the system once twice the largest block that was ever freed is unused. For a small photo that is very little,
so the same pages are returned, requested and cleared a thousand times a photo.
"""

from functools import lru_cache

import numpy as np

_LARGEST_BLOCK = (
    16 << 20
)  # bytes, several times what a VGA photo needs at once; twice as much may stay unused


@lru_cache(maxsize=1)
def keep_freed_memory() -> None:
    """Make this process keep the memory that it frees, up to a few dozen megabytes, from the first call on.

    It frees one large block that it never wrote to. So glibc raises its thresholds, which follow the largest
    freed block (mallopt(3), ``M_MMAP_THRESHOLD``). On other systems nothing happens.
    """
    np.empty(_LARGEST_BLOCK, np.uint8)

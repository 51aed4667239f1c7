"""Keep freed memory for the next picture, instead of returning it to the system each time.

The C library of Linux returns freed memory to the system when the freed memory is more than twice the largest
block that was freed so far. If all photos are small, this limit is very low. Then the same memory pages are
returned, requested again and cleared, a thousand times for each photo.
"""

from functools import lru_cache

import numpy as np

_LARGEST_BLOCK = 16 << 20
"""Size, in bytes, of a block that is requested and freed, so that the C library keeps more memory afterwards.
The size is several times the memory that a VGA photo needs at the same time."""


@lru_cache(maxsize=1)
def keep_freed_memory() -> None:
    """Make this process keep freed memory from now on, up to twice :data:`_LARGEST_BLOCK`.

    A block of this size is requested and immediately freed; nothing is written to it. Then glibc raises its
    limit for the freed memory that it keeps (mallopt(3), ``M_MMAP_THRESHOLD``). With other C libraries,
    nothing changes.
    """
    np.empty(_LARGEST_BLOCK, np.uint8)

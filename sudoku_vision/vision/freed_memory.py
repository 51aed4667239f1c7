"""Keep freed memory for the next picture, instead of returning it to the system each time.

While a picture is read, some megabytes are needed for a moment, again and again. The C library of Linux
returns freed memory to the system when it is more than twice the largest block that was freed so far. For a
small photo this limit is very low. So the same memory pages are returned, requested again and cleared, a
thousand times for each photo.
"""

from functools import lru_cache

import numpy as np

_LARGEST_BLOCK = 16 << 20
"""Size of the block that is freed, in bytes; it is several times what a VGA photo needs at once."""


@lru_cache(maxsize=1)
def keep_freed_memory() -> None:
    """Make this process keep the memory that it frees, up to a few dozen megabytes, from the first call on.

    This function requests one large block, doesn't write to it, and frees it. Then glibc raises its limits
    for the memory that it keeps, because these limits depend on the largest freed block (mallopt(3),
    ``M_MMAP_THRESHOLD``). From then on, up to twice the size of the block may stay unused in the process.
    With other C libraries nothing changes.
    """
    np.empty(_LARGEST_BLOCK, np.uint8)

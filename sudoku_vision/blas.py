"""Make BLAS use one thread while a picture is read, and restore the number of threads afterwards.

The matrices of one photo are too small to be worth several threads. With several threads, reading is not
faster, but it takes twice the processor time, because idle threads keep looking for work.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

SETTINGS = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)
"""Environment variables with the number of BLAS threads; if one is set, this module changes nothing."""

_limiting = threading.Lock()


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread in a block or function, unless an environment variable sets the number."""
    # While one call limits BLAS, other calls change nothing. Otherwise, they would take one thread as the
    # number to restore at their end.
    if _is_set() or not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with _blas().limit(limits=1):
            yield
    finally:
        _limiting.release()


def start_with_one_thread() -> None:
    """Start BLAS with one thread here and in child processes, unless an environment variable sets the number.

    This must be called before NumPy is loaded; later it has no effect. It reduces the processor time
    of a command by a quarter.
    """
    if "numpy" not in sys.modules and not _is_set():
        os.environ.update(dict.fromkeys(SETTINGS, "1"))


def _is_set() -> bool:
    return any(os.environ.get(name) for name in SETTINGS)


@lru_cache(maxsize=1)
def _blas() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(user_api="blas")

"""Cores: how many this process may use."""

from __future__ import annotations

import contextlib
import math
import os
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""Where Linux says what a container may take of the processors: microseconds in a period, or ``max``."""


def available_cores() -> int:
    """Return the number of cores that this process may use: bound to it, and granted to its container."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return max(1, min(cores, _granted_cores(cores)))


def _granted_cores(cores: int) -> int:
    """Return the cores that the container is granted, rounded up; all of them where nothing is said."""
    with contextlib.suppress(OSError, ValueError, ZeroDivisionError):
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return math.ceil(int(quota) / int(period))
    return cores

"""Pools: the workers of the service, as its settings say. They load vision; this module doesn't."""

from __future__ import annotations

import secrets
from pathlib import Path

from sudoku_vision.web.settings import Settings
from sudoku_vision.web.workers import Factory, Pool, PoolSettings

KEY_BYTES = 32
"""Bytes of the key that signs what clients bring back; it is made anew at every start."""


def photo_pool(settings: Settings, model: Path | None = None) -> Pool:
    """Return the workers that read photos, not yet started, with the digit *model* of a file or our own."""
    key = secrets.token_bytes(KEY_BYTES)
    values = {"key": key, "limits": settings.limits, "model": model}
    return pool_of(Factory("sudoku_vision.web.job_handler", "open_desk", values), settings)


def pool_of(factory: Factory, settings: Settings) -> Pool:
    """Return workers, not yet started, whose jobs are methods of what *factory* makes."""
    limits = settings.limits
    return Pool(factory, PoolSettings(settings.workers, limits.queue, limits.work, limits.memory))

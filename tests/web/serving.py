"""A service that listens, for tests of what it answers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from sudoku_vision.web.app import create_app
from sudoku_vision.web.certificate import Certificate
from sudoku_vision.web.pools import JobPool, photo_pool
from sudoku_vision.web.server import Server, address_of, listening
from sudoku_vision.web.settings import Settings


@contextlib.contextmanager
def serving(
    settings: Settings, opener: Callable[[], Any] | None = None, certificate: Certificate | None = None
) -> Iterator[str]:
    """Serve on a free port within; gives the address, without a slash at its end. Without a
    *opener* pictures are truly read."""
    pool = photo_pool(settings) if opener is None else JobPool(opener, settings.workers, settings.limits)
    with listening(settings.host, 0) as sockets, pool:
        settings = replace(settings, port=sockets[0].getsockname()[1])
        begun = threading.Event()
        server = Server(create_app(settings, pool), settings, begun.set, certificate)
        thread = threading.Thread(target=server.run, args=[sockets], daemon=True)
        thread.start()
        assert begun.wait(20)
        try:
            yield address_of(sockets[0], https=certificate is not None).rstrip("/")
        finally:
            server.should_exit = True
            thread.join(20)
            assert not thread.is_alive()

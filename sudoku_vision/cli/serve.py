"""The work of ``sudoku-vision serve``: the page for phones and browsers, until Ctrl-C."""

from __future__ import annotations

import importlib.util
import os
import sys
import threading
import webbrowser
from typing import TYPE_CHECKING

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.progress import complain
from sudoku_vision.errors import ExitCode, MissingExtraError

if TYPE_CHECKING:
    from sudoku_vision.web.settings import Settings

_PACKAGES = {
    "cryptography": "cryptography",
    "fastapi": "fastapi",
    "uvicorn": "uvicorn",
    "python_multipart": "python-multipart",
    "websockets": "websockets",
    "segno": "segno",
}
"""What the extra ``web`` brings: modules, and the packages that they come in."""


def run_serve(options: Options) -> ExitCode:
    """Serve the page until Ctrl-C or SIGTERM, and return the exit status.

    Raises :class:`~sudoku_vision.errors.MissingExtraError` without the extra ``web`` and
    :class:`~sudoku_vision.errors.UsageError` for an address that can't be had.
    """
    check_extra()
    from sudoku_vision.cli.invitations import checked_names, chosen_token, listening_host
    from sudoku_vision.web.settings import Settings, available_cores

    host = listening_host(options.host, lan=options.lan)
    settings = Settings(
        host=host,
        port=options.port,
        workers=options.workers or available_cores(),
        lan=options.lan,
        https=options.https,
        token=chosen_token(host, options.token, lan=options.lan),
        allow_hosts=checked_names(options.allow_host or ()),
    )
    try:
        _serve(settings, options)
    except KeyboardInterrupt:  # the usual end
        complain("ended.")
    return ExitCode.DONE


def check_extra() -> None:
    """Raise :class:`MissingExtraError` where a package of the extra ``web`` is not installed."""
    for module, package in _PACKAGES.items():
        if importlib.util.find_spec(module) is None:
            raise MissingExtraError(
                f"serve needs {package}, which is not installed.",
                "In the folder of sudoku-vision, run: pip install '.[web]'",
            )


def _serve(settings: Settings, options: Options) -> None:
    from sudoku_vision.cli.invitations import certificate_for, invite
    from sudoku_vision.web.app import create_app
    from sudoku_vision.web.pools import photo_pool
    from sudoku_vision.web.server import Server, address_of, listen, log_to, sockets_closed

    log_to(complain)
    sockets = listen(settings.host, settings.port)
    pool = photo_pool(settings, options.model)
    local = address_of(sockets[0], https=settings.https)

    def welcome() -> None:
        address = invite(settings, sockets[0].getsockname()[1], local, complain)
        if options.open_browser or (options.open_browser is None and _someone_looks()):
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

    with sockets_closed(sockets):
        certificate = certificate_for(settings, complain) if settings.https else None
        with pool:
            Server(create_app(settings, pool), settings, welcome, certificate).run(sockets)


def _someone_looks() -> bool:
    """Tell whether a person sits before a screen that a browser can be opened on."""
    screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return bool(screen) and sys.stderr.isatty() and "SSH_CONNECTION" not in os.environ

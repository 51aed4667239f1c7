"""``sudoku-vision serve``: serves the page for phones and browsers until Ctrl-C, and prints its addresses."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sudoku_vision.cli.options import Options
from sudoku_vision.cli.reporter import complain
from sudoku_vision.errors import ExitCode, UsageError, missing_extra
from sudoku_vision.parallel import available_cores
from sudoku_vision.web.addresses import (
    ALL_ADDRESSES,
    LOOPBACK_NAMES,
    is_loopback,
    known_hosts,
    lan_addresses,
    page_address,
    shows_codes,
    terminal_qr_code,
)
from sudoku_vision.web.settings import MIN_TOKEN, Settings, is_token, own_token

if TYPE_CHECKING:
    from sudoku_vision.web.certificate import Certificate

_MODULES = ("cryptography", "fastapi", "ifaddr", "uvicorn", "python_multipart", "websockets", "segno")
"""The modules that the extra ``web`` installs. Their packages have the same names, with hyphens."""
_OWN_FOLDER = Path(click.get_app_dir("sudoku-vision"))
"""The folder in which this program keeps its own files: the token and the certificate."""
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\]?")


def run_serve(options: Options) -> ExitCode:
    """Serve the page until Ctrl-C or SIGTERM, and return the exit status."""
    check_extra()
    for name in options.allow_host:
        if not _NAME.fullmatch(name):
            remedy = "Give the name or address alone, for example sudoku.example.org."
            raise UsageError(f"--allow-host {name}: this is no name of a host.", remedy)
    host = listening_host(options.host, lan=options.lan)
    settings = Settings(
        host=host,
        port=options.port,
        workers=options.workers or available_cores(),
        lan=options.lan,
        https=options.https,
        token=chosen_token(host, options.token, _OWN_FOLDER / "token", lan=options.lan),
        allow_hosts=options.allow_host,
    )
    try:
        _serve(settings, options)
    except KeyboardInterrupt:  # Ctrl-C is the usual way to end the service
        complain("ended.")
    return ExitCode.DONE


def check_extra() -> None:
    """Raise :class:`MissingExtraError` if a package of the extra ``web`` is missing."""
    for module in _MODULES:
        if importlib.util.find_spec(module) is None:
            raise missing_extra(f"serve needs {module.replace('_', '-')}, which is not installed.", "web")


def _serve(settings: Settings, options: Options) -> None:
    from sudoku_vision.web.app import create_app
    from sudoku_vision.web.pools import photo_pool
    from sudoku_vision.web.server import Server, address_of, listening, log_to

    log_to(complain)
    with listening(settings.host, settings.port) as sockets:
        pool = photo_pool(settings, options.model)
        local = address_of(sockets[0], https=settings.https)

        def welcome() -> None:
            address = invite(settings, sockets[0].getsockname()[1], local, complain)
            if options.open_browser or (options.open_browser is None and _someone_looks()):
                threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()

        certificate = certificate_for(settings, complain) if settings.https else None
        with pool:
            Server(create_app(settings, pool), settings, welcome, certificate).run(sockets)


def _someone_looks() -> bool:
    """Return whether the program was probably started at this machine's screen, where a browser can open."""
    screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    return bool(screen) and sys.stderr.isatty() and "SSH_CONNECTION" not in os.environ


def listening_host(host: str | None, *, lan: bool) -> str:
    """Return the address to listen on: *host*, or a default if *host* is not given.

    The default is all addresses if *lan* is true, and 127.0.0.1 otherwise.
    """
    if not lan:
        return host or "127.0.0.1"
    if host and is_loopback(host):
        remedy = "Leave --host out, or name the address that the network is to use."
        raise UsageError(f"--lan and --host {host}: no other device can reach that address.", remedy)
    if host:
        return host
    found = lan_addresses()
    return "::" if found and all(":" in one for one in found) else "0.0.0.0"


def chosen_token(host: str, token: str | None, kept: Path, *, lan: bool) -> str | None:
    """Return the token that each request needs: *token*, or by default the token in the file *kept*.

    The result is None if *token* is None and only this machine can open the page.
    """
    if token:
        if not is_token(token):
            remedy = "Leave it out, and one is made."
            raise UsageError(f"--token: at least {MIN_TOKEN} letters, digits, '-' or '_' are needed.", remedy)
        return token
    return own_token(kept) if lan or not is_loopback(host) else None


def certificate_for(settings: Settings, say: Callable[[str], None]) -> Certificate:
    """Return the certificate for all names of the service, and pass its fingerprint to *say*.

    *say* is a function that prints a line.
    """
    from sudoku_vision.web.certificate import own_certificate

    names = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    others = () if is_loopback(settings.host) else lan_addresses()
    made = own_certificate(
        _OWN_FOLDER / "https", [*LOOPBACK_NAMES, *others, *sorted(names.difference(LOOPBACK_NAMES))]
    )
    if made.made_now:
        say("a certificate was made. Each device asks about it once: accept it if it shows this fingerprint")
    say(f"SHA-256 fingerprint of the certificate: {made.fingerprint}")
    return made


def invite(settings: Settings, port: int, local: str, say: Callable[[str], None]) -> str:
    """Print the page's addresses by calling *say*, and return the address to open on this machine.

    *local*: this address without the token.
    """
    query = f"?token={settings.token}" if settings.token else ""
    say(f"the page is at {local}{query} (Ctrl-C ends it)")
    if is_loopback(settings.host):
        return local + query
    everywhere = settings.host in ALL_ADDRESSES
    hosts = [one for one in lan_addresses() if (":" in one) == (":" in settings.host)]
    addresses = [
        page_address(host, port, https=settings.https, token=settings.token)
        for host in (hosts if everywhere else [settings.host])
    ]
    for address in addresses if everywhere else ():
        say(f"in this network it is at {address}")
    if not addresses:
        say("this machine is in no network now, so no other device can open the page")
    if not settings.https:
        say("other devices can send photos; for the live camera, their browsers need --https")
    if addresses and shows_codes(sys.stderr, addresses[0]):
        print(terminal_qr_code(addresses[0]), file=sys.stderr, flush=True)  # noqa: T201 (a phone scans it)
    return local + query

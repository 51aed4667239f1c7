"""Invitations: who may come to the page that ``serve`` shows, and what they type or scan to get there."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from sudoku_vision.errors import UsageError
from sudoku_vision.web.addresses import (
    ALL_ADDRESSES,
    LOOPBACK_NAMES,
    is_loopback,
    known_hosts,
    lan_addresses,
    page_address,
    qr_code,
    shows_codes,
)
from sudoku_vision.web.settings import Settings

if TYPE_CHECKING:
    from sudoku_vision.web.certificate import Certificate

TOKEN_BYTES = 16
"""128 bits: more than anybody can guess."""
LEAST_TOKEN = 22
"""Characters of a token that a person gives: as many as 128 bits have."""

_TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{LEAST_TOKEN},200}}")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[?[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\]?")


def listening_host(host: str | None, *, lan: bool) -> str:
    """Return the address to listen on: this machine's own, or all of them for the network.

    Raises :class:`UsageError` where the network is invited to an address that it can't reach.
    """
    if not lan:
        return host or "127.0.0.1"
    if host and is_loopback(host):
        remedy = "Leave --host out, or name the address that the network is to use."
        raise UsageError(f"--lan and --host {host}: nobody else reaches that address.", remedy)
    if host:
        return host
    found = lan_addresses()
    return "::" if found and all(":" in one for one in found) else "0.0.0.0"


def chosen_token(host: str, token: str | None, *, lan: bool) -> str | None:
    """Return what everybody needs to come in: a new token where others may come, or what a person says.

    Raises :class:`UsageError` for a *token* that could be guessed.
    """
    if token:
        if not _TOKEN.fullmatch(token):
            remedy = "Leave it out, and one is made."
            raise UsageError(
                f"--token: at least {LEAST_TOKEN} letters, digits, '-' or '_' are needed.", remedy
            )
        return token
    return secrets.token_urlsafe(TOKEN_BYTES) if lan or not is_loopback(host) else None


def checked_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of ``--allow-host``; raises :class:`UsageError` for what is none."""
    for name in names:
        if not _NAME.fullmatch(name):
            remedy = "Give the name or address alone, such as sudoku.example.org."
            raise UsageError(f"--allow-host {name}: that is no name of a host.", remedy)
    return tuple(names)


def certificate_for(settings: Settings, say: Callable[[str], None]) -> Certificate:
    """Return the certificate for all names by which the service is known, and *say* what to compare."""
    from sudoku_vision.web.certificate import own_certificate

    names = known_hosts(settings.host, settings.allow_hosts, lan=settings.lan)
    others = () if is_loopback(settings.host) else lan_addresses()
    folder = Path(typer.get_app_dir("sudoku-vision")) / "https"
    made = own_certificate(folder, [*LOOPBACK_NAMES, *others, *sorted(names.difference(LOOPBACK_NAMES))])
    if made.made_now:
        say(
            "a certificate was made: each device asks about it once; let it pass if it shows this fingerprint"
        )
    say(f"SHA-256 fingerprint of the certificate: {made.fingerprint}")
    return made


def invite(settings: Settings, port: int, local: str, say: Callable[[str], None]) -> str:
    """Tell where the page is, for this machine (*local*) and for others; return the address to open here."""
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
        say("this machine is in no network now, so no other can come")
    if not settings.https:
        say("other devices can send photos; for the live camera their browsers want --https")
    if addresses:
        _show_code(addresses[0])
    return local + query


def _show_code(address: str) -> None:
    """Draw an address on the terminal, to be scanned with a phone."""
    if shows_codes(sys.stderr, address):
        print(qr_code(address), file=sys.stderr, flush=True)  # noqa: T201

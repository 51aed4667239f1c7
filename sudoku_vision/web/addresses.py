"""Finds the names of this machine, and makes the page's address for other devices, also as a QR code."""

import contextlib
import ipaddress
import os
import shutil
import socket
from collections.abc import Iterable, Iterator
from typing import TextIO

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
ALL_ADDRESSES = ("", "0.0.0.0", "::")  # values for the host that mean all addresses of this machine
QUIET_ZONE = 4  # width of the white border that the standard of QR codes demands, in modules (squares)
_REMOTE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses outside of this network, reserved for documentation. Nothing is sent to them. The operating
system is only asked from which of its own addresses it would send to them."""
_CONTAINER_NETWORKS = ("docker", "br-", "veth", "virbr", "cni", "podman")
"""Beginnings of the names of network interfaces that lead only to containers on this machine."""

_BLACK_ON_WHITE = "\x1b[38;5;16;48;5;231m"  # colours of the fixed palette: terminal themes don't change them
_PLAIN = "\x1b[0m"
_HALVES = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


def known_hosts(host: str, allowed: Iterable[str] = (), *, lan: bool = False) -> frozenset[str]:
    """Return the host names that are allowed in requests to a service on *host*, and those in *allowed*.

    If *lan* is true, other devices are allowed to connect. Then the names include this machine's own name,
    with and without ``.local``.
    """
    names = {*LOOPBACK_NAMES, *map(bare_name, allowed)}
    if host not in ALL_ADDRESSES:
        names.add(bare_name(host))
    if lan or not is_loopback(host):
        machine = socket.gethostname().lower().removesuffix(".local")
        names |= {machine, f"{machine}.local"}
    return frozenset(names)


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a service that listens on *host*."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def bare_name(name: str) -> str:
    """Return a name or address in lower case, without brackets or a dot at the end, for comparison."""
    return name.strip().lower().strip("[]").removesuffix(".")


def lan_addresses() -> tuple[str, ...]:
    """Return the addresses of this machine in its networks. The first is the most useful for other devices.

    IPv4 comes before IPv6. Loopback and link-local addresses are left out. Nothing is sent to find them.
    """
    found = [*_usual_addresses(), *_addresses_of_interfaces()]
    found.sort(key=lambda address: ":" in address)  # IPv4 first; otherwise, the order stays
    return tuple(dict.fromkeys(address for address in found if _is_reachable(address)))


def page_address(host: str, port: int, *, https: bool = False, token: str | None = None) -> str:
    """Return the address of the page. Any device that opens an address with a *token* can use the page."""
    name = f"[{host}]" if ":" in host else host
    usual = port == (443 if https else 80)
    query = f"?token={token}" if token else ""
    return f"http{'s' * https}://{name}{'' if usual else f':{port}'}/{query}"


def _usual_addresses() -> Iterator[str]:
    """Yield this machine's own addresses, IPv4 and IPv6, from which it sends to the internet."""
    for family, remote in _REMOTE.items():
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as unused:
            unused.connect((remote, 9))
            yield str(unused.getsockname()[0])


def _addresses_of_interfaces() -> Iterator[str]:
    import ifaddr

    for adapter in ifaddr.get_adapters():
        if not adapter.name.startswith(_CONTAINER_NETWORKS):
            yield from (known.ip if isinstance(known.ip, str) else known.ip[0] for known in adapter.ips)


def _is_reachable(address: str) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_link_local or known.is_unspecified or known.is_multicast)


def terminal_qr_code(text: str) -> str:
    """Return *text* as a QR code for a terminal, black on white. A line shows two rows of squares."""
    import segno

    code = segno.make(text, error="l", boost_error=False, micro=False)
    rows = [[int(dark > 0) for dark in row] for row in code.matrix_iter(border=QUIET_ZONE)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = []
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        halves = "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        lines.append(f"{_BLACK_ON_WHITE}{halves}{_PLAIN}")
    return "\n".join(lines)


def shows_codes(stream: TextIO, text: str) -> bool:
    """Return whether *stream* is a terminal that can show *text* as a QR code.

    The terminal must be wide enough, and its encoding must have the characters of the code.
    """
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    try:
        "".join(_HALVES.values()).encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    lines = terminal_qr_code(text).splitlines()
    width = len(lines[0]) - len(_BLACK_ON_WHITE) - len(_PLAIN)
    return width <= shutil.get_terminal_size().columns

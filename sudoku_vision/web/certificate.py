"""Certificate: one of the service's own for https, made once and kept for itself.

Browsers let a page use the camera on this machine or by https alone. Nobody vouches for this certificate, so
each device asks its user once; the fingerprint tells that it is the right one.

A new certificate gets a new key: devices remember the certificate and not its key, so that an old key would
spare nobody a question, and a lost one opens less.
"""

import contextlib
import datetime
import ipaddress
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from sudoku_vision.errors import SaveError
from sudoku_vision.web.own_files import is_private, write_private

DAYS = 397  # the longest time for which browsers take a certificate
DAYS_BEFORE = 1
"""Days that it is valid already, for devices whose clock is slow; they count towards the others."""
DAYS_LEFT = 14  # it is made anew when only so many days are left
MOST_NAMES = 24
"""Names and addresses of one certificate, those of networks in which the machine was before included."""

_CERTIFICATE, _KEY = "certificate.pem", "key.pem"


@dataclass(frozen=True)
class Certificate:
    """Where a certificate and its key lie; the ``fingerprint`` (SHA-256) as browsers show it.

    ``names``: the host names and addresses that it holds for. ``made_now``: devices will ask about it.
    """

    certificate: Path
    key: Path
    fingerprint: str
    names: tuple[str, ...]
    made_now: bool = False


def own_certificate(folder: Path, names: Sequence[str]) -> Certificate:
    """Return the certificate that is kept in *folder*, made anew where it doesn't serve any more.

    It serves while it holds for all *names* (host names and addresses), isn't about to run out, and its key
    was only this user's to read. Raises :class:`SaveError` where *folder* can't be written.
    """
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        return _kept(folder, names) or _made(folder, names)
    except OSError as error:
        reason = (error.strerror or "it can't be written").lower()
        remedy = "Let that folder be written, or leave out --https."
        raise SaveError(f"No certificate can be kept in {folder}: {reason}.", remedy) from None


def _kept(folder: Path, names: Sequence[str]) -> Certificate | None:
    """Return the certificate in *folder*, if it serves."""
    found = _load(folder)
    if found is None or not is_private(folder / _KEY):
        return None
    now, held = datetime.datetime.now(datetime.UTC), _names_of(found)
    last = found.not_valid_after_utc - datetime.timedelta(days=DAYS_LEFT)
    if not found.not_valid_before_utc <= now <= last or not set(_plain(names)) <= set(held):
        return None
    return Certificate(folder / _CERTIFICATE, folder / _KEY, _fingerprint(found), held)


def _load(folder: Path) -> x509.Certificate | None:
    """Return the certificate in *folder*; None where there is none, or not with the key beside it."""
    try:
        found = x509.load_pem_x509_certificate((folder / _CERTIFICATE).read_bytes())
        key = load_pem_private_key((folder / _KEY).read_bytes(), None)
        return found if key.public_key() == found.public_key() else None
    except (FileNotFoundError, ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _made(folder: Path, names: Sequence[str]) -> Certificate:
    """Make a certificate for *names*, and for those that the one in *folder* held for; raises OSError."""
    before = _load(folder)
    held = [*_plain(names), *(_names_of(before) if before else ())]
    all_names = tuple(dict.fromkeys(held))[: max(MOST_NAMES, len(names))]
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sudoku-vision")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=DAYS_BEFORE)
    made = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, all_names)), critical=False)
        .sign(key, hashes.SHA256())
    )
    write_private(folder / _KEY, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    write_private(folder / _CERTIFICATE, made.public_bytes(Encoding.PEM))
    return Certificate(folder / _CERTIFICATE, folder / _KEY, _fingerprint(made), all_names, made_now=True)


def _general_name(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names_of(certificate: x509.Certificate) -> tuple[str, ...]:
    """Return the host names and addresses that a certificate holds for."""
    try:
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return ()
    return tuple(str(name.value) for name in held)


def _plain(names: Sequence[str]) -> Iterator[str]:
    """Give names as certificates hold them: lower case, addresses in short, ASCII; none that isn't one."""
    for name in filter(None, names):
        try:
            yield str(ipaddress.ip_address(name))
        except ValueError:
            with contextlib.suppress(UnicodeError):
                yield name.lower().encode("idna").decode()


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()

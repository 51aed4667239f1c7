"""Makes a self-signed certificate for https, and stores it for later starts.

A browser lets a page use the camera only if the page comes by https or from the same machine. No authority
has signed this certificate. So each device asks its user once whether to trust the certificate. The user can
compare the fingerprint that the device shows with the one that ``serve`` prints. A new certificate always
gets a new key, so a stolen old key becomes useless. Devices would ask again even without a new key.
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
from sudoku_vision.web.settings import is_private, write_private

DAYS = 397  # a certificate is valid for this many days, the maximum that browsers accept
# The validity of a new certificate begins this many days in the past. So devices whose clock is slow accept
# the certificate, too.
DAYS_BEFORE = 1
MIN_DAYS_LEFT = 14  # a certificate that is valid for fewer days than this is replaced
MAX_NAMES = 24  # maximum number of names and addresses in a certificate, including names of earlier networks

_CERTIFICATE, _KEY = "certificate.pem", "key.pem"


@dataclass(frozen=True)
class Certificate:
    """A certificate for https."""

    certificate: Path  # the file of the certificate
    key: Path  # the file of its key
    fingerprint: str  # SHA-256, as browsers show it
    names: tuple[str, ...]  # host names and addresses for which the certificate is valid
    made_now: bool = False  # whether it is new; then each device asks its user whether to trust it


def own_certificate(folder: Path, names: Sequence[str]) -> Certificate:
    """Return the certificate that is stored in *folder*, or a new one if the stored one can't be used.

    A stored certificate can be used if it has all *names* (host names and addresses), doesn't expire soon,
    and only this user can read its key. Raises :class:`SaveError` if *folder* can't be written.
    """
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        return _kept(folder, names) or _make(folder, names)
    except OSError as error:
        reason = (error.strerror or "it can't be written").lower()
        remedy = "Make that folder writable, or leave out --https."
        raise SaveError(f"No certificate can be kept in {folder}: {reason}.", remedy) from None


def _kept(folder: Path, names: Sequence[str]) -> Certificate | None:
    """Return the certificate in *folder*; None if it is missing, or can't be used for *names*."""
    found = _load(folder)
    if found is None or not is_private(folder / _KEY):
        return None
    now, held = datetime.datetime.now(datetime.UTC), _names_of(found)
    last = found.not_valid_after_utc - datetime.timedelta(days=MIN_DAYS_LEFT)
    if not found.not_valid_before_utc <= now <= last or not set(_normalized(names)) <= set(held):
        return None
    return Certificate(folder / _CERTIFICATE, folder / _KEY, _fingerprint(found), held)


def _load(folder: Path) -> x509.Certificate | None:
    """Return the certificate in *folder*, even an expired one; None if it or its key is missing."""
    try:
        found = x509.load_pem_x509_certificate((folder / _CERTIFICATE).read_bytes())
        key = load_pem_private_key((folder / _KEY).read_bytes(), None)
        return found if key.public_key() == found.public_key() else None
    except (FileNotFoundError, ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _make(folder: Path, names: Sequence[str]) -> Certificate:
    """Make a certificate in *folder*. It is for *names*, and for the names in the previous certificate."""
    before = _load(folder)
    held = [*_normalized(names), *(_names_of(before) if before else ())]
    all_names = tuple(dict.fromkeys(held))[: max(MAX_NAMES, len(names))]
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
    try:
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return ()
    return tuple(str(name.value) for name in held)


def _normalized(names: Sequence[str]) -> Iterator[str]:
    """Yield the valid *names*: host names in lower case and ASCII, and addresses in their short form."""
    for name in filter(None, names):
        try:
            yield str(ipaddress.ip_address(name))
        except ValueError:
            with contextlib.suppress(UnicodeError):
                yield name.lower().encode("idna").decode()


def _fingerprint(certificate: x509.Certificate) -> str:
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()

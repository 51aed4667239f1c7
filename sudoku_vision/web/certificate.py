"""Certificate: one of the service's own for https, made once and kept for itself.

Browsers let a page use the camera on this machine or by https alone. Nobody vouches for this certificate, so
each device asks its user once; the fingerprint tells that it is the right one.

A new certificate gets a new key: devices remember the certificate and not its key, so that an old key would
spare nobody a question, and a lost one opens less.
"""

from __future__ import annotations

import atexit
import contextlib
import datetime
import hashlib
import importlib
import ipaddress
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_vision.errors import MissingExtraError, SaveError

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

DAYS = 397
"""The longest time for which browsers take a certificate."""
DAYS_BEFORE = 1
"""Days that it is valid already, for devices whose clock is slow; they count towards the others."""
DAYS_LEFT = 14
"""It is made anew when only so many days are left."""
MOST_NAMES = 24
"""Names and addresses of one certificate, those of networks in which the machine was before included."""

_CERTIFICATE, _KEY = "certificate.pem", "key.pem"
_READ_BY_OWNER, _OWNERS_FOLDER = 0o600, 0o700


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


def own_certificate(
    folder: Path, names: Sequence[str], warn: Callable[[str], None] = lambda _: None
) -> Certificate:
    """Return the certificate that is kept in *folder*, made anew where it doesn't serve any more.

    It serves while it holds for all *names* (host names and addresses), isn't about to run out, and its key
    was only this user's to read. Where *folder* can't be written, another one takes its place until this
    process ends, and *warn* says so. Raises :class:`MissingExtraError` without the package
    ``cryptography`` and :class:`SaveError` where nothing can be written at all.
    """
    _check_package()
    try:
        _make_folder(folder)
        return _kept(folder, names) or _made(folder, names)
    except OSError as error:
        reason = (error.strerror or "it can't be written").lower()
    try:
        instead = Path(tempfile.mkdtemp(prefix="sudoku-vision-"))
        atexit.register(shutil.rmtree, instead, ignore_errors=True)
        made = _made(instead, names)
    except OSError as error:
        raise SaveError(
            f"No certificate can be kept in {folder}: {reason}; nor elsewhere: {error.strerror}.",
            "Let that folder be written, or leave out --https.",
        ) from None
    warn(
        f"No certificate can be kept in {folder}: {reason}. This one serves until the page is ended, and "
        "devices will ask again next time."
    )
    return made


def _check_package() -> None:
    try:
        importlib.import_module("cryptography.x509")
    except ImportError:
        raise MissingExtraError(
            "--https needs cryptography, which is not installed.", "Run: pip install cryptography"
        ) from None


def _make_folder(folder: Path) -> None:
    """Make a folder that only this user may look into; raises :class:`OSError`."""
    folder.mkdir(_OWNERS_FOLDER, parents=True, exist_ok=True)
    if stat.S_IMODE(folder.stat().st_mode) != _OWNERS_FOLDER:
        folder.chmod(_OWNERS_FOLDER)


def _kept(folder: Path, names: Sequence[str]) -> Certificate | None:
    """Return the certificate in *folder*, if it serves."""
    found = _load(folder)
    if found is None or not _is_private(folder / _KEY):
        return None
    held = _names_of(found)
    left = found.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    early = found.not_valid_before_utc > datetime.datetime.now(datetime.UTC)
    if early or left < datetime.timedelta(days=DAYS_LEFT) or not set(_plain(names)) <= set(held):
        return None
    return Certificate(folder / _CERTIFICATE, folder / _KEY, _fingerprint(found), held)


def _load(folder: Path) -> x509.Certificate | None:
    """Return the certificate in *folder*; None where there is none, or not with the key beside it."""
    from cryptography import x509
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        found = x509.load_pem_x509_certificate((folder / _CERTIFICATE).read_bytes())
        key = load_pem_private_key((folder / _KEY).read_bytes(), None)
        return found if key.public_key() == found.public_key() else None
    except (FileNotFoundError, ValueError, TypeError, UnsupportedAlgorithm):
        return None


def _is_private(path: Path) -> bool:
    """Tell whether only this user could read a file; systems without such rights are taken at their word."""
    return os.name != "posix" or stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def _made(folder: Path, names: Sequence[str]) -> Certificate:
    """Make a certificate for *names*, and for those that the one in *folder* held for; raises OSError."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    before = _load(folder)
    held = [*_plain(names), *(_names_of(before) if before else ())]
    all_names = tuple(dict.fromkeys(held))[: max(MOST_NAMES, len(names))]
    key = ec.generate_private_key(ec.SECP256R1())
    made = _signed(key, all_names)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    _write(folder / _KEY, secret)
    _write(folder / _CERTIFICATE, made.public_bytes(Encoding.PEM))
    return Certificate(folder / _CERTIFICATE, folder / _KEY, _fingerprint(made), all_names, made_now=True)


def _signed(key: EllipticCurvePrivateKey, names: Sequence[str]) -> x509.Certificate:
    """Return a certificate for servers that its own *key* has signed."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sudoku-vision")])
    begin = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=DAYS_BEFORE)
    usage = {name: name == "digital_signature" for name in _USAGES}
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=DAYS))
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.KeyUsage(**usage), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName([_general_name(one) for one in names]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, hashes.SHA256())


_USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)


def _general_name(name: str) -> x509.GeneralName:
    from cryptography import x509

    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


def _names_of(certificate: x509.Certificate) -> tuple[str, ...]:
    """Return the host names and addresses that a certificate holds for."""
    from cryptography import x509

    try:
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return ()
    return tuple(str(one.value) for one in held)


def _plain(names: Sequence[str]) -> Iterator[str]:
    """Give names as certificates hold them: lower case, addresses in short, ASCII; none that isn't one."""
    for name in filter(None, names):
        try:
            yield str(ipaddress.ip_address(name))
        except ValueError:
            with contextlib.suppress(UnicodeError):
                yield name.lower().encode("idna").decode()


def _fingerprint(certificate: x509.Certificate) -> str:
    from cryptography.hazmat.primitives.serialization import Encoding

    return hashlib.sha256(certificate.public_bytes(Encoding.DER)).digest().hex(":").upper()


def _write(path: Path, data: bytes) -> None:
    """Write a file that only this user may read, in one step; raises :class:`OSError`."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _READ_BY_OWNER)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        beside.chmod(_READ_BY_OWNER)  # one that lay there already kept its rights
        beside.replace(path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise

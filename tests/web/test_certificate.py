"""The certificate of the service's own: what stands in it, how it is kept, and when it is made again."""

import datetime
import os
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID

from sudoku_vision.errors import SaveError
from sudoku_vision.web import certificate as certificate_module
from sudoku_vision.web.certificate import Certificate, own_certificate

NAMES = ("localhost", "127.0.0.1", "::1", "192.168.1.5")
posix = pytest.mark.skipif(os.name != "posix", reason="this system keeps rights otherwise")


def loaded(made: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificate(made.certificate.read_bytes())


def test_it_is_such_as_browsers_and_phones_take(tmp_path: Path) -> None:
    made = own_certificate(tmp_path, NAMES)
    found = loaded(made)
    key = found.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey) and isinstance(key.curve, ec.SECP256R1)
    assert found.not_valid_after_utc - found.not_valid_before_utc <= datetime.timedelta(days=397)
    assert found.not_valid_before_utc < datetime.datetime.now(datetime.UTC)
    extensions = found.extensions
    assert made.names == NAMES
    usage = list(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
    assert usage == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert not extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    found.verify_directly_issued_by(found)
    assert len(made.fingerprint.split(":")) == 32
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(made.certificate, made.key)


@posix
def test_only_this_user_may_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "https"
    before = os.umask(0)
    try:
        made = own_certificate(folder, NAMES)
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    rights = {path: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert rights == {made.certificate: 0o600, made.key: 0o600}
    made.key.chmod(0o644)  # others may have read it
    assert own_certificate(folder, NAMES).made_now and made.key.stat().st_mode & 0o777 == 0o600


def test_a_new_address_makes_it_anew_and_the_old_ones_stay(tmp_path: Path) -> None:
    first = own_certificate(tmp_path, NAMES)
    key = first.key.read_bytes()
    second = own_certificate(tmp_path, (*NAMES[:3], "10.0.0.7", "Kitchen.local"))
    assert second.made_now and second.fingerprint != first.fingerprint
    assert {*NAMES, "10.0.0.7", "kitchen.local"} == set(second.names)
    assert second.key.read_bytes() != key
    assert not own_certificate(tmp_path, NAMES).made_now  # back in the first network nobody is asked again


def test_it_is_made_anew_when_it_ends_or_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate_module, "DAYS", certificate_module.MIN_DAYS_LEFT)
    made, other = (own_certificate(tmp_path / name, NAMES) for name in ("here", "there"))
    monkeypatch.undo()
    damages: list[tuple[Path, bytes | None]] = [(made.key, made.key.read_bytes())]  # none: it runs out
    for path, foreign in ((made.certificate, other.certificate), (made.key, other.key)):
        contents = (b"", b"nonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n", foreign.read_bytes(), None)
        damages += [(path, content) for content in contents]
    for path, content in damages:
        path.unlink() if content is None else path.write_bytes(content)
        assert own_certificate(tmp_path / "here", NAMES).made_now, (path, content)
        again = own_certificate(tmp_path / "here", NAMES)
        assert not again.made_now and again.fingerprint != made.fingerprint


def test_where_it_can_not_be_kept_that_is_a_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_bytes(b"")
    with pytest.raises(SaveError, match="No certificate can be kept"):
        own_certificate(in_the_way / "https", NAMES)

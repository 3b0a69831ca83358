"""The box's certificates for HTTPS: an authority of its own, and what it signs for the box's names.

No authority that phones know signs for an address in a home, so browsers warn. They remember the
very certificate that was accepted, not its key or its signer, so each renewal brings another
warning (`deploy/README.md`). A phone on which the box's authority is installed gets none at all.

The authority may sign for names in local networks alone, so that a stolen key opens no other site.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from device.store import files

HTTPS_FOLDER = "https"
"""In the data folder."""

VALIDITY_DAYS = 820
"""Apple's systems refuse a server's certificate that is valid for more than 825 days."""

RENEWAL_DAYS = 90
"""A certificate that ends sooner is renewed."""

AUTHORITY_VALIDITY_DAYS = 20 * 365
"""Longer than a box lasts: to renew it, every phone would have to install it again."""

LOCAL_DOMAINS = ("local", "localhost", "home.arpa", "internal", "lan", "home", "localdomain")

LOCAL_NETWORKS = (
    "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
    "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10",
)  # fmt: skip

_HOST_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")


class CertificateError(ValueError):
    """There is no certificate, and it cannot be made."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files of a certificate, each with its key."""

    server: Path
    """What the server shows: its certificate, and that of the authority."""
    authority: Path


def ensure_certificate(
    folder: Path, names: Iterable[str], current_time: datetime | None = None
) -> Certificate:
    """Return the box's certificate, after making it for these names or renewing it if need be.

    It stays the same when only the box's address changes: browsers would warn of a new one again.
    """
    current_time = current_time or datetime.now(UTC)
    https_folder = folder / HTTPS_FOLDER
    certificate = Certificate(https_folder / "server.pem", https_folder / "authority.pem")
    try:
        wanted_names = [_parse_name(name) for name in sorted(set(names))]
        https_folder.mkdir(mode=0o700, exist_ok=True)
        if not _is_lasting(certificate, wanted_names, current_time):
            _renew(certificate, wanted_names, current_time)
    except (OSError, ValueError) as error:
        raise CertificateError(f"No certificate could be made: {error}") from error
    return certificate


def read_authority(folder: Path) -> bytes | None:
    """Return the authority's certificate for phones to install, without its key; None if none."""
    try:
        pem = (folder / HTTPS_FOLDER / "authority.pem").read_bytes()
        return x509.load_pem_x509_certificate(pem).public_bytes(serialization.Encoding.DER)
    except (OSError, ValueError):
        return None


def _parse_name(name: str) -> x509.GeneralName:
    """Return a host name or an IP address as certificates hold it; raise ValueError."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        plain = name.encode("idna").decode().lower()
        if not _HOST_NAME.fullmatch(plain):
            raise ValueError(f"{name!r} is no host name") from None
        return x509.DNSName(plain)


def _is_lasting(
    certificate: Certificate, wanted_names: Sequence[x509.GeneralName], current_time: datetime
) -> bool:
    """Whether there is a certificate that need not be renewed yet and has all host names.

    A clock that is slow renews nothing: a box without a network starts with an old time.
    """
    try:
        stored_certificate = x509.load_pem_x509_certificate(certificate.server.read_bytes())
        _load_authority(certificate.authority)
    except (FileNotFoundError, ValueError):
        return False
    stored_names = stored_certificate.extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    ).value
    missing = [
        each for each in wanted_names if isinstance(each, x509.DNSName) and each not in stored_names
    ]
    return not missing and stored_certificate.not_valid_after_utc - current_time > timedelta(
        days=RENEWAL_DAYS
    )


def _load_authority(file: Path) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return the authority's certificate and key. Raises FileNotFoundError or ValueError."""
    pem = file.read_bytes()
    key = serialization.load_pem_private_key(pem, None)
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise ValueError("not a key of the box's own")
    return x509.load_pem_x509_certificate(pem), key


def _renew(
    certificate: Certificate, wanted_names: Sequence[x509.GeneralName], current_time: datetime
) -> None:
    """Sign a new certificate; the authority stays while it may sign for all names."""
    ends = current_time + timedelta(days=VALIDITY_DAYS)
    try:
        authority, signer = _load_authority(certificate.authority)
        is_fit = authority.not_valid_after_utc > ends and _may_sign(authority, wanted_names)
    except (FileNotFoundError, ValueError):
        is_fit = False
    if not is_fit:
        signer = ec.generate_private_key(ec.SECP256R1())
        authority = _make_authority(signer, wanted_names, current_time)
        _write(certificate.authority, signer, authority)
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Tongbox")])
    usage = [ExtendedKeyUsageOID.SERVER_AUTH]
    signed_certificate = (
        _begin(name, authority.subject, key, current_time, ends)
        .add_extension(x509.SubjectAlternativeName(wanted_names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(_key_of(signer), critical=False)
        .sign(signer, hashes.SHA256())
    )
    _write(certificate.server, key, signed_certificate, authority)


def _make_authority(
    key: ec.EllipticCurvePrivateKey,
    wanted_names: Sequence[x509.GeneralName],
    current_time: datetime,
) -> x509.Certificate:
    """Return the certificate of an authority for local networks and these names alone."""
    local: list[x509.GeneralName] = [x509.DNSName(each) for each in LOCAL_DOMAINS]
    local += [x509.IPAddress(ipaddress.ip_network(each)) for each in LOCAL_NETWORKS]
    own_subtrees = [_subtree_of(each) for each in wanted_names if not _lies_in(local, each)]
    # The number tells phones that know two boxes which is which.
    title = (
        f"Tongbox {x509.SubjectKeyIdentifier.from_public_key(key.public_key()).digest[:4].hex()}"
    )
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, title)])
    return (
        _begin(
            name, name, key, current_time, current_time + timedelta(days=AUTHORITY_VALIDITY_DAYS)
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.NameConstraints([*local, *own_subtrees], None), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .sign(key, hashes.SHA256())
    )


def _begin(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    current_time: datetime,
    ends: datetime,
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(current_time - timedelta(days=1))  # a phone's clock may be a little slow
        .not_valid_after(ends - timedelta(days=1))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _key_of(signer: ec.EllipticCurvePrivateKey) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, key_cert_sign=signs_certificates,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, crl_sign=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _may_sign(authority: x509.Certificate, wanted_names: Sequence[x509.GeneralName]) -> bool:
    """Whether all names lie in the subtrees of names that an authority may sign for."""
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    return all(_lies_in(constraints.permitted_subtrees or (), each) for each in wanted_names)


def _lies_in(subtrees: Iterable[x509.GeneralName], name: x509.GeneralName) -> bool:
    if isinstance(name, x509.DNSName):
        names = [each.value for each in subtrees if isinstance(each, x509.DNSName)]
        return any(f".{name.value}".endswith(f".{each}") for each in names)
    address = ipaddress.ip_address(str(name.value))
    networks = [each.value for each in subtrees if isinstance(each, x509.IPAddress)]
    return any(address in ipaddress.ip_network(str(each)) for each in networks)


def _subtree_of(name: x509.GeneralName) -> x509.GeneralName:
    """Return a name as a subtree: an address is a network by itself."""
    if isinstance(name, x509.IPAddress):
        return x509.IPAddress(ipaddress.ip_network(str(name.value)))
    return name


def _write(file: Path, key: ec.EllipticCurvePrivateKey, *certificates: x509.Certificate) -> None:
    """Write a key, for the box alone, and certificates: all of it or nothing. Raises OSError."""
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with files.write_whole(file) as output_file:
        output_file.write(pem)
        for each in certificates:
            output_file.write(each.public_bytes(serialization.Encoding.PEM))

"""The box's own certificate for HTTPS.

No authority signs certificates for an address in a home, so browsers warn once. The program openssl
of Debian makes the certificate.
"""

from __future__ import annotations

import ipaddress
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from device.store import files

HTTPS_FOLDER = "https"
"""In the data folder."""

_VALIDITY_DAYS = 20 * 365
"""Longer than a box lasts: nobody renews it, and a Pi without a network does not know the time."""

_OPENSSL_TIMEOUT_S = 60
"""Limit for making it, which takes well under a second."""


class CertificateError(Exception):
    """There is no certificate, and it cannot be made."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """The files of a certificate."""

    chain: Path
    key: Path


def ensure_certificate(folder: Path, names: Iterable[str]) -> Certificate:
    """Return the box's certificate, after making it for these names if there is none.

    It stays the same when the box's address changes: browsers would warn of a new one again.
    """
    kept = folder / HTTPS_FOLDER
    certificate = Certificate(kept / "certificate.pem", kept / "key.pem")
    if not (certificate.chain.exists() and certificate.key.exists()):
        _make_certificate(folder, kept, names)
    return certificate


def _make_certificate(folder: Path, kept: Path, names: Iterable[str]) -> None:
    half = Path(tempfile.mkdtemp(prefix=files.UNFINISHED_PREFIX, dir=folder))  # for its owner alone
    alternatives = ",".join(sorted({f"{_name_kind(name)}:{name}" for name in names}))
    # Fixed options; the names are the machine's own and those of the command line.
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
               "ec_paramgen_curve:prime256v1", "-noenc", "-days", str(_VALIDITY_DAYS),
               "-subj", "/CN=Tongbox", "-addext", f"subjectAltName={alternatives}",
               "-keyout", str(half / "key.pem"), "-out", str(half / "certificate.pem")]  # fmt: skip
    try:
        subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=_OPENSSL_TIMEOUT_S, check=True
        )
        if kept.exists():
            shutil.rmtree(kept)
        half.rename(kept)
        files.sync_folder(folder)
    except FileNotFoundError as error:
        raise CertificateError("HTTPS needs openssl. Type: sudo apt install openssl") from error
    except (OSError, subprocess.SubprocessError) as error:
        why = getattr(error, "stderr", "") or error
        raise CertificateError(f"No certificate could be made: {why}".strip()) from error
    finally:
        shutil.rmtree(half, ignore_errors=True)


def _name_kind(name: str) -> str:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return "DNS"
    return "IP"

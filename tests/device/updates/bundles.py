"""Bundles for tests: small ones, signed by keys of their own, whole or with something wrong."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

import minisign

from deploy.release.signing import public_half, sign
from device.updates.bundle import BUNDLE_FOLDER, CHECKSUMS_FILE, SIGNATURE_FILE

FILES = {"program/deploy/install.sh": b"echo\n", "wheels/thing.whl": b"wheel" * 1000}


def pair(folder: Path) -> tuple[minisign.SecretKey, Path]:
    """Return a secret key, and where its public half lies."""
    secret = minisign.KeyPair.generate().secret_key
    path = folder / "release.pub"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(public_half(secret))
    return secret, path


def file_list(files: Mapping[str, bytes]) -> bytes:
    """Return the list of checksums of these files."""
    lines = (f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    return "".join(lines).encode()


def pack_bundle(
    path: Path, secret: minisign.SecretKey, version: str = "9.9.9",
    changes: Mapping[str, bytes | None] | None = None, listing: bytes | None = None,
) -> Path:  # fmt: skip
    """Write a bundle; `changes` are entries of the zip in place of, or besides, the right ones."""
    sums = file_list(FILES) if listing is None else listing
    entries: dict[str, bytes | None] = {
        f"{BUNDLE_FOLDER}/{name}": data for name, data in FILES.items()
    }
    entries |= {
        CHECKSUMS_FILE: sums,
        SIGNATURE_FILE: sign(sums, version, secret),
        "tongbox.txt": b"country = GB",
    }
    entries |= dict(changes or {})
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in entries.items():
            if data is not None:
                archive.writestr(name, data)
    return path

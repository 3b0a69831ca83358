"""Read and check the bundle of a release: a zip with a signed list of checksums.

    tongbox/SHA256SUMS            a line for each file below tongbox/, as sha256sum writes it
    tongbox/SHA256SUMS.minisig    its signature (minisign); the trusted comment names the version
    tongbox/program/              the project's source with deploy/ in it
    tongbox/wheels/               what it is installed of

Nothing in it is trusted before the signature is checked. The signed list vouches for the names and
contents of all other files. Files beside `tongbox/` are for a memory card and are ignored.
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from packaging.version import InvalidVersion, Version

from scorer.message import Message, message

BUNDLE_FOLDER = "tongbox"
CHECKSUMS_FILE = f"{BUNDLE_FOLDER}/SHA256SUMS"
SIGNATURE_FILE = f"{CHECKSUMS_FILE}.minisig"
TRUSTED_COMMENT = "tongbox {version}"
"""The trusted comment, which is signed with the list and names the version."""

MAX_BUNDLE_BYTES = 600_000_000
"""Limit of a bundle, packed and unpacked: three times the current size."""

MAX_LIST_BYTES = 1_000_000
CHECKSUM_LINE = re.compile(r"([0-9a-f]{64}) [ *]([\x20-\x7e]{1,200})")
"""A line of the list: a checksum, and the name of a file in printable ASCII."""

VERSION_NAME = re.compile(r"[0-9A-Za-z.+!-]{1,40}")
"""The characters of a version, checked before it is parsed."""

COPY_CHUNK_BYTES = 1 << 20

ZIP_ERRORS = (KeyError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error)
"""Errors of zipfile for a file that is missing, damaged, encrypted or packed unusually."""


class BundleError(Exception):
    """A file may not be installed; `reason` tells players why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason.key)
        self.reason = reason


@dataclass(frozen=True)
class Bundle:
    """A correctly signed bundle: its version, and the SHA-256 of each file by its path."""

    version: str
    sums: Mapping[str, str]
    listing: bytes
    """The signed list itself."""


def read_bundle(path: Path, key: Path) -> Bundle:
    """Read a bundle and check its signature with the key; raise BundleError.

    Args:
        path: the zip.
        key: the public key of the running version (a minisign.pub).

    """
    with _open_zip(path) as archive:
        return _read_signed_list(archive, key)


def check_bundle(path: Path, key: Path) -> Bundle:
    """Check the signature and all files of a bundle; raise BundleError."""
    return _check_files(path, key, None)


def unpack_bundle(path: Path, key: Path, folder: Path) -> Bundle:
    """Check a bundle and write its files and list below a folder; raise BundleError.

    Files written before an error stay there: the caller removes the folder.
    """
    return _check_files(path, key, folder)


def _check_files(path: Path, key: Path, folder: Path | None) -> Bundle:
    """Check each file's checksum, and write the file if there is a folder."""
    with _open_zip(path) as archive:
        bundle = _read_signed_list(archive, key)
        for name, digest in bundle.sums.items():
            target = Path(os.devnull) if folder is None else folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with (
                    target.open("wb") as output_file,
                    archive.open(f"{BUNDLE_FOLDER}/{name}") as source,
                ):
                    file_digest = _copy(source, output_file)
            except ZIP_ERRORS:
                file_digest = ""
            if file_digest != digest:
                raise BundleError(message("update.damaged"))
        if folder is not None:
            (folder / Path(CHECKSUMS_FILE).name).write_bytes(bundle.listing)
    return bundle


def is_older(version: str, other: str) -> bool:
    """Whether a version comes before another; an invalid version comes before all.

    >>> is_older("0.9.0", "0.10.0"), is_older("0.10.0", "0.10.0"), is_older("one", "0.1.0")
    (True, False, True)
    """
    try:
        return Version(version) < Version(other)
    except InvalidVersion:
        return True


def _open_zip(path: Path) -> zipfile.ZipFile:
    try:
        archive = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise BundleError(message("update.no-bundle")) from error
    if sum(each.file_size for each in archive.infolist()) > MAX_BUNDLE_BYTES:
        archive.close()
        raise BundleError(message("update.no-bundle"))
    return archive


def _read_signed_list(archive: zipfile.ZipFile, key: Path) -> Bundle:
    """Read the signed list; raise BundleError if it is missing or signed with another key."""
    sums, signature = (_read_small_file(archive, name) for name in (CHECKSUMS_FILE, SIGNATURE_FILE))
    if sums is None:
        raise BundleError(message("update.no-bundle"))
    if signature is None:
        raise BundleError(message("update.unsigned"))
    import minisign  # needs 7 MB with its cryptography library, only for an update

    try:
        public_key = minisign.PublicKey.from_file(str(key))
    except (OSError, ValueError) as error:
        raise BundleError(message("update.no-key")) from error
    try:
        parsed_signature = minisign.Signature.from_bytes(signature)
        public_key.verify(sums, parsed_signature)
    except ValueError as error:  # the base of minisign's own errors
        raise BundleError(message("update.others-key")) from error
    version = str(parsed_signature.trusted_comment).removeprefix(TRUSTED_COMMENT.format(version=""))
    if not VERSION_NAME.fullmatch(version):
        raise BundleError(message("update.damaged"))
    return Bundle(version, _parse_list(sums), sums)


def _read_small_file(archive: zipfile.ZipFile, name: str) -> bytes | None:
    try:
        if archive.getinfo(name).file_size > MAX_LIST_BYTES:
            return None
        return archive.read(name)
    except ZIP_ERRORS:
        return None


def _parse_list(listing: bytes) -> dict[str, str]:
    """Parse the list into each file's checksum; raise BundleError for an invalid list.

    No path may lead out of the folder, or use another file as a folder.
    """
    checksums: dict[PurePosixPath, str] = {}
    for line in listing.decode(errors="replace").splitlines():
        match = CHECKSUM_LINE.fullmatch(line)
        path = PurePosixPath(match[2]) if match else PurePosixPath("/")
        if match is None or path.is_absolute() or ".." in path.parts or not path.parts:
            raise BundleError(message("update.damaged"))
        checksums[path] = match[1]
    if any(parent in checksums for path in checksums for parent in path.parents):
        raise BundleError(message("update.damaged"))
    return {str(path): digest for path, digest in checksums.items()}


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy a file in chunks; return its SHA-256."""
    digest = hashlib.sha256()
    while piece := source.read(COPY_CHUNK_BYTES):
        digest.update(piece)
        target.write(piece)
    return digest.hexdigest()

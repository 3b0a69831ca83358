"""A release's bundle: one zip with a list of checksums that its maker signed.

    tongbox/SHA256SUMS            a line for each file below tongbox/, as sha256sum writes it
    tongbox/SHA256SUMS.minisig    its signature (minisign); the trusted comment names the version
    tongbox/program/              the project's source with deploy/ in it
    tongbox/wheels/               what it is installed of

Nothing in it is believed before the signature is: the names, sizes and contents of all other files
hang on the signed list. What lies beside `tongbox/` is for a memory card and is left where it is.
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

FOLDER = "tongbox"
SUMS = f"{FOLDER}/SHA256SUMS"
SIGNATURE = f"{SUMS}.minisig"
COMMENT = "tongbox {version}"
"""The trusted comment: signed with the list, so that a signature says what it is of."""

LARGEST = 600_000_000
"""Bytes of a bundle, packed and unpacked: three times one of today."""

LARGEST_LIST = 1_000_000
LINE = re.compile(r"([0-9a-f]{64}) [ *]([\x20-\x7e]{1,200})")
"""Of the list: a checksum, and the name of a file in letters that every computer has."""

VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}")
"""How a version is written, before anybody asks whether it is one."""

CHUNK = 1 << 20

BROKEN = (KeyError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error)
"""What zipfile has to say of a file that is missing, damaged, locked or packed in its own way."""


class BundleError(Exception):
    """A file is no bundle that may be installed; `said` is why, in a player's words."""

    def __init__(self, said: Message) -> None:
        super().__init__(said.key)
        self.said = said


@dataclass(frozen=True)
class Bundle:
    """A bundle whose signature is right: its version, and each file's SHA-256 by its path."""

    version: str
    sums: Mapping[str, str]
    listing: bytes
    """The signed list itself."""


def read(path: Path, key: Path) -> Bundle:
    """Return what a file brings if its signature is that of the key; raise BundleError.

    Args:
        path: the zip.
        key: the public key that the running version came with (a minisign.pub).

    """
    with _opened(path) as opened:
        return _signed(opened, key)


def check(path: Path, key: Path) -> Bundle:
    """Return what a file brings if all of it is as its maker signed it; raise BundleError."""
    return _each(path, key, None)


def unpack(path: Path, key: Path, folder: Path) -> Bundle:
    """Write a bundle's files, with their list, below a folder; raise BundleError.

    Each is held to its checksum. What is written before a fault shows stays there: the caller
    removes the folder.
    """
    return _each(path, key, folder)


def _each(path: Path, key: Path, folder: Path | None) -> Bundle:
    """Hold each file to its checksum, and write it if there is a folder for it."""
    with _opened(path) as opened:
        bundle = _signed(opened, key)
        for name, digest in bundle.sums.items():
            target = Path(os.devnull) if folder is None else folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                with target.open("wb") as written, opened.open(f"{FOLDER}/{name}") as source:
                    found = _copy(source, written)
            except BROKEN:
                found = ""
            if found != digest:
                raise BundleError(message("update.damaged"))
        if folder is not None:
            (folder / Path(SUMS).name).write_bytes(bundle.listing)
    return bundle


def is_older(version: str, than: str) -> bool:
    """Return whether a version comes before another; one that is no version before all.

    >>> is_older("0.9.0", "0.10.0"), is_older("0.10.0", "0.10.0"), is_older("one", "0.1.0")
    (True, False, True)
    """
    try:
        return Version(version) < Version(than)
    except InvalidVersion:
        return True


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        opened = zipfile.ZipFile(path)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise BundleError(message("update.no-bundle")) from error
    if sum(each.file_size for each in opened.infolist()) > LARGEST:
        opened.close()
        raise BundleError(message("update.no-bundle"))
    return opened


def _signed(opened: zipfile.ZipFile, key: Path) -> Bundle:
    """Return what the signed list says; raise BundleError without one, or with another's."""
    sums, signature = (_small(opened, name) for name in (SUMS, SIGNATURE))
    if sums is None:
        raise BundleError(message("update.no-bundle"))
    if signature is None:
        raise BundleError(message("update.unsigned"))
    import minisign  # 7 MB with the cryptography under it, which only an update needs

    try:
        trusted = minisign.PublicKey.from_file(str(key))
    except (OSError, ValueError) as error:
        raise BundleError(message("update.no-key")) from error
    try:
        signed = minisign.Signature.from_bytes(signature)
        trusted.verify(sums, signed)
    except ValueError as error:  # which all of minisign's own are
        raise BundleError(message("update.others-key")) from error
    version = str(signed.trusted_comment).removeprefix(COMMENT.format(version=""))
    if not VERSION.fullmatch(version):
        raise BundleError(message("update.damaged"))
    return Bundle(version, _listed(sums), sums)


def _small(opened: zipfile.ZipFile, name: str) -> bytes | None:
    try:
        if opened.getinfo(name).file_size > LARGEST_LIST:
            return None
        return opened.read(name)
    except BROKEN:
        return None


def _listed(listing: bytes) -> dict[str, str]:
    """Return each file's checksum; raise BundleError for a list that cannot be followed.

    No path leads out of the folder, and none through another's file.
    """
    found: dict[PurePosixPath, str] = {}
    for line in listing.decode(errors="replace").splitlines():
        match = LINE.fullmatch(line)
        path = PurePosixPath(match[2]) if match else PurePosixPath("/")
        if match is None or path.is_absolute() or ".." in path.parts or not path.parts:
            raise BundleError(message("update.damaged"))
        found[path] = match[1]
    if any(parent in found for path in found for parent in path.parents):
        raise BundleError(message("update.damaged"))
    return {str(path): digest for path, digest in found.items()}


def _copy(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy a file piece by piece; return its SHA-256."""
    digest = hashlib.sha256()
    while piece := source.read(CHUNK):
        digest.update(piece)
        target.write(piece)
    return digest.hexdigest()

"""Read the tar of a backup, and check its files before any of them is written.

A backup may come from anywhere. Only plain files of the kinds that `tongbox backup` writes are
accepted, each within its size limit. Links, folders, sparse files and long headers are refused.
"""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import msgspec

from device.store.restoring import LOG

LIST = "files.json"
"""The list of all other files with their SHA-256. It is the last file in the archive."""

NAMES = re.compile(r"events\.sqlite3|photos/[0-9a-f]{64}(\.jpg)?|crops/\w+/[0-9a-f]{64}\.png")
"""The names of all other files. No such name leads out of the folder."""

MAX_LIST_BYTES = 64 * 2**20
"""Limit of the list: some 400,000 files."""

MAX_LOG_BYTES = 2 * 2**30
"""Limit of the log: five million events, a hundred times what a club writes in years."""

MAX_PICTURE_BYTES = 64 * 2**20
"""Limit of a photograph. The page accepts only smaller ones."""

PIECE_BYTES = 2**20

_LOG_BEGINS = b"SQLite format 3\0"

_Digests = msgspec.json.Decoder(dict[str, str])


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    name: str
    start: int
    """Offset of its bytes in the archive."""
    size: int
    """Length in bytes."""

    def pieces(self, archive: BinaryIO) -> Iterator[bytes]:
        """Yield its bytes in chunks."""
        left = self.size
        archive.seek(self.start)
        while left > 0 and (piece := archive.read(min(left, PIECE_BYTES))):
            left -= len(piece)
            yield piece

    def digest(self, archive: BinaryIO) -> str:
        """Return its SHA-256."""
        found = hashlib.sha256()
        for piece in self.pieces(archive):
            found.update(piece)
        return found.hexdigest()


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of an archive, and their SHA-256 as its list says."""

    members: tuple[Member, ...]
    digests: dict[str, str]

    @property
    def size(self) -> int:
        """Size of all files in bytes."""
        return sum(each.size for each in self.members)

    def unpack(self, archive: BinaryIO, folder: Path) -> None:
        """Write all files below a folder; raise ValueError at a file that differs from the list."""
        for member in self.members:
            if member.digest(archive) != self.digests[member.name]:
                raise ValueError(f"{member.name} is not as it was kept")
            path = folder / member.name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.writelines(member.pieces(archive))


def contents(archive: BinaryIO) -> Contents:
    """Check an archive and return its contents; raise ValueError or tarfile's errors."""
    found: dict[str, Member] = {}
    for member in _members(archive):
        if member.name in found:
            raise ValueError(f"{member.name} is in it twice")
        if member.name != LIST and not NAMES.fullmatch(member.name):
            raise ValueError(f"{member.name} does not belong there")
        if member.size > _max_bytes(member.name):
            raise ValueError(f"{member.name} is larger than it can be")
        found[member.name] = member
    listing = found.pop(LIST, None)
    digests = _digests(archive, listing)
    for name in sorted(found.keys() ^ digests.keys()):
        raise ValueError(f"{name} is not as it was kept")
    if LOG not in found:
        raise ValueError("it has no log")
    if next(found[LOG].pieces(archive), b"")[: len(_LOG_BEGINS)] != _LOG_BEGINS:
        raise ValueError("its log is none")
    return Contents(tuple(found.values()), digests)


def _members(archive: BinaryIO) -> Iterator[Member]:
    end = archive.seek(0, io.SEEK_END)
    at = 0
    while at < end:
        archive.seek(at)
        header = archive.read(tarfile.BLOCKSIZE)
        if not any(header):
            return
        info = tarfile.TarInfo.frombuf(header, "utf-8", "surrogateescape")
        name = ascii(info.name)[1:-1]
        if info.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or info.size < 0:
            raise ValueError(f"{name} is no file")
        member = Member(name, at + tarfile.BLOCKSIZE, info.size)
        at = member.start + -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
        if member.start + member.size > end:
            raise ValueError("its end is missing")
        yield member


def _digests(archive: BinaryIO, listing: Member | None) -> dict[str, str]:
    try:
        return _Digests.decode(b"".join(listing.pieces(archive)) if listing else b"")
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError("its end is missing, or damaged") from error


def _max_bytes(name: str) -> int:
    return {LIST: MAX_LIST_BYTES, LOG: MAX_LOG_BYTES}.get(name, MAX_PICTURE_BYTES)

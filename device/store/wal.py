"""Read SQLite's write-ahead log, and tell a bad sector from an interrupted write."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

HEADER, FRAME_HEADER = 32, 24
"""Bytes."""

_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""The magic numbers at the beginning of the file, with the byte order of the checksums."""

_WORD = 2**32 - 1

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WalFrame:
    """One page in the write-ahead log."""

    page: int
    """The page's number, from 1."""
    start: int
    """Offset of its bytes."""
    ends: bool
    """It is the last of a transaction."""


@dataclass(frozen=True, slots=True)
class Wal:
    """The frames of a write-ahead log."""

    page_size: int = 0
    """In bytes; 0 for an empty or invalid file."""
    whole: tuple[WalFrame, ...] = ()
    """The frames that SQLite accepts."""
    others: tuple[WalFrame, ...] = ()
    """All later frames: of an interrupted write, behind a bad sector, or left from before."""
    is_torn: bool = False
    """There are complete transactions behind a bad frame, so a sector went bad afterwards."""


def read(data: bytes) -> Wal:
    """Read the frames from the bytes of the file."""
    if len(data) < HEADER:
        return Wal()
    magic, _, size, _, *salts = struct.unpack_from(">6I", data)
    if magic not in _MAGIC or size < 512 or size & (size - 1):
        return Wal()
    order, step = _MAGIC[magic], FRAME_HEADER + size
    sums = _summed(data[:24], order, (0, 0))
    unbroken = sums == struct.unpack_from(">2I", data, 24)
    whole: list[WalFrame] = []
    others: list[WalFrame] = []
    pending: list[WalFrame] = []
    ends_behind = 0
    for start in range(HEADER, len(data) - step + 1, step):
        page, pages, salt1, salt2, *written = struct.unpack_from(">6I", data, start)
        frame = WalFrame(page, start + FRAME_HEADER, pages > 0)
        is_of_now = [salt1, salt2] == salts
        if unbroken:
            sums = _summed(data[start : start + 8], order, sums)
            sums = _summed(data[frame.start : start + step], order, sums)
            unbroken = is_of_now and list(sums) == written
        if unbroken:
            pending.append(frame)
            if frame.ends:
                whole += pending
                pending = []
        else:
            others.append(frame)
            ends_behind += is_of_now and frame.ends
    # An interrupted write may leave the end of its own transaction behind, but of no other.
    return Wal(size, tuple(whole), (*pending, *others), ends_behind > 1)


def of_log(log: Path) -> Path:
    """Return the path of a log's write-ahead log."""
    return log.with_name(f"{log.name}-wal")


def _summed(data: bytes, order: str, sums: Sums) -> Sums:
    """Continue SQLite's checksum over more bytes."""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(islice(words, 0, None, 2), islice(words, 1, None, 2), strict=True):
        first = (first + one + second) & _WORD
        second = (second + two + first) & _WORD
    return first, second

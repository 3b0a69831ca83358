"""The write-ahead log beside SQLite's file, which has the newest pages: up to where it is whole.

SQLite believes it up to the first frame whose checksum is wrong and forgets all that stands behind
that, for so a write ends that was cut off. A sector that went bad looks the same to it; here it is
told apart, by what was written, synced and followed by more afterwards.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

HEADER, FRAME_HEADER = 32, 24
"""Bytes."""

_MAGIC = {0x377F0682: "<", 0x377F0683: ">"}
"""How a file begins, and in which order the bytes of a number stand in what is summed up."""

_WORD = 2**32 - 1

Sums = tuple[int, int]


@dataclass(frozen=True, slots=True)
class WalFrame:
    """A page as it was written."""

    page: int
    """Its number in the file, from 1."""
    start: int
    """Where its bytes begin."""
    ends: bool
    """A transaction ends with it."""


@dataclass(frozen=True, slots=True)
class Wal:
    """What stands in the file."""

    page_size: int = 0
    """Bytes; 0 for a file that is none, or has nothing in it."""
    whole: tuple[WalFrame, ...] = ()
    """Those that SQLite would believe."""
    others: tuple[WalFrame, ...] = ()
    """Those behind: of a transaction that was cut off, behind a bad sector, or of long ago."""
    is_torn: bool = False
    """Transactions stand behind a bad place that must have been whole before they were written."""


def read(data: bytes) -> Wal:
    """Return what stands in the bytes of such a file."""
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
    # A write that was cut off may leave the end of its own transaction behind, never one more.
    return Wal(size, tuple(whole), (*pending, *others), ends_behind > 1)


def of_log(log: Path) -> Path:
    """Return the path of the file beside a log."""
    return log.with_name(f"{log.name}-wal")


def _summed(data: bytes, order: str, sums: Sums) -> Sums:
    """Return the checksum of SQLite's format, carried on from what stands before."""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(islice(words, 0, None, 2), islice(words, 1, None, 2), strict=True):
        first = (first + one + second) & _WORD
        second = (second + two + first) & _WORD
    return first, second

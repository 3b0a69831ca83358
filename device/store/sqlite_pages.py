"""Read rows directly from the pages of a damaged SQLite log and of its write-ahead log.

SQLite finds rows from the first page downwards; if one page on the way is lost, so is everything
below. But each row stands complete in a leaf page, and rows of a log never change. So every page
is read by itself, in the file and in the write-ahead log, and the leaves of the events table give
their rows. The format: https://sqlite.org/fileformat2.html

The write-ahead log has the newest pages. SQLite trusts it up to the first frame with a wrong
checksum, because an interrupted write ends so. A bad sector looks the same to SQLite. Here the two
are told apart: behind a bad sector stand transactions that were written and synced later.
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeAlias

DEFAULT_PAGE_BYTES = 4096
"""Size of a page if nothing says otherwise."""

TABLE_LEAF_TYPE, INDEX_LEAF_TYPE = 0x0D, 0x0A
"""First byte of a page with rows, and of one with index entries."""

_MAX_ROW_BYTES = 2**24
"""A row that claims to be longer is not a row."""

_SQLITE_HEADER = b"SQLite format 3\0"

_KIND_NAME = re.compile(r"[a-z]+(-[a-z]+)*")

_Value: TypeAlias = str | int | None


class LogRow(NamedTuple):
    """A row of the events table."""

    seq: int
    stream: str
    kind: str
    json: str
    at: str


class LogPages:
    """The pages of one log, in whatever state it is."""

    def __init__(self, log: Path) -> None:
        self.last = 0
        """The last event number that the log has given; known once all rows were read."""
        wal_file = wal_path(log)
        self._wal = wal_file.read_bytes() if wal_file.is_file() else b""
        self._frames = read_wal(self._wal)
        self._file = os.open(log, os.O_RDONLY) if log.is_file() else None
        self._size = self._page_size()
        self._latest_frames = {frame.page: frame.start for frame in self._frames.intact_frames}
        self._strays = {frame.page: frame.start for frame in self._frames.other_frames}

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)

    def rows(self) -> Iterator[LogRow]:
        """Yield the sound rows of the events: first of the newest pages, then of older ones."""
        for page in self._pages():
            for rowid, values in self._entries(page, TABLE_LEAF_TYPE):
                match values:
                    case [None, str(stream), str(kind), str(text), str(time_text)]:
                        row = LogRow(rowid, stream, kind, text, time_text)
                        if _is_sound(row):
                            yield row
                    case ["events", int(last)]:
                        self.last = max(self.last, last)

    def streams(self) -> Iterator[tuple[int, str]]:
        """Yield the event numbers in the indexes, each with its stream or its kind.

        They tell which streams the lost events belonged to.
        """
        for page in self._pages():
            for _, values in self._entries(page, INDEX_LEAF_TYPE):
                match values:
                    case [str(name), int(seq), *_]:
                        yield seq, name

    def _page_size(self) -> int:
        head = self._read_at(self._file, 0, 100)
        size = int.from_bytes(head[16:18], "big") if head.startswith(_SQLITE_HEADER) else 0
        is_one = size >= 512 and not size & (size - 1)
        return size if is_one else self._frames.page_size or DEFAULT_PAGE_BYTES

    def _pages(self) -> Iterator[bytes]:
        """Yield every page: the newest of each number first, then all others."""
        size = os.fstat(self._file).st_size if self._file is not None else 0
        numbers = range(1, size // self._size + 1)
        for number in sorted(self._latest_frames.keys() | set(numbers)):
            yield self._page(number)
        for number in sorted(self._latest_frames.keys() & set(numbers)):
            yield self._of_file(number)
        for frame in (*self._frames.intact_frames, *self._frames.other_frames):
            if self._latest_frames.get(frame.page) != frame.start:
                yield self._of_wal(frame.start)

    def _page(self, number: int) -> bytes:
        """Return the newest version of a page; empty if it cannot be read."""
        if number in self._latest_frames:
            return self._of_wal(self._latest_frames[number])
        data = self._of_file(number)
        return data if data or number not in self._strays else self._of_wal(self._strays[number])

    def _of_wal(self, start: int) -> bytes:
        return self._wal[start : start + self._size]

    def _of_file(self, number: int) -> bytes:
        data = self._read_at(self._file, (number - 1) * self._size, self._size)
        return data if len(data) == self._size else b""

    @staticmethod
    def _read_at(file: int | None, start: int, count: int) -> bytes:
        with suppress(OSError, OverflowError):  # a bad sector; the next may be good
            return os.pread(file, count, start) if file is not None else b""
        return b""

    def _entries(self, page: bytes, kind: int) -> Iterator[tuple[int, list[_Value]]]:
        """Yield the entries of a leaf page, each with its row number, 0 in an index.

        The first page has another header, and no rows of the events.
        """
        if len(page) < self._size or page[0] != kind:
            return
        (count,) = struct.unpack_from(">H", page, 3)
        for place in range(min(count, (self._size - 8) // 2)):
            (start,) = struct.unpack_from(">H", page, 8 + 2 * place)
            with suppress(IndexError, ValueError, struct.error):
                yield self._entry(page, start, kind)

    def _entry(self, page: bytes, start: int, kind: int) -> tuple[int, list[_Value]]:
        """Return an entry; raise IndexError, ValueError or struct.error for an invalid one."""
        length, start = _read_varint(page, start)
        rowid = 0
        if kind == TABLE_LEAF_TYPE:
            rowid, start = _read_varint(page, start)
        if not 0 < length < _MAX_ROW_BYTES:
            raise ValueError("no such length")
        return rowid, _read_values(self._payload(page, start, length, kind))

    def _payload(self, page: bytes, start: int, length: int, kind: int) -> bytes:
        """Return the bytes of an entry. A long entry continues in overflow pages."""
        usable = self._size
        max_local = usable - 35 if kind == TABLE_LEAF_TYPE else (usable - 12) * 64 // 255 - 23
        if length <= max_local:
            return page[start : start + length]
        min_local = (usable - 12) * 32 // 255 - 23
        local = min_local + (length - min_local) % (usable - 4)
        local = local if local <= max_local else min_local
        pieces = [page[start : start + local]]
        (overflow_page,) = struct.unpack_from(">I", page, start + local)
        left = length - local
        while left > 0:
            rest = self._page(overflow_page) if overflow_page else b""
            if not rest:
                raise ValueError("the rest is gone")
            (overflow_page,) = struct.unpack_from(">I", rest)
            pieces.append(rest[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
        return b"".join(pieces)


def _is_sound(row: LogRow) -> bool:
    """Whether a box could have written the row. The event catalogue is not consulted."""
    try:
        datetime.fromisoformat(row.at)
        data = json.loads(row.json)
    except (ValueError, RecursionError):
        return False
    has_valid_names = (
        bool(row.stream) and row.stream.isprintable() and _KIND_NAME.fullmatch(row.kind) is not None
    )
    return row.seq > 0 and has_valid_names and isinstance(data, dict)


def _read_varint(data: bytes, start: int) -> tuple[int, int]:
    """Return a variable-length number and the offset behind it; raise IndexError."""
    value = 0
    for place in range(start, start + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[start + 8], start + 9


_VALUE_BYTES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
"""Length of a value in bytes by its type: NULL, integers, and the constants 0 and 1."""


def _read_values(payload: bytes) -> list[_Value]:
    """Return the values of a record; raise ValueError or IndexError for an invalid one."""
    end, place = _read_varint(payload, 0)
    types = []
    while place < end:
        kind, place = _read_varint(payload, place)
        types.append(kind)
    values: list[_Value] = []
    for kind in types:
        size = (kind - 13) // 2 if kind >= 13 and kind % 2 else _VALUE_BYTES.get(kind, -1)
        data = payload[place : place + size]
        if size < 0 or len(data) != size:
            raise ValueError("no value of a log")
        place += size
        if kind >= 13:
            values.append(data.decode())
        elif kind == 0:
            values.append(None)
        else:
            values.append(kind - 8 if kind >= 8 else int.from_bytes(data, "big", signed=True))
    if place != len(payload):
        raise ValueError("not all of it is values")
    return values


HEADER_BYTES, FRAME_HEADER_BYTES = 32, 24
"""Bytes."""

_WAL_BYTE_ORDERS = {0x377F0682: "<", 0x377F0683: ">"}
"""The magic numbers at the beginning of the file, with the byte order of the checksums."""

_WORD_MASK = 2**32 - 1

WalChecksum = tuple[int, int]


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
class WriteAheadLog:
    """The frames of a write-ahead log."""

    page_size: int = 0
    """In bytes; 0 for an empty or invalid file."""
    intact_frames: tuple[WalFrame, ...] = ()
    """The frames that SQLite accepts."""
    other_frames: tuple[WalFrame, ...] = ()
    """All later frames: of an interrupted write, behind a bad sector, or left from before."""
    is_torn: bool = False
    """There are complete transactions behind a bad frame, so a sector went bad afterwards."""


def read_wal(data: bytes) -> WriteAheadLog:
    """Read the frames from the bytes of the file."""
    if len(data) < HEADER_BYTES:
        return WriteAheadLog()
    magic, _, size, _, *salts = struct.unpack_from(">6I", data)
    if magic not in _WAL_BYTE_ORDERS or size < 512 or size & (size - 1):
        return WriteAheadLog()
    order, step = _WAL_BYTE_ORDERS[magic], FRAME_HEADER_BYTES + size
    sums = _add_to_checksum(data[:24], order, (0, 0))
    unbroken = sums == struct.unpack_from(">2I", data, 24)
    whole_frames: list[WalFrame] = []
    other_frames: list[WalFrame] = []
    pending: list[WalFrame] = []
    ends_behind = 0
    for start in range(HEADER_BYTES, len(data) - step + 1, step):
        page, pages, salt1, salt2, *stored_checksum = struct.unpack_from(">6I", data, start)
        frame = WalFrame(page, start + FRAME_HEADER_BYTES, pages > 0)
        is_of_now = [salt1, salt2] == salts
        if unbroken:
            sums = _add_to_checksum(data[start : start + 8], order, sums)
            sums = _add_to_checksum(data[frame.start : start + step], order, sums)
            unbroken = is_of_now and list(sums) == stored_checksum
        if unbroken:
            pending.append(frame)
            if frame.ends:
                whole_frames += pending
                pending = []
        else:
            other_frames.append(frame)
            ends_behind += is_of_now and frame.ends
    # An interrupted write may leave the end of its own transaction behind, but of no other.
    return WriteAheadLog(size, tuple(whole_frames), (*pending, *other_frames), ends_behind > 1)


def wal_path(log: Path) -> Path:
    """Return the path of a log's write-ahead log."""
    return log.with_name(f"{log.name}-wal")


def _add_to_checksum(data: bytes, order: str, sums: WalChecksum) -> WalChecksum:
    """Continue SQLite's checksum over more bytes."""
    first, second = sums
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, two in zip(islice(words, 0, None, 2), islice(words, 1, None, 2), strict=True):
        first = (first + one + second) & _WORD_MASK
        second = (second + two + first) & _WORD_MASK
    return first, second

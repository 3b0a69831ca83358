"""What can be read of a log that SQLite cannot open, or must not: every row that any page has.

SQLite finds rows from the first page on down; where one page on that way is gone, so is all below
it. But a row stands in a leaf, whole and with its number, and a log is only ever added to: no row
is changed or moved out of sight. So every page is looked at by itself, in the file and in the
write-ahead log, and what is a leaf of the events gives its rows. What the format is:
https://sqlite.org/fileformat2.html
"""

from __future__ import annotations

import json
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, TypeAlias

from device.store import wal

PAGE = 4096
"""Bytes of a page where nothing says how many there are."""

TABLE_LEAF, INDEX_LEAF = 0x0D, 0x0A
"""How a page begins that has rows, or entries of an index."""

_MOST = 2**24
"""Bytes of a row; one that says it has more is none."""

_MAGIC = b"SQLite format 3\0"

_KIND = re.compile(r"[a-z]+(-[a-z]+)*")

_Value: TypeAlias = str | int | None


class Row(NamedTuple):
    """A row of the events."""

    seq: int
    stream: str
    kind: str
    json: str
    at: str


class Leaves:
    """The pages of one log, whatever is wrong with it."""

    def __init__(self, log: Path) -> None:
        self.last = 0
        """The greatest number that the log says it has given, known once all rows were read."""
        beside = wal.of_log(log)
        self._wal = beside.read_bytes() if beside.is_file() else b""
        self._frames = wal.read(self._wal)
        self._file = os.open(log, os.O_RDONLY) if log.is_file() else None
        self._size = self._page_size()
        self._newest = {frame.page: frame.start for frame in self._frames.whole}
        self._strays = {frame.page: frame.start for frame in self._frames.others}

    def close(self) -> None:
        """Let go of the file."""
        if self._file is not None:
            os.close(self._file)

    def rows(self) -> Iterator[Row]:
        """Yield what is sound of the events: the newest pages' first, then what only older have."""
        for page in self._pages():
            for rowid, values in self._entries(page, TABLE_LEAF):
                match values:
                    case [None, str(stream), str(kind), str(text), str(at)]:
                        row = Row(rowid, stream, kind, text, at)
                        if _is_sound(row):
                            yield row
                    case ["events", int(last)]:
                        self.last = max(self.last, last)

    def streams(self) -> Iterator[tuple[int, str]]:
        """Yield the numbers that an index has, each with its stream, or its kind.

        So that it can be said to what something happened that itself is gone.
        """
        for page in self._pages():
            for _, values in self._entries(page, INDEX_LEAF):
                match values:
                    case [str(name), int(seq), *_]:
                        yield seq, name

    def _page_size(self) -> int:
        head = self._at(self._file, 0, 100)
        size = int.from_bytes(head[16:18], "big") if head.startswith(_MAGIC) else 0
        is_one = size >= 512 and not size & (size - 1)
        return size if is_one else self._frames.page_size or PAGE

    def _pages(self) -> Iterator[bytes]:
        """Yield every page there is: the newest of each number, then all older ones and others."""
        size = os.fstat(self._file).st_size if self._file is not None else 0
        numbers = range(1, size // self._size + 1)
        for number in sorted(self._newest.keys() | set(numbers)):
            yield self._page(number)
        for number in sorted(self._newest.keys() & set(numbers)):
            yield self._of_file(number)
        for frame in (*self._frames.whole, *self._frames.others):
            if self._newest.get(frame.page) != frame.start:
                yield self._of_wal(frame.start)

    def _page(self, number: int) -> bytes:
        """Return a page as it is now, or as it may be; empty where it cannot be read."""
        if number in self._newest:
            return self._of_wal(self._newest[number])
        found = self._of_file(number)
        return found if found or number not in self._strays else self._of_wal(self._strays[number])

    def _of_wal(self, start: int) -> bytes:
        return self._wal[start : start + self._size]

    def _of_file(self, number: int) -> bytes:
        found = self._at(self._file, (number - 1) * self._size, self._size)
        return found if len(found) == self._size else b""

    @staticmethod
    def _at(file: int | None, start: int, count: int) -> bytes:
        with suppress(OSError, OverflowError):  # a bad sector; the next may be good
            return os.pread(file, count, start) if file is not None else b""
        return b""

    def _entries(self, page: bytes, kind: int) -> Iterator[tuple[int, list[_Value]]]:
        """Yield the entries of a leaf, each with its number, 0 in an index.

        The first page, which has a head of its own, has the names of tables and no entry of any.
        """
        if len(page) < self._size or page[0] != kind:
            return
        (count,) = struct.unpack_from(">H", page, 3)
        for place in range(min(count, (self._size - 8) // 2)):
            (start,) = struct.unpack_from(">H", page, 8 + 2 * place)
            with suppress(IndexError, ValueError, struct.error):
                yield self._entry(page, start, kind)

    def _entry(self, page: bytes, start: int, kind: int) -> tuple[int, list[_Value]]:
        """Return an entry; raise IndexError, ValueError or struct.error for what is none."""
        length, start = _varint(page, start)
        rowid = 0
        if kind == TABLE_LEAF:
            rowid, start = _varint(page, start)
        if not 0 < length < _MOST:
            raise ValueError("no such length")
        return rowid, _values(self._payload(page, start, length, kind))

    def _payload(self, page: bytes, start: int, length: int, kind: int) -> bytes:
        """Return an entry's bytes, of which a long one has the rest in pages of its own."""
        usable = self._size
        most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if length <= most:
            return page[start : start + length]
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= most else least
        found = [page[start : start + local]]
        (more,) = struct.unpack_from(">I", page, start + local)
        left = length - local
        while left > 0:
            rest = self._page(more) if more else b""
            if not rest:
                raise ValueError("the rest is gone")
            (more,) = struct.unpack_from(">I", rest)
            found.append(rest[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
        return b"".join(found)


def _is_sound(row: Row) -> bool:
    """Whether a row is one that could have been written: the catalogue is not asked."""
    try:
        datetime.fromisoformat(row.at)
        said = json.loads(row.json)
    except (ValueError, RecursionError):
        return False
    named = bool(row.stream) and row.stream.isprintable() and _KIND.fullmatch(row.kind) is not None
    return row.seq > 0 and named and isinstance(said, dict)


def _varint(data: bytes, start: int) -> tuple[int, int]:
    """Return a number of SQLite's format, and where what follows begins; raise IndexError."""
    value = 0
    for place in range(start, start + 8):
        value = value << 7 | data[place] & 0x7F
        if data[place] < 0x80:
            return value, place + 1
    return value << 8 | data[start + 8], start + 9


_SIZES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
"""Bytes of a value by its type: nothing, whole numbers, 0 and 1."""


def _values(payload: bytes) -> list[_Value]:
    """Return the values of a record; raise ValueError or IndexError for what is none."""
    end, place = _varint(payload, 0)
    types = []
    while place < end:
        kind, place = _varint(payload, place)
        types.append(kind)
    found: list[_Value] = []
    for kind in types:
        size = (kind - 13) // 2 if kind >= 13 and kind % 2 else _SIZES.get(kind, -1)
        data = payload[place : place + size]
        if size < 0 or len(data) != size:
            raise ValueError("no value of a log")
        place += size
        if kind >= 13:
            found.append(data.decode())
        elif kind == 0:
            found.append(None)
        else:
            found.append(kind - 8 if kind >= 8 else int.from_bytes(data, "big", signed=True))
    if place != len(payload):
        raise ValueError("not all of it is values")
    return found

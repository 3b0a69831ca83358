"""A request's body, put by until all of it is there."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import BinaryIO

from waitress.buffers import OverflowableBuffer


class Body:
    """A body as it comes: kept for as long as it may be, and thrown away once it may not."""

    def __init__(self, keep: Callable[[int], bool], in_memory: int) -> None:
        """`keep` is asked of each piece's bytes; what is above `in_memory` goes to a file."""
        self._keep = keep
        self._kept = OverflowableBuffer(in_memory)

    def append(self, piece: bytes) -> None:
        """Take the next piece."""
        if self._keep(len(piece)):
            self._kept.append(piece)
        else:
            self.close()

    def getfile(self) -> BinaryIO:
        """Return it to be read from its beginning."""
        file: BinaryIO = self._kept.getfile() if len(self._kept) else BytesIO()
        return file

    def getbuf(self) -> Body:
        """Return what is to be closed."""
        return self

    def close(self) -> None:
        """Throw away what there is of it."""
        if len(self._kept):
            self._kept.close()
            self._kept = OverflowableBuffer(0)

    def __len__(self) -> int:
        return len(self._kept)

"""Buffer the body of a request until it is complete."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import BinaryIO

from waitress.buffers import OverflowableBuffer


class Body:
    """A body that is being received. It is discarded once it may not be kept."""

    def __init__(self, keep: Callable[[int], bool], in_memory: int) -> None:
        """`keep` decides on each piece by its size; bytes above `in_memory` go to a file."""
        self._keep = keep
        self._kept = OverflowableBuffer(in_memory)

    def append(self, piece: bytes) -> None:
        """Add the next piece."""
        if self._keep(len(piece)):
            self._kept.append(piece)
        else:
            self.close()

    def getfile(self) -> BinaryIO:
        """Return the body as a file, at its beginning."""
        file: BinaryIO = self._kept.getfile() if len(self._kept) else BytesIO()
        return file

    def getbuf(self) -> Body:
        """Return the buffer that waitress closes."""
        return self

    def close(self) -> None:
        """Discard the body."""
        if len(self._kept):
            self._kept.close()
            self._kept = OverflowableBuffer(0)

    def __len__(self) -> int:
        return len(self._kept)

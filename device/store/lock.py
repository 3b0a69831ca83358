"""Who uses a data folder: many may at once; what needs it alone finds out whether it is.

One Tongbox alone serves it, for the pages of two would tell their phones nothing of each other.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from device.store.errors import ServedError


class FolderLock:
    """A lock on a data folder that ends with the process, however that ends.

    Raises OSError where the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _opened(folder / "lock")

    def take_alone(self) -> bool:
        """Take the folder for ourselves; return whether nobody else is using it."""
        return _taken(self._file)

    def share(self) -> None:
        """Use the folder beside others, after waiting for whoever has it alone."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Let go of the folder."""
        self._file.close()


class Serving:
    """The right to serve a folder, and where; it ends with the process, however that ends."""

    def __init__(self, folder: Path) -> None:
        """Take the right; raise ServedError where another Tongbox has it, OSError."""
        self._where = folder / "served-at"
        self._file = _opened(folder / "serving")
        if not _taken(self._file):
            self._file.close()
            raise ServedError(folder, self._where.read_text() if self._where.exists() else "")

    def tell(self, where: str) -> None:
        """Write down the address at which the page is, for who tries to serve the folder too."""
        with suppress(OSError):  # a full card: then nobody is told where
            self._where.write_text(where)

    def close(self) -> None:
        """Let another serve the folder."""
        with suppress(OSError):  # a card that takes nothing any more
            self._where.unlink(missing_ok=True)
        self._file.close()


def _opened(path: Path) -> IO[str]:
    # Opened for reading, so that a box which runs as its own user can take the lock after
    # someone has used the command line as root.
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

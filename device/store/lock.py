"""Lock a data folder: several processes may use it, but only one serves it.

The pages of two servers would not tell their phones about each other's events.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from device.store.errors import ServedError


class FolderLock:
    """A lock on a data folder, released when the process ends in any way.

    Raises OSError if the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._file = _opened(folder / "lock")

    def take_alone(self) -> bool:
        """Try to lock the folder exclusively; return whether that succeeded."""
        return _taken(self._file)

    def share(self) -> None:
        """Use the folder together with others, after waiting for an exclusive user."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Release the folder."""
        self._file.close()


class Serving:
    """The right to serve a folder, with the address; it ends with the process."""

    def __init__(self, folder: Path) -> None:
        """Take the right; raise OSError, or FolderServedError if another Tongbox has it."""
        self._where = folder / "served-at"
        self._file = _opened(folder / "serving")
        if not _taken(self._file):
            self._file.close()
            raise ServedError(folder, self._where.read_text() if self._where.exists() else "")

    def tell(self, where: str) -> None:
        """Write the page's address down, for anybody who tries to serve the folder too."""
        with suppress(OSError):  # a full card: the address stays unknown
            self._where.write_text(where)

    def close(self) -> None:
        """Let another serve the folder."""
        with suppress(OSError):  # the card accepts no more writes
            self._where.unlink(missing_ok=True)
        self._file.close()


def _opened(path: Path) -> IO[str]:
    # Opened for reading, so that a box with its own user can take the lock after root has.
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644))


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

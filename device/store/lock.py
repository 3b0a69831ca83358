"""Who uses a data folder: many may at once; what needs it alone finds out whether it is."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class FolderLock:
    """A lock on a data folder that ends with the process, however that ends.

    Raises OSError where the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        # Opened for reading, so that a box which runs as its own user can take the lock after
        # someone has used the command line as root.
        number = os.open(folder / "lock", os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._file = os.fdopen(number)

    def take_alone(self) -> bool:
        """Take the folder for ourselves; return whether nobody else is using it."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def share(self) -> None:
        """Use the folder beside others, after waiting for whoever has it alone."""
        fcntl.flock(self._file, fcntl.LOCK_SH)

    def close(self) -> None:
        """Let go of the folder."""
        self._file.close()

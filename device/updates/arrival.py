"""A bundle as it comes from a phone, piece by piece, until somebody wants it to be installed.

How far it is, files in the box's folder say, so that a restart loses nothing that was whole:

    update/arriving.zip    its pieces; begun anew after a restart
    update/checked.zip     all there, and signed by the maker of what runs
    update/wanted.zip      to be installed: the system's own service takes it (deploy/take.sh)
"""

from __future__ import annotations

import os
import secrets
import threading
from pathlib import Path

from device.updates.bundle import LARGEST, Bundle, BundleError, check, is_older, read
from scorer.message import message

ROOM = 4
"""Times its size that a bundle needs on the card: itself, unpacked, and what it is installed to."""


class OutOfStepError(Exception):
    """A piece of another arrival than the one that is under way, or not the next of it."""

    def __init__(self, have: int | None) -> None:
        super().__init__(have)
        self.have = have
        """Bytes that are there, to go on from; None where another phone has begun since."""


class Arrival:
    """Takes a bundle in; safe to share between threads."""

    def __init__(self, data: Path, key: Path, running: str) -> None:
        """Take it into the box's folder, held to the running version's key and number."""
        self._folder, self._key, self._running = data / "update", key, running
        self._lock = threading.Lock()
        self._token, self._size = "", 0
        self._arriving.unlink(missing_ok=True)  # of a phone that never came to its end

    @property
    def waiting(self) -> Bundle | None:
        """What is checked and waits for somebody to say so."""
        path = self._folder / "checked.zip"
        try:
            return read(path, self._key) if path.exists() else None
        except BundleError:  # the key is another since
            return None

    @property
    def is_wanted(self) -> bool:
        """Whether one is to be installed, and the system has not taken it yet."""
        return (self._folder / "wanted.zip").exists()

    def begin(self, size: int, free: int) -> str:
        """Begin anew; return what pieces must name. Raise BundleError if it cannot be."""
        if not 0 < size <= LARGEST:
            raise BundleError(message("update.no-bundle"))
        if free < ROOM * size:
            raise BundleError(message("update.no-room"))
        with self._lock:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            self._arriving.write_bytes(b"")
            self._token, self._size = secrets.token_hex(8), size
            return self._token

    def take(self, token: str, at: int, piece: bytes) -> int:
        """Take the next piece; return how many bytes are there, raise OutOfStepError."""
        with self._lock:
            if not self._token or token != self._token:
                raise OutOfStepError(None)
            have = self._arriving.stat().st_size
            if at != have or have + len(piece) > self._size:
                raise OutOfStepError(have)
            with self._arriving.open("ab") as file:
                file.write(piece)
            return have + len(piece)

    def finish(self, token: str) -> Bundle:
        """Return the bundle that is now all there; forget it and raise BundleError if none."""
        with self._lock:
            if not self._token or token != self._token:
                raise OutOfStepError(None)
            if self._arriving.stat().st_size != self._size:
                raise OutOfStepError(self._arriving.stat().st_size)
            self._token = ""
            try:
                bundle = check(self._arriving, self._key)
                if is_older(bundle.version, self._running):
                    raise BundleError(message("update.older"))
            except BundleError:
                self._arriving.unlink()
                raise
            self._keep(self._arriving, self._folder / "checked.zip")
            return bundle

    def install(self) -> Bundle:
        """Let the system take what waits; return it, raise OutOfStepError where nothing waits."""
        with self._lock:
            bundle = self.waiting
            if bundle is None:
                raise OutOfStepError(None)
            self._keep(self._folder / "checked.zip", self._folder / "wanted.zip")
            return bundle

    def drop(self) -> None:
        """Forget what waits."""
        with self._lock:
            (self._folder / "checked.zip").unlink(missing_ok=True)

    def _keep(self, path: Path, name: Path) -> None:
        """Give a file another name, and bring both to the card: the power may go at any time."""
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(name)
        folder = os.open(self._folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)

    @property
    def _arriving(self) -> Path:
        return self._folder / "arriving.zip"

"""Receive one large file from a phone in pieces, which weak Wi-Fi may break off and send again."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UploadOutOfStepError(Exception):
    """A piece belongs to another upload, or is not the next one."""

    def __init__(self, have: int | None) -> None:
        super().__init__(have)
        self.have = have
        """Bytes received so far, to go on from: all of them if it is finished already. None if
        another upload has begun since."""


class PieceUpload:
    """Receives a file into a path; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._token, self._size = "", 0
        self._finished_token: str | None = None
        """Token of the upload that was finished last: its phone may not have been told."""
        self._path.unlink(missing_ok=True)  # an unfinished upload

    def begin(self, size: int) -> str:
        """Begin a new upload of that many bytes; return the token for its pieces."""
        with self._lock:
            self._path.parent.mkdir(mode=0o700, exist_ok=True)
            self._path.write_bytes(b"")
            self._token, self._size, self._finished_token = secrets.token_hex(8), size, None
            return self._token

    def take(self, token: str, offset: int, piece: bytes) -> int:
        """Append the next piece; return the bytes so far, raise UploadOutOfStepError."""
        with self._lock:
            self._check_token(token)
            have = self._path.stat().st_size
            if offset != have or have + len(piece) > self._size:
                raise UploadOutOfStepError(have)
            with self._path.open("ab") as file:
                file.write(piece)
            return have + len(piece)

    @contextmanager
    def finish(self, token: str) -> Iterator[Path]:
        """Give the complete file, which no other upload touches meanwhile.

        It is deleted afterwards, unless it was moved. Raises UploadOutOfStepError.
        """
        with self._lock:
            if token == self._finished_token:
                raise UploadOutOfStepError(self._size)
            self._check_token(token)
            if self._path.stat().st_size != self._size:
                raise UploadOutOfStepError(self._path.stat().st_size)
            self._token = ""
            try:
                yield self._path
                self._finished_token = token
            finally:
                self._path.unlink(missing_ok=True)

    def _check_token(self, token: str) -> None:
        if not self._token or token != self._token:
            raise UploadOutOfStepError(None)

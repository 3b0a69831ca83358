"""Decode pictures from outside one at a time, in another process; queue the phones that wait.

A picture may be malicious, or only very large. So the process that decodes it has limits
(`device.decoding.child`), and is killed here if it hangs. In any case the page keeps working, the
player gets a message, and the next picture gets a working process.

Photographs that the page has open pass a gate, one at a time, so that many at once take no more
memory. A program builds one decoder and one gate, and hands them to those that need them. The
worker reads one photograph at a time and needs no gate.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import numpy as np

from scorer.message import message, message_from_json
from vision.errors import PhotoError
from vision.photo import MAX_READING_PIXELS, Photo
from vision.picture_file import decoder_failure
from vision.preprocess import RGB

CHILD_COMMAND = (sys.executable, "-P", "-m", "device.decoding.child")

DECODE_TIMEOUT_S = 60.0
"""Limit for one picture. The slowest accepted picture, a HEIC of 64 megapixels, needs 8 s on a
desktop machine (tests/README.md), so some 30 s on a Pi 4."""

_PPM_HEADER = re.compile(rb"P6\s(\d+)\s(\d+)\s255\s")

_log = logging.getLogger(__name__)


class Decoder:
    """Decodes pictures in a process that is kept running; safe to share between threads."""

    def __init__(
        self, child: Sequence[str] = CHILD_COMMAND, limit: float = DECODE_TIMEOUT_S
    ) -> None:
        self.command = child
        self.limit = limit
        self._one_at_a_time = threading.Lock()
        self._child: _Child | None = None

    def open(self, data: bytes, name: str, max_pixels: int = MAX_READING_PIXELS) -> Photo:
        """Decode the bytes of a picture's file as `open_photo` does; raise PhotoError.

        Waits for the pictures before it. Each has a time limit.
        """
        with self._one_at_a_time, _File("sent") as sent_file, _File("seen") as seen_file:
            sent_file.write(data)
            self._decode(max_pixels, sent_file, seen_file)
            return Photo(name, seen_file.picture())

    def warm_up(self) -> None:
        """Start the process, so that the first picture does not wait for it."""
        with self._one_at_a_time:
            self._ready()

    def close(self) -> None:
        """End the process; the next picture starts another."""
        with self._one_at_a_time:
            self._end()

    def _decode(self, max_pixels: int, sent_file: _File, seen_file: _File) -> None:
        try:
            status = self._ask(str(max_pixels).encode(), sent_file, seen_file)
        except OSError as error:  # it hangs, or could not be started
            _log.error("Cannot decode a picture of %d bytes: %r", sent_file.size, error)
            self._end()
            raise decoder_failure() from error
        if status != b"0":
            _log.error("A picture of %d bytes ended its decoder: %r", sent_file.size, status)
            raise decoder_failure()

    def _ask(self, max_pixels: bytes, sent_file: _File, seen_file: _File) -> bytes:
        """Return the child's answer, empty if it ended without one; raise OSError.

        In that case it is asked twice: it may have ended before, through no fault of this picture.
        """
        answer = b""
        for _ in range(2):
            line = self._ready().line
            with suppress(ConnectionError):
                socket.send_fds(line, [max_pixels], [sent_file.number, seen_file.number])
                answer = line.recv(64)
            if answer:
                break
            self._end()
        return answer

    def _ready(self) -> _Child:
        if self._child is None:
            self._child = _Child(self.command, self.limit)
        return self._child

    def _end(self) -> None:
        if self._child:
            self._child.end()
            self._child = None


class _Child:
    """The process, and the socket to it."""

    def __init__(self, command: Sequence[str], limit: float) -> None:
        self.line, child_end = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.line.settimeout(limit)
        with child_end:
            # Its own process group: Ctrl-C goes to the page only, and a hanging fork can be killed.
            self._process = subprocess.Popen(command, stdin=child_end.fileno(), process_group=0)  # noqa: S603

    def end(self) -> None:
        self.line.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class _File:
    """A file in memory, to pass to another process."""

    def __init__(self, name: str) -> None:
        self.number = os.memfd_create(name)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.number)

    @property
    def size(self) -> int:
        """Bytes."""
        return os.fstat(self.number).st_size

    def write(self, data: bytes) -> None:
        """Fill it."""
        with open(self.number, "wb", closefd=False) as file:
            file.write(data)

    def picture(self) -> RGB:
        """Return its pixels without copying; raise PhotoError if it holds an error."""
        memory = mmap.mmap(self.number, 0, access=mmap.ACCESS_READ)
        head = _PPM_HEADER.match(memory)
        if head is None:
            raise _refusal(bytes(memory))
        width, height = int(head[1]), int(head[2])
        pixels = np.frombuffer(memory, np.uint8, width * height * 3, head.end())
        return pixels.reshape(height, width, 3)


def _refusal(reply: bytes) -> PhotoError:
    fields = json.loads(reply)
    if fields["fault"]:
        _log.error("Cannot decode a picture:\n%s", fields["fault"])
    return PhotoError(fields["code"], message_from_json(fields["message"]))


MAX_PHOTOGRAPHS_IN_LINE = 24
"""Photographs in the line, with the open one: six tables of four that end a deal at once. A waiting
photograph takes a server thread, and disk space within `device.server.limits`, but no memory."""

TURN_TIMEOUT_S = 30.0
"""How long a photograph may wait for its turn. Opening one of 12 megapixels takes a desktop machine
0.1 s, a HEIC 0.5 s (tests/README.md), and a Pi 4 some four times that."""


class PhotographGate:
    """A first-come, first-served line with a limited length; one has its turn at a time."""

    def __init__(
        self, max_waiting: int = MAX_PHOTOGRAPHS_IN_LINE, patience: float = TURN_TIMEOUT_S
    ) -> None:
        self.standing = 0
        """Length of the line, the one whose turn it is included."""
        self._max_waiting, self._patience = max_waiting, patience
        self._turn_change = threading.Condition()
        self._turns = deque[object]()
        """The one whose turn it is, followed by those who wait."""

    @property
    def waiting(self) -> int:
        """Number of those who wait for their turn."""
        return max(0, len(self._turns) - 1)

    @contextmanager
    def in_line(self) -> Iterator[None]:
        """Stand in the line during the block; raise PhotoError if it is full."""
        with self._turn_change:
            if self.standing >= self._max_waiting:
                raise _busy_error()
            self.standing += 1
        try:
            yield
        finally:
            with self._turn_change:
                self.standing -= 1

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn and keep it during the block; raise PhotoError after a timeout."""
        ticket = object()
        try:
            with self._turn_change:
                self._turns.append(ticket)
                if not self._turn_change.wait_for(lambda: self._turns[0] is ticket, self._patience):
                    raise _busy_error()
            yield
        finally:
            with self._turn_change:
                self._turns.remove(ticket)
                self._turn_change.notify_all()


def _busy_error() -> PhotoError:
    return PhotoError("busy", message("photo.busy"))

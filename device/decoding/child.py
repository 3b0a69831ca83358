"""The process that decodes pictures: `python -m device.decoding.child`.

Its standard input is a socket. Each message has the number of pixels wanted, and two files in
memory: the picture's file, and an empty file for the result. Each picture is decoded in a fork of
this process, with limits of memory and time. The fork's memory, and any damage, ends with it. It
writes the picture as PPM, or the error as JSON; the answer on the socket is its exit status.

The process waits all evening, so it loads neither NumPy nor OpenCV.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from PIL import Image

from vision.errors import PhotoError
from vision.picture_file import decoder_failure, load_heif, open_picture

MAX_MEMORY_BYTES = 672 * 2**20
"""Memory limit of a fork, with what this process has. A HEIC of 64 megapixels needs 475 MB. A PNG
of that size with an alpha channel needs the most, 631 MB (tests/README.md)."""

MAX_PROCESSOR_S = 60
"""Limit of processor time for a picture, all threads together. The slowest accepted picture needs
some 8 s on a desktop machine and 30 s on a Pi 4."""

PROCESS_LIMITS = {
    resource.RLIMIT_DATA: MAX_MEMORY_BYTES,
    resource.RLIMIT_CPU: MAX_PROCESSOR_S,
    resource.RLIMIT_CORE: 0,
}

_NICENESS_STEPS = 5
"""Pages and scores come first."""


def main() -> None:
    """Answer requests until the socket is closed."""
    # When the service stops, systemd signals every process; the current photograph is still wanted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICENESS_STEPS)
    with suppress(OSError):
        # If memory runs out all the same, the system is to kill this process first.
        Path("/proc/self/oom_score_adj").write_text("1000")
    preload()
    gc.freeze()
    # If the box was killed before it read an answer, the socket is reset.
    with socket.socket(fileno=0) as requests, suppress(ConnectionResetError, BrokenPipeError):
        while True:
            limit_text, files, _, _ = socket.recv_fds(requests, 64, 2)
            if not limit_text:
                return
            status = _decode_in_fork(int(limit_text), *files)
            for number in files:
                os.close(number)
            requests.send(str(status).encode())


def preload() -> None:
    """Load Pillow's plugins once, before the forks, which would each have to load them again.

    That took 12 ms on a desktop machine for a JPEG. It took 26 ms for a WebP, for which Pillow
    loads all its plugins.
    """
    Image.preinit()
    load_heif()
    for kind in ("WebP", "Tiff"):  # in whose format EXIF is written
        import_module(f"PIL.{kind}ImagePlugin")


def _decode_in_fork(max_pixels: int, sent_fd: int, seen_fd: int) -> int:
    """Decode a picture in a fork; return its exit status, or its signal as a negative number."""
    fork = os.fork()
    if fork:
        return os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])
    status = 1
    try:
        for what, limit in PROCESS_LIMITS.items():
            resource.setrlimit(what, (limit, limit))
        with open(sent_fd, "rb") as file, open(seen_fd, "wb") as output:
            file.seek(0)
            decode(file.read(), max_pixels, output)
        status = 0
    finally:
        os._exit(status)  # whatever happened, the fork must not go on to answer requests


def decode(data: bytes, max_pixels: int, output: BinaryIO) -> None:
    """Decode a picture; write its pixels, or why it cannot be opened."""
    output.truncate(0)
    try:
        open_picture(data, max_pixels).save(output, "PPM")
        return
    except PhotoError as error:
        reason, fault = error, ""
    except Exception:  # noqa: BLE001 - any failure of a decoder is reported
        reason, fault = decoder_failure(), traceback.format_exc()
    output.seek(0)
    output.truncate()
    reply = {"code": reason.code, "message": reason.message.to_json(), "fault": fault}
    output.write(json.dumps(reply).encode())


if __name__ == "__main__":
    main()

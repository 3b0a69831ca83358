"""The process in which pictures are decoded: `python -m device.decoding.child`.

Its standard input is a socket. Each message on it says how many pixels are wanted, and brings two
files in memory: the picture's as it was sent, and an empty one for what is seen on it. Each picture
is decoded in a fork of this process, within limits of memory and time, so that its memory goes back
with it and what it broke is gone. What the fork leaves in the second file is the picture, as PPM,
or why there is none, as JSON; the answer is its exit status.

Little is loaded here, for it waits all evening: neither NumPy nor OpenCV.
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
from vision.opening import load_heif, open_picture, unopened

MEMORY = 672 * 2**20
"""Bytes that a picture may take, with what this process has. A HEIC of 64 megapixels needs 475 of
these megabytes; the most, 631, a PNG of as many with an alpha channel (tests/README.md)."""

SECONDS = 60
"""Of processor time, all threads together, that a picture may take. The slowest that is taken needs
some 8 of a desktop machine's, 30 of a Pi 4's."""

LIMITS = {
    resource.RLIMIT_DATA: MEMORY,
    resource.RLIMIT_CPU: SECONDS,
    resource.RLIMIT_CORE: 0,
}

_NICE = 5
"""Pages and scores come first."""


def main() -> None:
    """Answer until nobody asks any more."""
    # When the service ends, systemd tells every process so; the photograph at hand is still wanted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(_NICE)
    with suppress(OSError):
        # Where memory is short all the same, the system is to end this process and no other.
        Path("/proc/self/oom_score_adj").write_text("1000")
    load()
    gc.freeze()
    # Of a box that was killed before it took an answer, the line is not ended but reset.
    with socket.socket(fileno=0) as asked, suppress(ConnectionResetError, BrokenPipeError):
        while True:
            wanted, files, _, _ = socket.recv_fds(asked, 64, 2)
            if not wanted:
                return
            status = _in_a_fork(int(wanted), *files)
            for number in files:
                os.close(number)
            asked.send(str(status).encode())


def load() -> None:
    """Load what opens each kind of picture: a fork would do it for its own one alone, every time.

    That took 12 ms of a desktop machine's core for a JPEG, and 26 for a WebP, at which Pillow
    loads all that it has.
    """
    Image.preinit()
    load_heif()
    for kind in ("WebP", "Tiff"):  # in whose format EXIF is written
        import_module(f"PIL.{kind}ImagePlugin")


def _in_a_fork(most: int, sent: int, seen: int) -> int:
    """Decode a picture; return the exit status, or the signal that ended it as a negative one."""
    fork = os.fork()
    if fork:
        return os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1])
    status = 1
    try:
        for what, limit in LIMITS.items():
            resource.setrlimit(what, (limit, limit))
        with open(sent, "rb") as file, open(seen, "wb") as out:
            file.seek(0)
            decode(file.read(), most, out)
        status = 0
    finally:
        os._exit(status)  # whatever happened, this is no second one that answers


def decode(data: bytes, most: int, out: BinaryIO) -> None:
    """Write what a picture shows, or why it does not."""
    out.truncate(0)
    try:
        open_picture(data, most).save(out, "PPM")
        return
    except PhotoError as error:
        why, fault = error, ""
    except Exception:  # noqa: BLE001 - whatever a picture does to its decoder, it is told
        why, fault = unopened(), traceback.format_exc()
    out.seek(0)
    out.truncate()
    told = {"code": why.code, "message": why.message.to_json(), "fault": fault}
    out.write(json.dumps(told).encode())


if __name__ == "__main__":
    main()

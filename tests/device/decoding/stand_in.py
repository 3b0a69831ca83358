"""The decoder's process, but a picture that ends with a word does to it what the word says.

    python -m tests.device.decoding.stand_in NOTES

A line of the file NOTES for each picture that begins and ends. One that waits does so until there
is a file NOTES.go.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO
from unittest.mock import patch

from PIL import Image

from device.decoding import child
from vision.picture_file import open_picture

_decode = child.decode


def _spin() -> None:
    while True:
        pass


def _wait() -> None:
    while not Path(f"{sys.argv[1]}.go").exists():
        time.sleep(0.01)


def _fill() -> None:
    # In one piece: it is refused at once, where page after page would take processor time as well.
    assert bytearray(2**30)


def _break() -> None:
    raise KeyError("what no decoder should say")


DEEDS: Mapping[bytes, Callable[[], object]] = {
    b"killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"orphaned": lambda: os.kill(os.getppid(), signal.SIGKILL),
    b"interrupted": lambda: os.killpg(os.getpgrp(), signal.SIGINT),
    b"hangs": lambda: time.sleep(600),
    b"spins": _spin,
    b"waits": _wait,
    b"fills": _fill,
    b"breaks": _break,
    b"slow": lambda: time.sleep(0.05),
}


def _decode_or_fail(data: bytes, max_side: int) -> Image.Image:
    word = next((each for each in DEEDS if data.endswith(each)), None)
    if word:
        DEEDS[word]()
    return open_picture(data, max_side)


def main() -> None:
    """Answer as the real one does, with the limit of processor time lowered."""
    notes = Path(sys.argv[1])

    def note(note_text: str) -> None:
        with notes.open("a") as file:
            file.write(f"{note_text}\n")

    def decode_noted(data: bytes, max_side: int, output: BinaryIO) -> None:
        note("begins")
        _decode(data, max_side, output)
        note("ends")

    child.PROCESS_LIMITS[resource.RLIMIT_CPU] = 1
    note(f"starts {os.getpid()}")
    with (
        patch.object(child, "decode", decode_noted),
        patch.object(child, "open_picture", _decode_or_fail),
    ):
        child.main()


if __name__ == "__main__":
    main()

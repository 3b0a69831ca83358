"""The decoder's process, but a picture that ends with a word does to it what the word says.

    python -m tests.device.decoding.stand_in NOTES

A line of the file NOTES for each picture that begins and ends.
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

from PIL import Image

from device.decoding import child

_decode, _open_picture = child.decode, child.open_picture


def _spin() -> None:
    while True:
        pass


def _fill() -> None:
    held = [bytearray(2**24) for _ in range(2**12)]
    assert held


def _break() -> None:
    raise KeyError("what no decoder should say")


DEEDS: Mapping[bytes, Callable[[], object]] = {
    b"killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    b"crashes": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    b"orphaned": lambda: os.kill(os.getppid(), signal.SIGKILL),
    b"hangs": lambda: time.sleep(600),
    b"spins": _spin,
    b"fills": _fill,
    b"breaks": _break,
    b"slow": lambda: time.sleep(0.05),
}


def _done_to(data: bytes, most: int) -> Image.Image:
    word = next((each for each in DEEDS if data.endswith(each)), None)
    if word:
        DEEDS[word]()
    return _open_picture(data, most)


def main() -> None:
    """Answer as the real one does, with the limits of processor time and memory lowered."""
    notes = Path(sys.argv[1])

    def note(what: str) -> None:
        with notes.open("a") as file:
            file.write(f"{what}\n")

    def noted(data: bytes, most: int, out: BinaryIO) -> None:
        note("begins")
        _decode(data, most, out)
        note("ends")

    child.decode, child.open_picture = noted, _done_to
    child.LIMITS[resource.RLIMIT_CPU] = 1
    note(f"starts {os.getpid()}")
    child.main()


if __name__ == "__main__":
    main()

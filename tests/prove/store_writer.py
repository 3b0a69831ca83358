"""A box that does nothing but keep things, until it is killed: `tests.prove.killing` runs it.

`python -m tests.prove.store_writer FOLDER NAME [URL]` prints a line for the store when it is open,
and one for each event whose `append` has returned: its number, the writer, the count of its events.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from pathlib import Path

from device.store import Store
from device.store.events import PhotosRemoved
from device.store.store_url import open_store

WRITERS = 3
"""Threads that write at once, as phones and the reader's worker do."""

LARGEST = 200_000
"""Bytes of a photograph: enough that many kills come while one is being written."""


def main() -> None:
    """Write until somebody ends it."""
    folder = Path(sys.argv[1])
    store = open_store(folder, sys.argv[3]) if sys.argv[3:] else Store(folder, reserve=0)
    say("open")
    for number in range(WRITERS):
        threading.Thread(target=play, args=(store, f"{sys.argv[2]}-{number}")).start()


def play(store: Store, writer: str) -> None:
    """Keep photographs and events about them, each event with the count of those before it.

    Which kind of event they are does not matter: one that has names can have all of this.
    """
    rng = random.Random(writer)
    count = 0
    while True:
        photo = store.keep_photo(rng.randbytes(rng.randrange(LARGEST)))
        crop = store.keep_crop("first", rng.randbytes(2000))
        for _ in range(3):
            pad = "×" * rng.randrange(5000)
            seq = store.append(writer, PhotosRemoved((str(count), photo, crop, pad)))
            say(f"{seq} {writer} {count}")
            count += 1


def say(line: str) -> None:
    """Print a line in one write, so that it is out whole or not at all."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


if __name__ == "__main__":
    main()

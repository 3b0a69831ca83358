"""Keep photographs and events until this process is killed: `tests.prove.killing` runs it.

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

WRITER_COUNT = 3
"""Threads that write at once, as phones and the reader's worker do."""

MAX_PHOTO_BYTES = 200_000
"""Large enough that many kills come while a photograph is being written."""


def main() -> None:
    """Write until somebody ends it."""
    folder = Path(sys.argv[1])
    store = open_store(folder, sys.argv[3]) if sys.argv[3:] else Store(folder, reserve=0)
    print_line("open")
    for number in range(WRITER_COUNT):
        threading.Thread(target=write_events, args=(store, f"{sys.argv[2]}-{number}")).start()


def write_events(store: Store, writer: str) -> None:
    """Keep photographs and events; each event holds the number of events before it.

    The kind of event does not matter: any kind with names can hold all of this.
    """
    rng = random.Random(writer)
    count = 0
    while True:
        photo = store.keep_photo(rng.randbytes(rng.randrange(MAX_PHOTO_BYTES)))
        crop = store.keep_crop("first", rng.randbytes(2000))
        for _ in range(3):
            pad = "×" * rng.randrange(5000)
            seq = store.append(writer, PhotosRemoved((str(count), photo, crop, pad)))
            print_line(f"{seq} {writer} {count}")
            count += 1


def print_line(line: str) -> None:
    """Print a line in one write, so that it is out whole or not at all."""
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


if __name__ == "__main__":
    main()

"""A worker as `tongbox worker` is one, but for its reader, which reads nothing.

python -m tests.device.sharing_worker URL FOLDER
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from device.services import open_services
from device.store.store_url import open_store
from tests.device.fake_reader import FakeReader
from tests.device.shared_decoder import DECODER
from vision.photo import Photo
from vision.reading import Reading

TAKES = 0.05
"""Seconds for one photograph."""


class SlowReader(FakeReader):
    """Takes a moment, in which it may be killed."""

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        """Return the same reading as ever."""
        time.sleep(TAKES)
        return super().read(photo, rules, progress)


def main(arguments: Sequence[str], reader: FakeReader) -> None:
    """Work until killed."""
    url, folder = arguments
    with (
        closing(open_store(Path(folder), url)) as store,
        closing(open_services(store, reader, DECODER)),
    ):
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1:], SlowReader())

"""What all tests share."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# No deadlines: how long an example takes says more of the machine's other work than of the code.
# `make prove` draws more examples: pytest --hypothesis-profile=thorough.
settings.register_profile("tongbox", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=500)
settings.load_profile("tongbox")

MEMORY = Path("/dev/shm")  # noqa: S108 - tests write there what they write to a temporary folder
ENOUGH_BYTES = 2 * 2**30


def has_room_in_memory() -> bool:
    """Whether a folder in memory takes the tests' files, programs among them."""
    if not os.access(MEMORY, os.W_OK | os.X_OK) or os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        return False
    return shutil.disk_usage(MEMORY).free > ENOUGH_BYTES


# Each event is brought to the disk before it counts: 6 ms on a disk that others use, hundreds of
# times a test. In memory that takes nothing; the worker processes take the folder over.
if "TMPDIR" not in os.environ and has_room_in_memory():
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

# To look for rings through all that a test run has imported and collected, every 700 objects, takes
# a fourteenth of its time: what is there before the first test is never looked at again.
gc.set_threshold(50_000, 20, 20)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest tests first, so that no core waits for one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("longest") is None)


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background deaf to Ctrl-C, and every program started here
    # would inherit that: those that are to end by it would not.
    signal.signal(signal.SIGINT, signal.default_int_handler)

"""Prove that a full disk loses nothing: `python -m tests.prove.full_disk`.

A box keeps photographs and scores until its disk is full. It goes on trying, is given room, and
keeps some more. The disk is a small one of its own (tmpfs) where one may be mounted. Besides, no
file may grow beyond a limit (RLIMIT_FSIZE), which is as if writing failed.
"""

from __future__ import annotations

import hashlib
import json
import random
import resource
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from device.store import DiskFullError, Store, StoreError
from device.store.events import PhotosRemoved
from tests.reporting import say

DISK_BYTES = 6 * 2**20

BALLAST_BYTES = 2 * 2**20
"""A file of something else on the small disk, which is removed in the end."""

TRIES_WHILE_FULL = 30
"""Events and photographs that are tried while the disk is full, and afterwards."""

SavedPhotos = dict[int, str]
"""The photograph of each event that was kept, by the event's number."""


def main() -> None:
    """Print the counts for each kind of full disk that is possible here."""
    with tempfile.TemporaryDirectory() as folder:
        for name, fill in (("a small disk", fill_disk), ("a limit on files", fill_files)):
            (Path(folder) / name).mkdir()
            counts = fill(Path(folder) / name)
            say(f"{name}: {json.dumps(counts) if counts else 'may not be mounted'}")


def fill_disk(folder: Path) -> Counter[str] | None:
    """Fill a small disk; return None where none may be mounted."""
    with small_disk(folder) as is_mounted:
        if not is_mounted:
            return None
        ballast = folder / "ballast"
        ballast.write_bytes(bytes(BALLAST_BYTES))
        return fill(folder / "box", ballast.unlink)


def fill_files(folder: Path) -> Counter[str]:
    """Limit the size of all files, so that writing fails. Call this in a separate process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**18, hard))
    try:
        return fill(folder / "box", lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def fill(box: Path, make_room: Callable[[], None]) -> Counter[str]:
    """Keep until nothing more is accepted, then make room and go on; count what happened.

    Raises AssertionError when something that was kept is lost.
    """
    rng, counts, saved = random.Random(1), Counter[str](), SavedPhotos()
    store = Store(box, reserve=0)
    while counts["no room for a photograph or score"] + counts["writing failed"] < TRIES_WHILE_FULL:
        keep_photo(store, rng, counts, saved)
    before = len(saved)
    check(store, saved)
    make_room()
    for _ in range(TRIES_WHILE_FULL):
        keep_photo(store, rng, counts, saved)
    check(store, saved)
    store.close()
    store = Store(box, reserve=0)
    check(store, saved)
    store.close()
    assert not list(box.rglob(".half-*"))
    return counts + Counter({"kept before the disk was full": before, "kept in all": len(saved)})


def keep_photo(
    store: Store, rng: random.Random, counts: Counter[str], saved_photos: SavedPhotos
) -> None:
    """Keep a photograph and an event about it, or count the refusal."""
    try:
        name = store.keep_photo(rng.randbytes(rng.choice((1000, 30_000, 300_000))))
        saved_photos[store.append("hand", PhotosRemoved((name, "×" * 2000)))] = name
    except DiskFullError:
        counts["no room for a photograph or score"] += 1
    except StoreError:
        counts["writing failed"] += 1


def check(store: Store, saved_photos: SavedPhotos) -> None:
    """Raise AssertionError when an event that was kept, or its photograph, is not whole."""
    removed_names = {event.seq: event.event.names[0] for event in store.of_kinds(PhotosRemoved)}
    assert removed_names == saved_photos, "the log has just the events that append said it has"
    for name in saved_photos.values():
        assert hashlib.sha256(store.photo(name)).hexdigest() == name


@contextmanager
def mount_on(folder: Path, *words: str) -> Iterator[bool]:
    """Mount something on a folder until the block ends; give whether that is allowed here."""
    try:
        result = subprocess.run(("mount", *words, str(folder)), capture_output=True, check=False)
        is_mounted = result.returncode == 0
    except FileNotFoundError:
        is_mounted = False
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(("umount", str(folder)), check=True)


def small_disk(folder: Path, size: int = DISK_BYTES) -> AbstractContextManager[bool]:
    """Mount a small disk in memory."""
    return mount_on(folder, "-t", "tmpfs", "-o", f"size={size}", "tongbox-test")


if __name__ == "__main__":
    main()

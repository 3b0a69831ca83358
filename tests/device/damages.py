"""Ways in which a card spoils a log, each done to the files of a data folder."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from device.store.data_folder import LOG_FILE

SECTOR, PAGE = 512, 4096

Damage = Callable[[Path, random.Random], None]
"""Spoils the log of a folder."""


def remove(folder: Path, _: random.Random) -> None:
    """Let the file be gone, and what stands beside it."""
    for path in folder.glob(f"{LOG_FILE}*"):
        path.unlink()


def remove_alone(folder: Path, _: random.Random) -> None:
    """Let the file be gone, and nothing that stands beside it."""
    (folder / LOG_FILE).unlink()


def empty(folder: Path, rng: random.Random) -> None:
    """Leave nothing but the name."""
    remove(folder, rng)
    (folder / LOG_FILE).touch()


def cut(folder: Path, rng: random.Random) -> None:
    """Cut the file off anywhere."""
    log = folder / LOG_FILE
    log.write_bytes(log.read_bytes()[: rng.randrange(log.stat().st_size)])


def halve(folder: Path, _: random.Random) -> None:
    """Cut the file at the half."""
    log = folder / LOG_FILE
    log.write_bytes(log.read_bytes()[: log.stat().st_size // 2])


def behead(folder: Path, _: random.Random) -> None:
    """Zero the first page, which says that it is a database and where all is."""
    _zero(folder / LOG_FILE, 0, PAGE)


def blot(folder: Path, text: bytes) -> None:
    """Zero the page that has a text."""
    page = (folder / LOG_FILE).read_bytes().index(text) // PAGE
    _zero(folder / LOG_FILE, page * PAGE, PAGE)


def zero_pages(count: int, size: int = PAGE) -> Damage:
    """Return what zeroes so many parts of the file, anywhere."""

    def zero(folder: Path, rng: random.Random) -> None:
        log = folder / LOG_FILE
        for part in rng.sample(range(log.stat().st_size // size), count):
            _zero(log, part * size, size)

    return zero


def scribble_pages(count: int) -> Damage:
    """Return what fills so many sectors with anything."""

    def scribble(folder: Path, rng: random.Random) -> None:
        data = bytearray((folder / LOG_FILE).read_bytes())
        for part in rng.sample(range(len(data) // SECTOR), count):
            data[part * SECTOR : (part + 1) * SECTOR] = rng.randbytes(SECTOR)
        (folder / LOG_FILE).write_bytes(data)

    return scribble


def spoil_wal(folder: Path, rng: random.Random) -> None:
    """Zero a sector early in what was written last and is not in the file yet."""
    wal = folder / f"{LOG_FILE}-wal"
    data = wal.read_bytes()
    sectors = range(8, len(data) // SECTOR // 2)
    written_sectors = [each for each in sectors if any(data[each * SECTOR : (each + 1) * SECTOR])]
    _zero(wal, SECTOR * rng.choice(written_sectors), SECTOR)


def cut_wal(folder: Path, _: random.Random) -> None:
    """Cut what was written last off in the middle of a page, as a pulled plug may."""
    wal = folder / f"{LOG_FILE}-wal"
    wal.write_bytes(wal.read_bytes()[: wal.stat().st_size // 2 + 100])


def write_text(folder: Path, rng: random.Random) -> None:
    """Put something else in its place."""
    remove(folder, rng)
    (folder / LOG_FILE).write_text("What is this?\n" * 40)


def make_folder(folder: Path, rng: random.Random) -> None:
    """Put a folder in its place."""
    remove(folder, rng)
    (folder / LOG_FILE).mkdir()


def _zero(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(bytes(size))

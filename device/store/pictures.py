"""Keep photographs and pictures of tiles, in folders or in the database that many boxes share.

A photograph's name is its SHA-256. So the evidence can be checked, and a photo that was sent twice
is kept once.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from device.store import files
from device.store.errors import DiskFullError, NoFileError, telling_files

PHOTOS, CROPS = "photos", "crops"
"""The folders' names."""

Place = tuple[str, ...]
"""A photograph's name; or a tile set's id with the name of a picture of its tiles."""


class Pictures(Protocol):
    """Pictures by their place."""

    @property
    def folder(self) -> Path | None:
        """The parent of the picture folders; None if pictures are kept elsewhere."""

    def keep(self, place: Place, data: bytes) -> None:
        """Keep a picture, safely on disk when this returns; raise StoreError."""

    def read(self, place: Place) -> bytes:
        """Return a picture's bytes; raise PictureNotFoundError."""

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of a tile set's pictures."""

    def photographs(self) -> frozenset[str]:
        """Return the names of all photographs; raise StoreError."""

    def places(self) -> Iterator[Place]:
        """Yield the places of all pictures."""

    def size(self, place: Place) -> int:
        """Return the size of a picture in bytes, 0 if it does not exist."""

    def delete(self, place: Place) -> None:
        """Delete a picture if it is there; raise StoreError."""

    def try_write(self) -> None:
        """Check that a picture could be kept; raise StoreError."""


class FolderPictures:
    """Pictures as files."""

    def __init__(self, folder: Path, reserve: int) -> None:
        """`reserve` is the disk space in bytes that pictures leave free."""
        self.folder = folder
        self._reserve = reserve
        with telling_files("The data folder cannot be used"):
            (folder / PHOTOS).mkdir(parents=True, exist_ok=True)
            files.sync_folder(folder)

    def keep(self, place: Place, data: bytes) -> None:
        """Write the file completely or not at all."""
        path = self._path(place)
        with telling_files("A photograph cannot be kept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free < self._reserve + len(data):
                raise DiskFullError
            files.write(path, data)

    def read(self, place: Place) -> bytes:
        """Return the file's bytes."""
        return files.read(self._path(place))

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of the files."""
        try:
            folder = files.named(self.folder / CROPS, tile_set)
        except NoFileError:
            return frozenset()
        return frozenset(path.name for path in folder.glob("*.png"))

    def photographs(self) -> frozenset[str]:
        """Return the names of the files; none if the folder is gone."""
        with (
            telling_files("The photographs cannot be listed"),
            suppress(FileNotFoundError),
            os.scandir(self.folder / PHOTOS) as files_there,
        ):
            return frozenset(each.name for each in files_there)
        return frozenset()

    def places(self) -> Iterator[Place]:
        """Yield the places of all files that have a picture's name."""
        for kind in (PHOTOS, CROPS):
            for path in sorted((self.folder / kind).rglob("*")):
                place = path.relative_to(self.folder / kind).parts
                if path.is_file() and files.may_name(*place):
                    yield place

    def size(self, place: Place) -> int:
        """Return the file's size."""
        try:
            return self._path(place).stat().st_size
        except (NoFileError, FileNotFoundError):
            return 0

    def delete(self, place: Place) -> None:
        """Delete the file."""
        with telling_files("A photograph cannot be deleted"):
            self._path(place).unlink(missing_ok=True)

    def try_write(self) -> None:
        """Write a file beside the photographs, and remove it."""
        with (
            telling_files("The data folder cannot be used"),
            files.tried(self.folder / PHOTOS) as file,
        ):
            file.write(b"tongbox")

    def _path(self, place: Place) -> Path:
        """Return the file's path; raise PictureNotFoundError for a name that no box gives."""
        folder = PHOTOS if len(place) == 1 else CROPS
        return files.named(self.folder / folder, *place)

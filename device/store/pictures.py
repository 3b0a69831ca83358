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
from device.store.errors import DiskFullError, PictureNotFoundError, translate_file_errors

PHOTOS_FOLDER, CROPS_FOLDER = "photos", "crops"
"""The folders' names."""

PicturePlace = tuple[str, ...]
"""A photograph's name; or a tile set's id with the name of a picture of its tiles."""


class Pictures(Protocol):
    """Pictures by their place."""

    @property
    def folder(self) -> Path | None:
        """The parent of the picture folders; None if pictures are kept elsewhere."""

    def keep(self, place: PicturePlace, data: bytes) -> None:
        """Keep a picture, safely on disk when this returns; raise StoreError."""

    def read(self, place: PicturePlace) -> bytes:
        """Return a picture's bytes; raise PictureNotFoundError."""

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of a tile set's pictures."""

    def photographs(self) -> frozenset[str]:
        """Return the names of all photographs; raise StoreError."""

    def places(self) -> Iterator[PicturePlace]:
        """Yield the places of all pictures."""

    def size(self, place: PicturePlace) -> int:
        """Return the size of a picture in bytes, 0 if it does not exist."""

    def delete(self, place: PicturePlace) -> None:
        """Delete a picture if it is there; raise StoreError."""

    def try_write(self) -> None:
        """Check that a picture could be kept; raise StoreError."""


class FolderPictures:
    """Pictures as files."""

    def __init__(self, folder: Path, reserve: int) -> None:
        """`reserve` is the disk space in bytes that pictures leave free."""
        self.folder = folder
        self._reserve = reserve
        with translate_file_errors("The data folder cannot be used"):
            (folder / PHOTOS_FOLDER).mkdir(parents=True, exist_ok=True)
            files.sync_folder(folder)

    def keep(self, place: PicturePlace, data: bytes) -> None:
        """Write the file completely or not at all."""
        path = self._path(place)
        with translate_file_errors("A photograph cannot be kept"):
            path.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(path.parent).free < self._reserve + len(data):
                raise DiskFullError
            files.write_file(path, data)

    def read(self, place: PicturePlace) -> bytes:
        """Return the file's bytes."""
        return files.read_picture(self._path(place))

    def names(self, tile_set: str) -> frozenset[str]:
        """Return the names of the files."""
        try:
            folder = files.picture_path(self.folder / CROPS_FOLDER, tile_set)
        except PictureNotFoundError:
            return frozenset()
        return frozenset(path.name for path in folder.glob("*.png"))

    def photographs(self) -> frozenset[str]:
        """Return the names of the files; none if the folder is gone."""
        with (
            translate_file_errors("The photographs cannot be listed"),
            suppress(FileNotFoundError),
            os.scandir(self.folder / PHOTOS_FOLDER) as files_there,
        ):
            return frozenset(each.name for each in files_there)
        return frozenset()

    def places(self) -> Iterator[PicturePlace]:
        """Yield the places of all files that have a picture's name."""
        for kind in (PHOTOS_FOLDER, CROPS_FOLDER):
            for path in sorted((self.folder / kind).rglob("*")):
                place = path.relative_to(self.folder / kind).parts
                if path.is_file() and files.is_picture_name(*place):
                    yield place

    def size(self, place: PicturePlace) -> int:
        """Return the file's size."""
        try:
            return self._path(place).stat().st_size
        except (PictureNotFoundError, FileNotFoundError):
            return 0

    def delete(self, place: PicturePlace) -> None:
        """Delete the file."""
        with translate_file_errors("A photograph cannot be deleted"):
            self._path(place).unlink(missing_ok=True)

    def try_write(self) -> None:
        """Write a file beside the photographs, and remove it."""
        with (
            translate_file_errors("The data folder cannot be used"),
            files.try_file(self.folder / PHOTOS_FOLDER) as file,
        ):
            file.write(b"tongbox")

    def _path(self, place: PicturePlace) -> Path:
        """Return the file's path; raise PictureNotFoundError for a name that no box gives."""
        folder = PHOTOS_FOLDER if len(place) == 1 else CROPS_FOLDER
        return files.picture_path(self.folder / folder, *place)

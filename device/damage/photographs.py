"""Find the photographs that the log names and the store does not have."""

from __future__ import annotations

import time
from contextlib import suppress

from device.store import Event
from device.store.events import (
    PhotoAdded,
    PhotoRetaken,
    PhotosRemoved,
    PhotoTaken,
    SetPhotoAdded,
    SetPhotographed,
    TablePhotographed,
    TableRetaken,
)
from device.store.pictures import PHOTOS, Pictures

NAMING_PHOTOGRAPHS = (
    PhotoTaken,
    PhotoAdded,
    PhotoRetaken,
    SetPhotographed,
    SetPhotoAdded,
    TablePhotographed,
    TableRetaken,
)

LIST_AGAIN_S = 30.0
"""Seconds until photographs in a database are listed again, if none was added."""


class WantedPhotographs:
    """The photographs that a log names, collected from its first event on."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._wanted: set[str] = set()
        self._notes = 0
        self._listed_at: tuple[int, float] | None = None
        self._missing: frozenset[str] = frozenset()

    def note(self, event: Event) -> None:
        """Note the photographs that an event names or removes."""
        if isinstance(event, PhotosRemoved):
            self._wanted.difference_update(event.names)
        elif isinstance(event, NAMING_PHOTOGRAPHS):
            photo = event.photo
            self._wanted.update({photo.original, photo.display, photo.thumbnail} - {""})
            self._notes += 1

    def missing(self) -> frozenset[str]:
        """Return the names of missing photographs. The folder is listed only after a change."""
        now = (self._notes, self._changed())
        if now != self._listed_at:
            self._missing = frozenset(self._wanted - self._pictures.photographs())
            self._listed_at = now
        return self._missing & self._wanted

    def _changed(self) -> float:
        """Return when the folder was changed; without a folder, a number that changes with time."""
        folder = self._pictures.folder
        if folder is None:
            return time.monotonic() // LIST_AGAIN_S
        with suppress(OSError):
            return (folder / PHOTOS).stat().st_mtime_ns
        return 0

"""What a job of the worker is, and what it works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from device.decoding.decoder import Decoder
from device.hands.readings import PhotoReader
from device.hands.record import HandPhoto
from device.hands.repository import HandRepository
from device.tilesets.tile_sets import TileSets
from vision.photo import Photo

JobProgress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


@dataclass(frozen=True, slots=True)
class DecodedPhoto:
    """A photograph that was decoded when it arrived."""

    original: str
    """Name of its stored file."""
    photo: Photo


class DecodedPhotoSlot:
    """Holds the decoded photograph that the next job reads."""

    def __init__(self) -> None:
        self._photo: DecodedPhoto | None = None

    def put(self, decoded_photo: DecodedPhoto) -> None:
        """Hold a photograph in place of any other."""
        self._photo = decoded_photo

    def take(self) -> DecodedPhoto | None:
        """Return the photograph and hold it no longer; None if there is none."""
        photo, self._photo = self._photo, None
        return photo


@dataclass(frozen=True, slots=True)
class WorkerContext:
    """The repositories, the reader and the decoder that handlers use."""

    hands: HandRepository
    sets: TileSets
    reader: PhotoReader
    decoder: Decoder
    models: Mapping[str, str]
    """Names of the reader's networks, stored with every hand."""
    decoded_slot: DecodedPhotoSlot = field(default_factory=DecodedPhotoSlot)

    def open(self, photo: HandPhoto, decoded_photo: DecodedPhoto | None) -> Photo:
        """Return a stored photograph, decoded again only if it is not the given one."""
        if decoded_photo and decoded_photo.original == photo.original:
            return decoded_photo.photo
        return self.hands.open(photo, self.decoder)

"""A camera that shows pictures from a folder, for trying the box and for tests."""

from __future__ import annotations

from pathlib import Path

from device.cameras.base import (
    CameraInfo,
    CameraNotFoundError,
    CameraUnavailableError,
    Frame,
    camera_message,
    shrink,
)
from device.decoding.decoder import Decoder
from vision.errors import PhotoError
from vision.photo import Photo

PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic")


class FolderCamera:
    """Shows a folder's pictures by name; each still moves on to the next."""

    def __init__(self, path: Path, decoder: Decoder) -> None:
        self._path = path
        self._decoder = decoder
        self._files: list[Path] = []
        self._position = 0
        self._shown_picture: tuple[Path, Frame] | None = None

    def start(self) -> CameraInfo:
        """List the pictures; raise CameraNotFoundError if there are none."""
        paths = self._path.iterdir() if self._path.is_dir() else [self._path]
        self._files = sorted(
            f for f in paths if f.suffix.lower() in PICTURE_SUFFIXES and f.is_file()
        )
        if not self._files:
            raise CameraNotFoundError(camera_message("no-picture", folder=str(self._path)))
        photo = self._open()
        return CameraInfo(self._path.name, photo.width, photo.height, is_stored=True)

    def preview(self, timeout: float) -> Frame:
        """Return the next still's picture, small."""
        path = self._current_file
        if self._shown_picture is None or self._shown_picture[0] != path:
            self._shown_picture = path, Frame(shrink(self._open().rgb), path.name)
        return self._shown_picture[1]

    def take_still(self, timeout: float) -> Frame:
        """Return the picture and move on."""
        photo = self._open()
        self._position += 1
        return Frame(photo.rgb, photo.name)

    def adjust(self) -> None:
        """Do nothing: there is nothing to adjust."""

    def close(self) -> None:
        """Drop the cached preview."""
        self._shown_picture = None

    @property
    def _current_file(self) -> Path:
        return self._files[self._position % len(self._files)]

    def _open(self) -> Photo:
        """Return the current picture; only its preview is cached, because it may be large."""
        path = self._current_file
        try:
            return self._decoder.open(path.read_bytes(), path.name)
        except (OSError, PhotoError) as error:
            raise CameraUnavailableError(
                camera_message("cannot-open", picture=path.name)
            ) from error

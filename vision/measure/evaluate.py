"""Measure readings against labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from scorer.message import plain_text
from vision.errors import PhotoError
from vision.labels import LabelledPhoto
from vision.measure.calibration import expected_calibration_error, reliability_bins
from vision.measure.compare import PhotoResult, TileResult, compare, match_tiles
from vision.measure.report import Report
from vision.measure.shares import Share
from vision.measure.summary import MeasureSummary
from vision.photo import Photo, open_photo
from vision.reading import Reading

__all__ = [
    "MeasureSummary",
    "PhotoResult",
    "Report",
    "Share",
    "TileResult",
    "check_all_open",
    "compare",
    "evaluate",
    "expected_calibration_error",
    "match_tiles",
    "measure_photo",
    "reliability_bins",
]


MAX_FAULTS_NAMED = 10
"""Photographs named in an error: a missing folder makes hundreds fail alike."""


class ReadsPhotos(Protocol):
    """The reader that is measured: `vision.reader.Reader` or a stand-in."""

    def read(self, photo: Photo) -> Reading:
        """Read a photograph of a hand."""

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture of one upright tile."""


def evaluate(photos: Iterable[LabelledPhoto], reader: ReadsPhotos) -> Report:
    """Read every photograph and compare it with its labels; groups are also reported separately.

    Raises PhotoError as `check_all_open` does.
    """
    photos = list(photos)
    check_all_open(photos)
    report = Report()
    for labelled_photo in photos:
        measure_photo(labelled_photo, reader, report)
    return report


def measure_photo(labelled_photo: LabelledPhoto, reader: ReadsPhotos, report: Report) -> None:
    """Read one photograph, compare it with its labels, and add the result to the report."""
    is_crop = labelled_photo.kind == "crop"
    photo = _open(labelled_photo.path)
    reading = reader.read_crop(photo) if is_crop else reader.read(photo)
    is_miscounted = any(problem.code == "tile-count" for problem in reading.problems)
    photo_result = compare(labelled_photo, reading.tiles, reading.ms.total)
    result = replace(photo_result, is_miscounted=is_miscounted)
    (report.crops if is_crop else report.photos).append(result)


def check_all_open(photos: Sequence[LabelledPhoto]) -> None:
    """Raise PhotoError if photographs cannot be opened, and name them.

    Figures of some photographs would otherwise pass for figures of the whole set.
    """
    faults: dict[Path, str] = {}
    for labelled_photo in photos:
        try:
            _open(labelled_photo.path)
        except OSError as error:
            faults[labelled_photo.path] = f"The file cannot be opened: {error.strerror}."
        except PhotoError as error:
            faults[labelled_photo.path] = str(error)
    if faults:
        lines = [f"{path}: {fault}" for path, fault in [*faults.items()][:MAX_FAULTS_NAMED]]
        lines += [f"… and {len(faults) - len(lines)} more"] if len(faults) > len(lines) else []
        count = f"{len(faults)} of the {len(photos)} labelled photographs cannot be opened."
        error_text = "\n".join([f"Nothing was measured: {count}", *lines])
        raise PhotoError("photos-missing", plain_text(error_text))


def _open(path: Path) -> Photo:
    return open_photo(path.read_bytes(), path.name)

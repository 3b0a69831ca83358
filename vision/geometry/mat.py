"""The printed mat: its marks, its rows, and how to find it in a photograph.

Four fiducial marks give the position and direction of the mat. The view can then be straightened,
and the meaning of each row is known. `device.paper.labels` draws the mat from these constants.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.plane import DOWN_DIRECTION, Plane, Quads, mean_sides
from vision.geometry.rows import Layout, TileRow
from vision.geometry.runs import cut_at_gaps
from vision.photo import Photo
from vision.preprocess import LINEAR, RGB, Float64s
from vision.reading import RowName

SHEET_WIDTH_MM, SHEET_HEIGHT_MM = 420.0, 297.0
"""Size of the sheet: A3 landscape. Fourteen tiles of 26 mm fit, with gaps between sets."""

MARK_SIDE_MM, MARK_MARGIN_MM = 24.0, 8.0
"""Side of a mark, and its distance from the sheet's edges."""

ROW_BANDS_MM: tuple[tuple[RowName, float, float], ...] = (
    ("exposed", 44.0, 106.0),
    ("concealed", 118.0, 180.0),
    ("bonus", 192.0, 254.0),
)
"""Upper and lower edge of each row, measured from the sheet's upper edge."""

FACE_SHIFT_MM = 8.0
"""How much higher on the sheet tiles are expected than they lie. Tiles are about 20 mm thick. From
the owner's side, 35 degrees above the table, their faces appear 28 mm higher, and from the other
side as much lower. Either way they stay nearest to their own row, because the next one is 74 mm
away."""

_RIGHT_MARK_MM, _LOWER_MARK_MM = (
    SHEET_WIDTH_MM - MARK_MARGIN_MM - MARK_SIDE_MM,
    SHEET_HEIGHT_MM - MARK_MARGIN_MM - MARK_SIDE_MM,
)
MARK_CORNERS_MM: tuple[tuple[float, float], ...] = (
    (MARK_MARGIN_MM, MARK_MARGIN_MM),
    (_RIGHT_MARK_MM, MARK_MARGIN_MM),
    (_RIGHT_MARK_MM, _LOWER_MARK_MM),
    (MARK_MARGIN_MM, _LOWER_MARK_MM),
)
"""Upper left corner of marks 0 to 3, clockwise."""

MARK_DICTIONARY = cv2.aruco.DICT_4X4_50
"""OpenCV's smallest dictionary: its marks have the largest squares and can be read from farthest
away."""

MIN_MARKS_SEEN = 2
"""Marks that must be visible; a sleeve may hide the others."""


_SEARCH_SIDE_PX = 960
"""Longer side of the picture that is searched, where a mark has about 50 pixels. At 640 one or two
of four marks were missed from 38 degrees above the table; at 960 none from 30."""


@dataclass(frozen=True, slots=True, eq=False)
class Mat:
    """A mat as it lies in a photograph."""

    to_sheet: Float64s
    """Homography (3, 3) from pixels of the photograph to millimetres of the sheet."""

    def lay_out(self, quads: Quads) -> Layout:
        """Return the rows of the tiles (N, 4, 2) on the sheet; other tiles are left out."""
        divisor = float(self.to_sheet[2] @ (*quads.mean((0, 1)), 1))
        sheet = Plane(self.to_sheet / divisor, np.array(DOWN_DIRECTION), np.zeros(2))
        flat = sheet.flatten(quads)
        width = np.median(np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1))
        centres = flat.mean(1)
        is_on_sheet = ((centres > 0) & (centres < (SHEET_WIDTH_MM, SHEET_HEIGHT_MM))).all(1)
        middles = np.array([(top + low) / 2 - FACE_SHIFT_MM for _, top, low in ROW_BANDS_MM])
        nearest_row = np.abs(centres[:, 1:] - middles).argmin(1)
        tiles = [
            np.flatnonzero(is_on_sheet & (nearest_row == band)).tolist()
            for band in range(len(ROW_BANDS_MM))
        ]
        half_widths = np.ptp(flat, axis=1)[:, 0] / 2
        groups = cut_at_gaps(centres[:, 0] / width, half_widths / width, tiles)
        horizontal, _ = mean_sides(flat)
        sideways = is_on_sheet & (np.abs(horizontal[:, 0]) < np.abs(horizontal[:, 1]))
        bands = zip(ROW_BANDS_MM, groups, tiles, strict=True)
        return Layout(
            tuple(TileRow(cut, meaning) for (meaning, _, _), cut, row in bands if row),
            frozenset(np.flatnonzero(sideways).tolist()),
            dict.fromkeys(np.flatnonzero(~is_on_sheet).tolist(), "apart"),
            plane=replace(sheet, from_photo=np.diag([1 / width, 1 / width, 1]) @ sheet.from_photo),
        )


def find_mat(photo: Photo) -> Mat | None:
    """Return the mat in a photograph; None if there is none."""
    # Most photographs show no mat, and a small picture decides that in a third of the time. It
    # missed two of 34 drawn mats (small, grainy, half hidden) that the full search finds.
    if not _find_marks(photo.locator_input[0]):
        return None
    # Marks are large and have high contrast, so pixels may be skipped.
    step = max(1, max(photo.width, photo.height) // (2 * _SEARCH_SIDE_PX))
    marks = _find_marks(photo.rgb[::step, ::step])
    if len(marks) < MIN_MARKS_SEEN:
        return None
    sheet = np.concatenate([_mark_corners(mark) for mark in marks])
    corners = np.concatenate(list(marks.values())) * step
    to_sheet, _ = cv2.findHomography(corners, sheet)
    return None if to_sheet is None else Mat(np.asarray(to_sheet, np.float64))


def _find_marks(rgb: RGB) -> dict[int, Float64s]:
    """Return the corners (4, 2) of each visible mark, in pixels of the picture."""
    scale = min(1.0, _SEARCH_SIDE_PX / max(rgb.shape[:2]))
    small = cv2.resize(rgb, None, fx=scale, fy=scale, interpolation=LINEAR)
    green = cv2.extractChannel(small, 1)  # one colour is enough
    corners, marks, _ = _DETECTOR.detectMarkers(green)
    detections = zip([] if marks is None else marks.ravel(), corners, strict=True)
    return {int(mark): quad[0] / scale for mark, quad in detections if mark < len(MARK_CORNERS_MM)}


def _mark_corners(mark: int) -> npt.NDArray[np.float64]:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARK_SIDE_MM
    return np.asarray(square + MARK_CORNERS_MM[mark])


def _build_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # One threshold is enough for marks printed black on white.
    parameters.minMarkerPerimeterRate = 0.07  # 17 pixels a side, where a mark seen flat has 50
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARK_DICTIONARY), parameters)


_DETECTOR = _build_detector()

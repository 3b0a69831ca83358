"""The printed mat: where its marks are, which rows it has, and how to find it in a photograph.

Four fiducial marks say where the mat lies and which way round, so that the view is straightened
and the meaning of each row known, and neither need be guessed. `device.paper.mat` draws it from
this table.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry.gaps import cut_at_gaps
from vision.geometry.plane import Quads, mean_sides
from vision.geometry.rows import Layout, TileRow
from vision.photo import Photo
from vision.preprocess import RGB, Float64s
from vision.reading import RowName

WIDTH, HEIGHT = 420.0, 297.0
"""Of the sheet, millimetres: A3 across. Fourteen tiles of 26 mm with gaps between sets fit."""

MARK, MARGIN = 24.0, 8.0
"""Side of a mark and its distance from the sheet's edges, millimetres."""

BANDS: tuple[tuple[RowName, float, float], ...] = (
    ("exposed", 44.0, 106.0),
    ("concealed", 118.0, 180.0),
    ("bonus", 192.0, 254.0),
)
"""Each row's upper and lower edge, millimetres from the sheet's upper edge."""

LEANS = 8.0
"""How much higher up the sheet than they lie tiles are looked for, millimetres. They are some 20 mm
thick, so that seen from the owner's side, 35 degrees above the table, their faces appear 28 mm
higher, and from the other side as much lower: nearest to their own row either way, for the next
row is 74 mm off."""

_FAR, _LOW = WIDTH - MARGIN - MARK, HEIGHT - MARGIN - MARK
MARKS: tuple[tuple[float, float], ...] = (
    (MARGIN, MARGIN),
    (_FAR, MARGIN),
    (_FAR, _LOW),
    (MARGIN, _LOW),
)
"""Upper left corner of marks 0 to 3, clockwise, millimetres."""

DICTIONARY = cv2.aruco.DICT_4X4_50
"""The smallest of OpenCV's: its marks have the largest squares, and so are read from farthest."""

FEWEST = 2
"""Marks that must be seen; the others may be hidden under a sleeve."""


_SIDE = 960
"""Longer side, in pixels, of the picture that is searched. A mark has some 50 of them; at 640, one
or two of four were missed from 38 degrees above the table, at 960 none from 30."""


@dataclass(frozen=True, slots=True, eq=False)
class Mat:
    """A mat as it lies in a photograph."""

    to_sheet: Float64s
    """(3, 3): takes pixels of the photograph to millimetres of the sheet."""

    def lay_out(self, quads: Quads) -> Layout:
        """Return the rows of the tiles (N, 4, 2) that lie on the sheet; the others are left out."""
        corners = quads.reshape(-1, 1, 2).astype(np.float64)
        sheet = cv2.perspectiveTransform(corners, self.to_sheet)
        flat = np.asarray(sheet, np.float64).reshape(-1, 4, 2)
        width = np.median(np.linalg.norm(flat[:, 1] - flat[:, 0], axis=1))
        centres = flat.mean(1)
        on = ((centres > 0) & (centres < (WIDTH, HEIGHT))).all(1)
        middles = np.array([(top + low) / 2 - LEANS for _, top, low in BANDS])
        nearest = np.abs(centres[:, 1:] - middles).argmin(1)
        tiles = [np.flatnonzero(on & (nearest == band)).tolist() for band in range(len(BANDS))]
        half_widths = np.ptp(flat, axis=1)[:, 0] / 2
        groups = cut_at_gaps(centres[:, 0] / width, half_widths / width, tiles)
        across, _ = mean_sides(flat)
        sideways = on & (np.abs(across[:, 0]) < np.abs(across[:, 1]))
        return Layout(
            tuple(
                TileRow(cut, meaning)
                for (meaning, _, _), cut, row in zip(BANDS, groups, tiles, strict=True)
                if row
            ),
            frozenset(np.flatnonzero(sideways).tolist()),
            dict.fromkeys(np.flatnonzero(~on).tolist(), "apart"),
        )


def find_mat(photo: Photo) -> Mat | None:
    """Return the mat in a photograph; None where there is none."""
    # Most photographs show no mat. Those are done with at a glance, in a third of the time; of 34
    # drawn mats, small, grainy and half hidden, of which _SIDE shows two marks, it lost two.
    if not _marks(photo.shrunk[0]):
        return None
    # Marks are large, and black on white: pixels may be skipped.
    step = max(1, max(photo.width, photo.height) // (2 * _SIDE))
    seen = _marks(photo.rgb[::step, ::step])
    if len(seen) < FEWEST:
        return None
    sheet = np.concatenate([_mark_corners(mark) for mark in seen])
    corners = np.concatenate(list(seen.values())) * step
    to_sheet, _ = cv2.findHomography(corners, sheet)
    return None if to_sheet is None else Mat(np.asarray(to_sheet, np.float64))


def _marks(rgb: RGB) -> dict[int, Float64s]:
    """Return the corners (4, 2) of each of the mat's marks seen, in pixels of the picture."""
    scale = min(1.0, _SIDE / max(rgb.shape[:2]))
    green = cv2.extractChannel(cv2.resize(rgb, None, fx=scale, fy=scale), 1)  # one colour will do
    corners, marks, _ = _DETECTOR.detectMarkers(green)
    found = zip([] if marks is None else marks.ravel(), corners, strict=True)
    return {int(mark): quad[0] / scale for mark, quad in found if mark < len(MARKS)}


def _mark_corners(mark: int) -> npt.NDArray[np.float64]:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * MARK
    return np.asarray(square + MARKS[mark])


def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # One threshold instead of three: a mark printed black on white asks for no more.
    parameters.minMarkerPerimeterRate = 0.07  # 17 pixels a side, where a mark seen flat has 50
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = 23
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), parameters)


_DETECTOR = _detector()

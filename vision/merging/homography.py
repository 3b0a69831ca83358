"""Map one photograph of a table to another: the hand is flat, so a homography does it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.reading import Quad

Matrix = npt.NDArray[np.float64]
"""A homography (3, 3) from the pixels of one photograph to those of another."""

OFF = 0.25
"""Corners further off than this share of a tile's width are outliers. A tile read the other way
round has its corners elsewhere."""


def homography_between(pairs: Sequence[tuple[Quad, Quad]]) -> Matrix | None:
    """Return the homography that maps the first quad of each pair to the second.

    None if the pairs do not agree: the photographs then show different tiles.
    """
    here = np.array([a for a, _ in pairs], np.float64).reshape(-1, 2)
    there = np.array([b for _, b in pairs], np.float64).reshape(-1, 2)
    if len(here) < 4:
        return None
    width = float(np.median([np.linalg.norm(np.subtract(b[1], b[0])) for _, b in pairs]))
    found, agree = cv2.findHomography(here, there, cv2.RANSAC, OFF * width)
    return None if found is None or agree.sum() < 4 else np.asarray(found, np.float64)


def mapped(quad: Quad, matrix: Matrix) -> Quad:
    """Return the quad in the other photograph."""
    points = cv2.perspectiveTransform(np.array([quad], np.float64), matrix)[0]
    a, b, c, d = ((round(float(x), 1), round(float(y), 1)) for x, y in points)
    return (a, b, c, d)


def inside(quad: Quad, width: int, height: int) -> bool:
    """Return whether the middle of a quad lies in a picture of this size."""
    x, y = np.mean(quad, axis=0)
    return bool(0 <= x < width and 0 <= y < height)

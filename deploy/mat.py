"""Draw the printed mat, from the table of places by which the box finds it again.

    .venv/bin/python deploy/mat.py > deploy/mat.svg

Print it on A3 at 100 %. Any browser makes a PDF of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import cv2

from vision.mat import BANDS, DICTIONARY, HEIGHT, MARGIN, MARK, MARKS, WIDTH

TITLES = {
    "exposed": "Exposed sets",
    "concealed": "Concealed tiles: your own, a gap between sets",
    "bonus": "Flowers and seasons",
}
NOTES = (
    "Exposed kong: one end face down · concealed kong: both ends face down · "
    "concealed pung: the middle tile face down",
    "Turn the winning tile sideways, in the set that it completed",
)
SQUARES = 6
"""Of a mark, its black border included."""


def svg() -> Iterator[str]:
    """Yield the mat's drawing, in millimetres."""
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}mm" height="{HEIGHT:g}mm" '
        f'viewBox="0 0 {WIDTH:g} {HEIGHT:g}" font-family="sans-serif" fill="#000">'
    )
    yield f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="#fff"/>'
    for mark, (x, y) in enumerate(MARKS):
        yield from _mark(mark, x, y)
    for meaning, top, low in BANDS:
        yield (
            f'<rect x="{MARGIN:g}" y="{top:g}" width="{WIDTH - 2 * MARGIN:g}" '
            f'height="{low - top:g}" rx="4" fill="none" stroke="#777" stroke-width="0.6"/>'
        )
        yield f'<text x="{MARGIN + 2:g}" y="{top - 2:g}" font-size="7">{TITLES[meaning]}</text>'
    for line, note in enumerate(NOTES):
        y = HEIGHT - MARGIN - 14 + 8 * line
        place = f'x="{WIDTH / 2:g}" y="{y:g}" text-anchor="middle"'
        yield f'<text {place} font-size="5.5">{note}</text>'
    yield "</svg>"


def _mark(mark: int, x: float, y: float) -> Iterator[str]:
    """Draw one fiducial: its black squares, those of a row side by side in one piece."""
    pattern = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(DICTIONARY), mark, SQUARES
    )
    side = MARK / SQUARES
    steps = [
        f"M{x + side * column:g} {y + side * row:g}h{side:g}v{side:g}h{-side:g}z"
        for row in range(SQUARES)
        for column in range(SQUARES)
        if not pattern[row, column]
    ]
    yield f'<path d="{"".join(steps)}" shape-rendering="crispEdges"/>'


if __name__ == "__main__":
    sys.stdout.write("\n".join(svg()) + "\n")

"""Count wind markers that are read as tiles: `python -m tests.prove.wind_markers [--every N]`.

Into every Nth photograph of a hand with a flower (TONGBOX_DATA) a marker is laid beside the flower:
the sign of a real wind tile in a coloured frame that we draw, as large as a tile is high. That no
wind tile is taken for a marker is shown by `tests.prove.real_photos`. It ends with 1 if more
markers are read as tiles than the bound allows.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np

from tests.prove.real_photos import load_photos, open_labelled
from tests.reporting import say
from vision.geometry.plane import HEIGHT_PER_WIDTH
from vision.labels import LabelledPhoto
from vision.photo import Photo
from vision.preprocess import RGB, Float32s, straighten
from vision.reader import Reader
from vision.reading import TileReading

MIN_HAND_TILES = 9
"""A photograph with fewer labelled tiles shows no hand."""

MAX_READ_SHARE = 0.25
"""Share of the markers that may be read as tiles: those on ground of their frame's colour."""

SIDE_PX = 120
SQUARE = np.array([[0, 0], [SIDE_PX, 0], [SIDE_PX, SIDE_PX], [0, SIDE_PX]], np.float32)

FRAMES = {
    "green square": ((30, 120, 70), 0.17, False),
    "thin green square": ((30, 120, 70), 0.07, False),
    "red square": ((170, 30, 30), 0.17, False),
    "blue square around a disc": ((30, 60, 140), 0.07, True),
}
"""Colour, least width as a share of the side, and whether a disc lies in it."""

PLACES = ((1.6, 0.0), (-1.6, 0.0), (0.0, 1.4), (0.0, -1.4), (2.4, 0.0), (-2.4, 0.0))
"""Where the marker's middle may lie, from the flower's, in its widths and heights."""


def main() -> None:
    """Read photographs with a marker and print how many of these are tiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=3, metavar="N", help="photographs to take")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader.load()
    hands = [
        photo
        for part in ("chosen-by", "held-out")
        for photo in load_photos(part)
        if photo.kind != "crop" and len(photo.tiles) >= MIN_HAND_TILES
    ]
    signs = [sign for photo in hands[::10] for sign in _wind_signs(photo)]
    counts, read_counts = Counter[str](), Counter[str]()
    for number, labelled_photo in enumerate(hands[:: args.every]):
        photo = open_labelled(labelled_photo)
        place = find_place(photo, reader.read(photo).tiles)
        if place is None:
            continue
        frame = [*FRAMES][number % len(FRAMES)]
        marker = frame_sign(signs[number % len(signs)], frame)
        tiles = reader.read(lay_marker(photo, marker, place)).tiles
        counts[frame] += 1
        read_counts[frame] += any(_lies_on(tile, place) for tile in tiles)
    for frame in FRAMES:
        say(f"{frame}: {read_counts[frame]} of {counts[frame]} markers read as tiles")
    sys.exit(read_counts.total() > MAX_READ_SHARE * counts.total())


def _wind_signs(labelled_photo: LabelledPhoto) -> list[RGB]:
    rgb = open_labelled(labelled_photo).rgb
    winds = [tile for tile in labelled_photo.tiles if tile.code.startswith("W")]
    return [straighten(rgb, tile.quad, SIDE_PX) for tile in winds if not tile.approximate]


def frame_sign(sign: RGB, name: str) -> RGB:
    """Return a marker (SIDE_PX, SIDE_PX, 3): the middle of a wind tile in a frame."""
    colour, width, is_round = FRAMES[name]
    top = (sign.shape[0] - SIDE_PX) // 2
    middle = sign[top : top + SIDE_PX]
    margin = round(width * SIDE_PX)
    inner = np.zeros((SIDE_PX, SIDE_PX), np.uint8)
    if is_round:
        cv2.circle(inner, (SIDE_PX // 2, SIDE_PX // 2), SIDE_PX // 2 - margin, 1, cv2.FILLED)
    else:
        inner[margin:-margin, margin:-margin] = 1
    light = np.percentile(middle, 80) / 255
    framed = np.where(inner[..., None], middle, np.multiply(colour, light))
    return np.asarray(framed, np.uint8)


def find_place(photo: Photo, tiles: Sequence[TileReading]) -> Float32s | None:
    """Return free corners (4, 2) beside a flower for a square that lies like the tiles, if any."""
    quads = [np.array(tile.quad, np.float32) for tile in tiles]
    for tile, quad in zip(tiles, quads, strict=True):
        if tile.code[0] not in "FS" or tile.doubtful:
            continue
        right, down = (quad[1] + quad[2] - quad[0] - quad[3]) / 2, (quad[2:] - quad[1::-1]).mean(0)
        wider = right * (HEIGHT_PER_WIDTH - 1) / 2
        outline = quad + np.stack([-wider, wider, wider, -wider])
        for widths, heights in PLACES:
            place = outline + widths * right + heights * down
            is_inside = (place >= 0).all() and (place < (photo.width, photo.height)).all()
            height = np.linalg.norm(down)
            middles = [np.linalg.norm(q.mean(0) - place.mean(0)) for q in quads]
            if is_inside and min(middles) > 1.25 * height:
                return np.asarray(place, np.float32)
    return None


def lay_marker(photo: Photo, marker: RGB, place: Float32s) -> Photo:
    """Return the photograph with a marker at these corners."""
    matrix = cv2.getPerspectiveTransform(SQUARE, place)
    size = (photo.width, photo.height)
    laid = cv2.warpPerspective(marker, matrix, size, flags=cv2.INTER_AREA)
    cover = cv2.warpPerspective(np.ones((SIDE_PX, SIDE_PX), np.float32), matrix, size)[..., None]
    return Photo(photo.name, np.asarray(photo.rgb * (1 - cover) + laid * cover, np.uint8))


def _lies_on(tile: TileReading, place: Float32s) -> bool:
    x, y = np.mean(tile.quad, axis=0).tolist()
    return cv2.pointPolygonTest(place, (x, y), measureDist=False) >= 0


if __name__ == "__main__":
    main()

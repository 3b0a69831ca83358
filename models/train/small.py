"""How small tiles may be: `python -m models.train.small [--every N]`.

Every held-out photograph of a hand is put, unchanged, into a picture so much larger that its tiles
are of a given width at the locator's first look. What is around it is its own border drawn out. So
one sees what looking closer brings: the same tiles, the same light, only further away.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import cv2
import numpy as np

from models.train.data.photos import photos_by_scene
from vision.labels import LabelledPhoto
from vision.measure.evaluate import MeasureSummary, PhotoResult, compare
from vision.photo import Photo, open_photo
from vision.preprocess import LOCATOR_SIDE_PX
from vision.reader import Reader

WIDTHS = (40, 28, 22, 18, 14, 10)
"""Median tile widths at the first look, in pixels."""


def main() -> None:
    """Print a line of figures for each width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="every so manyth photograph alone")
    args = parser.parse_args()
    scenes = photos_by_scene(held_out=True)
    hands = [p for photos in scenes.values() for p in photos if p.kind == "photo"][:: args.every]
    reader = Reader.load()
    for width in WIDTHS:
        results = [result for hand in hands if (result := _read_small(hand, width, reader))]
        all_of = MeasureSummary(tuple(results))
        if results:
            print(
                f"{width} px: {len(results)} photographs, "
                f"found {100 * all_of.found / all_of.labelled:.2f} %, "
                f"invented {100 * all_of.invented / max(all_of.read, 1):.2f} %, "
                f"found and named right {100 * all_of.right / all_of.labelled:.2f} %, "
                f"{all_of.milliseconds(50):.0f} ms"
            )


def _read_small(labelled: LabelledPhoto, width: float, reader: Reader) -> PhotoResult | None:
    """Read a photograph from further away; None where its tiles are smaller than that already."""
    photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
    tile = float(np.median([np.ptp(tile.quad, axis=0).min() for tile in labelled.tiles]))
    side = round(LOCATOR_SIDE_PX * tile / width)
    if side < max(photo.width, photo.height):
        return None
    far, (dx, dy) = _from_further_away(photo, side)
    tiles = tuple(replace(t, quad=t.quad + np.array([dx, dy], np.float32)) for t in labelled.tiles)
    moved = replace(labelled, tiles=tiles, roi=_moved(labelled.roi, dx, dy))
    moved = replace(moved, unlabelled=tuple(_moved(box, dx, dy) for box in labelled.unlabelled))
    reading = reader.read(far)
    return compare(moved, reading.tiles, reading.ms.total)


def _from_further_away(photo: Photo, side: int) -> tuple[Photo, tuple[int, int]]:
    """Return the photo in the middle of a square picture, and where its top left came to lie."""
    dx, dy = (side - photo.width) // 2, (side - photo.height) // 2
    right, below = side - photo.width - dx, side - photo.height - dy
    rgb = cv2.copyMakeBorder(photo.rgb, dy, below, dx, right, cv2.BORDER_REPLICATE)
    return Photo(photo.name, rgb.astype(np.uint8)), (dx, dy)


def _moved(
    box: tuple[float, float, float, float], dx: int, dy: int
) -> tuple[float, float, float, float]:
    return box[0] + dx, box[1] + dy, box[2] + dx, box[3] + dy


if __name__ == "__main__":
    main()

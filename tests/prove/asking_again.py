"""How often a photograph would be asked about, as it is and spoilt: cry wolf, and what is caught.

`python -m tests.prove.asking_again [--training] [--photos N] [--more N]`: real photographs of hands
(TONGBOX_DATA) are spoilt by known amounts, read, and put to `vision.retake_advice`.
By default they are of
scenes that no network was trained on; its rules were chosen on the others (`--training`). A
photograph is read well if no more than a tenth of its tiles is missed, misread or asked about.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.train.data.photos import photos_by_scene
from tests.prove import harm
from tests.prove.faults import FEWEST
from vision.labels import LabelledPhoto
from vision.measure.evaluate import compare
from vision.photo import MAX_READING_PIXELS, Photo, open_photo
from vision.quality import MAX_HAND_TILES
from vision.reader import Reader
from vision.retake_advice import reasons_to_retake

EDGES = ("left", "right", "top", "bottom")

CUTS = (0.3, 0.5, 0.7, 0.9)
"""Shares of the outermost tile that are cut off."""

Spoilt = tuple[str, Photo, LabelledPhoto]
"""What was done, and what came of it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One photograph."""

    spoilt: str
    well: bool
    """It is read well all the same."""
    lost: bool
    """A tile is missed or misread."""
    why: tuple[str, ...]
    """Why it is asked about; empty where it is not."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", action="store_true", help="the photographs trained on")
    parser.add_argument("--photos", type=int, default=40, help="how many are spoilt")
    parser.add_argument("--more", type=int, default=400, help="how many more are read as they are")
    args = parser.parse_args()
    rng, reader, judged = np.random.default_rng(1), Reader.load(), []
    for number, labelled in enumerate(hands(rng, args.photos + args.more, not args.training)):
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name, MAX_READING_PIXELS)
        ways = spoilt(photo, labelled, rng) if number < args.photos else ()
        judged += [judge(reader, *each) for each in (("as it is", photo, labelled), *ways)]
    sys.stdout.write("\n".join(table(judged)) + "\n")


def hands(rng: np.random.Generator, count: int, held_out: bool) -> list[LabelledPhoto]:
    """Return photographs of one hand each, in random order."""
    scenes = photos_by_scene(held_out=held_out)
    found = [
        photo
        for photos in scenes.values()
        for photo in photos
        if photo.kind == "photo" and FEWEST <= len(photo.tiles) <= MAX_HAND_TILES
    ]
    return [found[i] for i in rng.permutation(len(found))[:count]]


def spoilt(photo: Photo, labelled: LabelledPhoto, rng: np.random.Generator) -> Iterator[Spoilt]:
    """Yield the photograph spoilt in every way and degree."""
    boxes = np.stack([tile.quad for tile in labelled.tiles])
    width = float(np.median(np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)))
    for stops in (6, 7):
        dark = harm.darken(photo.rgb, stops, rng)
        yield f"dark by {stops} stops", Photo(photo.name, dark), labelled
    for length in (0.2, 0.3):
        moved = harm.move(photo.rgb, length * width, rng.uniform(0, np.pi))
        yield f"moved by {length} tiles", Photo(photo.name, moved), labelled
    for pixels in (14, 10):
        if pixels < width:
            far = Photo(photo.name, harm.shrink(photo.rgb, pixels / width))
            yield f"tiles of {pixels} pixels", far, harm.scaled(labelled, pixels / width)
    for share in CUTS:
        for edge in EDGES:
            row = "end" if edge in ("left", "right") else "length"
            yield f"cut at a row's {row}, {share} of a tile", *_cut(photo, labelled, edge, share)


def _cut(
    photo: Photo, labelled: LabelledPhoto, edge: str, share: float
) -> tuple[Photo, LabelledPhoto]:
    """Return the photograph without a share of its outermost tile, and all that lies beyond."""
    quads = np.stack([tile.quad for tile in labelled.tiles])
    low, high = quads.min((0, 1)), quads.max((0, 1))
    off = share * np.median(quads.max(1) - quads.min(1), axis=0)
    x0 = int(max(0, low[0] + off[0])) if edge == "left" else 0
    y0 = int(max(0, low[1] + off[1])) if edge == "top" else 0
    x1 = int(high[0] - off[0]) if edge == "right" else photo.width
    y1 = int(high[1] - off[1]) if edge == "bottom" else photo.height
    by = np.array([x0, y0], np.float32)
    tiles = tuple(replace(t, quad=t.quad - by, approximate=True) for t in labelled.tiles)
    a, b, c, d = labelled.roi
    left = replace(labelled, tiles=tiles, roi=(a - x0, b - y0, c - x0, d - y0), unlabelled=())
    return Photo(photo.name, np.ascontiguousarray(photo.rgb[y0:y1, x0:x1])), left


def judge(reader: Reader, how: str, photo: Photo, labelled: LabelledPhoto) -> Judged:
    """Read a photograph, compare it with its labels, and ask whether it would be asked about."""
    reading = reader.read(photo)
    found = [tile for tile in compare(labelled, reading.tiles, 0.0).tiles if tile.label]
    lost = sum(tile.outcome in ("missed", "wrong") for tile in found)
    asked = sum(tile.outcome == "right" and tile.doubtful for tile in found)
    why = tuple(problem.code for problem in reasons_to_retake(reading, photo))
    return Judged(how, lost + asked <= 0.1 * len(found), lost > 0, why)


def table(judged: list[Judged]) -> Iterator[str]:
    """Yield a row for each kind and degree, in photographs."""
    yield "| photographs | all | read well | asked | a tile lost | asked | badly | asked | why |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for kind in dict.fromkeys(each.spoilt for each in judged):
        rows = [each for each in judged if each.spoilt == kind]
        parts = ([r for r in rows if r.well], [r for r in rows if r.lost],
                 [r for r in rows if not r.well])  # fmt: skip
        counts = " | ".join(f"{len(part)} | {sum(bool(r.why) for r in part)}" for part in parts)
        said = sorted({why for r in rows for why in r.why})
        yield f"| {kind} | {len(rows)} | {counts} | {' '.join(said)} |"


if __name__ == "__main__":
    main()

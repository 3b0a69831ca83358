"""What a second photograph of a hand brings: `python -m tests.prove.eyes [--training] [--hands N]`.

Real photographs of hands (TONGBOX_DATA), each spoilt in two ways that harm a reading, are read and
merged. The tiles of the hands alone count.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tests.prove import harm
from tests.prove.faults import sample
from vision.labels import LabelledPhoto
from vision.measure.evaluate import compare
from vision.merging.merge import merge
from vision.photo import Photo, open_photo
from vision.preprocess import RGB
from vision.reader import Reader
from vision.reading import Reading, TileReading

LOSERS, WINNERS = 13, 18
"""Tiles of a whole hand, four kongs and a pair at most; a picture of more is of something else."""

COUNTED = ("tiles", "missed", "invented", "wrong", "wrong, not asked", "asked")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", action="store_true", help="the photographs trained on")
    parser.add_argument("--hands", type=int, default=24)
    args = parser.parse_args()
    rng, reader = np.random.default_rng(1), Reader.load()
    alone, together, refused = np.zeros(6), np.zeros(6), 0
    hands = [
        labelled
        for labelled in sample(1000, rng, held_out=not args.training)
        if LOSERS <= len(labelled.tiles) <= WINNERS
    ]
    for labelled in hands[: args.hands]:
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
        readings = [reader.read(Photo(photo.name, rgb)) for rgb in spoilt(photo, labelled, rng)]
        for pair in pairwise(readings):
            merged = merge(pair)
            refused += not any(None not in seen for seen in merged.places)
            alone += sum(counts(labelled, own_tiles(reading)) for reading in pair) / 2
            together += counts(labelled, merged.reading.tiles)
    sys.stdout.write(f"{len(hands[: args.hands])} hands, {refused} pairs taken for two hands\n")
    for name, count in (("one photo", alone), ("two", together)):
        shares = (f"{label} {n / count[0]:.1%}" for label, n in zip(COUNTED, count, strict=True))
        sys.stdout.write(f"{name}: {', '.join(shares)}\n")


def spoilt(photo: Photo, labelled: LabelledPhoto, rng: np.random.Generator) -> list[RGB]:
    """Return the photograph as a shaking hand, a wrong focus and a lamp's reflections spoil it."""
    boxes = np.stack([tile.quad for tile in labelled.tiles])
    width = float(np.median(np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)))
    shone = photo.rgb
    for tile in rng.choice(len(boxes), 3, replace=False):
        shone = harm.shine(shone, boxes[tile], 0.3, rng)
    moved = harm.move(photo.rgb, 0.2 * width, rng.uniform(0, np.pi))
    return [shone, moved, harm.defocus(photo.rgb, 0.1 * width)]


def own_tiles(reading: Reading) -> list[TileReading]:
    """Return the tiles that are in a set."""
    return [reading.tiles[p] for p in sorted({p for laid in reading.sets for p in laid.tiles})]


def counts(labelled: LabelledPhoto, tiles: Sequence[TileReading]) -> npt.NDArray[np.int64]:
    """Return what COUNTED names."""
    result = compare(labelled, tiles, 0.0)
    wrong = [tile for tile in result.tiles if tile.outcome == "wrong"]
    return np.array([
        len(labelled.tiles),
        result.count("missed"),
        result.count("invented"),
        len(wrong),
        sum(not tile.doubtful for tile in wrong),
        result.questions,
    ])  # fmt: skip


if __name__ == "__main__":
    main()

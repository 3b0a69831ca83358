"""What the reader made of real tiles: truth and reading of each, one JSON object a line.

    python -m tests.prove.named OUT.jsonl [--sizes 1 0.5 0.35] [--every N]

Read are the photographs of tables that nothing learned from (`models.train.data.photos`), as they
are and shrunk, which is what a phone held farther away sees. Only tiles that were found are told.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.train.data.photos import photos_by_scene
from scorer.tiles import CODES
from vision.labels import LabelledPhoto
from vision.measure.compare import match_tiles
from vision.photo import Photo, open_photo
from vision.reader import Reader
from vision.reading import TileReading


def main() -> None:
    """Write every tile as soon as it is read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sizes", type=float, nargs="+", default=[1.0, 0.5, 0.35])
    parser.add_argument("--every", type=int, default=1, help="only every so manieth photograph")
    args = parser.parse_args()
    scenes = photos_by_scene(held_out=True)
    photos = [each for those in scenes.values() for each in those if each.kind == "photo"]
    reader = Reader.load()
    with args.out.open("w", encoding="utf-8") as file:
        for size in args.sizes:
            for labelled in photos[:: args.every]:
                for label, tile in named(labelled, size, reader):
                    said = {
                        "label": label,
                        "code": tile.code,
                        "confidence": tile.confidence,
                        "alternatives": tile.alternatives,
                        "doubtful": tile.doubtful,
                        "size": size,
                        "photo": labelled.path.name,
                    }
                    file.write(json.dumps(said) + "\n")
                file.flush()


def named(
    labelled: LabelledPhoto, size: float, reader: Reader
) -> Iterator[tuple[str, TileReading]]:
    """Yield the label and the reading of each tile that was found."""
    whole = open_photo(labelled.path.read_bytes(), labelled.path.name)
    shrunk = cv2.resize(whole.rgb, None, fx=size, fy=size, interpolation=cv2.INTER_AREA).astype(
        np.uint8
    )
    read = reader.read(Photo(whole.name, shrunk) if size != 1 else whole).tiles
    quads = [np.asarray(tile.quad, np.float32) / np.float32(size) for tile in read]
    for i, j in match_tiles(labelled, quads):
        if labelled.tiles[i].code in CODES:
            yield labelled.tiles[i].code, read[j]


if __name__ == "__main__":
    main()

"""Measure how a real table in play, photographed at 12 megapixels, is read.

    .venv/bin/python -m tests.prove.table_in_play [--networks FOLDER]

No other real photograph here shows so many tiles sideways, close together and from afar. Middles
and names of the 78 visible faces were marked by eye (`table_in_play.tsv`, in pixels); no network
learned from them. A tile is found if a quad holds its middle and no other tile's.
"""

from __future__ import annotations

import argparse
import csv
import os
from collections import Counter
from pathlib import Path

import cv2
import numpy as np

from tests.reporting import say
from vision.photo import open_photo
from vision.reader import Reader
from vision.reading import TileReading

ROOT = Path(__file__).resolve().parent
PHOTO = "data/extra/lietxia+Mahjong-YOLO/96442116f8bdd2a491d93fc51c695af7.jpg"

MarkedTiles = list[tuple[str, tuple[float, float]]]


def main() -> None:
    """Print how many are found, named rightly, in doubt, and wrong without a doubt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=Path, help="a folder of networks, in place of the box's")
    path = Path(os.environ.get("TONGBOX_DATA", "../shared")) / PHOTO
    photo = open_photo(path.read_bytes(), path.name)
    read = Reader.load(parser.parse_args().networks).read_set(photo).tiles
    tally, wrong = compare_tiles(marked_tiles(), read)
    say(", ".join(f"{what} {count}" for what, count in tally.items()))
    say("; ".join(wrong))


def marked_tiles() -> MarkedTiles:
    """Return code and middle of every tile that shows its face."""
    with (ROOT / "table_in_play.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return [(row["code"], (float(row["x"]), float(row["y"]))) for row in rows]


def compare_tiles(
    true: MarkedTiles, read: tuple[TileReading, ...]
) -> tuple[Counter[str], list[str]]:
    """Return the counts of outcomes, and the misreadings in words."""
    holds = [[_holds(tile, middle) for _, middle in true] for tile in read]
    tally, wrong = Counter[str](tiles=len(true), read=len(read)), []
    for k, (code, (x, y)) in enumerate(true):
        tiles_at_mark = [
            tile for tile, held in zip(read, holds, strict=True) if held[k] and sum(held) == 1
        ]
        tally["found"] += bool(tiles_at_mark)
        if not tiles_at_mark:
            continue
        tile = tiles_at_mark[0]
        tally["right"] += tile.code == code
        tally["in doubt"] += tile.doubtful
        tally["wrong, not in doubt"] += tile.code != code and not tile.doubtful
        if tile.code != code:
            wrong.append(f"{code} as {tile.code}{'?' * tile.doubtful} at {x:.0f}, {y:.0f}")
    return tally, wrong


def _holds(tile: TileReading, middle: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(np.array(tile.quad, np.float32), middle, False) >= 0


if __name__ == "__main__":
    main()

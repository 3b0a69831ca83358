"""Measure how sets are named when they are laid out: `python -m tests.prove.registration`.

Drawn sets that no training saw are laid out flat on baize
(`tests/vision/laid_set.py`) and read by the box's networks, which takes some minutes. Each set is
laid out as the page shows. It is laid out again with its rows in another order and the photograph
turned, and with two tiles of one row swapped.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from models.train.data.photographed_sets import JOKER_FACE, SET_COUNT, SETS_SEED
from models.train.drawing.sets import draw_sets, load_sets
from scorer.tiles import JOKER
from tests.vision.laid_set import PRINTED_ROWS, Faces, photograph
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reader import Reader
from vision.set_registration import name_by_order

Rows = Sequence[Sequence[str]]
QUARTER_TURNS = 4

SETS_FOLDER = Path("var/own-sets")


def main() -> None:
    """Lay out, read, count and print."""
    draw_sets(SETS_FOLDER, SET_COUNT, SETS_SEED)
    reader = Reader.load()
    counts: dict[str, Counter[str]] = {}
    for number, faces in enumerate(load_sets(SETS_FOLDER)):
        all_faces = {**faces, JOKER: faces[JOKER_FACE]} if JOKER_FACE in faces else faces
        for kind, rows, rgb in _lay_set(all_faces, np.random.default_rng(number)):
            counts.setdefault(kind, Counter()).update(_count_outcomes(reader, rows, rgb))
    columns = ("photos", "tiles", "not found", "misread", "wrong, not asked", "compare", "asked")
    lines = [["", *columns]]
    lines += [[kind, *(str(count[column]) for column in columns)] for kind, count in counts.items()]
    sys.stdout.writelines(" | ".join(line) + "\n" for line in lines)


def _lay_set(faces: Faces, rng: np.random.Generator) -> Iterator[tuple[str, Rows, RGB]]:
    jokers = [(JOKER,) * 4] if JOKER in faces else []
    rows = [*PRINTED_ROWS[:5], *jokers, *PRINTED_ROWS[5:]]
    seed = int(rng.integers(3))
    yield "as shown", rows, photograph(rows, faces, seed)
    shuffled_rows = [rows[k] for k in rng.permutation(len(rows))]
    picture = np.rot90(photograph(shuffled_rows, faces, seed), int(rng.integers(1, QUARTER_TURNS)))
    yield "rows in any order, photo turned", shuffled_rows, np.ascontiguousarray(picture)
    for number in range(5):
        first, second = sorted(rng.choice(len(rows[number]), 2, replace=False))
        row = list(rows[number])
        row[first], row[second] = row[second], row[first]
        swapped_rows = [*rows[:number], row, *rows[number + 1 :]]
        kind = "two swapped in the row of flowers and seasons" if number == 4 else "two swapped"
        yield kind, swapped_rows, photograph(swapped_rows, faces, seed)


def _count_outcomes(reader: Reader, rows: Rows, rgb: RGB) -> dict[str, int]:
    """Return what became of a photograph's tiles; one in which not all were found is left out."""
    true = [code for row in rows for code in row]
    tiles = name_by_order(reader.read_set(Photo("laid.jpg", rgb)).tiles).tiles
    if len(tiles) != len(true):
        return {"photos": 1, "tiles": len(true), "not found": abs(len(true) - len(tiles))}
    pairs = list(zip(tiles, true, strict=True))
    return {
        "photos": 1,
        "tiles": len(true),
        "misread": sum(tile.read.code != code for tile, code in pairs),
        "wrong, not asked": sum(t.code != code and t.standing != "ask" for t, code in pairs),
        "compare": sum(tile.standing == "look" for tile in tiles),
        "asked": sum(tile.standing == "ask" for tile in tiles),
    }


if __name__ == "__main__":
    main()

"""Tables to learn looks on: the crops of one tile set each, drawn or of real photographs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.train.classifier.crops import disturbed
from models.train.data.own import photographed
from models.train.data.photos import photos_by_scene
from models.train.data.scenes import from_photo
from models.train.data.sets import drawn_sets
from vision.preprocess import straighten

TIMES = 4
"""Photographs of a drawn set, each showing every face."""

UNREST = 2.0
"""How much more their light varies than where looks are measured (`data/own.py`)."""

CUTS = 3
"""How often each real tile is cut out, a little differently."""

KNOWN = 2
"""Crops of each face that an episode's table knows; each is seen upright and upside down."""

UNKNOWN = 0.15
"""Share of the faces that it does not know: their tiles must look like nothing it knows."""

MOST_REAL = 12
"""Real tiles of one face of a table that are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """N crops of one tile set on one table."""

    codes: npt.NDArray[np.str_]
    crops: npt.NDArray[np.uint8]
    """(N, CROP_HEIGHT, CROP_WIDTH, 3)."""


def drawn_tables(sets: Path, kept: Path, seed: int) -> Iterator[Table]:
    """Yield a table of each drawn set in a folder; tables once made are kept in `kept`."""
    kept.mkdir(parents=True, exist_ok=True)
    for number, faces in enumerate(drawn_sets(sets)):
        path = kept / f"{number:05d}.npz"
        if not path.exists():
            rng = np.random.default_rng((seed, number))
            codes, _, crops = photographed(faces, rng, lambda _: TIMES, UNREST)
            _keep(path, Table(np.array(codes), np.stack(crops)))
        with np.load(path) as table:
            yield Table(table["codes"], table["crops"])


def _keep(path: Path, table: Table) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, codes=table.codes, crops=table.crops)
    part.replace(path)


def real_tables(seed: int) -> Iterator[Table]:
    """Yield the tables of the training scenes: their light and print are no drawing's."""
    rng = np.random.default_rng(seed)
    for photos in photos_by_scene(held_out=False).values():
        taken = Counter[str]()
        codes, crops = [], []
        for number in rng.permutation(len(photos)):
            picture = from_photo(photos[number])
            for quad, code in zip(picture.quads, picture.codes, strict=True):
                if taken[code] < MOST_REAL:
                    taken[code] += 1
                    codes += [code] * CUTS
                    crops += [straighten(picture.rgb, disturbed(quad, rng)) for _ in range(CUTS)]
        if len(taken) > 1:
            yield Table(np.array(codes), np.stack(crops))


Places = npt.NDArray[np.int64]


def episode(codes: npt.NDArray[np.str_], rng: np.random.Generator) -> tuple[Places, Places, Places]:
    """Return which of a table's crops are known (F, KNOWN), which asked about (M,), and answers.

    An answer is a place among the F known faces, or F: none of them.
    """
    known, asked, strange = [], [], []
    for code in np.unique(codes):
        places = rng.permutation(np.flatnonzero(codes == code))
        if len(places) > KNOWN and rng.random() >= UNKNOWN:
            known.append(places[:KNOWN])
            asked.append(places[KNOWN])
        else:
            strange.append(places[0])
    answers = [*range(len(known)), *[len(known)] * len(strange)]
    return (
        np.array(known, np.int64).reshape(-1, KNOWN),
        np.array(asked + strange, np.int64),
        np.array(answers, np.int64),
    )

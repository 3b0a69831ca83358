"""What the heads learn from: the crops of one tile set each, drawn or of real photographs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from models.train.classifier.crops import disturb_quad
from models.train.data.photographed_sets import photograph_set
from models.train.data.photos import photos_by_scene
from models.train.data.scenes import load_photo
from models.train.drawing.sets import load_sets
from vision.preprocess import straighten

PHOTOS_PER_SET = 4
"""Photographs of a drawn set, each showing every face."""

LIGHT_UNREST = 2.0
"""How much more their light varies than where looks are measured (`data/photographed_sets.py`)."""

CROPS_PER_TILE = 3
"""How often each real tile is cut out, a little differently."""

KNOWN_CROPS = 2
"""Crops of each face that an episode's table knows; each is seen upright and upside down."""

UNKNOWN_SHARE = 0.15
"""Share of the faces that it does not know: their tiles must look like nothing it knows."""

MAX_REAL_TILES = 12
"""Real tiles of one face of a table that are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class SetCrops:
    """N crops of one tile set on one table."""

    codes: npt.NDArray[np.str_]
    crops: npt.NDArray[np.uint8]
    """(N, CROP_HEIGHT, CROP_WIDTH, 3)."""


def drawn_tables(sets: Path, cache_folder: Path, seed: int) -> Iterator[SetCrops]:
    """Yield a table of each drawn set in a folder; tables once made are kept in `cache_folder`."""
    cache_folder.mkdir(parents=True, exist_ok=True)
    for number, faces in enumerate(load_sets(sets)):
        path = cache_folder / f"{number:05d}.npz"
        if not path.exists():
            rng = np.random.default_rng((seed, number))
            codes, _, crops = photograph_set(faces, rng, lambda _: PHOTOS_PER_SET, LIGHT_UNREST)
            _keep(path, SetCrops(np.array(codes), np.stack(crops)))
        with np.load(path) as table:
            yield SetCrops(table["codes"], table["crops"])


def _keep(path: Path, table: SetCrops) -> None:
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, codes=table.codes, crops=table.crops)
    part.replace(path)


def real_tables(seed: int) -> Iterator[SetCrops]:
    """Yield the tables of the training scenes: their light and print are no drawing's."""
    rng = np.random.default_rng(seed)
    for photos in photos_by_scene(wants_held_out=False).values():
        crop_counts = Counter[str]()
        codes, crops = [], []
        for number in rng.permutation(len(photos)):
            picture = load_photo(photos[number])
            for quad, code in zip(picture.quads, picture.codes, strict=True):
                if crop_counts[code] < MAX_REAL_TILES:
                    crop_counts[code] += 1
                    codes += [code] * CROPS_PER_TILE
                    crops += [
                        straighten(picture.rgb, disturb_quad(quad, rng))
                        for _ in range(CROPS_PER_TILE)
                    ]
        if len(crop_counts) > 1:
            yield SetCrops(np.array(codes), np.stack(crops))


Places = npt.NDArray[np.int64]


def random_episode(
    codes: npt.NDArray[np.str_], rng: np.random.Generator
) -> tuple[Places, Places, Places]:
    """Return which crops are known (F, KNOWN_CROPS), which are asked about (M,), and answers.

    An answer is a place among the F known faces, or F: none of them.
    """
    known_crops, asked_crops, strange_crops = [], [], []
    for code in np.unique(codes):
        places = rng.permutation(np.flatnonzero(codes == code))
        if len(places) > KNOWN_CROPS and rng.random() >= UNKNOWN_SHARE:
            known_crops.append(places[:KNOWN_CROPS])
            asked_crops.append(places[KNOWN_CROPS])
        else:
            strange_crops.append(places[0])
    answers = [*range(len(known_crops)), *[len(known_crops)] * len(strange_crops)]
    return (
        np.array(known_crops, np.int64).reshape(-1, KNOWN_CROPS),
        np.array(asked_crops + strange_crops, np.int64),
        np.array(answers, np.int64),
    )

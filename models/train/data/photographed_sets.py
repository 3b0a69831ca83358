"""Photograph drawn sets, and keep crops: `python -m models.train.data.photographed_sets`.

Each drawn set is photographed on one table in even light. One lamp and one camera change much less
between two photographs than `relight` does. No glare and no shadow's edge crosses these tiles: a
box calls such a photograph bad and does not learn from it.

The program writes `start/own-sets.npz` anew. All its sets are of our own drawing, none of others'
art. With other fonts (`drawing/fonts.txt`) they come out otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.classifier.crops import disturb_quad
from models.train.data.seen_sets import CROPS_FILE, LEARNT_PHOTOS, SHEET_COLUMNS, PhotographedSet
from models.train.drawing.faces.bank import own_bank
from models.train.drawing.flat_tiles import Faces, flat_tile, random_look, shrink_faces
from models.train.tiled_picture import TiledPicture
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB, straighten

SET_COUNT, SETS_SEED = 16, 20261121
"""Of the sets that are kept; no training takes this seed."""

LIGHT_SEED = 5
"""Seed of the tables' lamps and of how the tiles are cut out."""

TESTED_PHOTOS = 2
"""Photographs of a drawn set to be named, beside those to learn from."""

TESTED_ART_PHOTOS = 6
"""Photographs to name of the faces that every maker draws in his own way."""

WEBP_QUALITY = 65

JOKER_FACE = "odd 0"
"""A drawn set's name for the first of its odd tiles, which serves as a joker here."""

_ART = {"B1", "DW", JOKER, *(code for code in CODES if code[0] in "FS")}


def main() -> None:
    """Draw, photograph and write."""
    arrays: dict[str, Any] = {}
    for number in range(SET_COUNT):
        faces = shrink_faces(own_bank(np.random.default_rng((SETS_SEED, number))))
        rng = np.random.default_rng((LIGHT_SEED, number))
        codes, photos, crops = photograph_set(faces, rng, _photo_count)
        arrays[f"{number:02d}-codes"] = np.array(codes)
        arrays[f"{number:02d}-photos"] = np.array(photos, np.uint8)
        arrays[f"{number:02d}-sheet"] = make_sheet(crops)
    write_archive(CROPS_FILE, arrays)


def make_sheet(crops: list[RGB]) -> np.ndarray:
    """Return the bytes of one picture of all crops, SHEET_COLUMNS in a row, as WebP."""
    blank = np.zeros((CROP_HEIGHT_PX, CROP_WIDTH_PX, 3), np.uint8)
    cells = np.stack([*crops, *[blank] * (-len(crops) % SHEET_COLUMNS)])
    rows = cells.reshape(-1, SHEET_COLUMNS, CROP_HEIGHT_PX, CROP_WIDTH_PX, 3).swapaxes(1, 2)
    rgb = rows.reshape(-1, SHEET_COLUMNS * CROP_WIDTH_PX, 3)
    _, data = cv2.imencode(".webp", rgb[..., ::-1], [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    return np.asarray(data, np.uint8)


def write_archive(file: Path, arrays: dict[str, Any]) -> None:
    """Write arrays, all or nothing."""
    part = file.with_suffix(".part")
    with part.open("wb") as opened:
        np.savez_compressed(opened, **arrays)
    part.replace(file)


def _photo_count(code: str) -> int:
    return LEARNT_PHOTOS + (TESTED_ART_PHOTOS if code in _ART else TESTED_PHOTOS)


def photograph_set(
    faces: Faces, rng: np.random.Generator, times: Callable[[str], int], unrest: float = 1.0
) -> PhotographedSet:
    """Return names, numbers of photographs and crops of a set that lies on one table.

    `times` says how many photographs show a face, `unrest` how much their light varies.
    """
    look = replace(random_look(rng), has_shading=False)
    lamp = np.exp(rng.normal(0, 0.15) + rng.normal(0, 0.06, 3))
    names = {code: code for code in (*CODES, FACE_DOWN)} | (
        {JOKER: JOKER_FACE} if JOKER_FACE in faces else {}
    )
    codes, photos, crops = [], [], []
    for photo in range(max(map(times, names))):
        light = lamp * np.exp(unrest * (rng.normal(0, 0.06) + rng.normal(0, 0.02, 3)))
        blur, grain = rng.uniform(0.1, 0.7 * unrest), rng.uniform(0, 5 * unrest)
        for code, face in names.items():
            if photo < times(code):
                crop = _cut_out(flat_tile(faces, rng, face, look), rng)
                photographed_crop = cv2.GaussianBlur(crop, (0, 0), blur) * light
                photographed_crop += rng.normal(0, grain, crop.shape)
                crops.append(np.clip(photographed_crop, 0, 255).astype(np.uint8))
                codes.append(code)
                photos.append(photo)
    return codes, photos, crops


def _cut_out(picture: TiledPicture, rng: np.random.Generator) -> RGB:
    """Cut the tile out as the locator does: a little off, and upright or upside down."""
    quad = disturb_quad(picture.quads[0], rng)
    return straighten(picture.rgb, np.roll(quad, rng.choice((0, 2)), axis=0))


if __name__ == "__main__":
    main()

"""Whole tile sets that no training saw, as a box meets them: tile crops, photograph by photograph.

Each drawn set is photographed on one table in even light. One lamp and one camera change much less
between two photographs than `relight` does. No glare and no shadow's edge crosses these tiles: a
box calls such a photograph bad and does not learn from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.classifier.crops import disturb_quad
from models.train.data.flat_tiles import Faces, flat_tile, random_look
from models.train.data.photos import photos_by_scene
from models.train.data.scenes import TiledPicture
from models.train.data.sets import load_sets
from scorer.tiles import CODES, FACE_DOWN, JOKER
from vision.measure.evaluate import match_tiles
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.photo import open_photo
from vision.preprocess import RGB, straighten, to_input

Array = npt.NDArray[np.float32]

LEARNT_PHOTOS, TESTED_PHOTOS = 3, 2
"""Photographs of a drawn set to learn from, and others to be named."""

TESTED_ART_PHOTOS = 6
"""Photographs to name of the faces that every maker draws in his own way."""

JOKER_FACE = "odd 0"
"""A drawn set's name for the first of its odd tiles, which serves as a joker here."""

_ART = {"B1", "DW", JOKER, *(code for code in CODES if code[0] in "FS")}


@dataclass(frozen=True, slots=True, eq=False)
class SeenSet:
    """N crops of one set, with what the network says of them."""

    codes: npt.NDArray[np.str_]
    photo: npt.NDArray[np.int64]
    """(N,): the number of the photograph that each was cut from."""
    logits: Array
    """(N, 44), of the crop as it was cut."""
    embeddings: Array
    """(N, 2, 128): as it was cut, and turned upside down."""


def run_on_crops(model: Model, codes: list[str], photo: list[int], crops: list[RGB]) -> SeenSet:
    """Return what the network says of crops."""
    both_ways = np.stack([crops, [crop[::-1, ::-1] for crop in crops]], 1).reshape(
        -1, *crops[0].shape
    )
    outputs = [model.run(to_input(both_ways[k : k + 64])) for k in range(0, len(both_ways), 64)]
    logits = np.concatenate([faces for faces, _, _, _ in outputs])
    embeddings = np.concatenate([embedding for _, _, embedding, _ in outputs])
    return SeenSet(
        np.array(codes),
        np.array(photo),
        logits[::2],
        embeddings.reshape(len(crops), 2, -1),
    )


def see_drawn_sets(folder: Path, model: Model, seed: int) -> Iterator[SeenSet]:
    """Yield the drawn sets in a folder, each photographed on its own table."""
    for number, faces in enumerate(load_sets(folder)):
        rng = np.random.default_rng((seed, number))
        yield run_on_crops(model, *photograph_set(faces, rng, _photo_count))


def _photo_count(code: str) -> int:
    return LEARNT_PHOTOS + (TESTED_ART_PHOTOS if code in _ART else TESTED_PHOTOS)


def photograph_set(
    faces: Faces, rng: np.random.Generator, times: Callable[[str], int], unrest: float = 1.0
) -> tuple[list[str], list[int], list[RGB]]:
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


def see_real_tiles(scene: str, model: Model) -> SeenSet | None:
    """Return the tiles that the locator finds in the photographs of a held-out scene, if any."""
    locator = Locator.load()
    codes: list[str] = []
    photos: list[int] = []
    crops: list[RGB] = []
    for number, labelled_photo in enumerate(photos_by_scene(wants_held_out=True)[scene]):
        photo = open_photo(labelled_photo.path.read_bytes(), labelled_photo.path.name)
        quads = [tile.quad for tile in locator.locate(photo).tiles]
        for i, j in match_tiles(labelled_photo, quads):
            codes.append(labelled_photo.tiles[i].code)
            photos.append(number)
            crops.append(straighten(photo.rgb, quads[j]))
    return run_on_crops(model, codes, photos, crops) if crops else None

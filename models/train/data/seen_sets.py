"""Whole tile sets that no training saw, as a box meets them: tile crops, photograph by photograph.

Those of drawn sets are kept (`photographed_sets.py` made them); those of real tables are cut out of
the shared photographs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.data.photos import photos_by_scene
from vision.measure.evaluate import match_tiles
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.photo import open_photo
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, RGB, straighten, to_input

Array = npt.NDArray[np.float32]

LEARNT_PHOTOS = 3
"""Photographs of a drawn set to learn from; the others are to be named."""

CROPS_FILE = Path("models/train/start/own-sets.npz")
"""Crops of 16 sets of our own drawing, drawn for this alone."""

SHEET_COLUMNS = 16

PhotographedSet = tuple[list[str], list[int], list[RGB]]
"""Names, numbers of photographs, and crops of one set."""


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


def see_drawn_sets(model: Model, file: Path = CROPS_FILE) -> Iterator[SeenSet]:
    """Yield the drawn sets whose crops are kept."""
    for seen_crops in load_set_crops(file):
        yield run_on_crops(model, *seen_crops)


def load_set_crops(file: Path) -> Iterator[PhotographedSet]:
    """Yield names, numbers of photographs and crops of each set in an archive.

    It has three arrays a set, `NN-codes`, `NN-photos` and `NN-sheet`: the bytes of a WebP picture
    of all crops, SHEET_COLUMNS in a row.
    """
    with np.load(file) as arrays:
        for number in range(len(arrays.files) // 3):
            codes, photos, sheet = (
                arrays[f"{number:02d}-{name}"] for name in ("codes", "photos", "sheet")
            )
            bgr = cv2.imdecode(sheet, cv2.IMREAD_COLOR)
            rows = np.asarray(bgr)[..., ::-1].reshape(
                -1, CROP_HEIGHT_PX, SHEET_COLUMNS, CROP_WIDTH_PX, 3
            )
            crops = rows.swapaxes(1, 2).reshape(-1, CROP_HEIGHT_PX, CROP_WIDTH_PX, 3)
            yield codes.tolist(), photos.tolist(), list(crops[: len(codes)])


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

"""What a network trained for `models.train.ablate` gets right in photographs that it never saw."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch

from models.train.classifier.net import Classifier
from models.train.data.photos import photos_by_scene
from models.train.data.scenes import read_rgb
from models.train.export import export_locator
from models.train.heads.net import load_classifier
from scorer.tiles import CODES
from vision.labels import LabelledPhoto
from vision.measure.evaluate import match_tiles
from vision.measure.summary import face_kind
from vision.networks.locator import Locator
from vision.networks.model import Model
from vision.photo import open_photo
from vision.preprocess import LABELS, RGB, straighten, to_input

Counts = dict[str, dict[str, tuple[int, int]]]
"""File name of a photograph, then measure, to a count and its total."""

JUDGE_FILE = Path("models/train/start/drawn-classifier.pt")
"""A classifier that has met no photograph: it names tiles as a locator cuts them out."""

CROPS_PER_RUN = 64

_CODE_PLACES = [LABELS.index(code) for code in CODES]


def count_named(run: Path, hold_out: str) -> Counts:
    """Count the labelled tiles named rightly, cut out by their labels: no locator has a say."""
    net = load_classifier(run / "classifier" / "checkpoint.pt")
    counts: Counts = {}
    for photo in _photos(hold_out):
        rgb = read_rgb(photo.path)
        tiles = [tile for tile in photo.tiles if tile.code in CODES]
        if tiles:
            names = _name_crops(net, [straighten(rgb, _turn_upright(tile.quad)) for tile in tiles])
            of_photo = counts.setdefault(photo.path.name, {})
            for tile, name in zip(tiles, names, strict=True):
                right, whole = of_photo.get(face_kind(tile.code), (0, 0))
                of_photo[face_kind(tile.code)] = (right + (name == tile.code), whole + 1)
    return counts


def _name_crops(net: Classifier, crops: list[RGB]) -> list[str]:
    """Return the likeliest of the 42 names for each crop."""
    names: list[str] = []
    for start in range(0, len(crops), CROPS_PER_RUN):
        with torch.inference_mode():
            faces, _ = net(
                torch.from_numpy(to_input(np.stack(crops[start : start + CROPS_PER_RUN])))
            )
        names += [CODES[int(best)] for best in faces[:, _CODE_PLACES].argmax(1)]
    return names


def _turn_upright(quad: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the quad (4, 2) begun where its first two corners span a short side."""
    wide, high = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    return np.roll(quad, 1, axis=0) if wide > high else quad


def count_found(run: Path, hold_out: str) -> Counts:
    """Count tiles found and invented, and both in one: twice the found of all labelled and read.

    Upright labels say little of how well the quads fit. So the classifier of JUDGE_FILE names the
    tiles as these quads cut them out; the better they fit, the more it names rightly.
    """
    export_locator(run, run)
    net = load_classifier(JUDGE_FILE)
    locator = Locator(Model.load("locator", run, threads=1))
    counts: Counts = {}
    for labelled in _photos(hold_out):
        if labelled.kind == "photo":
            photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
            quads = [tile.quad for tile in locator.locate(photo)]
            matched = {j: labelled.tiles[i].code for i, j in match_tiles(labelled, quads)}
            faces = [j for j, code in matched.items() if code in CODES]
            names = _name_crops(net, [straighten(photo.rgb, quads[j]) for j in faces])
            right = sum(name == matched[j] for name, j in zip(names, faces, strict=True))
            known = [j for j, quad in enumerate(quads) if labelled.is_known(*quad.mean(0))]
            found, read = len(matched), len({*matched, *known})
            counts[labelled.path.name] = {
                "found": (found, len(labelled.tiles)),
                "invented": (read - found, read),
                "both": (2 * found, len(labelled.tiles) + read),
                "cut": (right, len(faces)),
            }
    return counts


def _photos(hold_out: str) -> Iterator[LabelledPhoto]:
    for photos in photos_by_scene(held_out=True, hold_out=hold_out).values():
        yield from photos

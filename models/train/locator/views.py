"""Training pictures for the locator: views of labelled pictures, turned, scaled and relit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.train.data.relight import relight
from models.train.data.scenes import TiledPicture
from models.train.locator.targets import Target, make_target

SIDE = 384
"""Side of the square training view, pixels."""

SMALLEST, LARGEST = 15.0, 120.0
"""Short sides of tiles in the view, pixels."""

ASKEW = 0.15
"""Share of views turned by any angle; the rest lie nearly straight, as hands hold phones."""

QUARTERS, QUARTER_CHANCES = (0, 1, 2, 3), (0.61, 0.15, 0.09, 0.15)
"""By how many quarters those are turned, and how often: a winning tile lies sideways, too."""

STRETCH = 0.08
"""How far, as a deviation of its logarithm, a view is drawn out along the photo's width: some of
the photographs have lost their true aspect, and tiles are of many shapes."""

FAR, FAR_STRETCH = 0.1, 0.35
"""Share of views drawn out much further: tiles seen from low down, or upright in steep racks."""

THINGS = 0.12
"""Share of views that show something else, dice or cards or keys, as large as tiles; in a picture
without any they show any place."""

OTHER_CLOTH = 0.25
"""Chance that the hues turn round: tables come in every colour."""

Batch = dict[str, npt.NDArray[Any]]
"""Arrays whose first axis is the sample."""

Sample = tuple[npt.NDArray[np.uint8], Target]


Sources = Sequence[tuple[float, Sequence[TiledPicture]]]
"""Pictures, with the weight with which each lot of them is drawn from."""


def draw_batch(sources: Sources, size: int, rng: np.random.Generator) -> Batch:
    """Return views: `picture` (N, SIDE, SIDE, 3) and the parts of Target, stacked."""
    weights = np.array([weight for weight, _ in sources])
    samples: list[Sample] = []
    for lot in rng.choice(len(weights), size, p=weights / weights.sum()):
        _, pictures = sources[int(lot)]
        samples.append(random_view(pictures[int(rng.integers(len(pictures)))], rng))
    stacked: Batch = {"picture": np.stack([picture for picture, _ in samples])}
    for part in ("heat", "weight", "outline", "axis", "owned"):
        stacked[part] = np.stack([getattr(target, part) for _, target in samples])
    return stacked


def random_view(picture: TiledPicture, rng: np.random.Generator) -> Sample:
    """Return a square view on a picture and the locator's answer to it."""
    matrix, turn, mirrored = _random_pose(picture, rng)
    rgb = _warped(picture.rgb, matrix, rng)
    known = cv2.warpAffine(
        picture.known, matrix, (SIDE, SIDE), flags=cv2.INTER_NEAREST, borderValue=[1.0]
    )
    quads = picture.quads @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    if mirrored:
        quads = quads[:, [1, 0, 3, 2]]
    relit = relight(rgb, rng, OTHER_CLOTH)
    return relit, make_target(quads.astype(np.float32), picture.exact, known.astype(np.uint8), turn)


def _warped(
    rgb: npt.NDArray[np.uint8], matrix: npt.NDArray[np.float64], rng: np.random.Generator
) -> npt.NDArray[np.uint8]:
    """Return the view; it is shrunk by areas first, as the box does it, so that ink does not alias.

    A view of the whole photo is mostly far smaller than the photo, hence the detour's small cost.
    """
    scale = float(np.linalg.norm(matrix[0, :2]))
    if scale < 1:
        size = (max(1, round(rgb.shape[1] * scale)), max(1, round(rgb.shape[0] * scale)))
        ratio = np.array([rgb.shape[1] / size[0], rgb.shape[0] / size[1]])
        rgb = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        matrix = np.column_stack([matrix[:, :2] * ratio, matrix[:, 2]])
    return cv2.warpAffine(
        rgb,
        matrix,
        (SIDE, SIDE),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=[float(v) for v in rng.integers(0, 255, 3)],
    ).astype(np.uint8)


def _random_pose(
    picture: TiledPicture, rng: np.random.Generator
) -> tuple[npt.NDArray[np.float64], float, bool]:
    """Choose scale, turn, mirroring and place; the label boxes' x axis turns by the angle given."""
    height, width = picture.rgb.shape[:2]
    focus = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    side = 40.0
    looked_at = picture.others if rng.random() < THINGS else picture.quads
    if len(looked_at):
        quad = looked_at[rng.integers(len(looked_at))]
        focus = quad.mean(0).astype(np.float64)
        side = float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    wanted = np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST)))
    scale = float(np.clip(wanted / side, 0.35, 2.0))
    turn = float(rng.choice(QUARTERS, p=QUARTER_CHANCES) * np.pi / 2 + rng.normal(0, 0.12))
    if rng.random() < ASKEW:
        turn = rng.uniform(-np.pi, np.pi)
    mirrored = bool(rng.random() < 0.5)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    stretch = np.exp(rng.normal(0, FAR_STRETCH if rng.random() < FAR else STRETCH))
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.diag([stretch, 1 / stretch])
    if mirrored:
        linear = linear @ np.diag([-1.0, 1.0])
    place = SIDE / 2 + rng.uniform(-0.45, 0.45, 2) * SIDE
    return np.column_stack([linear, place - linear @ focus]), float(turn), mirrored

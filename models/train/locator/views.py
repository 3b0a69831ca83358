"""Training pictures for the locator: views of labelled pictures, and the answer cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.train.data.relight import relight
from models.train.tiled_picture import TiledPicture
from vision.networks.outline import OUTLINE_NUMBERS, encode
from vision.preprocess import CELL_SIDE_PX, OFFSET_UNIT_PX

MIN_OUTLINE_HEAT = 0.35
"""Cells where the centre's bump is at least this high learn the outline too."""


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """One picture's answer, cell by cell (rows, columns)."""

    heat: npt.NDArray[np.float32]
    """(rows, columns): 1 at a tile's centre, falling off around it."""
    weight: npt.NDArray[np.float32]
    """(rows, columns): 0 where nobody knows whether a tile lies."""
    outline: npt.NDArray[np.float32]
    """(NUMBERS, rows, columns): the outline, from the cell's centre, of the tile that owns it."""
    axis: npt.NDArray[np.float32]
    """(2, rows, columns): cosine and sine of the label box's x axis in the turned picture."""
    owner_map: npt.NDArray[np.uint8]
    """(rows, columns): 0 no tile, 1 an exact quad, 2 a box around the tile."""


def make_target(
    quads: npt.NDArray[np.float32],
    exact: npt.NDArray[np.bool_],
    known_mask: npt.NDArray[np.uint8],
    turn: float,
) -> Target:
    """Draw the answer for a picture.

    `quads` (N, 4, 2) in pixels; `exact` (N,) tells outlines from boxes; `known_mask` (H, W) is 0
    where unlabelled tiles may lie; `turn` (radians) is how far the picture was turned after the
    boxes were drawn.
    """
    rows, columns = known_mask.shape[0] // CELL_SIDE_PX, known_mask.shape[1] // CELL_SIDE_PX
    heat = np.zeros((rows, columns), np.float32)
    outline = np.zeros((OUTLINE_NUMBERS, rows, columns), np.float32)
    owner_map = np.zeros((rows, columns), np.uint8)
    for quad, is_exact in zip(quads, exact, strict=True):
        _draw_tile(quad, 1 if is_exact else 2, heat, outline, owner_map)
    weight = (
        known_mask.reshape(rows, CELL_SIDE_PX, columns, CELL_SIDE_PX).min((1, 3)).astype(np.float32)
    )
    axis = np.empty((2, rows, columns), np.float32)
    axis[0], axis[1] = np.cos(turn), np.sin(turn)
    return Target(heat, np.maximum(weight, heat > MIN_OUTLINE_HEAT), outline, axis, owner_map)


def _draw_tile(
    quad: npt.NDArray[np.float32],
    owner: int,
    heat: npt.NDArray[np.float32],
    outline: npt.NDArray[np.float32],
    owner_map: npt.NDArray[np.uint8],
) -> None:
    """Add one tile to the maps in place; a tile centred outside the picture leaves no mark."""
    x, y = quad.mean(0) / CELL_SIDE_PX - 0.5
    column, row = round(float(x)), round(float(y))
    if not (0 <= row < heat.shape[0] and 0 <= column < heat.shape[1]):
        return
    side = min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])) / CELL_SIDE_PX
    sigma = max(0.12 * float(side), 0.6)
    reach = int(3 * sigma) + 1
    rows = slice(max(row - reach, 0), min(row + reach + 1, heat.shape[0]))
    columns = slice(max(column - reach, 0), min(column + reach + 1, heat.shape[1]))
    ys, xs = np.mgrid[rows, columns]
    bump = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)).astype(np.float32)
    bump[row - rows.start, column - columns.start] = 1.0
    is_owner = (bump >= MIN_OUTLINE_HEAT) & (bump > heat[rows, columns])
    offsets = quad - (np.stack([xs, ys], -1)[is_owner][:, None] + 0.5) * CELL_SIDE_PX
    outline[:, rows, columns][:, is_owner] = encode(offsets.astype(np.float32)).T / OFFSET_UNIT_PX
    owner_map[rows, columns][is_owner] = owner
    heat[rows, columns] = np.maximum(heat[rows, columns], bump)


VIEW_SIDE_PX = 384
"""Side of the square training view, pixels."""

MIN_TILE_PX, MAX_TILE_PX = 15.0, 120.0
"""Short sides of tiles in the view, pixels."""

ASKEW_SHARE = 0.15
"""Share of views turned by any angle; the rest lie nearly straight, as hands hold phones."""

QUARTER_TURNS, QUARTER_CHANCES = (0, 1, 2, 3), (0.61, 0.15, 0.09, 0.15)
"""By how many quarters those are turned, and how often: a winning tile lies sideways, too."""

STRETCH_DEVIATION = 0.08
"""How far, as a deviation of its logarithm, a view is drawn out along the photo's width: some of
the photographs have lost their true aspect, and tiles are of many shapes."""

FAR_SHARE, FAR_STRETCH_DEVIATION = 0.15, 0.35
"""Share of views drawn out much further: tiles seen from low down, or upright in steep racks."""

THING_SHARE = 0.12
"""Share of views that show something else, dice or cards or keys, as large as tiles; in a picture
without any they show any place."""

OTHER_CLOTH_CHANCE = 0.25
"""Chance that the hues turn round: tables come in every colour."""

Batch = dict[str, npt.NDArray[Any]]
"""Arrays whose first axis is the sample."""

Sample = tuple[npt.NDArray[np.uint8], Target]


Sources = Sequence[tuple[float, Sequence[TiledPicture]]]
"""Pictures, with the weight with which each lot of them is drawn from."""


def draw_batch(sources: Sources, size: int, rng: np.random.Generator) -> Batch:
    """Return `picture` (N, VIEW_SIDE_PX, VIEW_SIDE_PX, 3) and the parts of Target, stacked."""
    weights = np.array([weight for weight, _ in sources])
    samples: list[Sample] = []
    for lot in rng.choice(len(weights), size, p=weights / weights.sum()):
        _, pictures = sources[int(lot)]
        samples.append(random_view(pictures[int(rng.integers(len(pictures)))], rng))
    batch: Batch = {"picture": np.stack([picture for picture, _ in samples])}
    for part in ("heat", "weight", "outline", "axis", "owner_map"):
        batch[part] = np.stack([getattr(target, part) for _, target in samples])
    return batch


def random_view(picture: TiledPicture, rng: np.random.Generator) -> Sample:
    """Return a square view on a picture and the locator's answer to it."""
    matrix, turn, is_mirrored = _random_pose(picture, rng)
    rgb = _warp(picture.rgb, matrix, rng)
    known_mask = cv2.warpAffine(
        picture.known_mask,
        matrix,
        (VIEW_SIDE_PX, VIEW_SIDE_PX),
        flags=cv2.INTER_NEAREST,
        borderValue=[1.0],
    )
    quads = picture.quads @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    if is_mirrored:
        quads = quads[:, [1, 0, 3, 2]]
    relit = relight(rgb, rng, OTHER_CLOTH_CHANCE)
    return relit, make_target(
        quads.astype(np.float32), picture.exact, known_mask.astype(np.uint8), turn
    )


def _warp(
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
        (VIEW_SIDE_PX, VIEW_SIDE_PX),
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
    looked_at = picture.other_quads if rng.random() < THING_SHARE else picture.quads
    if len(looked_at):
        quad = looked_at[rng.integers(len(looked_at))]
        focus = quad.mean(0).astype(np.float64)
        side = float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    tile_px = np.exp(rng.uniform(np.log(MIN_TILE_PX), np.log(MAX_TILE_PX)))
    scale = float(np.clip(tile_px / side, 0.35, 2.0))
    turn = float(rng.choice(QUARTER_TURNS, p=QUARTER_CHANCES) * np.pi / 2 + rng.normal(0, 0.12))
    if rng.random() < ASKEW_SHARE:
        turn = rng.uniform(-np.pi, np.pi)
    is_mirrored = bool(rng.random() < 0.5)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    stretch = np.exp(
        rng.normal(0, FAR_STRETCH_DEVIATION if rng.random() < FAR_SHARE else STRETCH_DEVIATION)
    )
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.diag([stretch, 1 / stretch])
    if is_mirrored:
        linear = linear @ np.diag([-1.0, 1.0])
    place = VIEW_SIDE_PX / 2 + rng.uniform(-0.45, 0.45, 2) * VIEW_SIDE_PX
    return np.column_stack([linear, place - linear @ focus]), float(turn), is_mirrored

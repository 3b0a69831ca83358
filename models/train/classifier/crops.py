"""Training crops for the classifier, from photographs, rendered scenes and flat drawn tiles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from models.train.data.relight import relight
from models.train.drawing.flat_tiles import Faces, flat_tile, tile_picker
from models.train.tiled_picture import TiledPicture
from vision.preprocess import CROP_HEIGHT_PX, CROP_WIDTH_PX, LABELS, NO_TILE, straighten

TURNS = (0, 90, 180, 270)
"""Clockwise turns of the tile in the crop, in degrees, in the order of the classifier's outputs."""

MAX_FLAT_TILES, USES_PER_TILE = 4000, 4
"""Flat tiles kept, and how often each is used before it is replaced, on average."""

NO_FACE = -1
"""In place of a face: a real tile without one, a joker, say. No name should be likely."""

MIN_CLEAR_WIDTHS = 0.65
"""A crop this many tile widths from every tile's centre shows no tile."""

LEAN_WIDTHS = 0.1
"""How far, in tile widths, a tile's far edge is shifted against its near one: the locator's quads
lean where tiles are seen from low down, and most wrong names on new sets are such tiles'."""

THING_SHARE = 0.5
"""Share of the crops of no tile, where a picture has any, that show dice, cards, keys and such."""

UNKNOWN_TURN = -1
"""The photographs do not say which way up their tiles lie."""

TURN_CHANCES = (0.5, 0.05, 0.4, 0.05)
"""How often a crop shows the tile at each of TURNS; the locator rarely takes width for height."""

MIN_TILE_WIDTH_PX = 18
"""Width in pixels of the smallest tiles met."""

_FACES = {code: place for place, code in enumerate(LABELS)}

Crop = tuple[npt.NDArray[np.uint8], int, int]
"""Pixels (CROP_HEIGHT, CROP_WIDTH, 3), place in LABELS or NO_FACE, in TURNS or UNKNOWN_TURN."""

Source = Callable[[np.random.Generator], Crop]


Sources = Sequence[tuple[float, Source]]
"""Where crops come from, with the weight with which each is drawn from."""


def draw_batch(
    sources: Sources, size: int, rng: np.random.Generator
) -> dict[str, npt.NDArray[Any]]:
    """Return `crop` (N, CROP_HEIGHT, CROP_WIDTH, 3) uint8, `face` (N,) and `turn` (N,)."""
    weights = np.array([weight for weight, _ in sources])
    choices = rng.choice(len(weights), size, p=weights / weights.sum())
    crops = [sources[int(k)][1](rng) for k in choices]
    return {
        "crop": np.stack([crop for crop, _, _ in crops]),
        "face": np.array([face for _, face, _ in crops]),
        "turn": np.array([turn for _, _, turn in crops]),
    }


def from_pictures(pictures: Sequence[TiledPicture]) -> Source:
    """Return a source of tiles from labelled pictures; `random_face` chooses the faces."""
    pick = tile_picker(pictures)
    return lambda rng: random_crop(*pick(rng), rng)


def from_faces(banks: Sequence[Faces]) -> Source:
    """Return a source of flat tiles with the faces of these banks.

    Drawing a tile costs more than all that is done to it afterwards, so each is used several times
    before another takes its place.
    """
    pool: list[TiledPicture] = []

    def draw(rng: np.random.Generator) -> Crop:
        if len(pool) < MAX_FLAT_TILES:
            pool.append(flat_tile(banks[int(rng.integers(len(banks)))], rng))
            return random_crop(pool[-1], 0, rng)
        place = int(rng.integers(MAX_FLAT_TILES))
        if rng.random() < 1 / USES_PER_TILE:
            pool[place] = flat_tile(banks[int(rng.integers(len(banks)))], rng)
        return random_crop(pool[place], 0, rng)

    return draw


def from_empty_places(pictures: Sequence[TiledPicture]) -> Source:
    """Return a source of crops, as large as tiles, of what is none."""

    def draw(rng: np.random.Generator) -> Crop:
        while True:
            picture = pictures[int(rng.integers(len(pictures)))]
            quad = _empty_quad(picture, rng)
            if quad is not None:
                crop = straighten(picture.rgb, disturb_quad(quad, rng))
                return relight(crop, rng), LABELS.index(NO_TILE), UNKNOWN_TURN

    return draw


def _empty_quad(picture: TiledPicture, rng: np.random.Generator) -> npt.NDArray[np.float32] | None:
    """Return a quad (4, 2) that holds no tile; or None this time."""
    height, width = picture.rgb.shape[:2]
    if len(picture.other_quads) and rng.random() < THING_SHARE:
        quad = picture.other_quads[rng.integers(len(picture.other_quads))]
    else:
        quad = _random_quad(picture, rng)
    x, y = quad.mean(0).astype(int)
    is_known = 0 <= x < width and 0 <= y < height and picture.known_mask[y, x]
    return quad if is_known and _is_clear(quad, picture.quads) else None


def _random_quad(picture: TiledPicture, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return a quad (4, 2) shaped like the picture's tiles, half the time right beside them."""
    height, width = picture.rgb.shape[:2]
    centre = rng.uniform((0, 0), (width, height))
    if not len(picture.quads):
        turn, side = rng.uniform(0, 2 * np.pi), np.exp(rng.uniform(np.log(18), np.log(110)))
        axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return np.asarray(_UPRIGHT_CORNERS * side @ axes + centre, np.float32)
    quad = picture.quads[rng.integers(len(picture.quads))]
    if rng.random() < 0.5:
        centre = quad.mean(0) + rng.uniform(-2, 2, 2) * np.linalg.norm(quad[1] - quad[0])
    return np.asarray((quad - quad.mean(0)) * np.exp(rng.normal(0, 0.3)) + centre, np.float32)


def _is_clear(quad: npt.NDArray[np.float32], tiles: npt.NDArray[np.float32]) -> bool:
    """Say whether a quad (4, 2) is well away from the centre of every tile (N, 4, 2)."""
    distances = np.linalg.norm(tiles.mean(1) - quad.mean(0), axis=1)
    wide = np.linalg.norm(tiles[:, 1] - tiles[:, 0], axis=1)
    return bool((distances > MIN_CLEAR_WIDTHS * wide).all())


_UPRIGHT_CORNERS = np.array([[-0.5, -0.66], [0.5, -0.66], [0.5, 0.66], [-0.5, 0.66]])
"""A tile's corners in tile widths."""


def random_crop(picture: TiledPicture, tile: int, rng: np.random.Generator) -> Crop:
    """Cut out one tile as a locator might that is a little off, turned and seen in some light."""
    quad = disturb_quad(picture.quads[tile], rng)
    turn = int(rng.choice(len(TURNS), p=TURN_CHANCES))
    # The crop's top left is the tile's corner number `-turn`: the tile then lies turned clockwise.
    crop = straighten(picture.rgb, np.roll(quad, turn, axis=0))
    if rng.random() < 0.5:
        crop = _coarsen(crop, rng)
    is_exact = bool(picture.exact[tile])
    return (
        relight(crop, rng),
        _FACES.get(picture.codes[tile], NO_FACE),
        turn if is_exact else UNKNOWN_TURN,
    )


def disturb_quad(
    quad: npt.NDArray[np.float32], rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Return the quad shifted, scaled, turned, leaning and bent a little."""
    centre = quad.mean(0)
    side = float(np.linalg.norm(quad[1] - quad[0]))
    angle = rng.normal(0, 0.05)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    disturbed = (quad - centre) @ turn.T * np.exp(rng.normal(0, 0.06, 2))
    right, downward = (quad[1] - quad[0] + quad[2] - quad[3]) / 2, np.array([-0.5, -0.5, 0.5, 0.5])
    disturbed = disturbed + downward[:, None] * right * rng.normal(0, LEAN_WIDTHS)
    disturbed = (
        disturbed + centre + rng.normal(0, 0.04, 2) * side + rng.normal(0, 0.025, (4, 2)) * side
    )
    return np.asarray(disturbed, np.float32)


def _coarsen(crop: npt.NDArray[np.uint8], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Return the crop as it looks when the tile is only a few pixels wide in the photo."""
    width = int(rng.integers(MIN_TILE_WIDTH_PX, CROP_WIDTH_PX))
    size = (width, round(width * CROP_HEIGHT_PX / CROP_WIDTH_PX))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))]
        small = _decode(cv2.imencode(".jpg", small, quality)[1])
    enlarged = cv2.resize(small, (CROP_WIDTH_PX, CROP_HEIGHT_PX), interpolation=cv2.INTER_LINEAR)
    return enlarged.astype(np.uint8)


def _decode(jpeg: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    pixels = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    if pixels is None:
        raise ValueError("not a JPEG")
    return pixels.astype(np.uint8)

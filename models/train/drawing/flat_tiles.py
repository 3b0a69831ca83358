"""Flat pictures of single tiles with drawn faces, cheap enough to make by the hundred thousand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from models.train.drawing.faces.bank import FaceBank
from models.train.tiled_picture import TiledPicture
from scorer.tiles import CODES, FACE_DOWN

TILE_WIDTH_PX, TILE_HEIGHT_PX = 96, 128
"""The tile's face on the canvas, pixels."""

BORDER_PX = 24
"""Table and neighbouring tiles around it, pixels."""

BACK_SHARE = 0.08
"""Share of tiles lying face down."""

ODD_SHARE = 0.03
"""Share of tiles, in sets that have them, that are jokers and the like."""

BONUS_WEIGHT = 2.0
"""How often a flower or season is shown, for each time that another face is."""

Faces = Mapping[str, npt.NDArray[np.uint8]]
"""Tile code to a picture (H, W, 4), RGBA, transparent where the tile's body shows. Jokers and other
tiles without one of the 42 names have codes of their own, not in CODES."""


def shrink_faces(bank: FaceBank) -> Faces:
    """Return the faces at the size at which `flat_tile` draws them, a quarter of the memory."""
    odd = {f"odd {number}": face for number, face in enumerate(bank.odd)}
    return {
        code: cv2.resize(
            face, (TILE_WIDTH_PX, TILE_HEIGHT_PX), interpolation=cv2.INTER_AREA
        ).astype(np.uint8)
        for code, face in {**bank, **odd}.items()
    }


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What the tiles of one set are made of: red, green and blue, 0 to 1; and how they are lit."""

    body: npt.NDArray[np.float64]
    back_colour: npt.NDArray[np.float64]
    has_shading: bool = True
    """In light that falls off, glares on the tile or throws the edge of a shadow across it."""


def random_look(rng: np.random.Generator) -> Look:
    """Return ivory of some tone, and backs of any colour."""
    return Look(_ivory(rng), rng.uniform(0.05, 0.9, 3))


def flat_tile(
    faces: Faces, rng: np.random.Generator, code: str | None = None, look: Look | None = None
) -> TiledPicture:
    """Return a canvas with one labelled tile in the middle, `code` or any, and others around it."""
    code = code or _random_code(faces, rng)
    canvas = np.empty(
        (TILE_HEIGHT_PX + 2 * BORDER_PX, TILE_WIDTH_PX + 2 * BORDER_PX, 3), np.float32
    )
    canvas[:] = rng.uniform(0.02, 0.6, 3) if rng.random() < 0.7 else _table_green(rng)
    look = look or random_look(rng)
    gap = int(rng.integers(0, 8))
    for x, y in _neighbours(rng):
        neighbour = _random_code(faces, rng)
        place = (
            BORDER_PX + x * (TILE_WIDTH_PX + gap),
            BORDER_PX + y * (TILE_HEIGHT_PX + gap),
        )
        _draw(canvas, place, _face(neighbour, faces, look, rng), rng)
    _draw(canvas, (BORDER_PX, BORDER_PX), _face(code, faces, look, rng), rng)
    if look.has_shading:
        _shade(canvas, rng)
    x0, y0, x1, y1 = BORDER_PX, BORDER_PX, BORDER_PX + TILE_WIDTH_PX, BORDER_PX + TILE_HEIGHT_PX
    quad = np.array([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]], np.float32)
    rgb = (np.clip(canvas, 0, 1) * 255).astype(np.uint8)
    known_mask = np.ones(rgb.shape[:2], np.uint8)
    return TiledPicture(rgb, quad, (code,), np.array([True]), known_mask)


def _random_code(faces: Faces, rng: np.random.Generator) -> str:
    if rng.random() < BACK_SHARE:
        return FACE_DOWN
    odd = len(faces) - len(CODES)
    if odd and rng.random() < ODD_SHARE:
        return f"odd {rng.integers(odd)}"
    return random_face(CODES, rng)


def random_face(codes: Sequence[str], rng: np.random.Generator) -> str:
    """Choose one of these codes, flowers and seasons more often: no two sets draw them alike."""
    weights = np.array([BONUS_WEIGHT if code[0] in "FS" else 1.0 for code in codes])
    return codes[int(rng.choice(len(codes), p=weights / weights.sum()))]


def tile_picker(
    pictures: Sequence[TiledPicture],
) -> Callable[[np.random.Generator], tuple[TiledPicture, int]]:
    """Return a function that draws a tile: its picture, and its place there.

    `random_face` chooses among the faces that the labelled pictures show.
    """
    places: dict[str, list[tuple[TiledPicture, int]]] = {}
    for picture in pictures:
        for place, code in enumerate(picture.codes):
            places.setdefault(code, []).append((picture, place))
    codes = sorted(places)

    def pick(rng: np.random.Generator) -> tuple[TiledPicture, int]:
        face_places = places[random_face(codes, rng)]
        return face_places[rng.integers(len(face_places))]

    return pick


def _neighbours(rng: np.random.Generator) -> list[tuple[int, int]]:
    sides = [(-1, 0), (1, 0), (0, -1), (0, 1)]
    chances = (0.75, 0.75, 0.2, 0.2)
    return [s for s, chance in zip(sides, chances, strict=True) if rng.random() < chance]


def _table_green(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    return np.array([rng.uniform(0, 0.3), rng.uniform(0.2, 0.7), rng.uniform(0.05, 0.4)])


def _ivory(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    return rng.uniform(0.72, 1.0) * np.array([1.0, rng.uniform(0.93, 1.0), rng.uniform(0.78, 1.0)])


def _face(code: str, faces: Faces, look: Look, rng: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return the upper side of a tile, shape (TILE_HEIGHT_PX, TILE_WIDTH_PX, 3), 0 to 1."""
    if code == FACE_DOWN:
        side = np.empty((TILE_HEIGHT_PX, TILE_WIDTH_PX, 3), np.float32)
        side[:] = look.back_colour
        return side
    inset = rng.uniform(0.0, 0.1)
    width, height = round(TILE_WIDTH_PX * (1 - 2 * inset)), round(TILE_HEIGHT_PX * (1 - 2 * inset))
    ink = cv2.resize(faces[code], (width, height), interpolation=cv2.INTER_AREA)
    side = np.empty((TILE_HEIGHT_PX, TILE_WIDTH_PX, 3), np.float32)
    side[:] = look.body
    x, y = (TILE_WIDTH_PX - width) // 2, (TILE_HEIGHT_PX - height) // 2
    cover = ink[..., 3:].astype(np.float32) / 255 * np.float32(rng.uniform(0.75, 1.0))
    part = side[y : y + height, x : x + width]
    part += (ink[..., :3].astype(np.float32) / 255 - part) * cover
    return side


def _draw(
    canvas: npt.NDArray[np.float32],
    place: tuple[int, int],
    side: npt.NDArray[np.float32],
    rng: np.random.Generator,
) -> None:
    """Lay a tile's upper side on the canvas, with rounded corners and a darker rim."""
    x, y = place
    radius = int(rng.integers(4, 16))
    mask = np.zeros((TILE_HEIGHT_PX, TILE_WIDTH_PX), np.uint8)
    cv2.rectangle(mask, (radius, 0), (TILE_WIDTH_PX - 1 - radius, TILE_HEIGHT_PX - 1), 255, -1)
    cv2.rectangle(mask, (0, radius), (TILE_WIDTH_PX - 1, TILE_HEIGHT_PX - 1 - radius), 255, -1)
    for cx in (radius, TILE_WIDTH_PX - 1 - radius):
        for cy in (radius, TILE_HEIGHT_PX - 1 - radius):
            cv2.circle(mask, (cx, cy), radius, 255, -1)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(1.0, 3.0)).astype(np.float32) / 255
    rim = 1 - np.float32(rng.uniform(0.1, 0.8)) * np.clip(1.6 * (1 - soft), 0, 1)
    x0, y0 = max(x, 0), max(y, 0)
    x1, y1 = min(x + TILE_WIDTH_PX, canvas.shape[1]), min(y + TILE_HEIGHT_PX, canvas.shape[0])
    visible_part = (slice(y0 - y, y1 - y), slice(x0 - x, x1 - x))
    cover = (mask[visible_part] > 0)[..., None]
    shaded_side = (side * rim[..., None])[visible_part]
    canvas[y0:y1, x0:x1] = np.where(cover, shaded_side, canvas[y0:y1, x0:x1] * 0.85)


def _shade(canvas: npt.NDArray[np.float32], rng: np.random.Generator) -> None:
    """Let light fall off across the canvas and sometimes glare on it, in place."""
    height, width = canvas.shape[:2]
    ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
    slope = rng.normal(0, 0.25, 2)
    canvas *= (1 + slope[0] * (xs / width - 0.5) + slope[1] * (ys / height - 0.5))[..., None]
    if rng.random() < 0.2:
        x, y, size = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(10, 50)
        glare = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * size**2))
        canvas += np.float32(rng.uniform(0.1, 0.7)) * glare[..., None]
    if rng.random() < 0.15:  # the edge of a shadow
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-30, 30)
        side = (xs - width / 2) * np.cos(angle) + (ys - height / 2) * np.sin(angle) > offset
        canvas *= np.where(side, 1.0, rng.uniform(0.4, 0.9))[..., None].astype(np.float32)

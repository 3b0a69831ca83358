"""A photograph of a whole tile set, laid out in rows on baize: drawn faces seen in perspective."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from models.train.drawing.faces.face import draw_face
from models.train.drawing.faces.raster import rasterise
from models.train.drawing.faces.style import HOUSE_STYLE
from scorer.tiles import CODES, FACE_DOWN
from vision.preprocess import RGB

Faces = Mapping[str, npt.NDArray[np.uint8]]
"""Code to a picture (H, W, 4), RGBA, transparent where the tile's body shows."""

WIDTH, HEIGHT, STEP = 96, 128, 104
"""Of a face, and from one tile of a row to the next, in pixels of the table."""

IVORY, BACK_COLOUR, BAIZE = (238, 231, 210), (200, 150, 60), (38, 74, 92)

PRINTED_ROWS = (
    tuple(f"B{rank}" for rank in range(1, 10)),
    tuple(f"C{rank}" for rank in range(1, 10)),
    tuple(f"O{rank}" for rank in range(1, 10)),
    ("WE", "WS", "WW", "WN", "DR", "DG", "DW"),
    ("F1", "F2", "F3", "F4", "S1", "S2", "S3", "S4"),
    (FACE_DOWN,) * 3,
)
"""As the page shows it."""


@cache
def house() -> Faces:
    """Return the project's own faces."""
    return {code: rasterise(draw_face(code, HOUSE_STYLE), WIDTH, HEIGHT) for code in CODES}


def photograph(
    rows: Sequence[Sequence[str]] = PRINTED_ROWS, faces: Faces | None = None, seed: int = 1
) -> RGB:
    """Return a picture of these rows, a little askew, from somewhat in front of the table."""
    rng = np.random.default_rng(seed)
    drawn_faces = house() if faces is None else faces
    table = np.full((190 * len(rows) + 140, STEP * max(map(len, rows)) + 180, 3), BAIZE, np.uint8)
    for number, row in enumerate(rows):
        for place, code in enumerate(row):
            x, y = 90 + place * STEP + rng.integers(-3, 4), 90 + number * 190 + rng.integers(-5, 6)
            _lay(table, drawn_faces.get(code), int(x), int(y), face_down=code == FACE_DOWN)
    height, width = table.shape[:2]
    lean = 0.06 + 0.02 * seed
    near_corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    far_corners = near_corners + np.array(
        [[lean * width, 0], [-lean * width, 0], [0, 0], [0, 0]], np.float32
    )
    warped_picture = cv2.warpPerspective(
        table,
        cv2.getPerspectiveTransform(near_corners, far_corners),
        (width, height),
        borderValue=BAIZE,
    )
    lit_picture = warped_picture * np.linspace(0.86, 1.05, width)[None, :, None] + rng.normal(
        0, 3, warped_picture.shape
    )
    return np.asarray(np.clip(cv2.GaussianBlur(lit_picture, (0, 0), 0.6), 0, 255), np.uint8)


def _lay(
    table: RGB, face: npt.NDArray[np.uint8] | None, x: int, y: int, *, face_down: bool
) -> None:
    """Lay a tile: its shadow, its side towards the player, its rounded upper side."""
    _slab(table, x + 5, y + 22, (20, 40, 50))
    _slab(table, x, y + 14, (176, 168, 144))
    _slab(table, x, y, BACK_COLOUR if face_down else IVORY)
    if not face_down and face is not None:
        ink = cv2.resize(face, (WIDTH - 12, HEIGHT - 16), interpolation=cv2.INTER_AREA)
        part = table[y + 8 : y + HEIGHT - 8, x + 6 : x + WIDTH - 6]
        cover = ink[..., 3:].astype(np.float32) / 255
        part[:] = part * (1 - cover) + ink[..., :3] * cover


def _slab(table: RGB, x: int, y: int, colour: tuple[int, int, int]) -> None:
    radius = 9
    cv2.rectangle(table, (x + radius, y), (x + WIDTH - radius, y + HEIGHT), colour, -1)
    cv2.rectangle(table, (x, y + radius), (x + WIDTH, y + HEIGHT - radius), colour, -1)
    for cx in (x + radius, x + WIDTH - radius):
        for cy in (y + radius, y + HEIGHT - radius):
            cv2.circle(table, (cx, cy), radius, colour, -1, cv2.LINE_AA)

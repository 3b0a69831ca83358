"""What is wrong with a photograph, in a player's words: measured on the tiles, not the table.

Each measure is taken on a tile's straightened crop, so a dark cloth is not a dark photo and a
shining lamp beside the hand is not a glare on it. A threshold lies where the reading begins to
fail: `python -m tests.prove.faults` makes the table of it again, and tests/README.md has it.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from scorer.message import message
from scorer.tiles import FACE_DOWN
from vision.geometry.places import RowsOfTiles, places_words, rows_of
from vision.photo import Photo
from vision.preprocess import RGB, Float32s
from vision.reading import Problem, SetReading, TileReading

DARK = 55.0
"""Brightness of the tiles' light parts (90th percentile, median tile; of 255) below which the photo
is too dark: at 48 one tile in ten is missed, at 35 one in four. Photographs as they come have 120
to 255."""

BLURRED = 2.9
"""Spread of a tile's sharpest edges from which it is blurred: a Gaussian's sigma in pixels of its
crop, which is 64 wide. Photographs as they come have 1.5 to 2.6 (median tile); at 3.6 one tile in
fifteen is misread or asked about, at 5 one in three."""

GLARE = 0.05
"""Share of a doubtful tile that is burnt out, beyond that of the median tile, which makes glare the
likely reason. Many a tile is half burnt out and well read, so a tile read surely is let be."""

FAR = 14.0
"""Width of the median tile, in pixels of the photo, below which it is too far away: from 13 on one
tile in twenty is misread, at 9 one in five."""

CUT = 0.2
"""Share of a tile outside the picture from which it is cut off: a tenth does no harm yet, of tiles
with four tenths off nearly all are misread."""

MOST = 26
"""Tiles that a hand can hold: four kongs, a pair and eight bonus tiles."""

_BURNT, _WHITE = np.full(3, 250, np.uint8), np.full(3, 255, np.uint8)
"""A pixel from this to that bright, in every colour, shows nothing any more."""

_PLAIN = ("DW", FACE_DOWN)
"""They may have no ink at all, so nothing on them could be blurred."""

_FAINT = 40.0
"""Contrast of a tile, in levels of 255 at full light, below which it has no edges to measure."""

_MARGIN = 5
"""Pixels at the crop's edge that show the neighbours and the gap between."""

_SMOOTH = 0.8
"""Sigma, in pixels of the crop, of what is smoothed away as noise before edges are measured."""

_HALF_TURN = math.sqrt(0.5)
"""What makes a slope along a diagonal of two slopes along the sides."""


@dataclass(frozen=True, slots=True)
class TileLook:
    """How one tile comes out in a photograph."""

    light: float
    """Brightness of its light parts, 0 to 255."""
    blur: float
    """Spread of its sharpest edges, pixels of the crop; nan where it has none."""
    burnt: float
    """Share of it that is burnt out, 0 to 1."""
    width: float
    """Its shorter side, pixels of the photograph."""
    outside: float
    """Share of it that lies outside the picture, 0 to 1."""


def looks(photo: Photo, tiles: Sequence[TileReading], crops: Sequence[RGB]) -> tuple[TileLook, ...]:
    """Measure how each tile comes out; `crops` are the tiles straightened, either way up."""
    if not tiles:
        return ()
    quads = np.array([tile.quad for tile in tiles], np.float32)
    faces = np.stack(crops)[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
    strip = faces.reshape(-1, *faces.shape[2:])  # all in one picture, one below the other
    greys = cv2.cvtColor(strip, cv2.COLOR_RGB2GRAY).reshape(faces.shape[:3])
    low, light, high = _levels(greys, 0.02, 0.9, 0.98)
    blurs = [_blur(grey, float(span)) for grey, span in zip(greys, high - low, strict=True)]
    size = photo.width, photo.height
    burnt = cv2.inRange(strip, _BURNT, _WHITE).reshape(len(tiles), -1).mean(1) / 255
    return tuple(
        TileLook(
            float(light[k]), blurs[k], float(burnt[k]), _width(quad), share_outside(quad, *size)
        )
        for k, quad in enumerate(quads)
    )


def _blur(grey: npt.NDArray[np.uint8], contrast: float) -> float:
    """Return the spread of the sharpest edges that a face has, nan without ink.

    An edge of this contrast that is blurred by a Gaussian is steepest in its middle: contrast /
    (sigma * sqrt(2 pi)). A moving camera blurs one direction alone, so the worse of two counts.
    """
    if contrast < _FAINT * grey.max() / 255:
        return float("nan")
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), _SMOOTH)
    across = (smooth[1:-1, 2:] - smooth[1:-1, :-2]) / 2
    along = (smooth[2:, 1:-1] - smooth[:-2, 1:-1]) / 2
    slopes = (across, along, (across + along) * _HALF_TURN, (across - along) * _HALF_TURN)
    steepest = float(min(_levels(np.abs(slopes), 0.99)[0]))
    return contrast / (max(steepest, 1e-3) * math.sqrt(2 * math.pi))


def _levels(pictures: npt.NDArray[Any], *shares: float) -> list[Float32s]:
    """Return, for each share, the value below which that share of a picture's pixels lies.

    `pictures` has shape (N, H, W), each of the values (N,).
    """
    flat = pictures.reshape(len(pictures), -1)
    ranks = [round(share * (flat.shape[1] - 1)) for share in shares]
    # Bytes are sorted whole in a tenth of the time: by counting.
    is_bytes = flat.dtype == np.uint8
    sifted = np.sort(flat, 1, kind="stable") if is_bytes else np.partition(flat, ranks, 1)
    return [sifted[:, rank].astype(np.float32) for rank in ranks]


def _width(quad: Float32s) -> float:
    return float(min(np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])))


def share_outside(quad: Float32s, right: int, bottom: int) -> float:
    """Return the share of a quad (4, 2) that lies outside a picture so wide and high, in pixels."""
    if (quad >= 0).all() and (quad <= (right, bottom)).all():
        return 0.0
    frame = np.array([[0, 0], [right, 0], [right, bottom], [0, bottom]], np.float32)
    inside, _ = cv2.intersectConvexConvex(quad, frame)
    return float(1 - inside / max(cv2.contourArea(quad), 1.0))


def faults(
    photo: Photo,
    tiles: Sequence[TileReading],
    sets: Sequence[SetReading],
    crops: Sequence[RGB],
) -> tuple[Problem, ...]:
    """Return what is wrong with the photograph of a hand, the most important first.

    `crops` are all tiles straightened, either way up.

    Only the hand's own tiles count. What would not be there in a sharper, lighter photograph is
    not said beside its cause: a dark photo is not called blurred as well.
    """
    own = sorted({place for laid in sets for place in laid.tiles})
    if not own:
        return (_TOO_DARK,) if _is_night(photo) else ()
    measured = looks(photo, [tiles[place] for place in own], [crops[place] for place in own])
    seen = dict(zip(own, measured, strict=True))
    unsure = [place for place in own if tiles[place].doubtful]
    problems = [NOT_A_HAND] if len(own) > MOST else []
    rows = partial(rows_of, tiles, sets)  # asked for only where a tile is named
    problems += _where("cut-off", rows, [p for p in own if seen[p].outside > CUT])
    inked = [p for p in own if tiles[p].code not in _PLAIN and not math.isnan(seen[p].blur)]
    whole = (
        (_TOO_DARK, _median(look.light for look in seen.values()) < DARK),
        (_TOO_FAR, _median(look.width for look in seen.values()) < FAR),
        (_BLURRED, _median(seen[p].blur for p in inked) > BLURRED),
    )
    spoilt = next((problem for problem, holds in whole if holds), None)
    if spoilt:
        return (*problems, spoilt)
    usual = _median(look.burnt for look in seen.values())
    glaring = [p for p in unsure if seen[p].burnt > usual + GLARE]
    smeared = [p for p in unsure if p in inked and seen[p].blur > BLURRED and p not in glaring]
    problems += _where("glare", rows, glaring) + _where("blurred-tile", rows, smeared)
    return tuple(problems)


_TOO_DARK = Problem("too-dark", message("seen.too-dark"))
_TOO_FAR = Problem("too-far", message("seen.too-far"))
_BLURRED = Problem("blurred", message("seen.blurred"))
NOT_A_HAND = Problem("not-a-hand", message("seen.not-a-hand", most=MOST))


def _where(code: str, rows: Callable[[], RowsOfTiles], places: list[int]) -> list[Problem]:
    """Return the problem with the tiles that have it named by their places; none without any."""
    if not places:
        return []
    return [Problem(code, message(f"seen.{code}", places=places_words(rows(), places)))]


def _median(values: Iterable[float]) -> float:
    found = list(values)
    return statistics.median(found) if found else math.nan


def _is_night(photo: Photo) -> bool:
    """Whether even the lightest parts of a photograph without tiles are dark."""
    return bool(np.percentile(photo.rgb[::8, ::8].max(2), 90) < DARK)

"""Grey patterns of table and floor materials: a tone and a relief, repeating at the edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

Pattern = NDArray[np.float32]
"""(N, N, 3): tone 0 to 1, slope of the relief along x, along y (mean steepness 1)."""

Plane = NDArray[np.float32]

PATTERN_SIDE_PX = 1024


def _noise(rng: np.random.Generator, cells_x: int, cells_y: int) -> Plane:
    """Smooth noise that repeats, zero mean and unit deviation."""
    small = rng.standard_normal((cells_y, cells_x)).astype(np.float32)
    padded = np.pad(small, 2, mode="wrap")
    sx, sy = PATTERN_SIDE_PX / cells_x, PATTERN_SIDE_PX / cells_y
    big = cv2.resize(padded, None, fx=sx, fy=sy, interpolation=cv2.INTER_CUBIC)
    x, y = round(2 * sx), round(2 * sy)
    cut = big[y : y + PATTERN_SIDE_PX, x : x + PATTERN_SIDE_PX]
    return np.asarray((cut - cut.mean()) / (cut.std() + 1e-6), dtype=np.float32)


def _baize(rng: np.random.Generator) -> tuple[Plane, Plane]:
    fibres = _noise(rng, 512, 512) + 0.7 * _noise(rng, 256, 128) + 0.7 * _noise(rng, 128, 256)
    tone = 0.5 + 0.13 * fibres + 0.05 * _noise(rng, 8, 8) + 0.04 * _noise(rng, 32, 32)
    return tone, fibres


def _dimples(rng: np.random.Generator) -> tuple[Plane, Plane]:
    """Draw the stamped rubber of folding-table mats: rows of small bosses."""
    rows = int(rng.integers(28, 44)) * 2
    y, x = np.mgrid[0:PATTERN_SIDE_PX, 0:PATTERN_SIDE_PX].astype(np.float32) * (
        rows / PATTERN_SIDE_PX
    )
    shifted = (np.floor(y) % 2) * 0.5
    dx, dy = (x + shifted) % 1.0 - 0.5, y % 1.0 - 0.5
    boss = np.exp(-((dx / 0.28) ** 2 + (dy / 0.28) ** 2) * 1.5).astype(np.float32)
    tone = 0.45 + 0.3 * (boss - 0.4) + 0.04 * _noise(rng, 512, 512) + 0.05 * _noise(rng, 6, 6)
    return tone.astype(np.float32), 3.0 * boss


def _weave(rng: np.random.Generator) -> tuple[Plane, Plane]:
    threads = int(rng.integers(40, 110))
    y, x = np.mgrid[0:PATTERN_SIDE_PX, 0:PATTERN_SIDE_PX].astype(np.float32) * (
        2 * np.pi * threads / PATTERN_SIDE_PX
    )
    cloth = (np.sin(x) * np.sin(y) + 0.4 * np.sin(x + y)).astype(np.float32)
    cloth = cloth + 0.5 * _noise(rng, 256, 64) + 0.5 * _noise(rng, 64, 256)
    return 0.5 + 0.12 * cloth + 0.06 * _noise(rng, 10, 10), cloth


def _wood(rng: np.random.Generator) -> tuple[Plane, Plane]:
    """Draw long fibres along x with growth rings, and planks on some."""
    y = np.mgrid[0:PATTERN_SIDE_PX, 0:PATTERN_SIDE_PX][0].astype(np.float32) / PATTERN_SIDE_PX
    wander = 0.03 * _noise(rng, 3, 6) + 0.012 * _noise(rng, 6, 16)
    rings = int(rng.integers(8, 26))
    grain = np.sin(2 * np.pi * rings * (y + wander)).astype(np.float32)
    fine = _noise(rng, 12, 512) + 0.6 * _noise(rng, 40, 1024)
    tone = 0.5 + 0.14 * grain + 0.1 * fine + 0.08 * _noise(rng, 4, 16)
    pores = _noise(rng, 64, 1024) > 1.7
    tone = np.where(pores, tone - 0.16, tone)
    relief = 0.3 * fine
    if rng.random() < 0.5:
        planks = int(rng.integers(3, 9))
        which = np.floor(y * planks).astype(np.int64) % planks
        tone = tone + (rng.normal(0.0, 0.12, planks).astype(np.float32))[which]
        gap = np.abs((y * planks + 0.5) % 1.0 - 0.5) < planks * 1.5 / PATTERN_SIDE_PX
        tone = np.where(gap, tone * 0.3, tone)
        relief = np.where(gap, relief - 3.0, relief)
    return tone.astype(np.float32), relief.astype(np.float32)


def _plain(rng: np.random.Generator) -> tuple[Plane, Plane]:
    grain = _noise(rng, 512, 512)
    return 0.5 + 0.02 * grain + 0.05 * _noise(rng, 6, 6), 0.5 * grain


KINDS: dict[str, Callable[[np.random.Generator], tuple[Plane, Plane]]] = {
    "baize": _baize,
    "dimples": _dimples,
    "weave": _weave,
    "wood": _wood,
    "plain": _plain,
}


@lru_cache(maxsize=24)
def pattern(kind: str, variant: int) -> Pattern:
    """Return one of the endless variants of a kind of material."""
    rng = np.random.default_rng((variant, list(KINDS).index(kind)))
    tone, relief = KINDS[kind](rng)
    slope_x = np.roll(relief, -1, axis=1) - np.roll(relief, 1, axis=1)
    slope_y = np.roll(relief, -1, axis=0) - np.roll(relief, 1, axis=0)
    steepness = max(float(np.hypot(slope_x, slope_y).mean()), 1e-6)
    made = np.dstack((np.clip(tone, 0.0, 1.0), slope_x / steepness, slope_y / steepness))
    return np.ascontiguousarray(made, dtype=np.float32)

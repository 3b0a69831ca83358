"""Turn a scene into light, band by band."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from models.train.render.arrays import (
    F32,
    Buffers,
    World,
    pack_boxes,
    pack_ground,
    pack_lamps,
    pack_lens,
    pack_paint,
)
from models.train.render.scene import Scene
from models.train.render.trace import resolve, smooth, trace_rows

BAND_ROWS = 128
"""Picture rows rendered at a time, so that the buffers stay small."""
MARGIN_ROWS = 4
"""Picture rows around a band that the smoothing looks at."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How much work a picture is worth."""

    grid: int = 2
    """Sub-pixels along each side of a pixel."""
    samples: int = 1
    """Shadow and sky rays for each sub-pixel."""
    every: int = 2
    """Of the table's sub-pixels, one in `every` x `every` gets those rays."""
    smoothing: tuple[int, ...] = (1, 2, 3)
    """The shadow filter's passes: sub-pixels from tap to tap."""


DRAFT_QUALITY = Quality()
"""For training: about one second for 640 x 480."""
FINE_QUALITY = Quality(grid=3, samples=5, every=1, smoothing=(1, 2))
"""For pictures to look at."""


@cache
def _dither() -> F32:
    """Return pairs of numbers that fill the unit square evenly within every 4 x 4 block."""
    rng = np.random.default_rng(7)
    tile = np.zeros((64, 64, 6), dtype=np.float32)
    for pair in range(3):
        order = rng.permuted(np.tile(np.arange(16), (16, 16, 1)), axis=2)
        order = order.reshape(16, 16, 4, 4).transpose(0, 2, 1, 3).reshape(64, 64)
        tile[..., 2 * pair] = (order % 4 + rng.random((64, 64))) / 4
        tile[..., 2 * pair + 1] = (order // 4 + rng.random((64, 64))) / 4
    return tile


def _empty(height: int, width: int) -> Buffers:
    return Buffers(
        key=np.zeros((height, width), dtype=np.int32),
        base=np.zeros((height, width, 3), dtype=np.float32),
        local=np.zeros((height, width, 5), dtype=np.float32),
        open=np.zeros((height, width, 6), dtype=np.float32),
    )


def _band(world: World, first_row: int, shape: tuple[int, int], quality: Quality) -> Buffers:
    """Return the buffers of `shape` (rows, columns) sub-pixels from `first_row`, smoothed."""
    buffers = _empty(*shape)
    trace_rows(world, buffers, first_row, quality.samples, quality.every)
    for step in quality.smoothing:
        softer = np.empty_like(buffers.open)
        smooth(buffers.key, buffers.open, softer, step)
        buffers = buffers._replace(open=softer)
    return buffers


def render(scene: Scene, size: tuple[int, int], quality: Quality = DRAFT_QUALITY) -> F32:
    """Return the light (height, width, 3), linear RGB, that reaches a camera of `size` pixels."""
    width, height = size
    grid = quality.grid
    raster = (width * grid, height * grid)
    world = World(
        boxes=pack_boxes(scene.solids),
        paint=pack_paint(scene, raster),
        soil=pack_ground(scene.ground),
        lamps=pack_lamps(scene),
        lens=pack_lens(scene, raster),
        dither=_dither(),
    )
    power = np.zeros((2, 3), dtype=np.float32)
    for k, light in enumerate(scene.lights[:2]):
        power[k] = light.power
    picture = np.zeros((height, width, 3), dtype=np.float32)
    for top in range(0, height, BAND_ROWS):
        bottom = min(top + BAND_ROWS, height)
        first, last = max(0, top - MARGIN_ROWS), min(height, bottom + MARGIN_ROWS)
        whole = _band(world, first * grid, ((last - first) * grid, width * grid), quality)
        inside = slice((top - first) * grid, (bottom - first) * grid)
        cut = Buffers(
            whole.key[inside], whole.base[inside], whole.local[inside], whole.open[inside]
        )
        resolve(cut, power, world.lamps.above, grid, picture[top:bottom])
    return picture

"""Makes up whole tables: a hand, what else lies there, the light and the camera."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from models.train.compose.colours import tinted
from models.train.compose.grounds import random_kind
from models.train.compose.lamps import random_lighting
from models.train.compose.lofts import Loft, tile_loft
from models.train.compose.paint import Sheet, Table
from models.train.render.bodies import random_body
from models.train.render.layouts import LAYOUTS, centred, rack, random_habit, turned
from models.train.render.recipe import Bank, put
from models.train.render.scene import Floats
from models.train.render.views import Stance, frame

Rng = np.random.Generator


def _stance(rng: Rng) -> Stance:
    """Hold the camera anywhere from straight above to 35 degrees from the horizontal."""
    return Stance(
        elevation=math.radians(rng.uniform(35.0, 89.0)),
        bearing=rng.normal(0.0, 0.15) if rng.random() < 0.75 else rng.uniform(-1.0, 1.0),
        roll=rng.normal(0.0, 0.05),
        focal=rng.uniform(0.7, 1.3),
        distortion=rng.normal(0.0, 0.03),
        fill=rng.uniform(0.4, 0.98),
    )


def _sheet(rng: Rng, polygon: Floats | None, level: float) -> Sheet:
    kind = random_kind(rng)
    return Sheet(
        picture=kind.draw(rng),
        extent=rng.uniform(*kind.extent),
        polygon=polygon,
        level=level,
        turn=float(rng.choice((0.0, math.pi / 2, rng.uniform(0.0, math.pi)))),
        gloss=rng.uniform(*kind.gloss),
        rim=tinted(rng, (0.1, 0.7), (0.1, 0.6)),
        thickness=rng.uniform(1.5, 4.0),
    )


def _table_top(near: float, wide: float, deep: float) -> Floats:
    return np.array(
        ((-wide, near, 0.0), (wide, near, 0.0), (wide, near + deep, 0.0), (-wide, near + deep, 0.0))
    )


def random_table(rng: Rng, bank: Bank, size: tuple[int, int]) -> Table:
    """Return a made-up table framed for a picture of `size`."""
    body = random_body(rng)
    ways = list(LAYOUTS)
    layout = ways[rng.choice(len(ways), p=np.array(list(LAYOUTS.values())))]
    turn = rng.normal(0.0, 0.06) if layout is rack or rng.random() < 0.7 else rng.uniform(0.0, 6.3)
    spots = turned(centred(layout(rng, body, random_habit(rng))), float(turn))
    lofts: list[Loft] = [tile_loft(solid) for solid in put(spots, body, bank, rng)]
    points = np.concatenate([loft.rings.reshape(-1, 3) for loft in lofts])
    stance = _stance(rng)
    if layout is rack:
        stance = replace(stance, elevation=math.radians(rng.uniform(22.0, 48.0)))
    view = frame(stance, points, size, (rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)))
    near = float(points[:, 1].min()) - rng.choice((rng.uniform(0.5, 5.0), 40.0))
    sheets = (
        _sheet(rng, None, -70.0),
        _sheet(rng, _table_top(near, rng.uniform(35.0, 70.0), rng.uniform(60.0, 120.0)), 0.0),
    )
    return Table(sheets, tuple(lofts), random_lighting(rng), view)

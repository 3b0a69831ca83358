"""Tiles turned by every five degrees: `python -m tests.goldens.turned`, ten seconds a picture.

A tile may lie at any angle, by itself or among upright neighbours as the winning tile does. Both
pictures are of the project's own ray tracer: what they prove is proved for its pictures.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from models.train.render.camera import expose, to_jpeg
from models.train.render.labels import Label, label_scene
from models.train.render.layouts import Spot, centre_spots
from models.train.render.recipe import place_tiles
from models.train.render.render import render
from models.train.render.samples import load_setting
from models.train.render.scene import Body, Ground, Scene, face_corners
from models.train.render.views import frame
from tests.goldens.make import QUALITY, faces

FOLDER = Path(__file__).with_name("angles")
SIZE = (1280, 960)
SETTING = "club-table"
STEP = 5
"""Degrees from one tile to the next."""
ALONE = ("C3", "O4", "B6", "WE", "DR", "C8", "O7", "B2", "WN")
"""Faces, again and again."""


def alone(body: Body) -> list[Spot]:
    """Lay thirty-six tiles well apart, each five degrees further turned than the one before."""
    step = 1.5 * body.height
    return [
        Spot(ALONE[k % len(ALONE)], k % 9 * step, -(k // 9) * step, -math.radians(STEP * k))
        for k in range(180 // STEP)
    ]


def among(body: Body) -> list[Spot]:
    """Lay eighteen tiles, ten degrees apart, each between two upright ones."""
    spots = []
    for k in range(18):
        angle = math.radians(2 * STEP * k)
        wide = abs(body.width * math.cos(angle)) + abs(body.height * math.sin(angle))
        x, y = k % 3 * 5.4 * body.width, -(k // 3) * 1.5 * body.height
        code = ALONE[k % len(ALONE)]
        beside = (wide + body.width) / 2 + 0.03 * body.width
        for shift, turn in ((-beside, 0.0), (0.0, -angle), (beside, 0.0)):
            spots.append(Spot(code, x + shift, y, turn))
    return spots


LAID = {"alone": alone, "among": among}


def scene(name: str) -> Scene:
    """Return one of the two scenes."""
    place = load_setting(SETTING)
    rng = np.random.default_rng(list(name.encode()))
    tiles = place_tiles(centre_spots(LAID[name](place.body)), place.body, faces(SETTING), rng)
    points = np.concatenate([face_corners(solid) for solid in tiles])
    stance = replace(place.stance, fill=0.92, elevation=math.radians(72.0))
    edge = float(points[:, 1].min()) - 12.0
    ground = Ground(place.table, place.floor, (-48.0, edge, 48.0, edge + 90.0))
    view = frame(stance, points, SIZE, (0.5, 0.5))
    return Scene(tuple(tiles), ground, place.lights, place.sky, view, place.shades)


def truth(name: str) -> list[Label]:
    """Return where the tiles of a picture lie."""
    return label_scene(scene(name), SIZE)


def main() -> None:
    """Render both."""
    FOLDER.mkdir(exist_ok=True)
    look = load_setting(SETTING).look
    for name in LAID:
        picture = expose(render(scene(name), SIZE, QUALITY), look, np.random.default_rng(11))
        (FOLDER / f"{name}.jpg").write_bytes(to_jpeg(picture, 80))


if __name__ == "__main__":
    main()

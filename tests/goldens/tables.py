"""Renders whole tables: `python -m tests.goldens.tables --out DIR [--count N] [--size WxH]`.

The table that is kept is number 0, at 2000x1500; some fifteen seconds of one core.
What lies on them: `tests.vision.table_laid`. Beside NN.jpg is NN.json: every tile that
lies there, where, and what it is part of.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from models.train.faces.face import draw_face
from models.train.faces.raster import rasterise
from models.train.render.camera import expose, to_jpeg
from models.train.render.layouts import Spot
from models.train.render.recipe import Bank, place_tiles
from models.train.render.render import Quality, render
from models.train.render.samples import load_setting
from models.train.render.scene import Ground, Scene, Solid, face_corners
from models.train.render.views import frame
from scorer.tiles import CODES, FACE_DOWN
from tests.vision.laid import HEIGHT, Laid
from tests.vision.table_laid import lay_table

FOLDER = Path(__file__).with_name("whole_tables")

SETTINGS = ("kitchen-table", "sitting-room", "evening-lamp", "club-table", "late-night")

QUALITY = Quality(grid=1, samples=1, every=1)
"""One ray a pixel: a picture of twelve megapixels is softened by its look, and has edges enough."""


@cache
def _bank(name: str) -> Bank:
    style = load_setting(name).style
    return {code: rasterise(draw_face(code, style), 360, 480) for code in CODES}


def scene(seed: int, size: tuple[int, int]) -> tuple[Scene, list[tuple[Laid, str, Solid]]]:
    """Return a table's scene, and its tiles: how each is laid, on whose side, where it is."""
    rng = np.random.default_rng([seed, 144])
    table = lay_table(rng)
    name = str(rng.choice(SETTINGS))
    place = load_setting(name)
    body = place.body
    named = [(tile, str(side)) for side, laid in table.hands.items() for tile in laid]
    named += [(tile, "") for tile in table.out]
    width = body.width
    squash = body.height / width / HEIGHT  # the layouts are for tiles of one shape
    levels = [0.0] * (len(named) - len(table.out))
    levels += [body.depth] * table.stacked + [0.0] * (len(table.out) - table.stacked)
    spots = [
        Spot(
            tile.code,
            width * tile.x * squash,
            width * tile.y * squash,
            math.radians(tile.turn),
            "down" if tile.shows == FACE_DOWN else "up",
            level,
        )
        for (tile, _), level in zip(named, levels, strict=True)
    ]
    below = [replace(spot, level=0.0, lies="down") for spot in spots if spot.level]
    solids = place_tiles(spots, body, _bank(name), rng)
    under = place_tiles(below, body, _bank(name), rng)
    hands = [solid for solid, (_, side) in zip(solids, named, strict=True) if side]
    points = np.concatenate([face_corners(each) for each in hands])
    stance = replace(
        place.stance,
        elevation=math.radians(rng.uniform(62, 89)),
        bearing=float(rng.normal(0, 0.15)),
        roll=float(rng.normal(0, 0.05)),
        fill=float(rng.uniform(0.88, 0.96)),
    )
    view = frame(stance, points, size, (0.5, 0.5))
    reach = float(np.abs(points[:, :2]).max()) + 4.0
    ground = Ground(place.table, place.floor, (-reach, -reach, reach, reach))
    whole = Scene((*solids, *under), ground, place.lights, place.sky, view, ())
    found = [(tile, side, solid) for (tile, side), solid in zip(named, solids, strict=True)]
    return whole, found


def photograph(seed: int, size: tuple[int, int], quality: int = 88) -> tuple[bytes, dict[str, Any]]:
    """Return a table's photograph as a JPEG file, and what lies where in it."""
    made, found = scene(seed, size)
    rng = np.random.default_rng([seed, 7])
    look = load_setting(SETTINGS[seed % len(SETTINGS)]).look
    picture = expose(render(made, size, QUALITY), look, rng)
    tiles = []
    for tile, side, solid in found:
        corners = made.view.project(face_corners(solid, tile.shows == FACE_DOWN), size)
        tiles.append(
            {
                "code": tile.code,
                "shows": tile.shows,
                "side": side,
                "part": tile.part,
                "group": tile.group,
                "won": tile.won,
                "quad": np.round(corners, 1).tolist(),
            }
        )
    return to_jpeg(picture, quality), {"width": size[0], "height": size[1], "tiles": tiles}


def main(argv: Sequence[str] | None = None) -> None:
    """Render tables that are not there yet."""
    parser = argparse.ArgumentParser(prog="tests.goldens.tables", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--size", default="2000x1500", help="WIDTHxHEIGHT")
    args = parser.parse_args(argv)
    width, height = map(int, args.size.split("x"))
    args.out.mkdir(parents=True, exist_ok=True)
    for seed in range(args.first, args.first + args.count):
        path = args.out / f"{seed:02d}.jpg"
        if not path.exists():
            photo, truth = photograph(seed, (width, height))
            path.with_suffix(".json").write_text(json.dumps(truth))
            path.write_bytes(photo)


if __name__ == "__main__":
    main()

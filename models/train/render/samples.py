"""Renders the demo's sample photographs: `python -m models.train.render.samples`.

Laid out as players are asked to: exposed sets above, concealed sets below, bonus tiles at the
right, the winning tile sideways.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from models.train.faces.face import draw_face
from models.train.faces.raster import raster
from models.train.faces.style import Style
from models.train.render.bodies import Lying
from models.train.render.camera import expose, to_jpeg
from models.train.render.layouts import Spot, moved
from models.train.render.quads import face_corners
from models.train.render.recipe import Bank, put
from models.train.render.render import FINE, Quality, render
from models.train.render.scene import Body, Ground, Scene
from models.train.render.settings import Setting, setting
from models.train.render.things import dice, rail, score_sheet
from models.train.render.views import frame
from scorer.tiles import CODES

Rng = np.random.Generator

HANDS = Path(__file__).with_name("hands.toml")
FOLDER = Path("device/samples")
SIZE = (1600, 1200)
FACE = (360, 480)
SET_GAP = 0.4
"""Between sets, in tile widths."""
ROW_GAP = 0.42
"""Between the rows, in tile widths."""


def _bank(style: Style) -> Bank:
    return {code: raster(draw_face(code, style), *FACE) for code in CODES}


def _row(rng: Rng, sets: Sequence[str], body: Body, wobble: float) -> list[Spot]:
    """Lay sets of tiles, as `hands.toml` writes them, from x = 0, near edges at y = 0."""
    spots = []
    x = 0.0
    for tiles in sets:
        for mark in tiles.split():
            sideways = mark.startswith(">")
            wide, tall = (body.height, body.width) if sideways else (body.width, body.height)
            x += body.width * rng.uniform(0.012, 0.035) + 0.4 * wobble * tall
            turn = rng.normal(0.0, wobble) - (math.pi / 2 if sideways else 0.0)
            y = tall / 2 + rng.normal(0.0, 1.2 * wobble) * body.width
            lies: Lying = "down" if mark.startswith("_") else "up"
            spots.append(Spot(mark.lstrip("_>"), x + wide / 2, float(y), float(turn), lies))
            x += wide
        x += SET_GAP * body.width * rng.uniform(0.9, 1.15)
    return spots


def lay(rng: Rng, entry: dict[str, Any], place: Setting) -> list[Spot]:
    """Return where the tiles of one hand lie, their middle at the origin."""
    body, wobble = place.body, place.wobble
    low = _row(rng, entry["concealed"], body, wobble)
    top = _row(rng, entry["exposed"], body, wobble)
    rise = body.height + ROW_GAP * body.width
    spots = low + moved(top, rng.uniform(0.0, 0.8) * body.width, rise)
    right = max(s.x for s in spots) + 1.25 * body.width
    spots += moved(_row(rng, entry["bonus"], body, wobble), right, 0.35 * rise if top else 0.0)
    width = max(s.x for s in spots) + min(s.x for s in spots)
    return moved(spots, -width / 2, -0.9 * rise if top else -0.45 * rise)


def scene(entry: dict[str, Any], size: tuple[int, int] = SIZE) -> Scene:
    """Return the scene of one entry of `hands.toml`."""
    place = setting(entry["setting"])
    rng = np.random.default_rng(list(entry["name"].encode()))
    tiles = put(lay(rng, entry, place), place.body, _bank(place.style), rng)
    points = np.concatenate([face_corners(s) for s in tiles])
    edge = float(points[:, 1].min()) - place.edge
    extra = [] if place.rail is None else [rail(rng, edge, place.rail)]
    if place.dice is not None:
        extra += dice(rng, *place.dice)
    if place.sheet is not None:
        extra += score_sheet(rng, *place.sheet)
    return Scene(
        solids=(*tiles, *extra),
        ground=Ground(place.table, place.floor, (-48.0, edge, 48.0, edge + 90.0)),
        lights=place.lights,
        sky=place.sky,
        view=frame(place.stance, points, size, (0.5, 0.64)),
        shades=place.shades,
    )


def photograph(entry: dict[str, Any], size: tuple[int, int], quality: Quality) -> bytes:
    """Return one sample as a JPEG file."""
    rng = np.random.default_rng(11)
    look = setting(entry["setting"]).look
    return to_jpeg(expose(render(scene(entry, size), size, quality), look, rng), look.jpeg)


def _listing(entries: list[dict[str, Any]]) -> str:
    """Return `samples.toml`: what the page says about each photograph."""
    blocks = []
    for entry in entries:
        lines = [f'{key} = "{entry[key]}"' for key in ("name", "title", "line", "hand")]
        blocks.append("\n".join(("[[sample]]", *lines)))
    head = "# Written by models/train/render/samples.py, as the photographs beside it are.\n\n"
    return head + "\n\n".join(blocks) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    """Render the photographs and write the list of them."""
    parser = argparse.ArgumentParser(prog="models.train.render.samples", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("--only", help="one sample by its name")
    parser.add_argument("--draft", action="store_true", help="small and quick")
    args = parser.parse_args(argv)
    entries = tomllib.loads(HANDS.read_text(encoding="utf-8"))["sample"]
    args.out.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        if args.only in (None, entry["name"]):
            size, quality = ((800, 600), Quality()) if args.draft else (SIZE, FINE)
            (args.out / f"{entry['name']}.jpg").write_bytes(photograph(entry, size, quality))
    (args.out / "samples.toml").write_text(_listing(entries), encoding="utf-8")


if __name__ == "__main__":
    main()

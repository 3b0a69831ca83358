"""Renders the golden hands: `python -m tests.goldens.make [--out DIR] [NAME...]`.

About five seconds a picture. The hands and what they are stand in `hands.toml`; a picture is the
same every time, but for its seed nothing is left to chance.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.faces.face import draw_face
from models.train.faces.raster import rasterise
from models.train.render.bodies import Lying
from models.train.render.camera import expose, to_jpeg
from models.train.render.layouts import Spot, shift_spots
from models.train.render.recipe import Bank, place_tiles
from models.train.render.render import Quality, render
from models.train.render.samples import load_setting
from models.train.render.scene import Body, Ground, Scene, Solid, face_corners
from models.train.render.views import frame
from scorer.tiles import CODES
from tests.vision.geometry.test_mat import printed
from vision.geometry.mat import ROW_BANDS_MM, SHEET_HEIGHT_MM, SHEET_WIDTH_MM

Rng = np.random.Generator
Entry = dict[str, Any]

HANDS = Path(__file__).with_name("hands.toml")
FOLDER = Path(__file__).with_name("hands")
SIZE = (1024, 680)
QUALITY = Quality(grid=2, samples=3, every=1, smoothing=(1, 2))
LARGEST = 58_000
"""Bytes of a picture: twenty are to take about a megabyte of the repository."""
GAP, ROW_GAP = 0.45, 0.42
"""Between sets, and between rows, in tile widths."""
STREWN = 14
"""Discards beyond the hand: loosely, so that there is room for the last one."""


def entries() -> list[Entry]:
    """Return the hands of the table."""
    found: list[Entry] = tomllib.loads(HANDS.read_text(encoding="utf-8"))["hand"]
    return found


def row(rng: Rng, sets: Sequence[str], body: Body, gap: float, wobble: float) -> list[Spot]:
    """Lay sets of marked tiles from x = 0 to the right, near edges at y = 0."""
    spots = []
    x = 0.0
    for tiles in sets:
        for mark in tiles.split():
            sideways = mark[0] == ">"
            wide, tall = (body.height, body.width) if sideways else (body.width, body.height)
            x += body.width * rng.uniform(0.01, 0.03) + 0.4 * wobble * tall
            turn = rng.normal(0.0, wobble) + {">": -math.pi / 2, "^": math.pi}.get(mark[0], 0.0)
            lies: Lying = "down" if mark[0] == "_" else "up"
            spots.append(Spot(mark.lstrip("_>^"), x + wide / 2, tall / 2, float(turn), lies))
            x += wide
        x += gap * body.width * rng.uniform(0.9, 1.15)
    return spots


def lay(rng: Rng, entry: Entry, body: Body, wobble: float) -> list[Spot]:
    """Return where a hand's tiles lie: own row at y = 0, the others above it."""
    rows = [row(rng, sets, body, entry.get("gap", GAP), wobble) for sets in entry["rows"]]
    step = body.height + ROW_GAP * body.width
    spots = []
    for k, laid in enumerate(reversed(rows)):
        spots += shift_spots(laid, rng.uniform(0.0, 1.0) * body.width if k else 0.0, k * step)
    if "bonus" not in entry:
        return spots
    flowers = row(rng, [entry["bonus"]], body, 0.0, wobble)
    right = max(s.x for s in spots) + 1.25 * body.width
    places = {
        "right": (right, 0.3 * step if len(rows) > 1 else 0.0),
        "above": (1.5 * body.width, len(rows) * step),
        "below": (3.0 * body.width, -step),
    }
    return spots + shift_spots(flowers, *places[entry.get("bonus_at", "right")])


def lay_on_mat(rng: Rng, entry: Entry, body: Body, wobble: float) -> list[Spot]:
    """Return where the tiles of a hand lie on the printed mat, its middle at the origin."""
    spots = []
    for (_, top, low), sets in zip(ROW_BANDS_MM, entry["rows"], strict=True):
        laid = row(rng, sets, body, GAP, wobble)
        width = max(s.x for s in laid) + min(s.x for s in laid)
        y = (SHEET_HEIGHT_MM / 2 - (top + low) / 2) / 10 - body.height / 2
        spots += shift_spots(laid, -width / 2, y)
    return spots


def mat() -> Solid:
    """Return the printed sheet, lying on the table."""
    sheet = np.asarray(cv2.cvtColor(printed(), cv2.COLOR_RGB2RGBA), np.uint8)
    size = (SHEET_WIDTH_MM / 10, SHEET_HEIGHT_MM / 10, 0.06)
    paper = (0.84, 0.84, 0.82)
    centre = np.array((0.0, 0.0, 0.03))
    return Solid(centre, np.eye(3), size, 0.02, paper, paper, gloss=0.0, art=sheet)


def strewn(rng: Rng, entry: Entry, body: Body, laid: Sequence[Spot]) -> list[Spot]:
    """Strew discards beyond the hand, the rest of a wall at one side, and another's tiles."""
    own = {s.code for s in laid}
    codes = rng.permutation([c for c in CODES if c not in own and c[0] not in "FS"])[:STREWN]
    left, right = min(s.x for s in laid), max(s.x for s in laid)
    top = max(s.y for s in laid)
    found: list[Spot] = []
    while len(found) < len(codes):
        x = rng.uniform(left - 2 * body.height, right + body.height)
        y = top + rng.uniform(2.6, 6.0) * body.height
        if all(math.hypot(x - s.x, y - s.y) > 1.6 * body.width for s in found):
            found.append(Spot(str(codes[len(found)]), x, y, rng.uniform(0, 2 * math.pi)))
    built = row(rng, [" ".join(["_WE"] * 7)], body, 0.0, 0.01)
    return found + shift_spots(built, left, top + 1.2 * body.height)


@cache
def faces(name: str) -> Bank:
    """Return the faces of a setting's tile set."""
    style = load_setting(name).style
    return {code: rasterise(draw_face(code, style), 360, 480) for code in CODES}


def scene(entry: Entry) -> Scene:
    """Return the scene of one hand of the table."""
    place = load_setting(entry["setting"])
    rng = np.random.default_rng([entry.get("seed", 0), *entry["name"].encode()])
    wobble = entry.get("wobble", 0.012)
    with_mat = entry.get("mat", False)
    laid = (lay_on_mat if with_mat else lay)(rng, entry, place.body, wobble)
    bank = faces(entry["setting"])
    hand = place_tiles(laid, place.body, bank, rng)
    extra = [mat()] if with_mat else []
    if entry.get("strewn"):
        extra += place_tiles(strewn(rng, entry, place.body, laid), place.body, bank, rng)
    points = np.concatenate([face_corners(s) for s in (extra if with_mat else hand)])
    edge = float(points[:, 1].min()) - place.edge
    angles = {k: math.radians(entry[k]) for k in ("elevation", "bearing", "roll") if k in entry}
    fill = 0.72 if entry.get("strewn") else place.stance.fill
    stance = replace(place.stance, fill=fill, **angles)
    view = frame(stance, points, SIZE, (0.5, 0.8 if entry.get("strewn") else 0.6))
    ground = Ground(place.table, place.floor, (-48.0, edge, 48.0, edge + 90.0))
    return Scene((*hand, *extra), ground, place.lights, place.sky, view, place.shades)


def photograph(entry: Entry) -> bytes:
    """Return the photograph of one hand as a JPEG file, as good as its size allows."""
    look = load_setting(entry["setting"]).look
    picture = expose(render(scene(entry), SIZE, QUALITY), look, np.random.default_rng(11))
    for quality in range(look.jpeg, 30, -4):
        data = to_jpeg(picture, quality)
        if len(data) <= LARGEST:
            break
    return data


def main(argv: Sequence[str] | None = None) -> None:
    """Render the hands, all or those named."""
    parser = argparse.ArgumentParser(prog="tests.goldens.make", description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    parser.add_argument("names", nargs="*")
    args = parser.parse_args(argv)
    args.out.mkdir(parents=True, exist_ok=True)
    for entry in entries():
        if not args.names or entry["name"] in args.names:
            (args.out / f"{entry['name']}.jpg").write_bytes(photograph(entry))


if __name__ == "__main__":
    main()

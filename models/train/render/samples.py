"""Render the demo's sample photographs: `python -m models.train.render.samples`.

`settings.toml` has the sets, rooms and cameras, `hands.toml` the hands. A hand lies as players are
asked to lay it: exposed sets above, concealed below, bonus tiles right, the winning tile sideways.
"""

from __future__ import annotations

import argparse
import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from models.train.faces.face import draw_face
from models.train.faces.raster import rasterise
from models.train.faces.style import Style
from models.train.render.bodies import Lying
from models.train.render.camera import Look, expose, to_jpeg
from models.train.render.clutter import dice, rail, score_sheet
from models.train.render.layouts import Spot, shift_spots
from models.train.render.patterns import pattern
from models.train.render.recipe import Bank, place_tiles
from models.train.render.render import FINE_QUALITY, Quality, render
from models.train.render.scene import (
    Body,
    Colour,
    Ground,
    Light,
    Scene,
    Shade,
    Sky,
    Surface,
    face_corners,
)
from models.train.render.views import Stance, frame
from scorer.tiles import CODES

_TABLES = Path(__file__).with_name("settings.toml")


@dataclass(frozen=True, slots=True)
class Setting:
    """All of a sample photograph but its hand."""

    body: Body
    style: Style
    table: Surface
    floor: Surface
    lights: tuple[Light, ...]
    sky: Sky
    shades: tuple[Shade, ...]
    stance: Stance
    look: Look
    edge: float
    """How far below the tiles the table ends, cm."""
    rail: Colour | None
    """Colour of a wooden rim along that edge."""
    dice: tuple[float, float] | None
    """Where dice lie, cm from the tiles' middle."""
    sheet: tuple[float, float] | None
    """Where a score sheet lies, likewise."""
    wobble: float
    """How untidily the tiles lie: deviation of their turn, radians."""


def _values(table: dict[str, Any]) -> dict[str, Any]:
    """Return the table with its lists as tuples."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}


def _surface(table: dict[str, Any]) -> Surface:
    kind, variant = table["pattern"]
    return Surface(**{**_values(table), "pattern": pattern(kind, variant)})


def _lamp(table: dict[str, Any]) -> Light:
    bearing, height = math.radians(table["bearing"]), math.radians(table["height"])
    out = np.array((math.cos(bearing), math.sin(bearing), 0.0))
    up = np.array((0.0, 0.0, 1.0))
    towards = math.cos(height) * out + math.sin(height) * up
    across = np.cross(up, out)
    half_u, half_v = table["half"]
    return Light(
        centre=table["distance"] * towards,
        half_u=across * half_u,
        half_v=np.cross(towards, across) * half_v,
        power=_values(table)["power"],
    )


def _shade(table: dict[str, Any]) -> Shade:
    return Shade(**{**_values(table), "turn": math.radians(table["turn"])})


def _stance(table: dict[str, Any]) -> Stance:
    angles = {k: math.radians(table[k]) for k in ("elevation", "bearing", "roll")}
    return Stance(**{**table, **angles, "distortion": 0.015})


@cache
def load_setting(name: str) -> Setting:
    """Return the setting of this name; raise KeyError when there is none."""
    tables = tomllib.loads(_TABLES.read_text(encoding="utf-8"))
    own = _values(tables["setting"][name])
    return Setting(
        body=Body(**_values(tables["body"][own["body"]])),
        style=Style(**tables["style"][own["style"]]),
        table=_surface(tables["surface"][own["table"]]),
        floor=_surface(tables["surface"][own["floor"]]),
        lights=tuple(_lamp(lamp) for lamp in own["lamp"]),
        sky=Sky(**_values(own["sky"])),
        shades=tuple(_shade(shade) for shade in own.get("shade", ())),
        stance=_stance(own["stance"]),
        look=Look(**_values(own["look"])),
        edge=own["edge"],
        rail=own.get("rail"),
        dice=own.get("dice"),
        sheet=own.get("sheet"),
        wobble=own.get("wobble", 0.012),
    )


Rng = np.random.Generator

HANDS_FILE = Path(__file__).with_name("hands.toml")
SAMPLES_FOLDER = Path("device/samples")
PHOTO_SIZE_PX = (1600, 1200)
FACE_SIZE_PX = (360, 480)
SET_GAP_WIDTHS = 0.4
"""Between sets, in tile widths."""
ROW_GAP_WIDTHS = 0.42
"""Between the rows, in tile widths."""


def _bank(style: Style) -> Bank:
    return {code: rasterise(draw_face(code, style), *FACE_SIZE_PX) for code in CODES}


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
        x += SET_GAP_WIDTHS * body.width * rng.uniform(0.9, 1.15)
    return spots


def lay(rng: Rng, entry: dict[str, Any], place: Setting) -> list[Spot]:
    """Return where the tiles of one hand lie, their middle at the origin."""
    body, wobble = place.body, place.wobble
    low = _row(rng, entry["concealed"], body, wobble)
    top = _row(rng, entry["exposed"], body, wobble)
    rise = body.height + ROW_GAP_WIDTHS * body.width
    spots = low + shift_spots(top, rng.uniform(0.0, 0.8) * body.width, rise)
    right = max(s.x for s in spots) + 1.25 * body.width
    spots += shift_spots(
        _row(rng, entry["bonus"], body, wobble), right, 0.35 * rise if top else 0.0
    )
    width = max(s.x for s in spots) + min(s.x for s in spots)
    return shift_spots(spots, -width / 2, -0.9 * rise if top else -0.45 * rise)


def scene(entry: dict[str, Any], size: tuple[int, int] = PHOTO_SIZE_PX) -> Scene:
    """Return the scene of one entry of `hands.toml`."""
    place = load_setting(entry["setting"])
    rng = np.random.default_rng(list(entry["name"].encode()))
    tiles = place_tiles(lay(rng, entry, place), place.body, _bank(place.style), rng)
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
    look = load_setting(entry["setting"]).look
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
    parser.add_argument("--out", type=Path, default=SAMPLES_FOLDER)
    parser.add_argument("--only", help="one sample by its name")
    parser.add_argument("--draft", action="store_true", help="small and quick")
    args = parser.parse_args(argv)
    entries = tomllib.loads(HANDS_FILE.read_text(encoding="utf-8"))["sample"]
    args.out.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        if args.only in (None, entry["name"]):
            size, quality = ((800, 600), Quality()) if args.draft else (PHOTO_SIZE_PX, FINE_QUALITY)
            (args.out / f"{entry['name']}.jpg").write_bytes(photograph(entry, size, quality))
    (args.out / "samples.toml").write_text(_listing(entries), encoding="utf-8")


if __name__ == "__main__":
    main()

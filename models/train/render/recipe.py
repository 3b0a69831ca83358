"""Makes up whole scenes: somebody's hand on somebody's table in somebody's room."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.train.render.bodies import jittered, random_body, tile
from models.train.render.clutter import clutter
from models.train.render.layouts import LAYOUTS, Spot, centred, rack, random_habit, turned
from models.train.render.quads import face_corners
from models.train.render.rooms import random_ground, random_light, random_shades
from models.train.render.scene import Art, Body, Scene, Solid
from models.train.render.views import frame, random_stance

Rng = np.random.Generator
Bank = Mapping[str, Art]
"""The faces of one set by tile code."""


def put(spots: list[Spot], body: Body, bank: Bank, rng: Rng) -> list[Solid]:
    """Return tiles at these spots; each differs a little in colour from its neighbours."""
    solids = []
    for s in spots:
        art = bank.get(s.code) if s.lies != "down" else None
        one = tile(body, s.code, art, (s.x, s.y, s.level), s.turn, s.lies)
        solids.append(replace(one, front=jittered(rng, body.front, 0.008), ignore=s.ignore))
    return solids


def _whole_turn(rng: Rng) -> float:
    """How far the hand is turned on the table: mostly a little."""
    kind = rng.random()
    if kind < 0.6:
        return float(rng.normal(0.0, 0.05))
    if kind < 0.8:
        return float(rng.integers(4) * math.pi / 2 + rng.normal(0.0, 0.1))
    return float(rng.uniform(0.0, 2 * math.pi))


def random_scene(rng: Rng, bank: Bank, size: tuple[int, int] = (640, 480)) -> Scene:
    """Return a made-up scene framed for a picture of `size` with these faces."""
    body = random_body(rng)
    ways = list(LAYOUTS)
    layout = ways[rng.choice(len(ways), p=np.array(list(LAYOUTS.values())))]
    stance = random_stance(rng)
    turn = _whole_turn(rng)
    if layout is rack:
        stance = replace(stance, elevation=math.radians(rng.uniform(22.0, 48.0)))
        turn = float(rng.normal(0.0, 0.08))
    spots = turned(centred(layout(rng, body, random_habit(rng))), turn)
    hand = put(spots, body, bank, rng)
    points = np.concatenate([face_corners(s) for s in hand])
    if layout is not rack and len(hand) < 5:
        stance = replace(stance, fill=stance.fill * rng.uniform(0.3, 0.85))
    if rng.random() < 0.1:
        stance = replace(stance, fill=stance.fill * 1.35)
    view = frame(stance, points, size, (rng.uniform(0.1, 0.9), rng.beta(2.6, 1.7)))
    near = float(points[:, 1].min())
    edge = near - (rng.uniform(0.0, 4.0) if rng.random() < 0.45 else rng.uniform(8.0, 30.0))
    others, extra = clutter(rng, body, spots, edge)
    lights, sky = random_light(rng)
    return Scene(
        solids=(*hand, *put(others, body, bank, rng), *extra),
        ground=random_ground(rng, edge),
        lights=lights,
        sky=sky,
        view=view,
        shades=random_shades(rng),
    )

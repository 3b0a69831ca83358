"""Make up whole scenes: somebody's hand on somebody's table in somebody's room."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from models.train.render.bodies import jitter_colour, random_body, tile
from models.train.render.clutter import clutter
from models.train.render.layouts import (
    Spot,
    centre_spots,
    rack,
    random_habit,
    random_layout,
    rotate_spots,
)
from models.train.render.patterns import pattern
from models.train.render.scene import (
    Art,
    Body,
    Colour,
    Ground,
    Light,
    Scene,
    Shade,
    Sky,
    Solid,
    Surface,
    face_corners,
)
from models.train.render.views import frame, random_stance

Rng = np.random.Generator

PATTERN_VARIANTS = 4
"""Pattern variants of each kind, kept in memory."""

TABLES: tuple[tuple[str, Colour, float], ...] = (
    ("baize", (0.02, 0.16, 0.06), 2.0),
    ("baize", (0.01, 0.07, 0.03), 1.5),
    ("baize", (0.05, 0.30, 0.08), 1.5),
    ("baize", (0.01, 0.05, 0.17), 1.2),
    ("baize", (0.22, 0.02, 0.03), 1.0),
    ("baize", (0.03, 0.03, 0.035), 0.7),
    ("dimples", (0.03, 0.24, 0.05), 2.5),
    ("dimples", (0.02, 0.13, 0.06), 1.0),
    ("dimples", (0.02, 0.10, 0.28), 0.7),
    ("weave", (0.35, 0.33, 0.29), 0.7),
    ("weave", (0.12, 0.04, 0.05), 0.5),
    ("weave", (0.05, 0.09, 0.14), 0.5),
    ("wood", (0.34, 0.17, 0.07), 1.3),
    ("wood", (0.11, 0.045, 0.02), 1.0),
    ("wood", (0.55, 0.38, 0.22), 1.2),
    ("plain", (0.72, 0.71, 0.69), 1.0),
    ("plain", (0.25, 0.25, 0.26), 0.6),
    ("plain", (0.04, 0.04, 0.045), 0.4),
)
"""Kind of pattern, middle colour, how often."""

_GLOSS = {
    "baize": (0.0, 0.0),
    "dimples": (0.1, 0.5),
    "weave": (0.0, 0.0),
    "wood": (0.2, 0.9),
    "plain": (0.0, 0.8),
}
_CONTRAST = {"baize": 0.5, "dimples": 0.7, "weave": 0.8, "wood": 0.7, "plain": 0.3}
_EXTENT = {
    "baize": (8.0, 18.0),
    "dimples": (9.0, 22.0),
    "weave": (8.0, 20.0),
    "wood": (25.0, 70.0),
    "plain": (15.0, 40.0),
}
_BUMP = {"baize": 0.22, "dimples": 0.3, "weave": 0.25, "wood": 0.05, "plain": 0.03}


def surface(rng: Rng, kind: str, colour: Colour) -> Surface:
    """Return a material of this kind around this colour."""
    dark = tuple(c * (1.0 - 0.6 * _CONTRAST[kind]) for c in colour)
    light = tuple(min(0.85, c * (1.0 + _CONTRAST[kind])) for c in colour)
    return Surface(
        pattern=pattern(kind, int(rng.integers(PATTERN_VARIANTS))),
        dark=(dark[0], dark[1], dark[2]),
        light=(light[0], light[1], light[2]),
        extent=rng.uniform(*_EXTENT[kind]),
        bump=_BUMP[kind] * rng.uniform(0.3, 1.2),
        gloss=rng.uniform(*_GLOSS[kind]),
    )


def random_ground(rng: Rng, near_edge: float) -> Ground:
    """Make up a table whose near edge lies at y = `near_edge`, and a floor."""
    weights = np.array([t[2] for t in TABLES])
    kind, colour, _ = TABLES[rng.choice(len(TABLES), p=weights / weights.sum())]
    floor_kind, floor_colour = (
        ("wood", (0.16, 0.07, 0.03)),
        ("weave", (0.2, 0.19, 0.18)),
        ("plain", (0.06, 0.06, 0.07)),
    )[rng.integers(3)]
    wide = rng.uniform(35.0, 60.0)
    return Ground(
        table=surface(rng, kind, jitter_colour(rng, colour, 0.15)),
        floor=surface(rng, floor_kind, jitter_colour(rng, floor_colour, 0.2)),
        edges=(-wide, near_edge, wide, near_edge + 2 * wide),
        turn=float(rng.choice((0.0, math.pi / 2, rng.uniform(0.0, math.pi)))),
    )


def _tint(rng: Rng, warmth: float) -> np.ndarray:
    tint = np.array((math.exp(warmth), 1.0, math.exp(-1.3 * warmth)))
    return np.asarray(tint * np.exp(rng.normal(0.0, 0.02, 3)))


def _lamp(rng: Rng, height: float, power: np.ndarray) -> Light:
    """Hang a lamp or window somewhere around the table, `height` its elevation in radians."""
    bearing = rng.uniform(0.0, 2 * math.pi)
    distance = rng.uniform(70.0, 240.0)
    out = np.array((math.cos(bearing), math.sin(bearing), 0.0))
    up = np.array((0.0, 0.0, 1.0))
    centre = distance * (math.cos(height) * out + math.sin(height) * up)
    size = distance * math.exp(rng.uniform(math.log(0.02), math.log(0.35)))
    across = np.cross(up, out)
    other = np.cross(centre / distance, across)
    r, g, b = (float(p) for p in power)
    return Light(centre, across * size, other * size * rng.uniform(0.3, 1.0), (r, g, b))


def random_shades(rng: Rng) -> tuple[Shade, ...]:
    """Let a head, an arm or the telephone itself stand in the light, now and then."""
    count = int(rng.choice((0, 1, 2), p=(0.55, 0.3, 0.15)))
    return tuple(
        Shade(
            middle=(float(rng.normal(0.0, 16.0)), float(rng.normal(0.0, 14.0))),
            half=(float(rng.uniform(2.0, 14.0)), float(rng.uniform(4.0, 30.0))),
            turn=float(rng.uniform(0.0, math.pi)),
            softness=math.exp(rng.uniform(math.log(1.0), math.log(25.0))),
            strength=float(rng.uniform(0.2, 0.85)),
        )
        for _ in range(count)
    )


def random_light(rng: Rng) -> tuple[tuple[Light, ...], Sky]:
    """Make up lamps and sky that together light a white sheet on the table to about 1."""
    warmth = rng.normal(0.04, 0.06)
    share = rng.uniform(0.2, 0.75)
    ceiling = rng.uniform(0.7, 1.3)
    around = rng.uniform(0.25, 0.9)
    level = share / (2 / 3 * ceiling + around / 3)
    room = _tint(rng, warmth * 0.6 + rng.normal(0.0, 0.03)) * level
    sky = Sky(tuple((room * ceiling).tolist()), tuple((room * around).tolist()))
    heights = [math.radians(rng.uniform(28.0, 88.0)) for _ in range(1 + (rng.random() < 0.45))]
    parts = np.array((1.0, rng.uniform(0.15, 0.8)))[: len(heights)]
    parts = (1.0 - share) * parts / parts.sum()
    lamps = tuple(
        _lamp(rng, h, _tint(rng, warmth + rng.normal(0.0, 0.04)) * part / max(math.sin(h), 0.5))
        for h, part in zip(heights, parts, strict=True)
    )
    return lamps, sky


Bank = Mapping[str, Art]
"""The faces of one set by tile code."""


def place_tiles(spots: list[Spot], body: Body, bank: Bank, rng: Rng) -> list[Solid]:
    """Return tiles at these spots; each differs a little in colour from its neighbours."""
    solids = []
    for s in spots:
        art = bank.get(s.code) if s.lies != "down" else None
        one = tile(body, s.code, art, (s.x, s.y, s.level), s.turn, s.lies)
        solids.append(replace(one, front=jitter_colour(rng, body.front, 0.008), ignore=s.ignore))
    return solids


def _random_turn(rng: Rng) -> float:
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
    layout = random_layout(rng)
    stance = random_stance(rng)
    turn = _random_turn(rng)
    if layout is rack:
        stance = replace(stance, elevation=math.radians(rng.uniform(22.0, 48.0)))
        turn = float(rng.normal(0.0, 0.08))
    spots = rotate_spots(centre_spots(layout(rng, body, random_habit(rng))), turn)
    hand = place_tiles(spots, body, bank, rng)
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
        solids=(*hand, *place_tiles(others, body, bank, rng), *extra),
        ground=random_ground(rng, edge),
        lights=lights,
        sky=sky,
        view=view,
        shades=random_shades(rng),
    )

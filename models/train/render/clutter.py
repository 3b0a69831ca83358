"""What else is on and around the table: walls, discards, rail, dice, score sheet, a hand."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from models.train.render.bodies import jitter_colour
from models.train.render.layouts import Spot, heap, random_habit, shift_spots
from models.train.render.patterns import pattern
from models.train.render.scene import Art, Body, Colour, Floats, Solid

Rng = np.random.Generator

_WOODS: tuple[Colour, ...] = ((0.55, 0.38, 0.20), (0.30, 0.15, 0.06), (0.10, 0.04, 0.02))
_PENCILS: tuple[Colour, ...] = ((0.60, 0.35, 0.03), (0.40, 0.02, 0.02), (0.02, 0.07, 0.22))
_PLASTICS: tuple[Colour, ...] = ((0.75, 0.74, 0.70), (0.05, 0.05, 0.05), (0.03, 0.15, 0.07))


def _srgb(linear: np.ndarray) -> np.ndarray:
    return np.asarray(np.clip(linear, 0.0, 1.0) ** (1 / 2.2) * 255).astype(np.uint8)


def _rail_art(rng: Rng, colour: Colour, kind: str) -> Art:
    """Draw the top of a rail, its grain along x."""
    tone = np.tile(pattern(kind, int(rng.integers(4)))[:192, :, :1], (1, 2, 1))
    rgb = _srgb(np.array(colour) * (0.6 + 0.8 * tone))
    return np.dstack((rgb, np.full(rgb.shape[:2], 255, dtype=np.uint8)))


def rail(rng: Rng, edge: float, colour: Colour | None = None) -> Solid:
    """Return the rim along the player's side of the table: wood of a colour, or made up."""
    kind = "wood" if colour or rng.random() < 0.65 else "plain"
    pool = _WOODS if kind == "wood" else _PLASTICS
    colour = colour or jitter_colour(rng, pool[rng.integers(len(pool))], 0.12)
    deep, high = rng.uniform(5.0, 12.0), rng.uniform(0.2, 2.0)
    return Solid(
        centre=np.array((0.0, edge - deep / 2, high - 1.5)),
        axes=np.eye(3),
        size=(140.0, deep, 3.0),
        radius=rng.uniform(0.15, 0.9),
        front=colour,
        back=colour,
        gloss=rng.uniform(0.1, 0.8),
        art=_rail_art(rng, colour, kind),
    )


def _die_face(pips: int) -> Art:
    art = np.full((64, 64, 4), 255, dtype=np.uint8)
    places = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}[pips]
    for p in places:
        row, column = divmod(ord(p) - ord("a"), 3)
        colour = (200, 20, 20) if pips in (1, 4) else (20, 20, 20)
        centre = (13 + 19 * column, 13 + 19 * row)
        cv2.circle(art, centre, 10 if pips == 1 else 6, (*colour, 255), -1, cv2.LINE_AA)
    return art


def dice(rng: Rng, x: float, y: float) -> list[Solid]:
    """Two or three dice lying together."""
    found = []
    side = rng.uniform(1.0, 1.8)
    for k in range(rng.integers(2, 4)):
        angle = rng.uniform(0.0, math.pi)
        c, s = math.cos(angle), math.sin(angle)
        found.append(
            Solid(
                centre=np.array((x + k * side * 1.5, y + rng.normal(0.0, 0.5), side / 2)),
                axes=np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))),
                size=(side, side, side),
                radius=side * 0.15,
                front=(0.8, 0.79, 0.76),
                back=(0.8, 0.79, 0.76),
                art=_die_face(int(rng.integers(1, 7))),
            )
        )
    return found


def _scribbled(rng: Rng) -> Art:
    """Draw a score sheet: ruled columns and a few lines of pencilled numbers."""
    art = np.full((680, 480, 4), 255, dtype=np.uint8)
    art[..., :3] = (236, 234, 226)
    for x in range(80, 480, 100):
        cv2.line(art, (x, 24), (x, 656), (120, 140, 170, 255), 2, cv2.LINE_AA)
    for y in range(68, 660, 44):
        cv2.line(art, (16, y), (464, y), (165, 178, 196, 255), 2, cv2.LINE_AA)
    script = cv2.FONT_HERSHEY_SCRIPT_SIMPLEX
    for row in range(int(rng.integers(3, 11))):
        for column in range(4):
            at = (92 + 100 * column + int(rng.integers(8)), 104 + 44 * row + int(rng.integers(4)))
            number = str(2 * int(rng.integers(4, 300)))
            cv2.putText(art, number, at, script, 1.0, (70, 70, 78, 255), 2, cv2.LINE_AA)
    return art


def _pencil(rng: Rng, middle: Floats, angle: float) -> list[Solid]:
    """Return a painted pencil lying at an angle (radians), its point sharpened in two steps."""
    paint = jitter_colour(rng, _PENCILS[rng.integers(len(_PENCILS))], 0.1)
    along = np.array((math.cos(angle), math.sin(angle), 0.0))
    axes = np.stack((along, (-along[1], along[0], 0.0), (0.0, 0.0, 1.0)))
    parts = (
        (0.0, 16.0, 0.72, paint),
        (8.5, 1.4, 0.5, (0.60, 0.38, 0.20)),
        (9.3, 0.8, 0.24, (0.03, 0.03, 0.035)),
    )
    return [
        Solid(middle + at * along, axes, (long, wide, wide), 0.4 * wide, colour, colour, gloss=0.7)
        for at, long, wide, colour in parts
    ]


def score_sheet(rng: Rng, x: float, y: float) -> list[Solid]:
    """Return a sheet of paper with a pencil across it."""
    paper = (0.82, 0.81, 0.76)
    angle = rng.normal(0.0, 0.3)
    c, s = math.cos(angle), math.sin(angle)
    sheet = Solid(
        centre=np.array((x, y, 0.03)),
        axes=np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0))),
        size=(14.0, 20.0, 0.06),
        radius=0.02,
        front=paper,
        back=paper,
        gloss=0.0,
        art=_scribbled(rng),
    )
    middle = np.array((x + rng.uniform(-3.0, 3.0), y + rng.uniform(-6.0, 3.0), 0.42))
    return [sheet, *_pencil(rng, middle, angle + rng.uniform(0.3, 1.3))]


_SKINS: tuple[Colour, ...] = ((0.60, 0.38, 0.28), (0.42, 0.23, 0.15), (0.15, 0.07, 0.045))
_SLEEVES: tuple[Colour, ...] = ((0.02, 0.02, 0.025), (0.04, 0.08, 0.2), (0.5, 0.48, 0.45))


def _limb(
    start: Floats, direction: Floats, size: tuple[float, float, float], colour: Colour
) -> Solid:
    """Return a capsule of `size` (length, width, height) that begins at `start`."""
    along = direction / np.linalg.norm(direction)
    across = np.cross((0.0, 0.0, 1.0), along)
    across = across / np.linalg.norm(across)
    return Solid(
        centre=start + along * size[0] / 2,
        axes=np.stack((along, across, np.cross(along, across))),
        size=size,
        radius=0.49 * min(size),
        front=colour,
        back=colour,
        gloss=0.15,
    )


def reaching_hand(rng: Rng, x: float, y: float, height: float) -> list[Solid]:
    """Return a forearm, palm and fingers whose tips rest on tiles `height` thick at `x`, `y`."""
    bearing = rng.uniform(0.0, math.pi)
    out = np.array((math.cos(bearing), math.sin(bearing), 0.0))
    side = np.array((-out[1], out[0], 0.0))
    skin = jitter_colour(rng, _SKINS[rng.integers(len(_SKINS))], 0.1)
    sleeve = _SLEEVES[rng.integers(len(_SLEEVES))] if rng.random() < 0.6 else skin
    knuckles = np.array((x, y, height + 2.6)) + 6.5 * out
    parts = [
        _limb(knuckles - 1.0 * out, out, (9.5, 8.0, 2.8), skin),
        _limb(knuckles + 6.0 * out, out + np.array((0.0, 0.0, 0.08)), (34.0, 6.5, 5.5), sleeve),
    ]
    for k in range(4):
        base = knuckles + (k - 1.5) * 1.9 * side + 0.5 * out
        tip = np.array((x, y, height + 0.7)) + (k - 1.5) * 2.2 * side + abs(k - 1.2) * 0.8 * out
        reach = float(np.linalg.norm(tip - base)) + 0.8
        parts.append(_limb(base, tip - base, (reach, 1.7, 1.6), skin))
    thumb = knuckles + 4.2 * side + 3.0 * out
    parts.append(_limb(thumb, 0.25 * side - out - np.array((0.0, 0.0, 0.3)), (6.0, 2.0, 1.9), skin))
    return parts


def wall(rng: Rng, body: Body) -> list[Spot]:
    """Return face-down tiles side by side, one or two high, along x from the origin."""
    high = 2 if rng.random() < 0.75 else 1
    spots = []
    for k in range(rng.integers(4, 18)):
        for level in range(high):
            spots.append(
                Spot(
                    "??",
                    k * body.width * 1.01,
                    rng.normal(0.0, 0.05),
                    rng.normal(0.0, 0.01),
                    "down",
                    level * body.depth,
                    ignore=True,
                )
            )
    return spots


def standing_row(rng: Rng, body: Body) -> list[Spot]:
    """Return another player's hand: it stands with its back to us."""
    return [
        Spot(
            "??",
            k * body.width * 1.01,
            rng.normal(0.0, 0.03),
            math.pi,
            "standing",
            ignore=True,
        )
        for k in range(rng.integers(6, 14))
    ]


def _free(taken: list[Spot], spots: list[Spot], apart: float) -> list[Spot]:
    return [s for s in spots if all(math.hypot(s.x - t.x, s.y - t.y) > apart for t in taken)]


def _row(rng: Rng, body: Body, x: float, y: float) -> list[Spot]:
    """Return a wall along any of the table's sides, or the hand of the player opposite, at x, y."""
    if rng.random() < 0.8:
        row, angle = wall(rng, body), float(rng.choice((0.0, 0.0, math.pi / 2)))
    else:  # of the neighbours' standing tiles one would see the faces
        row, angle = standing_row(rng, body), 0.0
    angle += float(rng.normal(0.0, 0.08))
    c, s = math.cos(angle), math.sin(angle)
    return [
        replace(p, x=x + c * p.x - s * p.y, y=y + s * p.x + c * p.y, turn=p.turn + angle)
        for p in row
    ]


def clutter(rng: Rng, body: Body, hand: list[Spot], edge: float) -> tuple[list[Spot], list[Solid]]:
    """Return further tiles, clear of the hand's, and other things."""
    apart = math.hypot(body.width, body.height) * 0.97
    top = max(s.y for s in hand) + body.height
    others: list[Spot] = []
    if rng.random() < 0.35:
        strewn = shift_spots(
            heap(rng, body, random_habit(rng)), rng.normal(0.0, 10.0), top + rng.uniform(6.0, 22.0)
        )
        others += _free(hand, strewn, apart)
    for _ in range(rng.choice((0, 1, 2, 3), p=(0.6, 0.2, 0.12, 0.08))):
        row = _row(rng, body, rng.uniform(-30.0, 15.0), top + rng.uniform(1.0, 26.0))
        others += _free(hand + others, row, apart)
    extra = []
    if rng.random() < 0.55:
        extra.append(rail(rng, edge))
    if rng.random() < 0.08:
        extra += score_sheet(rng, rng.normal(0.0, 16.0), top + rng.uniform(11.0, 20.0))
    if rng.random() < 0.1:
        extra += dice(rng, rng.uniform(-15.0, 15.0), top + rng.uniform(1.0, 8.0))
    if rng.random() < 0.06:
        tile = (hand + others)[rng.integers(len(hand + others))]
        extra += reaching_hand(rng, tile.x, tile.y, tile.level + body.depth)
    return others, extra

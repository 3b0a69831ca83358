"""What people put on tables: paper, crockery, telephones; and their hands."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from models.train.drawing.compose import papers
from models.train.drawing.compose.bodies import Floats
from models.train.drawing.compose.colours import Colour, pick_colour, random_colour, to_rgba
from models.train.drawing.compose.lofts import (
    BLACK,
    Loft,
    Place,
    Print,
    bevel_steps,
    block,
    cut_round,
    disc,
    flat,
    make_loft,
    round_oblong,
    share_anchor,
    stack_rings,
)

Rng = np.random.Generator


def paper(rng: Rng, place: Place) -> list[Loft]:
    """One to three sheets of print, forms, score sheets."""
    size = ((14.8, 21.0), (21.0, 29.7), (10.0, 14.0))[rng.integers(3)]
    turns = rng.normal(0.0, 0.4, rng.integers(1, 4))
    return [
        flat(rng, place.shifted(0.8 * k, 0.5 * k, 0.01 * k, float(t)), size, papers.sheet(rng))
        for k, t in enumerate(turns)
    ]


def notebook(rng: Rng, place: Place) -> list[Loft]:
    """Lay down a notebook, book or score pad, with a spiral on some."""
    wide = rng.uniform(9.0, 18.0)
    high = wide * rng.uniform(1.2, 1.5)
    art = papers.sheet(rng) if rng.random() < 0.6 else papers.label(rng, 300, 420)
    if rng.random() < 0.5:
        for x in range(20, art.shape[1] - 10, 18):
            cv2.line(art, (x, 0), (x, 16), (30, 30, 30, 255), 5)
    return [block(place, (wide, high, rng.uniform(0.3, 2.5)), papers.PAPER, art)]


def packet(rng: Rng, place: Place) -> list[Loft]:
    """Boxes of matches, sweets, cards, tea."""
    lofts = []
    for k in range(rng.integers(1, 4)):
        wide = rng.uniform(3.0, 9.0)
        size = (wide, wide * rng.uniform(1.5, 2.6), rng.uniform(1.0, 3.5))
        spot = place.shifted(k * 10.0, turn=rng.uniform(0, 6.3))
        lofts.append(block(spot, size, random_colour(rng), papers.label(rng, 120, 200)))
    return lofts


def cup(rng: Rng, place: Place) -> list[Loft]:
    """Stand a cup of tea or coffee on its saucer."""
    china = (
        random_colour(rng, (0.8, 0.97), (0.0, 0.15)) if rng.random() < 0.6 else random_colour(rng)
    )
    drink = ((0.10, 0.03, 0.01), (0.30, 0.13, 0.03), (0.35, 0.20, 0.10))[rng.integers(3)]
    radius, high = rng.uniform(3.0, 4.5), rng.uniform(4.0, 9.0)
    saucer = stack_rings(
        (4 * radius, 4 * radius), 2 * radius, ((radius, 0.2), (0.0, 1.0), (0.15, 1.05))
    )
    art = papers.page(128, 128, china)
    cv2.circle(art, (64, 64), 64, to_rgba(drink), -1)
    cv2.circle(art, (64, 64), 63, to_rgba(china), 5, cv2.LINE_AA)
    steps = ((0.35 * radius, 0.6), (0.05 * radius, 0.5 * high), (0.0, high))
    body = stack_rings((2 * radius, 2 * radius), radius, steps)
    mug = make_loft(place, body, china, 0.0, cut_round(art))
    handle = block(place.shifted(radius + 0.9, 0.0, 0.4 * high), (2.2, 0.8, 0.4 * high), china)
    plate = [make_loft(place, saucer, china, 0.6)] if rng.random() < 0.7 else []
    return share_anchor(place, [*plate, handle, mug])


def biscuits(rng: Rng, place: Place) -> list[Loft]:
    """Put biscuits on a plate, or chocolate in squares."""
    china = random_colour(rng, (0.75, 0.97), (0.0, 0.3))
    plate = stack_rings((18.0, 18.0), 9.0, ((3.0, 0.1), (0.0, 1.3), (0.2, 1.3), (3.0, 0.6)))
    lofts = [make_loft(place, plate, china, 0.5)]
    brown = ((0.45, 0.24, 0.08), (0.55, 0.36, 0.16), (0.10, 0.04, 0.02))
    for k in range(rng.integers(2, 6)):
        spot = place.shifted(
            3.2 * math.cos(1.3 * k), 3.2 * math.sin(1.3 * k), 0.7 + 0.2 * k, 0.9 * k
        )
        colour = pick_colour(rng, brown)
        art = papers.page(90, 60, colour)
        for x, y in rng.integers(6, (84, 54), (12, 2)):
            cv2.circle(art, (int(x), int(y)), 2, to_rgba((0.12, 0.05, 0.02)), -1)
        if rng.random() < 0.5:
            lofts.append(block(spot, (6.2, 3.4, 0.8), colour, art))
        else:
            lofts.append(
                disc(spot, rng.uniform(2.2, 3.4), 0.8, colour, cut_round(art[:, :60].copy()))
            )
    return share_anchor(place, lofts)


def phone(rng: Rng, place: Place) -> list[Loft]:
    """Lay down a telephone."""
    rings = stack_rings((7.2, 15.0), 0.9, bevel_steps(0.85, 0.2))
    return [
        make_loft(
            place, rings, random_colour(rng, (0.05, 0.9), (0.0, 0.4)), 1.2, papers.screen(rng)
        )
    ]


def keyboard(rng: Rng, place: Place) -> list[Loft]:
    """Lay down a keyboard, a remote control or a calculator."""
    columns, rows = ((14, 5), (10, 4), (3, 9), (4, 6))[rng.integers(4)]
    base = random_colour(rng, (0.05, 0.9), (0.0, 0.2))
    cap = random_colour(rng, (0.05, 0.95), (0.0, 0.25))
    pitch = rng.uniform(1.0, 1.9)
    art = papers.keys(rng, columns, rows, base, cap)
    if columns < 5:
        top = papers.page(art.shape[1], 70, base)
        cv2.rectangle(top, (12, 12), (art.shape[1] - 12, 58), to_rgba((0.25, 0.3, 0.22)), -1)
        art = np.concatenate((top, art))
    size = (art.shape[1] / 40 * pitch, art.shape[0] / 40 * pitch, rng.uniform(0.8, 2.4))
    return [block(place, size, base, np.pad(art, ((12, 12), (12, 12), (0, 0)), "edge"))]


def pencils(rng: Rng, place: Place) -> list[Loft]:
    """Pens and pencils."""
    return [
        block(
            place.shifted(0.0, 2.0 * k, turn=rng.normal(0.0, 0.3)),
            (rng.uniform(12.0, 18.0), 0.8, 0.8),
            random_colour(rng),
        )
        for k in range(rng.integers(1, 3))
    ]


def spectacles_or_cable(rng: Rng, place: Place) -> list[Loft]:
    """Spectacles, or a cable."""
    art, side = (papers.spectacles(rng), 14.0) if rng.random() < 0.7 else (papers.cable(rng), 16.0)
    rings = stack_rings((side, 0.8 * side), 0.1, ((0.0, 0.0), (0.0, 0.1)))
    body = make_loft(place, rings, BLACK)
    corners: Floats = np.asarray(body.face)
    return [replace(body, clear=True, prints=(Print(art, corners),))]


_SKINS: tuple[Colour, ...] = ((0.60, 0.36, 0.25), (0.45, 0.24, 0.15), (0.22, 0.10, 0.06))


def _limb(place: Place, length: float, radii: tuple[float, ...], colour: Colour) -> Loft:
    """Return a round limb that starts at `place` and runs along its turn."""
    stations = np.linspace(0.0, length, len(radii))
    rings: list[Floats] = []
    for x, radius in zip(stations, radii, strict=True):
        circle = round_oblong(2 * radius, 1.7 * radius, radius, 8)
        rings.append(np.column_stack((np.full(len(circle), x), circle)))
    world = place.world(np.array(rings))
    bands = np.tile(np.array(colour), (len(radii) - 1, 1))
    return Loft(world, bands, colour, colour, 0.1, is_raised=True)


def hand(rng: Rng, place: Place) -> list[Loft]:
    """Return forearm, palm and fingers; the fingers' tips lie at `place`, the arm behind it."""
    skin = pick_colour(rng, _SKINS)
    sleeve = random_colour(rng, (0.05, 0.9), (0.0, 0.8))
    size = rng.uniform(0.85, 1.1)
    arm = _limb(
        place.shifted(-36.0 * size, 0.0, 2.5), 19.0, tuple(rng.uniform(4.1, 4.7, 8)), sleeve
    )
    wrist = _limb(place.shifted(-18.5 * size, 0.0, 1.8), 6.0, (2.6, 2.6, 2.9), skin)
    palm = _limb(place.shifted(-14.0 * size, 0.0, 1.8), 8.0 * size, (2.6, 3.8, 4.1, 3.6), skin)
    fingers = []
    for k in range(4):
        start = place.shifted(-7.2 * size, (2.7 - 1.8 * k) * size, 1.3, rng.normal(0.0, 0.06))
        long = (6.0, 7.2, 7.6, 6.6)[k] * size * rng.uniform(0.6, 1.0)
        fingers.append(_limb(start, long, (1.0, 0.95, 0.9, 0.85, 0.45), skin))
    side = float(rng.choice((-1.0, 1.0)))
    root = place.shifted(-12.5 * size, side * 1.7 * size, 1.6, side * rng.uniform(0.4, 0.7))
    thumb = _limb(root, 7.5 * size, (1.2, 1.1, 1.0, 0.5), skin)
    limbs = [arm, wrist, palm, thumb, *fingers]
    return [replace(limb, is_raised=True) for limb in limbs]


def reaching_hand(rng: Rng, x: float, y: float, near_edge: float) -> list[Loft]:
    """Return a hand that comes from the table's near side, or another's from anywhere."""
    turn = rng.normal(math.pi / 2, 0.5) if rng.random() < 0.7 else rng.uniform(0.0, 6.3)
    return hand(rng, Place(x, y, near_edge, float(turn)))

"""What people put on tables: paper, crockery, telephones."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np

from models.train.compose import papers
from models.train.compose.blocks import BLACK, block, disc, flat, round_cut, together
from models.train.compose.colours import pick, printed, tinted
from models.train.compose.lofts import Loft, Place, Print, bevelled, lying, stack
from models.train.render.scene import Floats

Rng = np.random.Generator


def paper(rng: Rng, place: Place) -> list[Loft]:
    """One to three sheets of print, forms, score sheets."""
    size = ((14.8, 21.0), (21.0, 29.7), (10.0, 14.0))[rng.integers(3)]
    turns = rng.normal(0.0, 0.4, rng.integers(1, 4))
    return [
        flat(rng, place.beside(0.8 * k, 0.5 * k, 0.01 * k, float(t)), size, papers.sheet(rng))
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
    found = []
    for k in range(rng.integers(1, 4)):
        wide = rng.uniform(3.0, 9.0)
        size = (wide, wide * rng.uniform(1.5, 2.6), rng.uniform(1.0, 3.5))
        at = place.beside(k * 10.0, turn=rng.uniform(0, 6.3))
        found.append(block(at, size, tinted(rng), papers.label(rng, 120, 200)))
    return found


def cup(rng: Rng, place: Place) -> list[Loft]:
    """Stand a cup of tea or coffee on its saucer."""
    china = tinted(rng, (0.8, 0.97), (0.0, 0.15)) if rng.random() < 0.6 else tinted(rng)
    drink = ((0.10, 0.03, 0.01), (0.30, 0.13, 0.03), (0.35, 0.20, 0.10))[rng.integers(3)]
    radius, high = rng.uniform(3.0, 4.5), rng.uniform(4.0, 9.0)
    saucer = stack((4 * radius, 4 * radius), 2 * radius, ((radius, 0.2), (0.0, 1.0), (0.15, 1.05)))
    art = papers.page(128, 128, china)
    cv2.circle(art, (64, 64), 64, printed(drink), -1)
    cv2.circle(art, (64, 64), 63, printed(china), 5, cv2.LINE_AA)
    steps = ((0.35 * radius, 0.6), (0.05 * radius, 0.5 * high), (0.0, high))
    body = stack((2 * radius, 2 * radius), radius, steps)
    mug = lying(place, body, china, 0.0, round_cut(art))
    handle = block(place.beside(radius + 0.9, 0.0, 0.4 * high), (2.2, 0.8, 0.4 * high), china)
    plate = [lying(place, saucer, china, 0.6)] if rng.random() < 0.7 else []
    return together(place, [*plate, handle, mug])


def biscuits(rng: Rng, place: Place) -> list[Loft]:
    """Put biscuits on a plate, or chocolate in squares."""
    china = tinted(rng, (0.75, 0.97), (0.0, 0.3))
    plate = stack((18.0, 18.0), 9.0, ((3.0, 0.1), (0.0, 1.3), (0.2, 1.3), (3.0, 0.6)))
    found = [lying(place, plate, china, 0.5)]
    brown = ((0.45, 0.24, 0.08), (0.55, 0.36, 0.16), (0.10, 0.04, 0.02))
    for k in range(rng.integers(2, 6)):
        at = place.beside(3.2 * math.cos(1.3 * k), 3.2 * math.sin(1.3 * k), 0.7 + 0.2 * k, 0.9 * k)
        colour = pick(rng, brown)
        art = papers.page(90, 60, colour)
        for x, y in rng.integers(6, (84, 54), (12, 2)):
            cv2.circle(art, (int(x), int(y)), 2, printed((0.12, 0.05, 0.02)), -1)
        if rng.random() < 0.5:
            found.append(block(at, (6.2, 3.4, 0.8), colour, art))
        else:
            found.append(
                disc(at, rng.uniform(2.2, 3.4), 0.8, colour, round_cut(art[:, :60].copy()))
            )
    return together(place, found)


def phone(rng: Rng, place: Place) -> list[Loft]:
    """Lay down a telephone."""
    rings = stack((7.2, 15.0), 0.9, bevelled(0.85, 0.2))
    return [lying(place, rings, tinted(rng, (0.05, 0.9), (0.0, 0.4)), 1.2, papers.screen(rng))]


def keyed(rng: Rng, place: Place) -> list[Loft]:
    """Lay down a keyboard, a remote control or a calculator."""
    columns, rows = ((14, 5), (10, 4), (3, 9), (4, 6))[rng.integers(4)]
    base = tinted(rng, (0.05, 0.9), (0.0, 0.2))
    cap = tinted(rng, (0.05, 0.95), (0.0, 0.25))
    pitch = rng.uniform(1.0, 1.9)
    art = papers.keys(rng, columns, rows, base, cap)
    if columns < 5:
        top = papers.page(art.shape[1], 70, base)
        cv2.rectangle(top, (12, 12), (art.shape[1] - 12, 58), printed((0.25, 0.3, 0.22)), -1)
        art = np.concatenate((top, art))
    size = (art.shape[1] / 40 * pitch, art.shape[0] / 40 * pitch, rng.uniform(0.8, 2.4))
    return [block(place, size, base, np.pad(art, ((12, 12), (12, 12), (0, 0)), "edge"))]


def pencils(rng: Rng, place: Place) -> list[Loft]:
    """Pens and pencils."""
    return [
        block(
            place.beside(0.0, 2.0 * k, turn=rng.normal(0.0, 0.3)),
            (rng.uniform(12.0, 18.0), 0.8, 0.8),
            tinted(rng),
        )
        for k in range(rng.integers(1, 3))
    ]


def loose(rng: Rng, place: Place) -> list[Loft]:
    """Spectacles, or a cable."""
    art, side = (papers.spectacles(rng), 14.0) if rng.random() < 0.7 else (papers.cable(rng), 16.0)
    rings = stack((side, 0.8 * side), 0.1, ((0.0, 0.0), (0.0, 0.1)))
    body = lying(place, rings, BLACK)
    corners: Floats = np.asarray(body.face)
    return [replace(body, clear=True, prints=(Print(art, corners),))]

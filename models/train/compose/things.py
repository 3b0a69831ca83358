"""Things on the table that must not be taken for tiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.train.compose import papers
from models.train.compose.colours import WOODS, pick, tinted
from models.train.compose.lofts import Loft, Place, Print, bevelled, lying, stack
from models.train.render.scene import Art, Colour, Floats

Rng = np.random.Generator

IVORY: Colour = (0.78, 0.72, 0.58)
BLACK: Colour = (0.02, 0.02, 0.025)


def block(
    place: Place, size: tuple[float, float, float], colour: Colour, art: Art | None = None
) -> Loft:
    """Return a box of width, height and depth with slightly rounded edges."""
    bevel = min(0.12, 0.3 * size[2])
    rings = stack(size[:2], 2 * bevel, bevelled(size[2], bevel))
    return lying(place, rings, colour, 0.3, art)


def disc(place: Place, radius: float, high: float, colour: Colour, art: Art | None = None) -> Loft:
    """Return a coin, a counter, a biscuit."""
    rings = stack((2 * radius, 2 * radius), radius, bevelled(high, min(0.1, 0.3 * high)))
    return lying(place, rings, colour, 0.5, art)


def _together(place: Place, lofts: list[Loft]) -> list[Loft]:
    """Return things that lie on each other, to be painted in this order."""
    return [replace(loft, anchor=place.point) for loft in lofts]


def _round(art: Art) -> Art:
    """Return the picture with all outside its inscribed circle clear."""
    mask = np.zeros(art.shape[:2], np.uint8)
    middle = art.shape[0] // 2
    cv2.circle(mask, (middle, middle), middle - 1, 1, -1)
    return np.asarray(art * mask[..., None], np.uint8)


def flat(rng: Rng, place: Place, size: tuple[float, float], art: Art) -> Loft:
    """Return a leaf of paper."""
    rings = stack(size, 0.02, ((0.0, 0.0), (0.0, rng.uniform(0.02, 0.06))))
    return lying(place, rings, papers.PAPER, 0.05, art)


def _sided(loft: Loft, size: tuple[float, float, float], place: Place, arts: list[Art]) -> Loft:
    """Return a block with pictures on its four sides."""
    w, h, d = size[0] / 2, size[1] / 2, size[2]
    sides = []
    for art, (ax, ay, bx, by) in zip(
        arts,
        ((-w, -h, w, -h), (w, -h, w, h), (w, h, -w, h), (-w, h, -w, -h)),
        strict=True,
    ):
        corners = np.array(((ax, ay, d), (bx, by, d), (bx, by, 0.0), (ax, ay, 0.0)))
        inset = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 0.84
        sides.append(Print(art, place.world(inset)))
    return replace(loft, prints=tuple(sides))


def dice(rng: Rng, place: Place) -> list[Loft]:
    """Two to five dice."""
    side = rng.uniform(1.0, 1.9)
    colour = IVORY if rng.random() < 0.6 else tinted(rng, (0.2, 0.9), (0.3, 0.9))
    spots = BLACK if sum(colour) > 0.7 else IVORY
    found = []
    for k in range(rng.integers(1, 5)):
        at = place.beside(1.8 * side * k, rng.normal(0, 1.0), turn=rng.uniform(0, 6.3))
        faces = [
            papers.pips(papers.SPOTS[int(n)], 48, 48, colour, spots) for n in rng.permutation(6) + 1
        ]
        found.append(_sided(block(at, (side,) * 3, colour, faces[4]), (side,) * 3, at, faces[:4]))
    return found


def dominoes(rng: Rng, place: Place) -> list[Loft]:
    """Dominoes in a line, crosswise or strewn: twice as long as wide, a bar between the spots."""
    wide = rng.uniform(1.9, 2.7)
    colour = (IVORY, BLACK, pick(rng, WOODS))[rng.integers(3)]
    spots = IVORY if sum(colour) < 0.6 else BLACK
    strewn = rng.random() < 0.4
    found = []
    for k in range(rng.integers(2, 9)):
        halves = [
            papers.pips(papers.SPOTS[int(n)], 60, 60, colour, spots) for n in rng.integers(0, 7, 2)
        ]
        bar = papers.page(60, 3, spots)
        art = np.concatenate((halves[0], bar, halves[1]))
        at = place.beside(1.06 * wide * k, turn=rng.normal(0, 0.02))
        if strewn:
            at = place.beside(2.3 * wide * (k % 3), 2.3 * wide * (k // 3), turn=rng.uniform(0, 6.3))
        found.append(block(at, (wide, 2 * wide, 0.4 * wide), colour, art))
    return found


def cards(rng: Rng, place: Place) -> list[Loft]:
    """Playing cards in a fan, a row or a pack."""
    count = int(rng.integers(1, 8))
    fan, step = rng.choice((0.0, 0.12)), rng.choice((1.6, 6.6, 0.0))
    found = []
    for k in range(count):
        at = place.beside(step * k, rise=0.01 * k, turn=-fan * k + rng.normal(0, 0.03))
        found.append(flat(rng, at, (6.3, 8.8), papers.card(rng)))
    if step == 0.0:
        found = [block(place, (6.3, 8.8, 1.6), papers.PAPER, papers.card(rng))]
    return found


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


def coins(rng: Rng, place: Place) -> list[Loft]:
    """Coins and counters, some in piles."""
    metal = ((0.55, 0.53, 0.50), (0.45, 0.30, 0.10), (0.35, 0.15, 0.07))
    chips = rng.random() < 0.5
    found = []
    for _ in range(rng.integers(3, 10)):
        colour = tinted(rng, (0.2, 0.9), (0.3, 0.9)) if chips else pick(rng, metal)
        radius = rng.uniform(1.4, 2.0) if chips else rng.uniform(0.9, 1.4)
        art = _round(papers.page(64, 64, colour))
        cv2.circle(art, (32, 32), 24, papers.printed(tuple(0.7 * c for c in colour)), 2)  # type: ignore[arg-type]
        papers.write(
            art, str(int(rng.choice((1, 2, 5, 10, 20, 50)))), (32, 32), 18, (90, 90, 90, 255)
        )
        at = place.beside(*rng.normal(0.0, 4.0, 2).tolist(), turn=rng.uniform(0, 6.3))
        pile = range(rng.choice((1, 1, 4)))
        found += _together(
            at, [disc(at.beside(0, 0, 0.25 * k), radius, 0.25, colour, art) for k in pile]
        )
    return found


def tally_sticks(rng: Rng, place: Place) -> list[Loft]:
    """Mah-Jong bones: thin rods with a few dots."""
    found = []
    for k in range(rng.integers(4, 12)):
        art = papers.page(200, 14, IVORY)
        for x in range(int(rng.integers(1, 6))):
            cv2.circle(art, (85 + 8 * x, 7), 3, papers.ink(rng), -1)
        at = place.beside(rng.normal(0, 0.6), 1.1 * k, turn=rng.normal(0.0, 0.15))
        found.append(block(at, (9.0, 0.6, 0.35), IVORY, art))
    return found


def cup(rng: Rng, place: Place) -> list[Loft]:
    """Stand a cup of tea or coffee on its saucer."""
    china = tinted(rng, (0.8, 0.97), (0.0, 0.15)) if rng.random() < 0.6 else tinted(rng)
    drink = ((0.10, 0.03, 0.01), (0.30, 0.13, 0.03), (0.35, 0.20, 0.10))[rng.integers(3)]
    radius, high = rng.uniform(3.0, 4.5), rng.uniform(4.0, 9.0)
    saucer = stack((4 * radius, 4 * radius), 2 * radius, ((radius, 0.2), (0.0, 1.0), (0.15, 1.05)))
    art = papers.page(128, 128, china)
    cv2.circle(art, (64, 64), 64, papers.printed(drink), -1)
    cv2.circle(art, (64, 64), 63, papers.printed(china), 5, cv2.LINE_AA)
    steps = ((0.35 * radius, 0.6), (0.05 * radius, 0.5 * high), (0.0, high))
    body = stack((2 * radius, 2 * radius), radius, steps)
    mug = lying(place, body, china, 0.0, _round(art))
    handle = block(place.beside(radius + 0.9, 0.0, 0.4 * high), (2.2, 0.8, 0.4 * high), china)
    plate = [lying(place, saucer, china, 0.6)] if rng.random() < 0.7 else []
    return _together(place, [*plate, handle, mug])


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
            cv2.circle(art, (int(x), int(y)), 2, papers.printed((0.12, 0.05, 0.02)), -1)
        if rng.random() < 0.5:
            found.append(block(at, (6.2, 3.4, 0.8), colour, art))
        else:
            found.append(disc(at, rng.uniform(2.2, 3.4), 0.8, colour, _round(art[:, :60].copy())))
    return _together(place, found)


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
        cv2.rectangle(top, (12, 12), (art.shape[1] - 12, 58), papers.printed((0.25, 0.3, 0.22)), -1)
        art = np.concatenate((top, art))
    size = (art.shape[1] / 40 * pitch, art.shape[0] / 40 * pitch, rng.uniform(0.8, 2.4))
    return [block(place, size, base, np.pad(art, ((12, 12), (12, 12), (0, 0)), "edge"))]


def letters(rng: Rng, place: Place) -> list[Loft]:
    """Square wooden letters of a word game."""
    colour = pick(rng, ((0.62, 0.47, 0.28), (0.45, 0.28, 0.12)))
    side = rng.uniform(1.8, 2.0)
    found = []
    for k in range(rng.integers(2, 9)):
        art = papers.page(60, 60, colour)
        papers.write(art, "AEIORSTLNDGU"[rng.integers(12)], (28, 28), 30, (20, 15, 10, 255))
        found.append(block(place.beside(1.03 * side * k, turn=rng.normal(0, 0.03)),
                           (side, side, 0.45), colour, art))  # fmt: skip
    return found


def bricks(rng: Rng, place: Place) -> list[Loft]:
    """Sugar cubes, toy bricks, an eraser: blocks without a face, no tile's shape."""
    found = []
    for k in range(rng.integers(1, 6)):
        side = rng.uniform(0.9, 1.7)
        longer = 1.0 if side < 1.3 else float(rng.choice((2.0, 3.0)))
        size = (side * longer, side, side * rng.uniform(0.5, 1.0))
        at = place.beside(4.0 * (k % 3), 3.5 * (k // 3), turn=rng.uniform(0, 6.3))
        found.append(block(at, size, tinted(rng, (0.3, 0.95), (0.3, 0.9))))
    return found


def rack(rng: Rng, place: Place) -> list[Loft]:
    """Stand an empty rack there: a long bar with a step."""
    colour = pick(rng, WOODS) if rng.random() < 0.6 else tinted(rng)
    long = rng.uniform(28.0, 48.0)
    bars = [
        block(place, (long, rng.uniform(3.0, 6.0), 0.7), colour),
        block(place.beside(0.0, 1.2, 0.7), (long, 1.0, rng.uniform(0.6, 3.0)), colour),
    ]
    return _together(place, bars)


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


@dataclass(frozen=True, slots=True)
class Thing:
    """One kind of thing that may lie about."""

    make: Callable[[Rng, Place], list[Loft]]
    share: float
    reach: float
    """How far it spreads from its place, cm."""


THINGS: tuple[Thing, ...] = (
    Thing(dice, 1.2, 5.0),
    Thing(dominoes, 1.6, 12.0),
    Thing(cards, 1.6, 12.0),
    Thing(paper, 1.6, 15.0),
    Thing(notebook, 0.8, 11.0),
    Thing(packet, 0.8, 12.0),
    Thing(coins, 1.0, 9.0),
    Thing(tally_sticks, 0.8, 8.0),
    Thing(cup, 1.0, 9.0),
    Thing(biscuits, 0.6, 9.5),
    Thing(phone, 0.8, 8.5),
    Thing(keyed, 1.2, 11.0),
    Thing(letters, 1.0, 9.0),
    Thing(bricks, 0.8, 7.0),
    Thing(rack, 0.6, 20.0),
    Thing(pencils, 0.7, 9.0),
    Thing(loose, 0.8, 9.0),
)


def random_thing(rng: Rng) -> Thing:
    """Choose a thing as often as its share says."""
    shares = np.array([thing.share for thing in THINGS])
    return THINGS[rng.choice(len(THINGS), p=shares / shares.sum())]

"""Pieces of other games, and what belongs to this one besides its tiles."""

from __future__ import annotations

import cv2
import numpy as np

from models.train.drawing.compose import papers
from models.train.drawing.compose.colours import (
    WOODS,
    Art,
    dim_colour,
    pick_colour,
    random_colour,
    to_rgba,
)
from models.train.drawing.compose.lofts import (
    BLACK,
    BLUE,
    IVORY,
    RED,
    Loft,
    Place,
    block,
    cut_round,
    disc,
    flat,
    print_sides,
    share_anchor,
)
from models.train.drawing.faces.lettering import (
    LETTERS,
    WRITING,
    Font,
    installed_fonts,
    render_glyph,
)

Rng = np.random.Generator


def dice(rng: Rng, place: Place) -> list[Loft]:
    """Two to five dice."""
    side = rng.uniform(1.0, 1.9)
    colour = IVORY if rng.random() < 0.6 else random_colour(rng, (0.2, 0.9), (0.3, 0.9))
    spots = (BLACK, BLUE)[int(rng.random() < 0.25)] if sum(colour) > 0.7 else IVORY
    inks = [spots] * 6
    if rng.random() < 0.4:  # as in China: red ones and fours, the others often blue
        inks = [(RED if n in (1, 4) else spots) for n in range(1, 7)]
    lofts = []
    for k in range(rng.integers(1, 5)):
        spot = place.shifted(1.8 * side * k, rng.normal(0, 1.0), turn=rng.uniform(0, 6.3))
        faces = [
            papers.pips(papers.SPOTS[int(n) + 1], 48, 48, colour, inks[n])
            for n in rng.permutation(6)
        ]
        lofts.append(
            print_sides(block(spot, (side,) * 3, colour, faces[4]), (side,) * 3, spot, faces[:4])
        )
    return lofts


def dominoes(rng: Rng, place: Place) -> list[Loft]:
    """Dominoes in a line, crosswise or strewn: twice as long as wide, a bar between the spots."""
    wide = rng.uniform(1.9, 2.7)
    colour = (IVORY, BLACK, pick_colour(rng, WOODS))[rng.integers(3)]
    spots = IVORY if sum(colour) < 0.6 else BLACK
    is_strewn = rng.random() < 0.4
    lofts = []
    for k in range(rng.integers(2, 9)):
        halves = [
            papers.pips(papers.SPOTS[int(n)], 60, 60, colour, spots) for n in rng.integers(0, 7, 2)
        ]
        bar = papers.page(60, 3, spots)
        art = np.concatenate((halves[0], bar, halves[1]))
        spot = place.shifted(1.06 * wide * k, turn=rng.normal(0, 0.02))
        if is_strewn:
            spot = place.shifted(
                2.3 * wide * (k % 3), 2.3 * wide * (k // 3), turn=rng.uniform(0, 6.3)
            )
        lofts.append(block(spot, (wide, 2 * wide, 0.4 * wide), colour, art))
    return lofts


def cards(rng: Rng, place: Place) -> list[Loft]:
    """Playing cards in a fan, a row or a pack."""
    count = int(rng.integers(1, 8))
    fan, step = rng.choice((0.0, 0.12)), rng.choice((1.6, 6.6, 0.0))
    lofts = []
    for k in range(count):
        spot = place.shifted(step * k, rise=0.01 * k, turn=-fan * k + rng.normal(0, 0.03))
        lofts.append(flat(rng, spot, (6.3, 8.8), papers.card(rng)))
    if step == 0.0:
        lofts = [block(place, (6.3, 8.8, 1.6), papers.PAPER, papers.card(rng))]
    return lofts


def coins(rng: Rng, place: Place) -> list[Loft]:
    """Coins and counters, some in piles."""
    metal = ((0.55, 0.53, 0.50), (0.45, 0.30, 0.10), (0.35, 0.15, 0.07))
    chips = rng.random() < 0.5
    lofts = []
    for _ in range(rng.integers(3, 10)):
        colour = random_colour(rng, (0.2, 0.9), (0.3, 0.9)) if chips else pick_colour(rng, metal)
        radius = rng.uniform(1.4, 2.0) if chips else rng.uniform(0.9, 1.4)
        art = cut_round(papers.page(64, 64, colour))
        cv2.circle(art, (32, 32), 24, to_rgba(dim_colour(colour)), 2)
        papers.write(
            art, str(int(rng.choice((1, 2, 5, 10, 20, 50)))), (32, 32), 18, (90, 90, 90, 255)
        )
        x, y = rng.normal(0.0, 4.0, 2).tolist()
        spot = place.shifted(x, y, turn=rng.uniform(0, 6.3))
        pile = range(rng.choice((1, 1, 4)))
        lofts += share_anchor(
            spot, [disc(spot.shifted(0, 0, 0.25 * k), radius, 0.25, colour, art) for k in pile]
        )
    return lofts


def tally_sticks(rng: Rng, place: Place) -> list[Loft]:
    """Mah-Jong bones: thin rods with a few dots."""
    lofts = []
    for k in range(rng.integers(4, 12)):
        art = papers.page(200, 14, IVORY)
        for x in range(int(rng.integers(1, 6))):
            cv2.circle(art, (85 + 8 * x, 7), 3, papers.ink(rng), -1)
        spot = place.shifted(rng.normal(0, 0.6), 1.1 * k, turn=rng.normal(0.0, 0.15))
        lofts.append(block(spot, (9.0, 0.6, 0.35), IVORY, art))
    return lofts


def letters(rng: Rng, place: Place) -> list[Loft]:
    """Square wooden letters of a word game."""
    colour = pick_colour(rng, ((0.62, 0.47, 0.28), (0.45, 0.28, 0.12)))
    side = rng.uniform(1.8, 2.0)
    lofts = []
    for k in range(rng.integers(2, 9)):
        art = papers.page(60, 60, colour)
        papers.write(art, "AEIORSTLNDGU"[rng.integers(12)], (28, 28), 30, (20, 15, 10, 255))
        lofts.append(block(place.shifted(1.03 * side * k, turn=rng.normal(0, 0.03)),
                           (side, side, 0.45), colour, art))  # fmt: skip
    return lofts


def bricks(rng: Rng, place: Place) -> list[Loft]:
    """Sugar cubes, toy bricks, an eraser: blocks without a face, no tile's shape."""
    lofts = []
    for k in range(rng.integers(1, 6)):
        side = rng.uniform(0.9, 1.7)
        longer = 1.0 if side < 1.3 else float(rng.choice((2.0, 3.0)))
        size = (side * longer, side, side * rng.uniform(0.5, 1.0))
        spot = place.shifted(4.0 * (k % 3), 3.5 * (k // 3), turn=rng.uniform(0, 6.3))
        lofts.append(block(spot, size, random_colour(rng, (0.3, 0.95), (0.3, 0.9))))
    return lofts


def wind_marker(rng: Rng, place: Place) -> list[Loft]:
    """Lay one to four wind markers there: framed plates, square or round, with a wind on each."""
    side, is_round = rng.uniform(2.2, 4.5), rng.random() < 0.4
    colour = IVORY if rng.random() < 0.5 else random_colour(rng, (0.2, 0.9), (0.3, 0.9))
    frame = to_rgba(random_colour(rng, (0.1, 0.6), (0.4, 0.9)))
    ink = IVORY if sum(colour) < 0.7 else (RED, BLACK, BLUE)[rng.integers(3)]
    high = rng.uniform(0.3, 1.2)
    lofts = []
    for k, wind in enumerate(rng.permutation(4)[: rng.choice((1, 1, 4))]):
        art = papers.page(96, 96, colour)
        if is_round:
            cv2.circle(art, (48, 48), 42, frame, 7, cv2.LINE_AA)
        else:
            cv2.rectangle(art, (6, 6), (89, 89), frame, 7)
        _print_signs(rng, art, WINDS[rng.integers(len(WINDS))][wind], 54, to_rgba(ink))
        spot = place.shifted(1.3 * side * (k % 2), 1.3 * side * (k // 2), turn=rng.normal(0, 0.2))
        if is_round:
            lofts.append(disc(spot, side / 2, high, colour, cut_round(art)))
        else:
            lofts.append(block(spot, (side, side, high), colour, art))
    return lofts


WINDS = ("東南西北", "东南西北", "ESWN")
"""What stands on wind markers."""


def _print_signs(
    rng: Rng, art: Art, text: str, high: int, colour: tuple[int, int, int, int]
) -> None:
    """Print a text, `high` pixels tall, in the middle of a picture; nothing without a font."""
    fonts = installed_fonts(LETTERS if text.isascii() else WRITING, text)
    if not fonts:
        return
    font: Font = fonts[rng.integers(len(fonts))]
    glyph = render_glyph(font.file, font.face, text)
    wide = min(round(glyph.shape[1] * high / glyph.shape[0]), art.shape[1] - 8)
    ink = cv2.resize(glyph, (max(1, wide), high), interpolation=cv2.INTER_AREA)[..., None] / 255
    top, left = (art.shape[0] - high) // 2, (art.shape[1] - ink.shape[1]) // 2
    area = art[top : top + high, left : left + ink.shape[1]]
    area[:] = (area * (1 - ink) + np.array(colour) * ink).astype(np.uint8)


def rack(rng: Rng, place: Place) -> list[Loft]:
    """Stand an empty rack there: a long bar with a step, and print on some."""
    colour = pick_colour(rng, WOODS) if rng.random() < 0.6 else random_colour(rng)
    long, deep = rng.uniform(28.0, 48.0), rng.uniform(3.0, 6.0)
    art = None
    if rng.random() < 0.5:
        art = papers.page(round(long * 20), round(deep * 20), colour)
        _print_signs(rng, art, "東南西北發中白萬"[: rng.integers(3, 9)], 30, papers.ink(rng))
    bars = [
        block(place, (long, deep, 0.7), colour, art),
        block(place.shifted(0.0, 1.2, 0.7), (long, 1.0, rng.uniform(0.6, 3.0)), colour),
    ]
    return share_anchor(place, bars)

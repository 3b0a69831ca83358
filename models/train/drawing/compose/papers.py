"""Flat pictures for things that are no tiles: cards, paper, screens, keys. RGBA, sRGB."""

from __future__ import annotations

import cv2
import numpy as np

from models.train.drawing.compose.colours import Art, Colour, dim_colour, random_colour, to_rgba

Rng = np.random.Generator

PAPER: Colour = (0.80, 0.79, 0.75)
_INKS: tuple[Colour, ...] = ((0.02, 0.02, 0.02), (0.55, 0.01, 0.01), (0.01, 0.04, 0.25))
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)


def page(width: int, height: int, colour: Colour) -> Art:
    """Return an opaque empty picture of a colour."""
    return np.full((height, width, 4), to_rgba(colour), dtype=np.uint8)


def ink(rng: Rng) -> tuple[int, int, int, int]:
    """Return black, red or blue."""
    return to_rgba(_INKS[rng.integers(len(_INKS))])


def write(art: Art, text: str, middle: tuple[float, float], high: float, colour: object) -> None:
    """Write capitals `high` pixels tall about the middle `middle`."""
    scale = high / 21.0
    wide = max(1, round(scale * 2))
    (text_width, text_height), _ = cv2.getTextSize(text, _FONTS[2], scale, wide)
    corner = (round(middle[0] - text_width / 2), round(middle[1] + text_height / 2))
    cv2.putText(art, text, corner, _FONTS[2], scale, colour, wide, cv2.LINE_AA)  # type: ignore[call-overload]


def pip(art: Art, suit: str, middle: tuple[float, float], size: float, colour: object) -> None:
    """Draw a heart, diamond, spade or club."""
    x, y = middle
    spots = {
        "H": ((-0.25, -0.2), (0.25, -0.2)),
        "S": ((-0.25, 0.15), (0.25, 0.15)),
        "C": ((-0.3, 0.15), (0.3, 0.15), (0.0, -0.3)),
        "D": (),
    }[suit]
    edges = {
        "H": ((-0.5, -0.1), (0.5, -0.1), (0.0, 0.55)),
        "S": ((-0.5, 0.1), (0.5, 0.1), (0.0, -0.55)),
        "C": ((-0.2, 0.55), (0.2, 0.55), (0.0, -0.1)),
        "D": ((-0.4, 0.0), (0.0, -0.55), (0.4, 0.0), (0.0, 0.55)),
    }[suit]
    for dx, dy in spots:
        centre = (round(x + dx * size), round(y + dy * size))
        cv2.circle(art, centre, round(0.28 * size), colour, -1, cv2.LINE_AA)  # type: ignore[call-overload]
    corners = np.array([(x + dx * size, y + dy * size) for dx, dy in edges])
    cv2.fillPoly(art, [np.round(corners).astype(np.int32)], colour, cv2.LINE_AA)  # type: ignore[call-overload]


def card(rng: Rng) -> Art:
    """Draw a playing card, its back now and then."""
    art = page(190, 266, PAPER)
    if rng.random() < 0.2:
        colour = to_rgba(random_colour(rng, (0.3, 0.7), (0.5, 0.9)))
        cv2.rectangle(art, (12, 12), (178, 254), colour, -1)
        for k in range(-260, 440, 18):
            cv2.line(art, (k, 12), (k + 242, 254), to_rgba(PAPER), 2, cv2.LINE_AA)
            cv2.line(art, (k + 242, 12), (k, 254), to_rgba(PAPER), 2, cv2.LINE_AA)
        art[:12], art[254:], art[:, :12], art[:, 178:] = (to_rgba(PAPER),) * 4
        return art
    suit = "HDSC"[rng.integers(4)]
    colour = to_rgba(_INKS[1] if suit in "HD" else _INKS[0])
    value = int(rng.integers(1, 14))
    half = art[:133].copy()
    write(half, "A23456789TJQK"[value - 1], (24, 30), 26, colour)
    pip(half, suit, (24, 62), 24, colour)
    if value > 10:
        cv2.rectangle(half, (45, 28), (145, 140), to_rgba(random_colour(rng)), 3)
        for _ in range(9):
            x, y = int(rng.integers(55, 135)), int(rng.integers(40, 133))
            cv2.circle(half, (x, y), int(rng.integers(6, 22)), to_rgba(random_colour(rng)), -1)
    else:
        rows = {1: 0, 2: 1, 3: 1}.get(value, 2)
        for k in range(rows):
            for x in (95,) if value < 4 else (65, 125):
                pip(half, suit, (x, 55 + 45 * k), 36, colour)
    art[:133], art[133:] = half, half[::-1, ::-1]
    if value % 2 and value < 10:
        pip(art, suit, (95, 133), 36 if value > 1 else 60, colour)
    return art


def sheet(rng: Rng, width: int = 420, height: int = 594) -> Art:
    """Draw a sheet: lines of print, ruled or squared paper, boxes, a table of scores, a form."""
    paper = PAPER if rng.random() < 0.7 else random_colour(rng, (0.8, 0.97), (0.05, 0.4))
    art = page(width, height, paper)
    marks = (_lines, _squares, _boxes, _scores, _scribble)
    for k in rng.permutation(len(marks))[: rng.integers(1, 4)]:
        marks[k](rng, art)
    return art


def _band(rng: Rng, art: Art) -> tuple[int, int]:
    top = int(rng.uniform(0.04, 0.6) * art.shape[0])
    return top, min(top + int(rng.uniform(0.2, 0.9) * art.shape[0]), art.shape[0] - 12)


def _lines(rng: Rng, art: Art) -> None:
    top, bottom = _band(rng, art)
    high = int(rng.integers(5, 12))
    colour = ink(rng)
    for y in range(top, bottom, high * 2):
        x = 24
        while x < art.shape[1] - 40:
            word = int(rng.integers(1, 8)) * high // 2 + 3
            for at in range(x, min(x + word, art.shape[1] - 24), 3):
                if rng.random() < 0.7:
                    cv2.line(art, (at, y), (at, y + high - 2), colour, 1)
            x += word + high // 2 + 2


def _squares(rng: Rng, art: Art) -> None:
    colour = to_rgba(random_colour(rng, (0.5, 0.85), (0.1, 0.5)))
    step = int(rng.integers(9, 26))
    art[step::step] = colour
    if rng.random() < 0.6:
        art[:, step::step] = colour


def _boxes(rng: Rng, art: Art) -> None:
    """Draw frames as large as tiles, with a letter, a number or a mark in them."""
    wide, colour = int(rng.integers(28, 80)), ink(rng)
    high = int(wide * rng.uniform(0.7, 1.6))
    top, bottom = _band(rng, art)
    for y in range(top, bottom - high, high + int(rng.integers(2, 20))):
        for x in range(20, art.shape[1] - wide - 10, wide + 6):
            cv2.rectangle(art, (x, y), (x + wide, y + high), colour, 2)
            if rng.random() < 0.6:
                text = "ABCDEFGHKLMN0123456789X?"[rng.integers(24)]
                write(art, text, (x + wide / 2, y + high / 2), 0.5 * min(wide, high), colour)


def _scores(rng: Rng, art: Art) -> None:
    columns, row = int(rng.integers(3, 7)), int(rng.integers(20, 40))
    colour, pen = ink(rng), ink(rng)
    step = (art.shape[1] - 40) // columns
    top, bottom = _band(rng, art)
    for y in range(top, bottom, row):
        cv2.line(art, (20, y), (20 + step * columns, y), colour, 1)
        for k in range(columns):
            if rng.random() < 0.5:
                number = str(int(rng.integers(2, 999)))
                write(art, number, (20 + step * (k + 0.5), y + row / 2), row * 0.5, pen)
    for k in range(columns + 1):
        cv2.line(art, (20 + k * step, top), (20 + k * step, bottom), colour, 2)


def _scribble(rng: Rng, art: Art) -> None:
    """Write a few lines by hand."""
    pen = ink(rng)
    for y in range(*_band(rng, art), int(rng.integers(24, 44))):
        x = np.arange(30, int(rng.uniform(0.4, 0.95) * art.shape[1]), 3)
        wave = y + 7 * np.sin(x * 0.5 + rng.normal(0, 0.5, len(x))) * rng.uniform(0.4, 1.0, len(x))
        cv2.polylines(art, [np.stack((x, wave), axis=-1).astype(np.int32)], False, pen, 2)


def pips(places: str, width: int, height: int, colour: Colour, spots: Colour) -> Art:
    """Draw a die's or half a domino's spots: letters `a` to `i` are places row by row."""
    art = page(width, height, colour)
    for p in places:
        row, column = divmod(ord(p) - ord("a"), 3)
        spot_middle = (round(width * (0.22 + 0.28 * column)), round(height * (0.22 + 0.28 * row)))
        cv2.circle(art, spot_middle, round(width * 0.09), to_rgba(spots), -1, cv2.LINE_AA)
    return art


SPOTS = {0: "", 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""How many spots lie where."""


def keys(rng: Rng, columns: int, rows: int, base: Colour, cap: Colour) -> Art:
    """Draw square keys with a letter or number each, a long one in the last row."""
    art = page(columns * 40, rows * 40, base)
    letter = to_rgba((0.9, 0.9, 0.9) if sum(cap) < 1.0 else (0.02, 0.02, 0.02))
    for row in range(rows):
        long = row == rows - 1 and columns > 6
        shift = 0 if columns < 7 else int(row * 9)
        for column in range(columns):
            x, y = column * 40 + shift, row * 40
            wide = 40 * 5 if long and column == 3 else 40
            if x + wide > columns * 40 or (long and 3 < column < 8):
                continue
            cv2.rectangle(art, (x + 2, y + 2), (x + wide - 3, y + 37), to_rgba(dim_colour(cap)), -1)
            cv2.rectangle(art, (x + 5, y + 3), (x + wide - 6, y + 33), to_rgba(cap), -1)
            if wide == 40:
                text = "QWERTYUIOPASDFGHJKLZXCVBNM1234567890"[rng.integers(36)]
                write(art, text, (x + 16, y + 16), 12, letter)
    return art


def screen(rng: Rng) -> Art:
    """Draw a telephone's screen: dark, or a page with lines, pictures and round icons."""
    art = page(150, 310, (0.01, 0.01, 0.012))
    if rng.random() < 0.5:
        return art
    cv2.rectangle(art, (5, 8), (144, 301), to_rgba(random_colour(rng, (0.3, 1.0), (0.0, 0.6))), -1)
    for y in range(25, 280, 38):
        for x in range(25, 140, 34):
            if rng.random() < 0.7:
                colour = to_rgba(random_colour(rng))
                cv2.rectangle(art, (x - 11, y - 11), (x + 11, y + 11), colour, -1)
    return art


def label(rng: Rng, width: int, height: int) -> Art:
    """Draw a packet's label: fields of colour, a word, a barcode."""
    art = page(width, height, random_colour(rng))
    for _ in range(int(rng.integers(1, 5))):
        a, b = rng.integers(0, (width, height)), rng.integers(0, (width, height))
        colour = to_rgba(random_colour(rng))
        if rng.random() < 0.5:
            cv2.rectangle(art, tuple(a.tolist()), tuple(b.tolist()), colour, -1)
        else:
            cv2.circle(art, tuple(a.tolist()), int(rng.integers(5, height // 2)), colour, -1)
    word = "".join("AEIOULMNRST"[k] for k in rng.integers(0, 11, rng.integers(3, 7)))
    write(
        art, word, (width / 2, height / 2), height * 0.16, to_rgba(random_colour(rng, (0.0, 1.0)))
    )
    return art


def spectacles(rng: Rng) -> Art:
    """Draw spectacles with folded or open sides; all else is clear."""
    art = np.zeros((240, 300, 4), np.uint8)
    colour = to_rgba(random_colour(rng, (0.0, 0.5), (0.0, 0.7)))
    thick = int(rng.integers(3, 9))
    for x in (80, 220):
        cv2.ellipse(art, (x, 70), (56, 42), 0, 0, 360, (225, 235, 240, 40), -1)
        cv2.ellipse(art, (x, 70), (56, 42), 0, 0, 360, colour, thick, cv2.LINE_AA)
    cv2.ellipse(art, (150, 66), (16, 12), 0, 180, 360, colour, thick, cv2.LINE_AA)
    open_ = rng.random() < 0.5
    for x, to in ((24, 14 if open_ else 200), (276, 286 if open_ else 100)):
        cv2.line(art, (x, 60), (to, 225 if open_ else 100), colour, thick, cv2.LINE_AA)
    return art


def cable(rng: Rng) -> Art:
    """Draw a cable or string in loops; all else is clear."""
    art = np.zeros((300, 300, 4), np.uint8)
    t = np.linspace(0.0, 1.0, 80)
    a, b, c, d = rng.uniform(0.5, 6.0, 4)
    x = 150 + 130 * np.sin(a * t * 2 + b)
    y = 150 + 130 * np.cos(c * t * 2 + d)
    points = np.stack((x, y), axis=-1).astype(np.int32)
    cv2.polylines(
        art, [points], False, to_rgba(random_colour(rng)), int(rng.integers(3, 8)), cv2.LINE_AA
    )
    return art

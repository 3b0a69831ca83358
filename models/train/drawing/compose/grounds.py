"""What covers tables and floors: linear colours (N, N, 3) that repeat at their edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from models.train.drawing.compose.colours import F32, WOODS, Colour, pick_colour, random_colour

Rng = np.random.Generator

TEXTURE_SIDE_PX = 512


@lru_cache(maxsize=64)
def _cloud(cells_x: int, cells_y: int, variant: int) -> F32:
    """Return smooth noise that repeats, of zero mean and unit deviation."""
    rng = np.random.default_rng((cells_x, cells_y, variant))
    small = np.pad(rng.standard_normal((cells_y, cells_x)).astype(np.float32), 2, mode="wrap")
    sx, sy = TEXTURE_SIDE_PX / cells_x, TEXTURE_SIDE_PX / cells_y
    big = cv2.resize(small, None, fx=sx, fy=sy, interpolation=cv2.INTER_CUBIC)
    x, y = round(2 * sx), round(2 * sy)
    cut = big[y : y + TEXTURE_SIDE_PX, x : x + TEXTURE_SIDE_PX]
    return np.asarray((cut - cut.mean()) / cut.std(), dtype=np.float32)


def cloud(rng: Rng, cells_x: int, cells_y: int | None = None) -> F32:
    """Return noise with this number of blotches across and down."""
    shift = (int(rng.integers(TEXTURE_SIDE_PX)), int(rng.integers(TEXTURE_SIDE_PX)))
    noise = _cloud(cells_x, cells_y or cells_x, int(rng.integers(3)))
    return np.roll(noise, shift, axis=(0, 1))


def _steps() -> tuple[F32, F32]:
    """Return x (1, N) and y (N, 1) from 0 to 1."""
    steps = ((np.arange(TEXTURE_SIDE_PX) + 0.5) / TEXTURE_SIDE_PX).astype(np.float32)
    return np.asarray(steps[None]), np.asarray(steps[:, None])


def _blend(share: F32, low: Colour, high: Colour) -> F32:
    share = np.clip(share, 0.0, 1.0)[..., None]
    a, b = np.array(low, np.float32), np.array(high, np.float32)
    return np.asarray(a + share * (b - a), dtype=np.float32)


def tone_colour(colour: Colour, tone: F32) -> F32:
    """Return a colour made darker and lighter by a tone about 0."""
    picture = np.array(colour, np.float32) * np.exp(tone)[..., None]
    return np.asarray(np.clip(picture, 0.0, 0.9), dtype=np.float32)


def felt_cloth(rng: Rng) -> F32:
    """Baize of any colour, greens and blues above all."""
    greens = ((0.02, 0.15, 0.06), (0.05, 0.30, 0.08), (0.01, 0.06, 0.19), (0.20, 0.02, 0.03))
    colour = (
        pick_colour(rng, greens)
        if rng.random() < 0.6
        else random_colour(rng, (0.1, 0.7), (0.2, 0.9))
    )
    fibres = cloud(rng, 256) + 0.7 * cloud(rng, 192, 96) + 0.7 * cloud(rng, 96, 192)
    return tone_colour(colour, rng.uniform(0.05, 0.2) * fibres + 0.07 * cloud(rng, 6))


def wood(rng: Rng) -> F32:
    """Boards with growth rings and pores."""
    y = _steps()[1] + 0.02 * cloud(rng, 3, 6)
    rings = np.sin(2 * np.pi * int(rng.integers(5, 22)) * y).astype(np.float32)
    tone = 0.16 * rings * rng.uniform(0.2, 1.2) + 0.1 * cloud(rng, 8, 256) + 0.1 * cloud(rng, 3, 12)
    boards = int(rng.choice((1, 1, 4, 6, 8)))
    if boards > 1:
        board_numbers = np.floor(_steps()[1] * boards).astype(int)[:, 0]
        tone = tone + rng.normal(0.0, 0.2, boards).astype(np.float32)[board_numbers][:, None]
        gap = np.abs(_steps()[1] * boards % 1.0 - 0.5) > 0.5 - 0.004 * boards
        tone = np.where(gap, tone - 1.0, tone)
    return tone_colour(pick_colour(rng, WOODS), tone.astype(np.float32))


def checks(rng: Rng) -> F32:
    """Gingham, chessboard or tartan: fields as large as tiles."""
    count = int(rng.choice((4, 6, 8, 12)))
    x, y = _steps()
    duty = rng.uniform(0.35, 0.6)
    in_column, in_row = (x * count % 1.0 < duty), (y * count % 1.0 < duty)
    if rng.random() < 0.3:
        share = (in_column ^ in_row).astype(np.float32)
    else:
        share = 0.5 * (in_column.astype(np.float32) + in_row.astype(np.float32))
        if rng.random() < 0.5:
            thin = (x * count % 1.0 > 0.9) | (y * count % 1.0 > 0.9)
            share = np.where(thin, np.float32(rng.random()), share)
    share = share + 0.05 * cloud(rng, 256)
    return _blend(share.astype(np.float32), *_two_colours(rng))


def _two_colours(rng: Rng) -> tuple[Colour, Colour]:
    """Return a light ground and a colour on it, or the other way round."""
    pale = random_colour(rng, (0.75, 0.95), (0.0, 0.25))
    deep = random_colour(rng, (0.15, 0.8), (0.3, 0.9))
    return (pale, deep) if rng.random() < 0.7 else (deep, pale)


def stripes(rng: Rng) -> F32:
    """Cloth with stripes of several widths."""
    count = int(rng.integers(3, 24))
    bars = rng.random(count).astype(np.float32)
    stripe_numbers = np.minimum((_steps()[0] * count).astype(int), count - 1)
    share = np.broadcast_to(
        bars[stripe_numbers], (TEXTURE_SIDE_PX, TEXTURE_SIDE_PX)
    ) + 0.05 * cloud(rng, 256)
    return _blend(np.asarray(share, np.float32), *_two_colours(rng))


def dots(rng: Rng) -> F32:
    """Cloth with spots or scattered little flowers."""
    ground, ink = _two_colours(rng)
    picture = np.zeros((TEXTURE_SIDE_PX, TEXTURE_SIDE_PX), np.float32)
    count = int(rng.choice((6, 8, 12)))
    step = TEXTURE_SIDE_PX / count
    radius = step * rng.uniform(0.12, 0.32)
    petals = int(rng.choice((1, 1, 5, 6)))
    for row in range(count):
        for column in range(count):
            middle = (np.array((column + 0.5 * (row % 2), row)) + 0.25) * step
            for k in range(petals):
                angle = 2 * np.pi * k / petals
                petal_middles = middle + (petals > 1) * 0.6 * radius * np.array(
                    (np.cos(angle), np.sin(angle))
                )
                size = radius if petals == 1 else 0.45 * radius
                cv2.circle(
                    picture, (int(petal_middles[0]), int(petal_middles[1])), round(size), 1.0, -1
                )
    return _blend(cv2.GaussianBlur(picture, (0, 0), 1.0) + 0.04 * cloud(rng, 256), ground, ink)


def damask(rng: Rng) -> F32:
    """Cloth with a rambling pattern in close colours, or a carpet in bold ones."""
    low, high = _two_colours(rng)
    share = np.sin(cloud(rng, 12) * 2.5 + cloud(rng, 24)).astype(np.float32) * 2.0 + 0.5
    if rng.random() < 0.5:
        share = 0.3 * share
    return _blend(share + 0.06 * cloud(rng, 256), low, high)


def paving(rng: Rng) -> F32:
    """Tile a floor or table, its fields square or oblong, each of its own shade."""
    columns = int(rng.choice((3, 4, 6, 8)))
    rows = columns if rng.random() < 0.6 else int(rng.choice((2, 4, 8)))
    x, y = _steps()
    u, v = x * columns, y * rows
    if rng.random() < 0.3:
        u = np.asarray(u + 0.5 * (np.floor(v) % 2), np.float32)
    shades = rng.normal(0.0, rng.uniform(0.0, 0.25), (rows, columns)).astype(np.float32)
    field_numbers = (np.floor(v).astype(int) % rows, np.floor(u).astype(int) % columns)
    tone = shades[field_numbers] + 0.06 * cloud(rng, 12) + 0.03 * cloud(rng, 192)
    line = rng.uniform(0.02, 0.06)
    grout = (np.abs(u % 1.0 - 0.5) > 0.5 - line) | (
        np.abs(v % 1.0 - 0.5) > 0.5 - line * rows / columns
    )
    colour = random_colour(rng, (0.3, 0.95), (0.0, 0.4))
    picture = tone_colour(colour, tone)
    picture[grout] = np.array(random_colour(rng, (0.2, 0.9), (0.0, 0.15)), np.float32)
    return picture


def wicker(rng: Rng) -> F32:
    """Basket weave or a bamboo mat."""
    count = int(rng.choice((8, 12, 16, 24)))
    x, y = _steps()
    u, v = x * count, y * count
    weave_parity = (np.floor(u) + np.floor(v)) % 2
    bulge = np.where(weave_parity > 0, np.sin(np.pi * (u % 1.0)), np.sin(np.pi * (v % 1.0)))
    tone = 0.9 * (bulge - 0.7) + 0.12 * cloud(rng, 192) + 0.1 * cloud(rng, 24)
    return tone_colour(pick_colour(rng, WOODS), tone.astype(np.float32))


def marble(rng: Rng) -> F32:
    """Stone, with veins."""
    veins = np.abs(cloud(rng, 4) + 0.5 * cloud(rng, 12) + 0.2 * cloud(rng, 48))
    tone = -0.5 * np.exp(-8.0 * veins) + 0.05 * cloud(rng, 192) + 0.05 * cloud(rng, 6)
    return tone_colour(random_colour(rng, (0.15, 0.95), (0.0, 0.2)), tone.astype(np.float32))


def terrazzo(rng: Rng) -> F32:
    """Granite and speckled laminate."""
    grain = cloud(rng, 192) + cloud(rng, 96)
    tone = 0.5 * np.clip(grain - 1.2, 0.0, 1.0) - 0.7 * np.clip(-grain - 1.0, 0.0, 1.0)
    return tone_colour(random_colour(rng, (0.2, 0.85), (0.0, 0.3)), tone.astype(np.float32))


def plain(rng: Rng) -> F32:
    """Paint, plastic, glass: any colour with next to no grain."""
    colour = random_colour(rng, (0.05, 0.95), (0.0, 0.6))
    return tone_colour(colour, 0.02 * cloud(rng, 256) + 0.05 * cloud(rng, 4))


def dark(rng: Rng) -> F32:
    """Draw a table so dark that little of it shows."""
    colour = random_colour(rng, (0.05, 0.22), (0.0, 0.6))
    return tone_colour(colour, 0.1 * cloud(rng, 256) + 0.1 * cloud(rng, 12))


def newsprint(rng: Rng) -> F32:
    """Newspaper: columns of words, headlines, grey pictures in frames."""
    page = np.ones((TEXTURE_SIDE_PX, TEXTURE_SIDE_PX), np.float32)
    columns = int(rng.integers(3, 7))
    step = TEXTURE_SIDE_PX // columns
    for column in range(columns):
        y = 0
        while y < TEXTURE_SIDE_PX - 10:
            left, right = column * step + 4, (column + 1) * step - 4
            kind = rng.choice(("text", "head", "picture"), p=(0.72, 0.16, 0.12))
            tall = int({"text": 40, "head": 26, "picture": 90}[str(kind)] * rng.uniform(0.7, 1.5))
            area = page[y : min(y + tall, TEXTURE_SIDE_PX), left:right]
            if kind == "picture":
                area[:] = 0.4 + 0.25 * cloud(rng, 12)[: area.shape[0], : area.shape[1]]
            else:
                _words(rng, area, 6 if kind == "text" else 20)
            y += tall + 8
    return _blend(page + 0.04 * cloud(rng, 96), (0.06, 0.06, 0.06), (0.66, 0.64, 0.58))


def _words(rng: Rng, area: F32, line: int) -> None:
    """Fill an area with strokes as fine as letters."""
    for y in range(2, area.shape[0] - line // 2, line):
        x = 0
        while x < area.shape[1] - 4:
            length = int(rng.integers(2, 8) * line * 0.5)
            strokes = rng.random((1, max(1, length // 2))) < 0.6
            letters = np.repeat(strokes, 2, axis=1)[:, : area.shape[1] - x]
            part = area[y : y + line // 2, x : x + letters.shape[1]]
            part[:] = np.where(letters, 0.15, part)
            x += length + max(2, line // 3)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of ground."""

    draw: Callable[[Rng], F32]
    share: float
    extent: tuple[float, float]
    """Centimetres that one repeat covers."""
    gloss: tuple[float, float]


KINDS: tuple[Kind, ...] = (
    Kind(felt_cloth, 0.26, (10.0, 30.0), (0.0, 0.02)),
    Kind(wood, 0.17, (22.0, 80.0), (0.0, 0.6)),
    Kind(checks, 0.09, (14.0, 44.0), (0.0, 0.05)),
    Kind(stripes, 0.04, (14.0, 40.0), (0.0, 0.05)),
    Kind(dots, 0.04, (14.0, 40.0), (0.0, 0.05)),
    Kind(damask, 0.06, (14.0, 50.0), (0.0, 0.1)),
    Kind(paving, 0.06, (12.0, 60.0), (0.0, 0.7)),
    Kind(wicker, 0.04, (14.0, 44.0), (0.0, 0.3)),
    Kind(marble, 0.04, (30.0, 80.0), (0.1, 0.9)),
    Kind(terrazzo, 0.03, (12.0, 40.0), (0.0, 0.7)),
    Kind(plain, 0.09, (20.0, 60.0), (0.0, 1.2)),
    Kind(dark, 0.05, (15.0, 40.0), (0.0, 1.0)),
    Kind(newsprint, 0.03, (24.0, 50.0), (0.0, 0.05)),
)


def random_kind(rng: Rng) -> Kind:
    """Choose a kind as often as its share says."""
    shares = np.array([kind.share for kind in KINDS])
    return KINDS[rng.choice(len(KINDS), p=shares / shares.sum())]

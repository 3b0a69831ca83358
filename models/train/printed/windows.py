"""Windows and strips of tiles, cut as the box cuts them, for the small network that reads print.

They come from real photographs of the training scenes and from drawn sets. Signs and words that no
training table shows are written here in the fonts of `fonts.txt`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from models.train.classifier.crops import disturb_quad
from models.train.data.relight import relight
from models.train.drawing.faces.lettering import (
    FLOWING,
    LETTERS,
    WRITING,
    Font,
    installed_fonts,
    render_glyph,
)
from models.train.drawing.flat_tiles import Faces, flat_tile, tile_picker
from models.train.tiled_picture import TiledPicture
from vision.networks.print_reader import (
    STRIP_SIZE_PX,
    STRIP_TOPS_WIDTHS,
    TILE_BOXES,
    TILE_WIDTH_PX,
    WINDOW_SIDE_PX,
    cut_strip,
    cut_window,
)
from vision.networks.print_signs import (
    CHINESE_NUMERALS,
    CODE_BY_CHARACTER,
    NUMERALS,
    WRITTEN_FORMS,
)
from vision.preprocess import RGB, Float32s, Float64s, straighten

Rng = np.random.Generator

Tile = tuple[RGB, Float32s, str]
"""A picture, the quad (4, 2) of a tile in it, and the tile's code; none where no tile is known."""

TileSource = Callable[[Rng], Tile]
"""Draws a tile, or a place without one."""

TURN_CHANCES = (0.6, 0.25, 0.075, 0.075)
"""How often a tile is read upright, and each further quarter on: as the box asks."""

COARSE_SHARE, COARSE_WIDTHS_PX = 0.45, (18, 90)
"""Share of tiles shown as they look when they are only so many pixels wide in a photograph."""

FLAT_SHARE, FLAT_HEIGHTS = 0.35, (0.3, 1.0)
"""Share of tiles shown as from a low camera, and how much of their height is left there."""

DIM_SHARE, DIM_LIGHTS = 0.25, (0.1, 0.6)
"""Share of tiles shown as in a dim room, and the shares of their light that are left."""

BOX_JITTER_WIDTHS = 0.02
"""How far a window is moved, in tile widths: no quad is exact."""

EMPTY_SHARE = 0.06
"""Share of a photograph's windows at no labelled tile: the box reads paper and racks, too."""

MIDDLE_SHARE = 0.3
"""Share of windows of the middle; the others are dealt among the corners and the top."""

WRITTEN_WORDS = (
    *("PLUM", "ORCHID", "ORCH", "ORC", "MUM", "CHRYS", "CHRYSANTHEMUM", "BAMBOO", "BAM"),
    *("SPRING", "SPR", "SUMMER", "SUM", "AUTUMN", "AUT", "FALL", "WINTER", "WINT", "WIN"),
    *("EAST", "SOUTH", "WEST", "NORTH", "RED", "GREEN", "WHITE", "JOKER", "FLOWER", "DRAGON"),
)
"""Words of Western sets, and such as may not be taken for them."""

WORD_SHARE = 0.75
"""Share of written strips with one of these words; the others have chance letters."""

FEW_SHARE, KIND_SHARES = 0.75, (0.3, 0.2, 0.5)
"""Share of written windows with a sign that names a tile, the others have any; and of numerals,
Chinese numerals and characters among them."""

BEND_SHARE = 0.04
"""How far strokes are bent, as a share of a sign's height."""

OTHER_CHARACTERS = (
    "萬万条索筒餅風龍百合蓮荷牡丹桃松鶴琴棋書画漁樵耕讀福祿壽喜財神貓鼠人王上下日月木水火土"
)
"""Characters that stand on tiles or may, and name none."""


def from_pictures(pictures: Sequence[TiledPicture]) -> TileSource:
    """Return a source of labelled tiles, each face as often as `random_face` draws it."""
    pick = tile_picker(pictures)

    def draw(rng: Rng) -> Tile:
        picture, place = pick(rng)
        rgb, quad, code = picture.rgb, picture.quads[place], picture.codes[place]
        if rng.random() < EMPTY_SHARE:
            quad = quad - quad.mean(0) + rng.uniform((0, 0), rgb.shape[1::-1])
            code = ""
        return rgb, np.asarray(quad, np.float32), code

    return draw


def from_faces(banks: Sequence[Faces]) -> TileSource:
    """Return a source of flat drawn tiles."""

    def draw(rng: Rng) -> Tile:
        picture = flat_tile(banks[int(rng.integers(len(banks)))], rng)
        return picture.rgb, picture.quads[0], picture.codes[0]

    return draw


def draw_window(source: TileSource, rng: Rng) -> tuple[RGB, str]:
    """Return a square window of a tile, and the tile's code."""
    part = "middle" if rng.random() < MIDDLE_SHARE else str(rng.choice(["left", "right", "top"]))
    boxes = TILE_BOXES[part]  # type: ignore[index]
    x, y, side = boxes[int(rng.integers(len(boxes)))]
    x, y = (max(at + rng.normal(0, BOX_JITTER_WIDTHS), 0.0) for at in (x, y))
    tile, code = _draw_straight_tile(source, rng)
    return cut_window(tile, (x, y, side)), code


def draw_strip(source: TileSource, rng: Rng) -> RGB:
    """Return a strip across a tile."""
    top = float(rng.choice(STRIP_TOPS_WIDTHS)) + rng.normal(0, BOX_JITTER_WIDTHS)
    tile, _ = _draw_straight_tile(source, rng)
    return cut_strip(tile, max(top, 0.0))


def _draw_straight_tile(source: TileSource, rng: Rng) -> tuple[RGB, str]:
    rgb, quad, code = source(rng)
    turned_quad = np.roll(disturb_quad(quad, rng), int(rng.choice(4, p=TURN_CHANCES)), axis=0)
    tile = straighten(rgb, turned_quad, TILE_WIDTH_PX)
    if rng.random() < COARSE_SHARE:
        tile = _coarsen(tile, rng)
    tile = relight(tile, rng)
    return dim(tile, rng) if rng.random() < DIM_SHARE else tile, code


def dim(picture: RGB, rng: Rng) -> RGB:
    """Return a picture as a camera takes it in a dim room: dark, blurred, with noise."""
    light = np.exp(rng.uniform(*np.log(DIM_LIGHTS))) * (1 + rng.normal(0, 0.06, 3))
    dark = picture * light.astype(np.float32)
    if rng.random() < 0.6:
        dark = cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.4, 1.3))
    noise = rng.standard_normal(dark.shape, np.float32) * np.float32(rng.uniform(0.5, 5))
    return np.asarray(np.clip(dark + noise, 0, 255), np.uint8)


def _coarsen(picture: RGB, rng: Rng) -> RGB:
    height, width = picture.shape[:2]
    small_width = int(rng.integers(*COARSE_WIDTHS_PX) * width / TILE_WIDTH_PX) + 4
    is_flat = rng.random() < FLAT_SHARE
    flatness = rng.uniform(*FLAT_HEIGHTS) if is_flat else 1.0
    size = (small_width, max(4, round(small_width * height / width * flatness)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.uint8)


def write_window(rng: Rng) -> tuple[RGB, frozenset[str]]:
    """Return a square window with one sign in it, or two side by side, and these signs."""
    side = WINDOW_SIDE_PX
    canvas = _paper(side, side, rng)
    signs: set[str] = set()
    for _ in range(1 if rng.random() < 0.9 else 2):
        sign, form, fonts = _random_sign(rng)
        height = rng.uniform(0.3, 1.0) * side
        middle = rng.normal(side / 2, (side - 0.6 * height) / 3.5, 2)
        _write(canvas, form, fonts, height, middle, rng)
        signs.add(sign)
    return _finish(canvas, rng), frozenset(signs)


def write_strip(rng: Rng) -> RGB:
    """Return a strip with a word or chance letters."""
    width, height = STRIP_SIZE_PX
    canvas = _paper(width, height, rng)
    if rng.random() < WORD_SHARE:
        word = str(rng.choice(WRITTEN_WORDS))
    else:
        letters = rng.choice(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), int(rng.integers(1, 8)))
        word = "".join(letters)
    word = (word, word.lower(), word.title())[int(rng.choice(3, p=(0.6, 0.15, 0.25)))]
    middle = np.array([width, height]) / 2 + rng.normal(0, 5, 2)
    _write(canvas, word, LETTERS, rng.uniform(0.2, 0.75) * height, middle, rng)
    return _finish(canvas, rng)


def _random_sign(rng: Rng) -> tuple[str, str, tuple[Font, ...]]:
    """Return a sign, how it is written, and fonts for it."""
    if rng.random() < FEW_SHARE:
        kinds: tuple[Sequence[str], ...] = (NUMERALS, CHINESE_NUMERALS, [*CODE_BY_CHARACTER])
        sign = str(rng.choice(kinds[int(rng.choice(3, p=KIND_SHARES))]))
    elif rng.random() < 0.6:
        sign = str(rng.choice([*WRITTEN_FORMS]))
    else:
        sign = str(rng.choice([*OTHER_CHARACTERS]))
    form = str(rng.choice([*WRITTEN_FORMS.get(sign, sign)]))
    if form.isascii():
        return sign, form, LETTERS
    return sign, form, FLOWING if rng.random() < (0.4 if form in "發発发" else 0.15) else WRITING


def _paper(width: int, height: int, rng: Rng) -> RGB:
    """Return blank paper of some tone, at times with lines and discs of a picture on it."""
    tone = rng.uniform(140, 255) * np.array([1.0, rng.uniform(0.92, 1), rng.uniform(0.75, 1)])
    canvas = np.empty((height, width, 3), np.uint8)
    canvas[:] = tone.astype(np.uint8)
    for _ in range(int(rng.choice(5, p=(0.5, 0.2, 0.15, 0.1, 0.05)))):
        start, end = (tuple(rng.integers(0, (width, height)).tolist()) for _ in range(2))
        colour = rng.integers(0, 220, 3).tolist()
        if rng.random() < 0.6:
            cv2.line(canvas, start, end, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        else:
            thickness = int(rng.choice([-1, 1, 2, 3]))
            cv2.circle(canvas, start, int(rng.integers(2, 18)), colour, thickness, cv2.LINE_AA)
    return canvas


def _write(
    canvas: RGB, text: str, fonts: tuple[Font, ...], height: float, middle: Float64s, rng: Rng
) -> None:
    """Write a text of some height on the canvas, in place, its middle at a point."""
    able_fonts = installed_fonts(fonts, text)
    if not able_fonts:
        raise FileNotFoundError(
            f"No installed font has “{text}”: run `sudo models/train/drawing/install-fonts` first."
        )
    shares = np.array([font.share for font in able_fonts])
    font = able_fonts[int(rng.choice(len(able_fonts), p=shares / shares.sum()))]
    ink = _bend(render_glyph(font.file, font.face, text), rng)
    scale = np.array([rng.uniform(0.6, 1.4), 1.0]) * height / max(ink.shape[0], 40)
    if ink.shape[1] * scale[0] > canvas.shape[1] * 1.05:
        scale *= canvas.shape[1] * rng.uniform(0.8, 1.0) / (ink.shape[1] * scale[0])
    bolder = int(rng.integers(-3, 9))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(bolder) + 1, abs(bolder) + 1))
    ink = np.pad(ink, max(bolder, 0))
    ink = (cv2.dilate if bolder > 0 else cv2.erode)(ink, kernel).astype(np.uint8)
    angle = rng.normal(0, 0.07) + np.pi / 2 * int(rng.choice(4, p=(0.85, 0.07, 0.04, 0.04)))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = turn @ np.array([[1, rng.normal(0, 0.12)], [0, 1]])
    blur = max(0.5 / float(scale.min()) - 0.5, 0.1)
    ink = cv2.GaussianBlur(ink, (0, 0), blur).astype(np.uint8)
    matrix = turn * scale
    shift = np.asarray(middle) - matrix @ (np.array(ink.shape[1::-1]) / 2)
    cover = cv2.warpAffine(
        ink, np.column_stack([matrix, shift]), canvas.shape[1::-1], flags=cv2.INTER_LINEAR
    )
    colour = _ink_colour(rng)
    share = (cover.astype(np.float32) / 255 * np.float32(rng.uniform(0.6, 1)))[..., None]
    canvas[:] = (canvas * (1 - share) + colour * share).astype(np.uint8)


def _bend(ink: npt.NDArray[np.uint8], rng: Rng) -> npt.NDArray[np.uint8]:
    """Return a sign with its strokes bent a little, as every maker writes them otherwise."""
    height, width = ink.shape
    reach = rng.uniform(0, BEND_SHARE) * height
    shifts = rng.normal(0, reach, (2, 4, 4)).astype(np.float32)
    dx, dy = (cv2.resize(each, (width, height), interpolation=cv2.INTER_CUBIC) for each in shifts)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    return cv2.remap(ink, x + dx, y + dy, cv2.INTER_LINEAR).astype(np.uint8)


def _ink_colour(rng: Rng) -> Float32s:
    colours = [(30, 30, 34), (190, 40, 40), (40, 60, 180), (20, 110, 60), (24, 30, 84)]
    colour = np.array(colours[int(rng.integers(len(colours)))]) + rng.normal(0, 20, 3)
    return np.asarray(np.clip(colour, 0, 255), np.float32)


def _finish(canvas: RGB, rng: Rng) -> RGB:
    if rng.random() < COARSE_SHARE:
        canvas = _coarsen(canvas, rng)
    canvas = relight(canvas, rng)
    return dim(canvas, rng) if rng.random() < DIM_SHARE else canvas

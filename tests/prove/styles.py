"""Measure how sets of unknown styles are read: `python -m tests.prove.styles [--hands N]`.

The art is for tests alone (TONGBOX_DATA). Each style is used as it is, and with its green dragon in
navy or black and its white one blank. Hands of it are laid on a cloth, photographed flat, each in a
light of its own, and read. Printed for each style are tiles named right, missed, doubtful, and
wrong without a question.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from models.train.drawing.flat_tiles import (
    BORDER_PX,
    TILE_HEIGHT_PX,
    TILE_WIDTH_PX,
    Faces,
    flat_tile,
    random_look,
)
from models.train.shared_data import data_folder
from scorer.tiles import CODES, FACE_DOWN
from tests.prove.laid_hands import LaidHand, random_loser, random_winner
from vision.labels import LabelledPhoto, LabelledTile
from vision.measure.compare import TileResult, compare
from vision.photo import Photo
from vision.reader import Reader

STYLES = (
    "kde-default", "kde-traditional", "gnome-smooth", "gnome-postmodern", "taksuyu", "freeserif",
    "xmahjongg-real",
)  # fmt: skip
"""No training may see these (the art's own README)."""

INKS = {"": None, "navy": (24, 30, 84), "black": (26, 26, 32)}
"""What the green dragon is printed in, where it is not left as it is; then the white is blank."""

GAP_TILES = 0.5
"""Between sets, in tile widths."""

ROW_STEP_TILES, FACE_DOWN_SHARE = 1.6, 0.3
"""From row to row, in tile heights; the share of hands with a tile lying face down."""

STYLE_SEED = 20261122

Rng = np.random.Generator
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One photograph of a hand of a style's tiles."""

    photo: Photo
    photo_labels: LabelledPhoto


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=20, help="of each style in each ink")
    parser.add_argument("--networks", type=Path, help="a folder with other networks")
    args = parser.parse_args()
    reader = Reader.load(args.networks)
    everything = Counter[str]()
    for style in STYLES:
        for ink in INKS:
            counts = Counter[str]()
            for case in make_cases(style, ink, args.hands):
                for tile in read(case, reader):
                    counts += count_tile(tile)
            sys.stdout.write(table_row(f"{style} {ink}", counts))
            sys.stdout.flush()
            everything += counts
    sys.stdout.write(table_row("all", everything))


def read(case: Case, reader: Reader) -> tuple[TileResult, ...]:
    """Return what became of a photograph's tiles."""
    reading = reader.read(case.photo)
    return compare(case.photo_labels, reading.tiles, 0.0).tiles


def count_tile(tile: TileResult) -> Counter[str]:
    """Return the counts for one tile."""
    counts = Counter(tiles=1)
    counts["right"] = tile.outcome == "right"
    counts["missed"] = tile.outcome == "missed"
    counts["doubtful"] = tile.doubtful
    counts["unasked"] = tile.outcome in ("wrong", "invented") and not tile.doubtful
    if counts["unasked"]:
        counts[f"{tile.label} as {tile.read}"] = 1
    return counts


def table_row(name: str, counts: Counter[str]) -> str:
    """Return a row of the table: shares of the tiles, and errors without a question."""
    shares = (f"{100 * counts[key] / counts['tiles']:6.2f} {key}" for key in
              ("right", "missed", "doubtful", "unasked"))  # fmt: skip
    wrong = ", ".join(f"{n} {what}" for what, n in counts.most_common() if " as " in what)
    return f"{name:26} {counts['tiles']:5} tiles {'  '.join(shares)}  {wrong}\n"


def faces_of(style: str, ink: str = "") -> Faces:
    """Return a style's faces; missing ones are blank, as its white dragon may be."""
    folder = data_folder() / "art" / style
    faces = {code: _open_face(folder / f"{code}.png") for code in CODES}
    colour = INKS[ink]
    if colour is None:
        return faces
    return {**faces, "DG": _ink_face(faces["DG"], colour), "DW": _wipe_face(faces["DG"])}


def codes_of_style(style: str) -> list[str]:
    """Return the codes of the faces that a style has."""
    folder = data_folder() / "art" / style
    return [code for code in CODES if code == "DW" or (folder / f"{code}.png").is_file()]


def _open_face(file: Path) -> Pixels:
    if not file.is_file():
        return np.zeros((TILE_HEIGHT_PX, TILE_WIDTH_PX, 4), np.uint8)
    return np.asarray(Image.open(file).convert("RGBA").resize((TILE_WIDTH_PX, TILE_HEIGHT_PX)))


def _ink_face(face: Pixels, colour: tuple[int, int, int]) -> Pixels:
    """Return a face with all its ink in one colour."""
    light = _card_colour(face)
    dark = np.clip((light.mean() - face[..., :3].min(2, keepdims=True)) / light.mean(), 0, 1)
    dark = np.clip(2 * dark, 0, 1) * (face[..., 3:] / 255)
    rgb = light * (1 - dark) + np.array(colour) * dark
    opaque = (face[..., 3] > 0).mean() > 0.9
    alpha = face[..., 3:] if opaque else dark * 255
    ink = rgb if opaque else np.broadcast_to(np.array(colour), rgb.shape)
    return np.concatenate([ink, alpha], 2).astype(np.uint8)


def _wipe_face(face: Pixels) -> Pixels:
    """Return the card of a face with nothing on it."""
    if (face[..., 3] > 0).mean() <= 0.9:
        return np.zeros_like(face)
    rgb = np.broadcast_to(_card_colour(face), (*face.shape[:2], 3))
    return np.concatenate([rgb, face[..., 3:]], 2).astype(np.uint8)


def _card_colour(face: Pixels) -> npt.NDArray[np.float64]:
    """Return the colour (3,) of what the ink lies on."""
    face_pixels = face[face[..., 3] > 128][:, :3]
    opaque = (face[..., 3] > 0).mean() > 0.9
    return (
        np.median(face_pixels, 0)
        if opaque and len(face_pixels)
        else np.array([240.0, 236.0, 220.0])
    )


def make_cases(style: str, ink: str, count: int) -> Iterator[Case]:
    """Yield hands of a style: two winners' to each loser's, some with a tile face down."""
    faces, codes = faces_of(style, ink), {*codes_of_style(style)}
    for number in range(count):
        rng = np.random.default_rng((STYLE_SEED, STYLES.index(style), [*INKS].index(ink), number))
        yield photograph_hand(_hand(codes, ink, rng), faces, rng)


def _hand(codes: set[str], ink: str, rng: Rng) -> LaidHand:
    while True:
        hand = random_winner(rng) if rng.random() < 0.67 else random_loser(rng)
        shows_ink = ink == "" or {"DG", "DW"} & {*hand.codes}
        if shows_ink and codes.issuperset(hand.codes):
            return hand


def photograph_hand(hand: LaidHand, faces: Faces, rng: Rng) -> Case:
    """Lay a hand's groups in rows, exposed ones above, and photograph it from right above."""
    rows = _rows(hand, rng)
    wide = max(sum(len(g) for g in row) + GAP_TILES * len(row) for row in rows)
    size = (
        round((len(rows) * ROW_STEP_TILES + 1.5) * TILE_HEIGHT_PX),
        round((wide + 2) * TILE_WIDTH_PX),
    )
    cloth = rng.uniform((0, 20, 5), (80, 140, 90)) if rng.random() < 0.7 else rng.uniform(5, 150, 3)
    canvas = np.broadcast_to(cloth.astype(np.float32), (*size, 3)).copy()
    tiles = _draw(canvas, rows, faces, rng)
    scale = rng.uniform(26, 64) / TILE_WIDTH_PX
    rgb = cv2.resize(canvas, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rgb = cv2.GaussianBlur(rgb, (0, 0), rng.uniform(0.2, 0.9))
    lamp = np.exp(rng.normal(-0.1, 0.15) + rng.normal(0, 0.06, 3))
    rgb = rgb * lamp + rng.normal(0, rng.uniform(0, 5), rgb.shape)
    labelled_tiles = tuple(
        LabelledTile(code, np.array(quad, np.float32) * np.float32(scale), True, False)
        for code, quad in tiles
    )
    roi = (0.0, 0.0, float(rgb.shape[1]), float(rgb.shape[0]))
    photo = Photo("hand.jpg", np.clip(rgb, 0, 255).astype(np.uint8))
    return Case(photo, LabelledPhoto(Path("hand.jpg"), "photo", roi, labelled_tiles))


def _rows(hand: LaidHand, rng: Rng) -> list[list[list[str]]]:
    """Return the hand's groups of codes row by row, some with a tile face down beside them."""
    groups = [([hand.codes[t] for t in g.tiles], g.exposed) for g in hand.groups]
    bonus = hand.codes[sum(len(g.tiles) for g in hand.groups) :]
    concealed_groups = [codes for codes, exposed in groups if not exposed]
    if rng.random() < FACE_DOWN_SHARE and concealed_groups and FACE_DOWN not in hand.codes:
        concealed_groups.append([FACE_DOWN])
    exposed = [codes for codes, exposed in groups if exposed]
    return [row for row in ([[code] for code in bonus], exposed, concealed_groups) if row]


def _draw(
    canvas: npt.NDArray[np.float32], rows: list[list[list[str]]], faces: Faces, rng: Rng
) -> list[tuple[str, list[tuple[int, int]]]]:
    """Draw the rows on the cloth, in place; return each tile's code and corners."""
    look = replace(random_look(rng), has_shading=False)
    inside_slice = (
        slice(BORDER_PX, BORDER_PX + TILE_HEIGHT_PX),
        slice(BORDER_PX, BORDER_PX + TILE_WIDTH_PX),
    )
    tiles = []
    for number, row in enumerate(rows):
        x, y = float(TILE_WIDTH_PX), round((0.75 + ROW_STEP_TILES * number) * TILE_HEIGHT_PX)
        for group in row:
            for code in group:
                left, right, foot = round(x), round(x) + TILE_WIDTH_PX, y + TILE_HEIGHT_PX
                canvas[y:foot, left:right] = flat_tile(faces, rng, code, look).rgb[inside_slice]
                tiles.append((code, [(left, y), (right, y), (right, foot), (left, foot)]))
                x += TILE_WIDTH_PX + rng.uniform(0, 6)
            x += GAP_TILES * TILE_WIDTH_PX
    return tiles


if __name__ == "__main__":
    main()

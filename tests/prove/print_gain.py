"""Measure what reading print brings on flowers and seasons.

    python -m tests.prove.print_gain [NETWORKS]

Single tiles of makers' sets in the shared photographs, and tile art that no network learned from,
are named at several widths. They are named by the classifier alone, and with the print on them.
NETWORKS is a folder with another classifier, such as one that has not seen these sets.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.train.data.photos import FIRST_SOURCE, VALIDATION_SCENES, photos_by_scene
from models.train.drawing.faces.art import ART_STYLES
from models.train.shared_data import data_folder
from scorer.tiles import CODES
from vision.networks.classifier import Classification, Classifier
from vision.networks.locator import Detection
from vision.networks.print_reader import PrintReader
from vision.networks.print_review import review_prints, select_tiles_to_read
from vision.networks.zoom_out import NamedDetection
from vision.photo import open_photo
from vision.preprocess import RGB, straighten

WIDTHS_PX = (120, 64, 40, 32)

PAPER_LEVEL = 235
"""How bright the face is on which art is laid."""

write = sys.stdout.write


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """An upright tile that fills its picture."""

    maker: str
    """Its set."""
    code: str
    rgb: RGB


def tiles_of_makers() -> Iterator[Tile]:
    """Yield all single tiles among the photographs; sets held out of training are marked."""
    for is_held_out in (True, False):
        for scene, photos in photos_by_scene(
            wants_held_out=is_held_out, sources=FIRST_SOURCE
        ).items():
            for photo in photos:
                if photo.kind == "crop":
                    rgb = open_photo(photo.path.read_bytes(), photo.path.name).rgb
                    mark = " (held out)" if scene in VALIDATION_SCENES else ""
                    yield Tile(scene + mark, photo.tiles[0].code, rgb)


def drawn_tiles() -> Iterator[Tile]:
    """Yield the faces of art that is for tests alone."""
    trained_styles = {style.name for style in ART_STYLES} | {"fluffystuff"}
    for folder in sorted((data_folder() / "art").iterdir()):
        for code in CODES if folder.is_dir() and folder.name not in trained_styles else ():
            file = folder / f"{code}.png"
            if file.exists():
                yield Tile(f"drawn: {folder.name}", code, _on_paper(file))


def _on_paper(file: Path) -> RGB:
    picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    assert picture is not None
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    picture = cv2.resize(picture.astype(np.uint8), (216, 288), interpolation=cv2.INTER_AREA)
    alpha = picture[..., 3:] / 255 if picture.shape[2] == 4 else np.ones((288, 216, 1))
    face = np.full((320, 240, 3), PAPER_LEVEL, np.uint8)
    face[16:304, 12:228] = (picture[..., 2::-1] * alpha + PAPER_LEVEL * (1 - alpha)).astype(
        np.uint8
    )
    return face


def classify_tile(
    tile: Tile, width: int, classifier: Classifier, reader: PrintReader
) -> tuple[Classification, ...]:
    """Return a tile's classification before and after its print is read."""
    height = round(width * tile.rgb.shape[0] / tile.rgb.shape[1])
    small = cv2.resize(tile.rgb, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint8)
    quad = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    crop = straighten(small, quad)
    before = replace(classifier.classify([crop])[0], quarter_turns=0)
    sight = NamedDetection(Detection(quad, 1.0), before, crop)
    places = select_tiles_to_read([sight], classifier.gate)
    return before, review_prints(small, [sight], places, reader, classifier.gate)[0].classification


def main() -> None:
    """Print a line for each set and width: named right, in doubt, wrong and not in doubt."""
    classifier = Classifier.load(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    reader = PrintReader.load_verified()
    counts: dict[tuple[str, str, int], Counter[str]] = {}
    for tile in (*tiles_of_makers(), *drawn_tiles()):
        kind = "flowers, seasons" if tile.code[0] in "FS" else "others"
        for width in WIDTHS_PX if kind != "others" else WIDTHS_PX[::2]:
            count = counts.setdefault((kind, tile.maker, width), Counter())
            names = classify_tile(tile, width, classifier, reader)
            count["tiles"] += 1
            for stage, name in zip(("before", "after"), names, strict=True):
                right, is_asked = name.code == tile.code, name.confidence < classifier.gate
                count[f"{stage} right"] += right
                count[f"{stage} asked"] += is_asked
                count[f"{stage} wrong, unasked"] += not (right or is_asked)
    columns = [f"{when} {what}" for what in _OUTCOMES for when in ("before", "after")]
    write(f"| | set | width | tiles | {' | '.join(columns)} |\n")
    for (kind, of, width), count in sorted(counts.items()):
        cells = " | ".join(str(count[each]) for each in ("tiles", *columns))
        write(f"| {kind} | {of} | {width} | {cells} |\n")


_OUTCOMES = ("right", "asked", "wrong, unasked")

if __name__ == "__main__":
    main()

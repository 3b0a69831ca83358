"""Compare reading print with both networks and with the large one alone, photograph by photograph.

    python -m tests.prove.print_networks [--networks FOLDER]

Both ways read the same photographs in turn, in one run: those of held-out scenes, single tiles, and
hands of art that is for tests alone. Printed are tiles named right, doubtful, and wrong without a
question, what each way cost, and every name that differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from models.train.data.photos import FIRST_SOURCE, SOURCES, photos_by_scene
from tests.prove.styles import INKS, STYLES, make_cases
from vision.labels import LabelledPhoto
from vision.measure.compare import TileResult, compare
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator
from vision.networks.print_reader import WINDOW_SIDE_PX, IsUnsure, PrintReader, run_batches
from vision.photo import Photo, open_photo
from vision.preprocess import RGB, Float32s
from vision.reader import Reader

write = sys.stdout.write

GROUPS = ("first", "second", "styles")

SECOND_SOURCE_SCENES = frozenset({"couch", "laptop", "planks", "keyboard-desk"})
"""Of the second source, what the small network learned nothing from: all low cameras, the set
`black`, and the keyboard."""


@dataclass(slots=True)
class Tally:
    """What one way cost and read in a group of photographs."""

    counts: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    """Of the processor, whole readings."""
    print_seconds: float = 0.0
    """Of these, in the networks that read print."""


class TimedPrintReader(PrintReader):
    """Counts windows and strips, and the processor time that they take."""

    def __init__(self, folder: Path | None, *, is_large_alone: bool) -> None:
        super().__init__(folder)
        self._is_large_alone = is_large_alone
        self.tally = Tally()

    def _read_parts(self, parts: Sequence[RGB], is_unsure: IsUnsure) -> Float32s:
        start = time.process_time()
        if self._is_large_alone:
            answers = run_batches(self._large, parts)
        else:
            answers = super()._read_parts(parts, is_unsure)
        self.tally.print_seconds += time.process_time() - start
        kind = "windows" if parts[0].shape[1] == WINDOW_SIDE_PX else "strips"
        self.tally.counts[kind] += len(parts)
        return answers


def held_out_photos(group: str, step: int) -> Iterator[tuple[str, Photo, LabelledPhoto]]:
    """Yield a name, a photograph and its labels; one in `step`."""
    if group == "styles":
        for style in STYLES:
            for ink in INKS:
                for number, case in enumerate(make_cases(style, ink, 4)):
                    if number % step == 0:
                        yield f"{style} {ink} {number}", case.photo, case.photo_labels
        return
    if group == "first":
        scenes = photos_by_scene(wants_held_out=True, sources=FIRST_SOURCE)
    else:
        scenes = {
            scene: photos
            for is_held_out in (True, False)
            for scene, photos in photos_by_scene(
                wants_held_out=is_held_out, sources=SOURCES[1:]
            ).items()
            if scene in SECOND_SOURCE_SCENES
        }
    labels = [photo for photos in scenes.values() for photo in photos]
    for each in labels[::step]:
        yield each.path.name, open_photo(each.path.read_bytes(), each.path.name), each


def main() -> None:
    """Print a table for each group, and the names that differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=Path, help="a folder with other print networks")
    parser.add_argument("--groups", nargs="+", default=GROUPS, choices=GROUPS)
    parser.add_argument("--every", type=int, default=1, help="read one photograph in so many")
    args = parser.parse_args()
    locator, classifier = Locator.load(), Classifier.load()
    print_readers = [
        TimedPrintReader(args.networks, is_large_alone=alone) for alone in (True, False)
    ]
    readers = [Reader(locator, classifier, 0.0, each) for each in print_readers]
    for group in args.groups:
        for each in print_readers:
            each.tally = Tally()
        for name, photo, labels in held_out_photos(group, args.every):
            before, after = (
                _read(photo, labels, print_reader.tally, reader)
                for print_reader, reader in zip(print_readers, readers, strict=True)
            )
            _count_changes(name, before, after, print_readers[1].tally)
        for way, print_reader in zip(("large alone", "both"), print_readers, strict=True):
            _write_tally(group, way, print_reader.tally)


def _read(
    photo: Photo, labels: LabelledPhoto, tally: Tally, reader: Reader
) -> tuple[TileResult, ...]:
    start = time.process_time()
    reading = reader.read_crop(photo) if labels.kind == "crop" else reader.read(photo)
    tally.seconds += time.process_time() - start
    tiles = compare(labels, reading.tiles, 0.0).tiles
    tally.counts["photographs"] += 1
    for tile in tiles:
        tally.counts["tiles"] += tile.label is not None
        tally.counts[tile.outcome] += 1
        tally.counts["doubtful"] += tile.doubtful
        tally.counts["wrong unasked"] += tile.outcome == "wrong" and not tile.doubtful
    return tiles


def _count_changes(
    name: str, before: tuple[TileResult, ...], after: tuple[TileResult, ...], tally: Tally
) -> None:
    """Print each tile whose name or doubt differs, and count what became of labelled ones."""
    sides = [{_centre(tile): tile for tile in tiles} for tiles in (before, after)]
    for place in {**sides[0], **sides[1]}:
        old, new = (side.get(place) for side in sides)
        if _describe(old) == _describe(new):
            continue
        label = next(tile.label for tile in (old, new) if tile)
        change = "other" if label is None else _name_change(old, new)
        tally.counts[change] += 1
        write(f"{name}: {label} read {_describe(old)} -> {_describe(new)}: {change}\n")


def _centre(tile: TileResult) -> tuple[int, int]:
    x, y = (round(sum(corner[axis] for corner in tile.quad) / 4) for axis in (0, 1))
    return x, y


def _describe(tile: TileResult | None) -> str:
    if tile is None or tile.read is None:
        return "--"
    return f"{tile.read}{'?' if tile.doubtful else ''}"


def _name_change(old: TileResult | None, new: TileResult | None) -> str:
    """Return one of CHANGES."""
    was_right, is_right = (tile is not None and tile.outcome == "right" for tile in (old, new))
    if was_right != is_right:
        return "name gained" if is_right else "name lost"
    was_doubtful, is_doubtful = (tile is not None and tile.doubtful for tile in (old, new))
    if was_doubtful != is_doubtful:
        return "asked anew" if is_doubtful else "asked no more"
    return "other"


CHANGES = ("name lost", "name gained", "asked anew", "asked no more", "other")


def _write_tally(group: str, way: str, tally: Tally) -> None:
    keys = (
        *("photographs", "tiles", "right", "wrong", "missed", "invented", "doubtful"),
        *("wrong unasked", "windows", "strips", *CHANGES),
    )
    figures = ", ".join(f"{tally.counts[key]} {key}" for key in keys)
    write(f"{group}, {way}: {figures}; {tally.seconds:.2f} s, print {tally.print_seconds:.2f} s\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

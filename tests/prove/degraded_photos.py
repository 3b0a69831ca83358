"""Measure how degraded photographs are read, what is said of them, and which are asked for again.

    python -m tests.prove.degraded_photos [--training] [--photos N] [--more N]

Real photographs of hands (TONGBOX_DATA) are degraded by known amounts and read. By default they are
of scenes that nothing was fitted to. The thresholds of `vision.quality` and `vision.retake_advice`
were chosen on the others (`--training`). A photograph is read well if no more than a tenth of its
tiles is missed, misread or doubtful.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.train.data.photos import FIRST_SOURCE, photos_by_scene
from tests.prove import degradations
from tests.reporting import say
from vision.labels import LabelledPhoto
from vision.measure.evaluate import compare
from vision.photo import MAX_READING_PIXELS, Photo, open_photo
from vision.quality import MAX_HAND_TILES
from vision.reader import Reader
from vision.retake_advice import reasons_to_retake

MIN_HAND_TILES = 8
"""A photograph with fewer labelled tiles shows no hand."""

WARNINGS = frozenset(
    ("too-dark", "too-far", "blurred", "too-low", "not-a-hand", "cut-off", "glare", "blurred-tile")
)
"""Problems that `vision.quality` may find in a photograph."""

EDGES = {"left": "end", "right": "end", "top": "side", "bottom": "side"}
"""Where a picture is cut, and which part of a row that is."""

CUT_SHARES = (0.3, 0.5, 0.7, 0.9)
"""Shares of the outermost tile that are cut off."""

DegradedPhoto = tuple[str, Photo, LabelledPhoto]
"""What was done to a photograph, and the photograph with its labels afterwards."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one photograph was read."""

    degradation: str
    tiles: Counter[str]
    """All tiles, and those that are missed, wrong, or right and doubtful."""
    has_warning: bool
    retake_codes: tuple[str, ...]
    """Why the photograph would be asked for again; empty where it would not."""

    @property
    def is_well(self) -> bool:
        """Whether the photograph is read well all the same."""
        bad = self.tiles["missed"] + self.tiles["wrong"] + self.tiles["doubtful"]
        return bad <= 0.1 * self.tiles["all"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", action="store_true", help="the photographs trained on")
    parser.add_argument("--photos", type=int, default=40, help="how many are degraded")
    parser.add_argument("--more", type=int, default=400, help="how many more are read as they are")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng, reader = np.random.default_rng(args.seed), Reader.load()
    outcomes = []
    for number, photo_labels in enumerate(
        photos_of_hands(rng, args.photos + args.more, not args.training)
    ):
        photo = open_photo(
            photo_labels.path.read_bytes(), photo_labels.path.name, MAX_READING_PIXELS
        )
        ways = degraded_versions(photo, photo_labels, rng) if number < args.photos else ()
        outcomes += [read(reader, *each) for each in (("as it is", photo, photo_labels), *ways)]
    for line in table_rows(outcomes):
        say(line)


def photos_of_hands(rng: np.random.Generator, count: int, is_held_out: bool) -> list[LabelledPhoto]:
    """Return photographs of one hand each, in random order."""
    photos = [
        photo
        for photos in photos_by_scene(wants_held_out=is_held_out, sources=FIRST_SOURCE).values()
        for photo in photos
        if photo.kind == "photo" and MIN_HAND_TILES <= len(photo.tiles) <= MAX_HAND_TILES
    ]
    return [photos[i] for i in rng.permutation(len(photos))[:count]]


def degraded_versions(
    photo: Photo, photo_labels: LabelledPhoto, rng: np.random.Generator
) -> Iterator[DegradedPhoto]:
    """Yield the photograph degraded in every way and degree."""
    quads = np.stack([tile.quad for tile in photo_labels.tiles])
    width = float(np.median(np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)))
    for stops, is_brightened in ((5, False), (6, False), (7, False), (7, True)):
        dark = degradations.darken(photo.rgb, stops, rng, is_brightened=is_brightened)
        name = f"dark by {stops} stops{', lifted' * is_brightened}"
        yield name, Photo(photo.name, dark), photo_labels
    for radius in (0.08, 0.12):
        out_of_focus = degradations.defocus(photo.rgb, radius * width)
        yield f"out of focus by {radius} tiles", Photo(photo.name, out_of_focus), photo_labels
    for length in (0.2, 0.3):
        in_motion = degradations.move(photo.rgb, length * width, rng.uniform(0, np.pi))
        yield f"moved by {length} tiles", Photo(photo.name, in_motion), photo_labels
    for size in (0.2, 0.35):
        tile = photo_labels.tiles[int(rng.integers(len(quads)))]
        shone = Photo(photo.name, degradations.shine(photo.rgb, tile.quad, size, rng))
        yield f"glare of {size} tiles, that tile", shone, replace(photo_labels, tiles=(tile,))
    for pixels in (14, 10):
        if pixels < width:
            small_photo = Photo(photo.name, degradations.shrink(photo.rgb, pixels / width))
            labels = degradations.scale_labels(photo_labels, pixels / width)
            yield f"tiles of {pixels} pixels", small_photo, labels
    for share in CUT_SHARES:
        for edge, part in EDGES.items():
            cut = degradations.cut_off_tile(photo, photo_labels, edge, share)
            yield f"cut at a row's {part}, {share} of a tile", *cut


def read(reader: Reader, degradation: str, photo: Photo, photo_labels: LabelledPhoto) -> Outcome:
    """Read a photograph and compare it with its labels."""
    reading = reader.read(photo)
    tiles: Counter[str] = Counter()
    for tile in compare(photo_labels, reading.tiles, 0.0).tiles:
        if tile.label:
            tiles.update(["all", tile.outcome])
            tiles["doubtful"] += tile.outcome == "right" and tile.doubtful
    has_warning = any(problem.code in WARNINGS for problem in reading.problems)
    retake_codes = tuple(problem.code for problem in reasons_to_retake(reading, photo))
    return Outcome(degradation, tiles, has_warning, retake_codes)


def table_rows(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield a row for each kind and degree, in shares of the tiles and in photographs."""
    yield (
        "| photographs | all | missed | wrong | doubtful | warned "
        "| read well | asked again | read badly | warned | asked again | why |"
    )
    yield "|---" * 12 + "|"
    for kind in dict.fromkeys(each.degradation for each in outcomes):
        rows = [each for each in outcomes if each.degradation == kind]
        tiles = sum((each.tiles for each in rows), Counter[str]())
        shares = [f"{tiles[key] / tiles['all']:.1%}" for key in ("missed", "wrong", "doubtful")]
        good_rows, badly = [r for r in rows if r.is_well], [r for r in rows if not r.is_well]
        counts = (
            sum(r.has_warning for r in rows),
            len(good_rows), sum(bool(r.retake_codes) for r in good_rows),
            len(badly), sum(r.has_warning for r in badly), sum(bool(r.retake_codes) for r in badly),
        )  # fmt: skip
        codes = " ".join(sorted({code for r in rows for code in r.retake_codes}))
        yield f"| {kind} | {len(rows)} | {' | '.join([*shares, *map(str, counts)])} | {codes} |"


if __name__ == "__main__":
    main()

"""What spoils a photograph, how much of it is then misread, and whether the words for it come.

`python -m tests.prove.faults [--training] [--photos N]`: real photographs (TONGBOX_DATA) are spoilt
by known amounts and read. By default they are those that nothing was fitted to; the thresholds of
`vision.quality` were chosen on the others (`--training`).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from models.train.data.photos import photos_by_scene
from tests.prove import harm
from vision.labels import LabelledPhoto
from vision.measure.evaluate import compare
from vision.photo import Photo, open_photo
from vision.reader import Reader

FEWEST = 8
"""A photograph with fewer labelled tiles is no hand's."""

FAULTS = frozenset(
    ("too-dark", "too-far", "blurred", "not-a-hand", "cut-off", "glare", "blurred-tile")
)
"""What `vision.quality` may say of a photograph."""

Spoilt = tuple[str, str, Photo, LabelledPhoto]
"""What was done, how much of it, and what came of it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one photograph was read, and what was said of it."""

    kind: str
    amount: str
    tiles: int
    missed: int
    wrong: int
    doubtful: int
    said: frozenset[str]

    @property
    def bad(self) -> int:
        """Tiles that the player would have to put right or be asked about."""
        return self.missed + self.wrong + self.doubtful


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", action="store_true", help="the photographs trained on")
    parser.add_argument("--photos", type=int, default=12, help="how many are spoilt")
    parser.add_argument("--more", type=int, default=60, help="how many more are read as they are")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    reader, outcomes = Reader.load(), []
    hands = sample(args.photos + args.more, rng, held_out=not args.training)
    for number, labelled in enumerate(hands):
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
        ways = spoilt(photo, labelled, rng) if number < args.photos else ()
        outcomes += [judged(reader, *each) for each in (("as it is", "", photo, labelled), *ways)]
    sys.stdout.write("\n".join(table(outcomes)) + "\n")


def sample(count: int, rng: np.random.Generator, *, held_out: bool) -> list[LabelledPhoto]:
    """Return photographs of hands, in random order."""
    scenes = photos_by_scene(held_out=held_out)
    hands = [
        photo
        for photos in scenes.values()
        for photo in photos
        if photo.kind == "photo" and len(photo.tiles) >= FEWEST
    ]
    return [hands[i] for i in rng.permutation(len(hands))[:count]]


def spoilt(photo: Photo, labelled: LabelledPhoto, rng: np.random.Generator) -> Iterator[Spoilt]:
    """Yield the photograph spoilt in every way and degree."""
    boxes = np.stack([tile.quad for tile in labelled.tiles])
    width = float(np.median(np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)))
    for stops in (5, 6, 7):
        dark = harm.darken(photo.rgb, stops, rng)
        yield "dark", f"{stops} stops", Photo(photo.name, dark), labelled
    grainy = harm.darken(photo.rgb, 7, rng, lifted=True)
    yield "dark, lifted", "7 stops", Photo(photo.name, grainy), labelled
    for radius in (0.08, 0.12):
        blurred = harm.defocus(photo.rgb, radius * width)
        yield "out of focus", f"{radius} tiles", Photo(photo.name, blurred), labelled
    for length in (0.2, 0.3):
        moved = harm.move(photo.rgb, length * width, rng.uniform(0, np.pi))
        yield "moved", f"{length} tiles", Photo(photo.name, moved), labelled
    for size in (0.2, 0.35):
        tile = labelled.tiles[int(rng.integers(len(boxes)))]
        shone = Photo(photo.name, harm.shine(photo.rgb, tile.quad, size, rng))
        yield "glare on a tile", f"{size} tiles", shone, replace(labelled, tiles=(tile,))
    for pixels in (14, 10):
        if pixels < width:
            far = Photo(photo.name, harm.shrink(photo.rgb, pixels / width))
            yield "far", f"{pixels} pixels", far, harm.scaled(labelled, pixels / width)
    for share in (0.1, 0.4):
        off, left = harm.cut(photo, labelled, share)
        yield "cut off", f"{share} tiles", off, left


def judged(
    reader: Reader, kind: str, amount: str, photo: Photo, labelled: LabelledPhoto
) -> Outcome:
    """Read a photograph and compare it with its labels."""
    reading = reader.read(photo)
    result = compare(labelled, reading.tiles, 0.0)
    found = [tile for tile in result.tiles if tile.label]
    return Outcome(
        kind,
        amount,
        len(found),
        sum(tile.outcome == "missed" for tile in found),
        sum(tile.outcome == "wrong" for tile in found),
        sum(tile.outcome == "right" and tile.doubtful for tile in found),
        frozenset(problem.code for problem in reading.problems if problem.code in FAULTS),
    )


def table(outcomes: list[Outcome]) -> Iterator[str]:
    """Yield a row for each kind and degree, in shares of the tiles and of the photographs."""
    yield "| spoilt | by | photos | missed | wrong | doubtful | warned | harmed | of these warned |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for kind, amount in dict.fromkeys((o.kind, o.amount) for o in outcomes):
        rows = [o for o in outcomes if (o.kind, o.amount) == (kind, amount)]
        tiles = sum(o.tiles for o in rows)
        harmed = [o for o in rows if o.bad > 0.1 * o.tiles]
        said = " ".join(sorted(set().union(*(o.said for o in rows))))
        yield (
            f"| {kind} | {amount} | {len(rows)} | {sum(o.missed for o in rows) / tiles:.1%} "
            f"| {sum(o.wrong for o in rows) / tiles:.1%} "
            f"| {sum(o.doubtful for o in rows) / tiles:.1%} "
            f"| {sum(bool(o.said) for o in rows)} | {len(harmed)} "
            f"| {sum(bool(o.said) for o in harmed)} | {said}"
        )


if __name__ == "__main__":
    main()

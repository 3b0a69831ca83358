"""Measure how large or small tiles may be in the frame to be found and named.

    python -m tests.prove.scale [--training] [--tiles N] [--seed N]

Shops' pictures of single tiles are laid on a cloth, one to three beside each other. They fill from
a twentieth of the frame to all of it, and are turned a little. By default they are of scenes that
the networks never learned from (TONGBOX_DATA). How `vision.networks` zooms out was chosen on the
others (`--training`).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from models.train.data.photos import FIRST_SOURCE, photos_by_scene
from vision.labels import LabelledPhoto, LabelledTile
from vision.measure.evaluate import compare
from vision.networks.classifier import Classifier
from vision.networks.locator import Locator, shared_area
from vision.networks.model import Model
from vision.photo import Photo, open_photo
from vision.preprocess import LOCATOR_SIDE_PX, RGB, Float32s
from vision.reader import Reader
from vision.reading import Quad

SHARES = (0.05, 0.1, 0.2, 0.33, 0.5, 0.7, 0.9, 1.0)
"""Shares of the frame's height, or of its width if that is tighter, that the tiles fill."""

FRAMES = ((1200, 900), (900, 1200))
"""Width and height: a phone held either way."""

MAX_TURN_DEGREES = 10.0

MIN_VISIBLE_SHARE = 0.75
"""A tile with a smaller share inside the frame need not be found."""

MIN_CUT_SHARE = 0.2
"""A smaller detection on a cut tile is only a part of its face."""

CLOTHS = ((38, 84, 60), (60, 40, 36), (120, 118, 112), (30, 32, 40), (150, 110, 70))
"""Green, dark red, grey, near black, wood."""

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A picture, and what lies in it."""

    kind: str
    """How many tiles it shows."""
    share: float
    photo: Photo
    expected: LabelledPhoto
    """The tiles that are whole in the picture."""
    other_quads: tuple[Float32s, ...] = ()
    """Tiles cut by its edge: detections of them are not invented."""


@dataclass(slots=True)
class CountedModel:
    """A network that counts its runs, and their input in looks of 640 by 480 pixels."""

    model: Model
    runs: int = 0
    looks: float = 0.0

    def __getattr__(self, name: str) -> object:
        return getattr(self.model, name)

    def run(self, pictures: Float32s) -> Sequence[Float32s]:
        """Run the network."""
        self.runs += 1
        self.looks += (
            len(pictures) * pictures.shape[2] * pictures.shape[3] / (LOCATOR_SIDE_PX * 480)
        )
        return self.model.run(pictures)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--training", action="store_true", help="scenes that were learned from")
    parser.add_argument("--tiles", type=int, default=12, help="of each kind at each size")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counting_model = CountedModel(Model.load("locator"))
    reader = Reader(Locator(counting_model), Classifier.load())  # type: ignore[arg-type]
    rng = np.random.default_rng(args.seed)
    tallies: dict[tuple[str, float], Counter[str]] = {}
    for case in make_cases(args.tiles, rng, is_held_out=not args.training):
        counting_model.runs, counting_model.looks = 0, 0.0
        tally = tallies.setdefault((case.kind, case.share), Counter())
        tally.update(judge_case(case, reader))
        tally.update(calls=counting_model.runs, hundredths=round(100 * counting_model.looks))
    sys.stdout.write("\n".join(table_rows(tallies)) + "\n")


def judge_case(case: Case, reader: Reader) -> Counter[str]:
    """Read a picture and count what became of its tiles."""
    result = compare(case.expected, reader.read(case.photo).tiles, 0.0)
    extra = [
        t for t in result.tiles if t.outcome == "invented" and not _is_cut(t.quad, case.other_quads)
    ]
    found_count = result.count("right", "wrong")
    return Counter(
        pictures=1,
        tiles=len(case.expected.tiles),
        found=found_count,
        right=result.count("right"),
        invented=len(extra),
        unasked=sum(not tile.doubtful for tile in extra),
        clean=found_count == len(case.expected.tiles) and not extra,
    )


def _is_cut(quad: Quad, other_quads: Sequence[Float32s]) -> bool:
    """Whether a quad read is a tile cut by the frame's edge, not a small part of it."""
    read = np.array(quad, np.float32)
    return any(
        shared_area(read, other) > 0.5
        and cv2.contourArea(read) > MIN_CUT_SHARE * cv2.contourArea(other)
        for other in other_quads
    )


def make_cases(count: int, rng: Rng, *, is_held_out: bool) -> Iterator[Case]:
    """Yield `count` pictures of each kind and size."""
    scenes = photos_by_scene(wants_held_out=is_held_out, sources=FIRST_SOURCE)
    crops = [p for photos in scenes.values() for p in photos if p.kind == "crop"]
    for share in SHARES:
        for k in range(count):
            for size in (1, 2, 3):
                chosen_crops = [crops[i] for i in rng.choice(len(crops), size, replace=False)]
                singles = [(p.tiles[0].code, _pixels(p)) for p in chosen_crops]
                yield laid_on_cloth(f"{size} tiles", singles, share, FRAMES[k % 2], rng)


def laid_on_cloth(
    kind: str, singles: Sequence[tuple[str, RGB]], share: float, frame: tuple[int, int], rng: Rng
) -> Case:
    """Lay upright tiles, each a code and a picture of nothing else, side by side on a cloth."""
    wide, tall = 240, 320
    pictures = [cv2.resize(p, (wide, tall), interpolation=cv2.INTER_AREA) for _, p in singles]
    strip = np.concatenate(pictures, 1)
    matrix = pose_matrix(
        _box(0, 0, wide * len(singles), tall),
        share,
        frame,
        rng.uniform(-MAX_TURN_DEGREES, MAX_TURN_DEGREES),
    )
    canvas = draw_cloth(frame, rng)
    cv2.warpAffine(strip, matrix, frame, canvas, cv2.INTER_CUBIC, borderMode=cv2.BORDER_TRANSPARENT)
    tiles = [
        LabelledTile(code, move_quad(_box(wide * k, 0, wide * (k + 1), tall), matrix), True, False)
        for k, (code, _) in enumerate(singles)
    ]
    return _case(kind, share, canvas, tiles)


def _case(kind: str, share: float, rgb: RGB, tiles: Sequence[LabelledTile]) -> Case:
    """Return the case; a tile that is cut by the frame need not be found."""
    frame = _box(0, 0, rgb.shape[1], rgb.shape[0])
    visible = [(tile, shared_area(tile.quad, frame)) for tile in tiles]
    visible_tiles = tuple(tile for tile, share in visible if share >= MIN_VISIBLE_SHARE)
    cut = tuple(tile.quad for tile, share in visible if 0 < share < MIN_VISIBLE_SHARE)
    expected = LabelledPhoto(Path("case"), "photo", _bounds(frame), visible_tiles, ())
    return Case(kind, share, Photo("case", rgb), expected, cut)


def pose_matrix(
    box: Float32s, share: float, frame: tuple[int, int], degrees: float
) -> npt.NDArray[np.float64]:
    """Return the matrix (2, 3) that turns a box and makes it fill a share of the frame."""
    wide, tall = (box[2] - box[0]).tolist()
    scale = share * min(frame[0] / wide, frame[1] / tall)
    centre = box.mean(0)
    matrix = np.asarray(cv2.getRotationMatrix2D(centre.tolist(), degrees, scale), np.float64)
    matrix[:, 2] += np.array(frame) / 2 - centre
    return matrix


def move_quad(quad: Float32s, matrix: npt.NDArray[np.float64]) -> Float32s:
    """Return a quad (4, 2) where the matrix brings it."""
    return np.asarray(quad @ matrix[:, :2].T + matrix[:, 2], np.float32)


def draw_cloth(frame: tuple[int, int], rng: Rng) -> RGB:
    """Return a table: a colour with light from one side and some weave."""
    colour = np.array(CLOTHS[rng.integers(len(CLOTHS))], np.float32)
    left, right = rng.uniform(0.75, 1.2, 2).tolist()
    light = np.linspace(left, right, frame[0], dtype=np.float32)
    weave = rng.normal(0, 5, (frame[1], frame[0], 1)).astype(np.float32)
    return np.asarray(np.clip(colour * light[None, :, None] + weave, 0, 255), np.uint8)


def table_rows(tallies: dict[tuple[str, float], Counter[str]]) -> Iterator[str]:
    """Yield the rows: one for each kind and size, and one for each kind."""
    head = ("tiles", "found", "right", "invented", "unasked", "clean", "calls", "looks")
    yield f"{'':10}{'share':>6}" + "".join(f"{name:>9}" for name in head)
    kinds = sorted({kind for kind, _ in tallies})
    for kind in kinds:
        rows = [(share, tally) for (k, share), tally in sorted(tallies.items()) if k == kind]
        rows.append((0.0, sum((tally for _, tally in rows), Counter())))
        for share, tally in rows:
            picture_count = tally["pictures"]
            figures = [f"{tally[name]:9}" for name in head[:5]]
            figures.append(f"{tally['clean']:5}/{picture_count:3}")
            figures += [
                f"{tally['calls'] / picture_count:9.2f}",
                f"{tally['hundredths'] / picture_count / 100:9.2f}",
            ]
            yield f"{kind:10}{share or 'all':>6}" + "".join(figures)


def _pixels(photo: LabelledPhoto) -> RGB:
    return open_photo(photo.path.read_bytes(), photo.path.name).rgb


def _box(x0: float, y0: float, x1: float, y1: float) -> Float32s:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)


def _bounds(quad: Float32s) -> tuple[float, float, float, float]:
    (x0, y0), (x1, y1) = quad.min(0).tolist(), quad.max(0).tolist()
    return x0, y0, x1, y1


if __name__ == "__main__":
    main()

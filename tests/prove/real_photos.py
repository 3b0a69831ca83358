"""Measure real photographs group by group: `python -m tests.prove.real_photos [--part PART]`.

The parts are `held-out` (the tables that no training sees, of both sources), `held-out-more` and
`chosen-by` (the second source's tables that no training shall see, and its others, by which changes
are chosen). The networks shipped today learned from none of the second source.

An outline fits if it is as wide and as high as the label, an upright box, to 5 %. It says so of
tiles that lie with the picture's edges (turned by 6° at most), the only ones whose box is an
outline. The camera is low where labels of such tiles are lower than 0.8 of their width, steep from
1.05. Processor time is the median and the mean of a photograph. `--json FILE` writes every tile.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from models.train.data.photos import SOURCES, photos_by_scene
from tests.reporting import say
from vision.labels import LabelledPhoto, LabelledTile
from vision.measure.compare import PhotoResult, compare, match_tiles
from vision.measure.shares import Share
from vision.measure.summary import MeasureSummary
from vision.photo import Photo, open_photo
from vision.reader import Reader

PARTS = {
    "held-out": (SOURCES, True),
    "held-out-first": (SOURCES[:1], True),
    "held-out-more": (SOURCES[1:], True),
    "chosen-by": (SOURCES[1:], False),
}
"""Sources of each part, and whether its tables are those held out."""

MAX_MISFIT = 0.05
"""Share of a label's width or height by which an outline that fits may differ."""

MAX_LEAN_DEGREES = 6.0
"""Turn against the picture's edges up to which a label's box is the tile's outline."""

CAMERAS = {"low": (0.0, 0.8), "middle": (0.8, 1.05), "steep": (1.05, np.inf)}
"""Height of a label by its width where the camera is so."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How the outline of a tile fits its label."""

    height_by_width: float
    """Of the label."""
    wide: float
    """Width of the outline by that of the label."""
    high: float
    """Height of the outline by that of the label."""

    @property
    def fits(self) -> bool:
        """Whether both are right."""
        return max(abs(self.wide - 1), abs(self.high - 1)) <= MAX_MISFIT


@dataclass(frozen=True, slots=True)
class PhotoMeasure:
    """A photograph as read."""

    result: PhotoResult
    fits: tuple[Fit, ...]
    cpu_ms: float


def main() -> None:
    """Read the photographs and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="held-out")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="read every Nth alone")
    parser.add_argument("--groups", nargs="*", help="read these groups alone")
    parser.add_argument("--json", type=Path, metavar="FILE")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    photos = load_photos(args.part)[:: args.every]
    photos = [p for p in photos if not args.groups or p.group in args.groups]
    results = [*measure(photos)]
    for line in lines(results):
        say(line)
    if args.json:
        args.json.write_text(json.dumps([_to_json(each) for each in results]), encoding="utf-8")


def load_photos(part: str) -> list[LabelledPhoto]:
    """Return the photographs of a part; groups of the first source are named by their scene."""
    sources, is_held_out = PARTS[part]
    return [
        replace(photo, group=photo.group if source == SOURCES[1] else _scene_group(scene))
        for source in sources
        for scene, photos in photos_by_scene(wants_held_out=is_held_out, sources=[source]).items()
        for photo in photos
    ]


def _scene_group(scene: str) -> str:
    return next((name for name in ("web-photo", "shop-set") if scene.startswith(name)), scene)


def open_labelled(labelled_photo: LabelledPhoto) -> Photo:
    """Return the picture of a labelled photograph."""
    return open_photo(labelled_photo.path.read_bytes(), labelled_photo.path.name)


def measure(photos: Iterable[LabelledPhoto]) -> Iterator[PhotoMeasure]:
    """Read each photograph and compare it with its labels."""
    reader = Reader.load()
    for labelled_photo in photos:
        data = labelled_photo.path.read_bytes()
        start = time.process_time()
        photo = open_photo(data, labelled_photo.path.name)
        is_crop = labelled_photo.kind == "crop"
        reading = reader.read_crop(photo) if is_crop else reader.read(photo)
        cpu_ms = (time.process_time() - start) * 1000
        is_miscounted = any(problem.code == "tile-count" for problem in reading.problems)
        result = replace(
            compare(labelled_photo, reading.tiles, cpu_ms), is_miscounted=is_miscounted
        )
        quads = [np.array(tile.quad, np.float32) for tile in reading.tiles]
        pairs = [] if is_crop else match_tiles(labelled_photo, quads)
        fits = [measure_fit(labelled_photo.tiles[i], quads[j]) for i, j in pairs]
        yield PhotoMeasure(result, tuple(fit for fit in fits if fit), cpu_ms)


def measure_fit(label: LabelledTile, quad: np.typing.NDArray[np.float32]) -> Fit | None:
    """Return how an outline (4, 2) fits; None where the label does not tell the tile's size."""
    sides = np.roll(quad, -1, axis=0) - quad
    turns = np.degrees(np.arctan2(sides[:, 1], sides[:, 0]))[[0, 2]]
    leans = np.abs((turns + 45) % 90 - 45)
    if label.approximate or leans.max() > MAX_LEAN_DEGREES:
        return None
    (wide, high), (read_wide, read_high) = np.ptp(label.quad, axis=0), np.ptp(quad, axis=0)
    return Fit(float(high / wide), float(read_wide / wide), float(read_high / high))


def lines(results: Sequence[PhotoMeasure]) -> Iterator[str]:
    """Yield a table by group, then one of the outlines by the height of the camera."""
    groups: dict[str, list[PhotoMeasure]] = {}
    for each in results:
        groups.setdefault(each.result.group, []).append(each)
    yield (
        "| photographs | number | tiles | found | invented | suits, honours | flowers, seasons "
        "| exactly right | no error unasked | wrong names unasked | questions | ms, median | mean |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for name, group in [*groups.items(), ("all", [*results])]:
        yield _row(name, group)
    yield ""
    yield "| camera | outlines | fit both | width | height | width by label | height by label |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    fits = [fit for each in results for fit in each.fits]
    for name, (low, high) in {**CAMERAS, "all": (0.0, np.inf)}.items():
        yield _fit_row(name, [fit for fit in fits if low <= fit.height_by_width < high])


def _row(name: str, group: Sequence[PhotoMeasure]) -> str:
    summary = MeasureSummary(tuple(each.result for each in group))
    times = [each.cpu_ms for each in group]
    count = len(group)
    tiles = [tile for each in group for tile in each.result.tiles]
    unasked_names = sum(tile.outcome == "wrong" and tile.unflagged_error for tile in tiles)
    cells = [
        name,
        str(count),
        str(summary.labelled_count),
        _share(Share(summary.tiles_found, summary.labelled_count)),
        _share(Share(summary.invented_count, summary.read)) + f" ({summary.invented_count})",
        _share(summary.named_right("base")),
        _share(summary.named_right("bonus")),
        _share(Share(summary.all_right, count)),
        _share(Share(count - summary.unflagged_count, count)),
        str(unasked_names),
        f"{summary.questions:.2f}",
        f"{np.median(times):.0f}",
        f"{np.mean(times):.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def _fit_row(name: str, fits: Sequence[Fit]) -> str:
    if not fits:
        return f"| {name} | 0 | | | | | |"
    wide, high = (np.array([getattr(fit, side) for fit in fits]) for side in ("wide", "high"))
    shares = [np.abs(wide - 1) <= MAX_MISFIT, np.abs(high - 1) <= MAX_MISFIT]
    cells = [
        name,
        str(len(fits)),
        _share(Share(sum(fit.fits for fit in fits), len(fits))),
        *(_share(Share(int(each.sum()), len(fits))) for each in shares),
        f"{np.median(wide):.2f}",
        f"{np.median(high):.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def _share(share: Share) -> str:
    return "–" if share.value is None else f"{100 * share.value:.1f}"


def _to_json(measure_of_photo: PhotoMeasure) -> dict[str, object]:
    tiles = [{**asdict(tile), "outcome": tile.outcome} for tile in measure_of_photo.result.tiles]
    return {
        "file": str(measure_of_photo.result.path),
        "group": measure_of_photo.result.group,
        "ms": measure_of_photo.cpu_ms,
        "tiles": tiles,
        "fits": [asdict(fit) for fit in measure_of_photo.fits],
    }


if __name__ == "__main__":
    main()

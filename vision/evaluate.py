"""Measure readings against labels: tiles found, tiles invented, tiles named, hands right, doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vision.labels import LabelledPhoto, LabelledTile
from vision.photo import open_photo
from vision.read import Reader
from vision.reading import TileReading

SAME_TILE = 0.5
"""A tile read and a tile labelled are the same when their boxes' overlap, as intersection over
union, reaches this; labels drawn roughly are matched by their centre."""


@dataclass(frozen=True, slots=True)
class PhotoResult:
    """How one photograph was read."""

    file: str
    labelled: int
    found: int
    invented: int
    right: int
    """Of the tiles found, those named rightly."""
    doubtful: int
    """Of the tiles found, those that would be asked about."""
    unflagged_errors: int
    """Tiles missed, invented, or named wrongly without being doubtful."""
    confusions: tuple[tuple[str, str], ...]
    """Labelled and read code of every tile named wrongly."""
    confidences: tuple[tuple[float, bool], ...]
    """Stated confidence of every tile found, and whether its name was right."""
    ms: float

    @property
    def all_right(self) -> bool:
        """Every tile found and named rightly, none invented."""
        return self.right == self.labelled and not self.invented


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of many photographs, and the shares that follow from them."""

    results: tuple[PhotoResult, ...]

    @property
    def labelled(self) -> int:
        """Tiles that the labels name."""
        return sum(result.labelled for result in self.results)

    @property
    def found(self) -> int:
        """Tiles named by the labels that were found."""
        return sum(result.found for result in self.results)

    @property
    def invented(self) -> int:
        """Tiles read where the labels know of none."""
        return sum(result.invented for result in self.results)

    @property
    def read(self) -> int:
        """Tiles found and invented together."""
        return self.found + self.invented

    @property
    def right(self) -> int:
        """Tiles found and named rightly."""
        return sum(result.right for result in self.results)

    @property
    def all_right(self) -> int:
        """Photographs read without any error."""
        return sum(result.all_right for result in self.results)

    @property
    def unflagged(self) -> int:
        """Photographs with an error that nobody would be asked about."""
        return sum(result.unflagged_errors > 0 for result in self.results)

    @property
    def questions(self) -> float:
        """Tiles asked about, to a photograph."""
        return sum(result.doubtful for result in self.results) / max(len(self.results), 1)


@dataclass(slots=True)
class Report:
    """What a set of photographs gave."""

    photos: list[PhotoResult] = field(default_factory=list)
    crops: list[PhotoResult] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the figures, one a line."""
        return [*_photo_lines(self.photos), *_crop_lines(self.crops)]


def evaluate(photos: Iterable[LabelledPhoto], reader: Reader) -> Report:
    """Read every photograph and compare; raise PhotoError for one that cannot be opened."""
    report = Report()
    for labelled in photos:
        photo = open_photo(labelled.path.read_bytes(), labelled.path.name)
        is_crop = labelled.kind == "crop"
        reading = reader.read_crop(photo) if is_crop else reader.read(photo)
        result = compare(labelled, reading.tiles, reading.ms.total)
        (report.crops if is_crop else report.photos).append(result)
    return report


def compare(photo: LabelledPhoto, read: Sequence[TileReading], ms: float) -> PhotoResult:
    """Match the tiles read to the tiles labelled, best overlap first, each at most once."""
    quads = [np.asarray(tile.quad, np.float32) for tile in read]
    pairs = match_tiles(photo, quads)
    matched = {j for _, j in pairs}
    invented = [
        t for j, t in enumerate(read) if j not in matched and photo.is_known(*quads[j].mean(0))
    ]
    wrong = [(photo.tiles[i], read[j]) for i, j in pairs if photo.tiles[i].code != read[j].code]
    missed = len(photo.tiles) - len(pairs)
    return PhotoResult(
        file=photo.path.name,
        labelled=len(photo.tiles),
        found=len(pairs),
        invented=len(invented),
        right=len(pairs) - len(wrong),
        doubtful=sum(read[j].doubtful for _, j in pairs),
        unflagged_errors=missed
        + sum(not tile.doubtful for tile in invented)
        + sum(not tile.doubtful for _, tile in wrong),
        confusions=tuple((label.code, tile.code) for label, tile in wrong),
        confidences=tuple(
            (read[j].confidence, photo.tiles[i].code == read[j].code) for i, j in pairs
        ),
        ms=ms,
    )


def match_tiles(
    photo: LabelledPhoto, quads: Sequence[npt.NDArray[np.float32]]
) -> list[tuple[int, int]]:
    """Return which labelled tile is which quad (4, 2): pairs of positions."""
    if photo.kind == "crop":
        return [(0, 0)] if photo.tiles and len(quads) else []
    overlaps = [
        (_likeness(label, quad), i, j)
        for i, label in enumerate(photo.tiles)
        for j, quad in enumerate(quads)
    ]
    pairs: list[tuple[int, int]] = []
    for overlap, i, j in sorted(overlaps, reverse=True):
        if overlap < SAME_TILE:
            break
        if all(i != a and j != b for a, b in pairs):
            pairs.append((i, j))
    return pairs


def _likeness(label: LabelledTile, quad: npt.NDArray[np.float32]) -> float:
    """Return how surely they are the same tile, 0 to 1."""
    low, high = label.quad.min(0), label.quad.max(0)
    if label.approximate:
        centre = quad.mean(0)
        off = np.abs(centre - (low + high) / 2) / (high - low)
        return float(1 - off.max()) if (off < 0.5).all() else 0.0
    shared = np.minimum(high, quad.max(0)) - np.maximum(low, quad.min(0))
    if (shared <= 0).any():
        return 0.0
    both = shared.prod()
    return float(both / ((high - low).prod() + np.ptp(quad, axis=0).prod() - both))


def _photo_lines(results: list[PhotoResult]) -> list[str]:
    if not results:
        return []
    all_of, hands = Summary(tuple(results)), len(results)
    return [
        f"photographs        {hands}, with {all_of.labelled} labelled tiles",
        f"tiles found        {_share(all_of.found, all_of.labelled)}",
        f"tiles invented     {_share(all_of.invented, all_of.read)} of those read",
        f"found, named right {_share(all_of.right, all_of.found)}",
        f"hands all right    {_share(all_of.all_right, hands)}",
        f"questions a hand   {all_of.questions:.2f}",
        f"unflagged error in {_share(all_of.unflagged, hands)} of the hands",
        f"calibration error  {100 * calibration_error(results):.1f} %",
        f"milliseconds       {np.median([r.ms for r in results]):.0f} median",
        *_confusion_lines(results),
    ]


def _crop_lines(results: list[PhotoResult]) -> list[str]:
    if not results:
        return []
    return [
        f"single tiles       {len(results)}",
        f"named right        {_share(Summary(tuple(results)).right, len(results))}",
        f"calibration error  {100 * calibration_error(results):.1f} %",
        *_confusion_lines(results),
    ]


def _confusion_lines(results: list[PhotoResult]) -> list[str]:
    counted = Counter(pair for result in results for pair in result.confusions)
    worst = [f"{a} as {b} ×{n}" for (a, b), n in counted.most_common(12)]
    return [f"most often wrong   {', '.join(worst) or 'none'}"]


def calibration_error(results: Iterable[PhotoResult], bins: int = 10) -> float:
    """Return the expected calibration error of the confidences, 0 to 1 (Guo et al. 2017)."""
    said = np.array([pair for result in results for pair in result.confidences]).reshape(-1, 2)
    place = np.minimum((said[:, 0] * bins).astype(int), bins - 1)
    gaps = [abs(said[place == b].mean(0) @ [1, -1]) * (place == b).sum() for b in set(place)]
    return float(sum(gaps) / max(len(said), 1))


def _share(part: int, whole: int) -> str:
    return f"{100 * part / max(whole, 1):.2f} % ({part} of {whole})"

"""Summarise the results of many photographs: counts, and the shares that follow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from scorer.tiles import FACE_DOWN
from vision.measure.calibration import ConfidenceBin, expected_calibration_error, reliability_bins
from vision.measure.compare import PhotoResult, TileResult, _Outcome
from vision.measure.shares import Share, bootstrap_interval

MIN_ASKED_WIDTH_PX = 60
"""Median width of a photograph's tiles from which it was taken as the page asks."""

_Face = Literal["base", "bonus", "face_down"]
"""Suits and honours; flowers and seasons; face down."""


def face_kind(code: str) -> _Face:
    """Return which kind of face a code has."""
    if code == FACE_DOWN:
        return "face_down"
    return "bonus" if code[0] in "FS" else "base"


@dataclass(frozen=True, slots=True)
class MeasureSummary:
    """The counts of many photographs."""

    results: tuple[PhotoResult, ...]

    @property
    def labelled_count(self) -> int:
        """Number of labelled tiles."""
        return self.count("right", "wrong", "missed")

    @property
    def tiles_found(self) -> int:
        """Number of labelled tiles that were found."""
        return self.count("right", "wrong")

    @property
    def invented_count(self) -> int:
        """Number of tiles read where there is no label."""
        return self.count("invented")

    @property
    def read(self) -> int:
        """Number of tiles read, found and invented."""
        return self.count("right", "wrong", "invented")

    @property
    def right(self) -> int:
        """Number of tiles found and named right."""
        return self.count("right")

    @property
    def all_right(self) -> int:
        """Number of photographs read without any error."""
        return sum(result.all_right for result in self.results)

    @property
    def unflagged_count(self) -> int:
        """Number of photographs with an error that nobody would be asked about."""
        return sum(result.unflagged_errors > 0 for result in self.results)

    @property
    def unasked_count(self) -> int:
        """Number of those whose tile count gives no hint either."""
        return sum(r.unflagged_errors > 0 and not r.is_miscounted for r in self.results)

    @property
    def questions(self) -> float:
        """Tiles asked about, per photograph."""
        return sum(result.questions for result in self.results) / max(len(self.results), 1)

    @property
    def wrong_flagged(self) -> Share:
        """Share of tiles named wrong that would be asked about."""
        flagged_count = sum(tile.doubtful for tile in self._tiles("wrong"))
        return Share(flagged_count, self.count("wrong"))

    @property
    def advised_photos(self) -> MeasureSummary:
        """The photographs whose tiles are as wide as the page asks."""
        return MeasureSummary(tuple(r for r in self.results if r.tile_width >= MIN_ASKED_WIDTH_PX))

    @property
    def calibration_error(self) -> float:
        """Expected calibration error, 0 to 1."""
        return expected_calibration_error(self.results)

    @property
    def reliability(self) -> tuple[ConfidenceBin, ...]:
        """Stated confidence beside the share right."""
        return reliability_bins(self.results)

    @property
    def right_by_photograph(self) -> tuple[float, float] | None:
        """95 % interval of the share right of all labelled, by whole photographs."""
        return bootstrap_interval(
            [Share(r.count("right"), r.count("right", "wrong", "missed")) for r in self.results]
        )

    def count(self, *outcomes: _Outcome) -> int:
        """Return the number of tiles with one of these outcomes."""
        return sum(result.count(*outcomes) for result in self.results)

    def named_right(self, face: _Face) -> Share:
        """Return the share named right of the tiles found with such a face."""
        face_tiles = [
            t for t in self._tiles("right", "wrong") if t.label and face_kind(t.label) == face
        ]
        return Share(sum(t.outcome == "right" for t in face_tiles), len(face_tiles))

    def confusions(self) -> list[tuple[str, str, int]]:
        """Return label, code read and count, most frequent first, then by name."""
        pair_counts = Counter(pair for result in self.results for pair in result.confusions)
        return sorted(((a, b, n) for (a, b), n in pair_counts.items()), key=lambda c: (-c[2], c))

    def milliseconds(self, percentile: float) -> float | None:
        """Return the duration at a percentile of the photographs; None without any."""
        times = [result.ms for result in self.results]
        return float(np.percentile(times, percentile)) if times else None

    def _tiles(self, *outcomes: _Outcome) -> list[TileResult]:
        return [t for result in self.results for t in result.tiles if t.outcome in outcomes]


@dataclass(frozen=True, slots=True)
class Measure:
    """A share that is reported."""

    key: str
    """Its name in JSON; never changed."""
    words: str
    share_of: Callable[[MeasureSummary], Share]
    in_crops: bool = True
    """It applies to single tiles too, which need not be located."""


MEASURES = (
    Measure("found", "tiles found", lambda s: Share(s.tiles_found, s.labelled_count), False),
    Measure("invented", "invented, of those read",
            lambda s: Share(s.invented_count, s.read), False),
    Measure("named_right", "found, named right", lambda s: Share(s.right, s.tiles_found)),
    Measure("named_right_base", "  suits and honours", lambda s: s.named_right("base")),
    Measure("named_right_bonus", "  flowers and seasons", lambda s: s.named_right("bonus")),
    Measure("named_right_face_down", "  face down", lambda s: s.named_right("face_down")),
    Measure("right", "found and named right", lambda s: Share(s.right, s.labelled_count), False),
    Measure("all_right", "hands all right", lambda s: Share(s.all_right, len(s.results)), False),
    Measure("unflagged", "unflagged error, hands",
            lambda s: Share(s.unflagged_count, len(s.results)), False),
    Measure("unasked", "  and not miscounted",
            lambda s: Share(s.unasked_count, len(s.results)), False),
    Measure("wrong_flagged", "wrong names flagged", lambda s: s.wrong_flagged),
)  # fmt: skip
"""In the order in which they are printed."""

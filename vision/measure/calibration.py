"""Measure whether a stated confidence is the share that is right (Guo et al. 2017).

Reliability bins, the expected calibration error, and the reliability diagram as SVG.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vision.measure.compare import PhotoResult
from vision.measure.shares import Share

BINS = 10
"""Number of equally wide bins for confidences."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Tiles named with a confidence from `low` up to `high`."""

    low: float
    high: float
    confidence: float
    """Mean stated confidence, 0 to 1; 0 in an empty bin."""
    right: Share

    @property
    def gap(self) -> float:
        """Difference between mean confidence and share right, 0 to 1."""
        return abs(self.confidence - (self.right.value or 0.0))


def reliability(results: Iterable[PhotoResult], bins: int = BINS) -> tuple[Bin, ...]:
    """Return the reliability bins of all tiles found, lowest first."""
    said = [pair for result in results for pair in result.confidences]
    sorted_in: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, right in said:
        sorted_in[min(int(confidence * bins), bins - 1)].append((confidence, right))
    return tuple(
        Bin(
            low=place / bins,
            high=(place + 1) / bins,
            confidence=sum(confidence for confidence, _ in inside) / max(len(inside), 1),
            right=Share(sum(right for _, right in inside), len(inside)),
        )
        for place, inside in enumerate(sorted_in)
    )


def calibration_error(results: Iterable[PhotoResult], bins: int = BINS) -> float:
    """Return the expected calibration error of the confidences, 0 to 1."""
    table = reliability(results, bins)
    return sum(b.gap * b.right.whole for b in table) / max(sum(b.right.whole for b in table), 1)

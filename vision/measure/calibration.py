"""Measure whether a stated confidence is the share that is right (Guo et al. 2017).

Reliability bins, the expected calibration error, and the reliability diagram as SVG.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from vision.measure.compare import PhotoResult
from vision.measure.shares import Share

BIN_COUNT = 10
"""Number of equally wide bins for confidences."""


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
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


def reliability_bins(
    results: Iterable[PhotoResult], bins: int = BIN_COUNT
) -> tuple[ConfidenceBin, ...]:
    """Return the reliability bins of all tiles found, lowest first."""
    confidences = [pair for result in results for pair in result.confidences]
    pairs_by_bin: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, right in confidences:
        pairs_by_bin[min(int(confidence * bins), bins - 1)].append((confidence, right))
    return tuple(
        ConfidenceBin(
            low=place / bins,
            high=(place + 1) / bins,
            confidence=sum(confidence for confidence, _ in inside) / max(len(inside), 1),
            right=Share(sum(right for _, right in inside), len(inside)),
        )
        for place, inside in enumerate(pairs_by_bin)
    )


def expected_calibration_error(results: Iterable[PhotoResult], bins: int = BIN_COUNT) -> float:
    """Return the expected calibration error of the confidences, 0 to 1."""
    table = reliability_bins(results, bins)
    return sum(b.gap * b.right.total for b in table) / max(sum(b.right.total for b in table), 1)


PLOT_SIDE, PLOT_LEFT, PLOT_TOP, BOTTOM_SPACE = 360, 52, 70, 48
"""Side of the square plot and the space around it, in units of the picture."""

PANEL_WIDTH, PANEL_HEIGHT = PLOT_LEFT + PLOT_SIDE + 20, PLOT_TOP + PLOT_SIDE + BOTTOM_SPACE
"""Size of one panel."""

PANEL_STYLE = """
  :root { --ground: #fdfcf8; --ink: #23302b; --faint: #c9cfc9; --bar: #7fb59a; --mark: #a8341f }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #161b19; --ink: #ecebe3; --faint: #434c48; --bar: #3f7d62; --mark: #ff9d7e }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); text-anchor: middle }
  .ground { fill: var(--ground) } .bar { fill: var(--bar) } .grid { stroke: var(--faint) }
  .ideal { stroke: var(--ink); stroke-dasharray: 5 4 } .title { font-size: 15px }
  .reach { stroke: var(--mark); stroke-width: 1.5 } .mean { fill: var(--mark) }
  .left { text-anchor: end } .count { font-size: 10px }
"""


def draw_reliability(panels: Sequence[tuple[str, float, Sequence[ConfidenceBin]]]) -> str:
    """Return a panel for each (title, expected calibration error, bins), side by side."""
    width = max(len(panels), 1) * PANEL_WIDTH
    drawings = (_draw_panel(i * PANEL_WIDTH, *panel) for i, panel in enumerate(panels))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" '
            f'viewBox="0 0 {width} {PANEL_HEIGHT}" role="img">',
            "<title>Reliability: share right by stated confidence</title>",
            f"<style>{PANEL_STYLE}</style>",
            f'<rect class="ground" width="{width}" height="{PANEL_HEIGHT}"/>',
            *drawings,
            "</svg>\n",
        ]
    )


def _draw_panel(x: int, title: str, error: float, bins: Sequence[ConfidenceBin]) -> str:
    middle, foot = PLOT_SIDE / 2, PLOT_SIDE + 36
    return "\n".join(
        [
            f'<g transform="translate({x + PLOT_LEFT} {PLOT_TOP})">',
            f'<text class="title" x="{middle}" y="-46">{title}</text>',
            f'<text x="{middle}" y="-28">expected calibration error {100 * error:.1f} %</text>',
            *(_draw_tick(share) for share in (0, 25, 50, 75, 100)),
            *(_draw_bar(b) for b in bins if b.right.total),
            f'<line class="ideal" x1="0" y1="{PLOT_SIDE}" x2="{PLOT_SIDE}" y2="0"/>',
            *(_draw_interval(b) for b in bins if b.right.total),
            f'<text x="{middle}" y="{foot}">stated confidence, %; above: how many tiles</text>',
            f'<text transform="translate(-38 {middle}) rotate(-90)">share right, %</text>',
            "</g>",
        ]
    )


def _draw_tick(share: int) -> str:
    position = PLOT_SIDE * share / 100
    return (
        f'<line class="grid" x1="0" y1="{position}" x2="{PLOT_SIDE}" y2="{position}"/>'
        f'<text class="left" x="-6" y="{PLOT_SIDE - position + 4}">{share}</text>'
        f'<text x="{position}" y="{PLOT_SIDE + 18}">{share}</text>'
    )


def _draw_bar(b: ConfidenceBin) -> str:
    x, width = PLOT_SIDE * b.low + 1, PLOT_SIDE * (b.high - b.low) - 2
    height = PLOT_SIDE * (b.right.value or 0.0)
    return (
        f'<rect class="bar" x="{x:.1f}" y="{PLOT_SIDE - height:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/>'
        f'<text class="count" x="{x + width / 2:.1f}" y="-6">{b.right.total}</text>'
    )


def _draw_interval(b: ConfidenceBin) -> str:
    """Return the 95 % interval of the share right, at the mean confidence."""
    x, (low, high) = PLOT_SIDE * b.confidence, b.right.interval
    return (
        f'<line class="reach" x1="{x:.1f}" y1="{PLOT_SIDE * (1 - low):.1f}" x2="{x:.1f}" '
        f'y2="{PLOT_SIDE * (1 - high):.1f}"/>'
        f'<circle class="mean" cx="{x:.1f}" '
        f'cy="{PLOT_SIDE * (1 - (b.right.value or 0.0)):.1f}" r="3"/>'
    )

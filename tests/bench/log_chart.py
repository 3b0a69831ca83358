"""A plain drawing of cost against size, as SVG: both scales logarithmic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log10
from xml.sax.saxutils import escape

CHART_WIDTH_PX, CHART_HEIGHT_PX = 860, 460

PLOT_LEFT_PX, PLOT_RIGHT_PX, PLOT_TOP_PX, PLOT_BOTTOM_PX = 60, 560, 40, 410
"""Of the plot; the names stand to the right of it."""

COLOURS = ("#1b5e8c", "#b3401f", "#2e7d32", "#6a3d9a", "#a6761d", "#c2185b", "#455a64", "#00838f",
           "#827717", "#5d4037")  # fmt: skip

MIN_NAME_GAP_PX = 15
"""Pixels between two names."""

Lines = Mapping[str, Mapping[int, float]]
"""Costs by size, by name."""


def draw_chart(across: str, up: str, lines: Lines) -> str:
    """Return the drawing; every cost and size is above 0."""
    sizes = sorted({size for line in lines.values() for size in line})
    costs = [max(cost, 1.0) for line in lines.values() for cost in line.values()]
    top = max(costs)

    def x(size: float) -> float:
        span = log10(sizes[-1] / sizes[0]) or 1
        return PLOT_LEFT_PX + (PLOT_RIGHT_PX - PLOT_LEFT_PX) * log10(size / sizes[0]) / span

    def y(cost: float) -> float:
        return PLOT_BOTTOM_PX - (PLOT_BOTTOM_PX - PLOT_TOP_PX) * log10(max(cost, 1.0)) / (
            log10(top) or 1
        )

    parts = [
        _draw_text(PLOT_LEFT_PX, 20, "start", up),
        _draw_text(PLOT_RIGHT_PX, CHART_HEIGHT_PX - 10, "end", across),
    ]
    for size in sizes:
        parts.append(_draw_text(x(size), PLOT_BOTTOM_PX + 18, "middle", f"{size:,}"))
    for power in range(int(log10(top)) + 1):
        parts.append(
            f'<path d="M{PLOT_LEFT_PX} {y(10**power):.1f}H{PLOT_RIGHT_PX}" stroke="#ccc"/>'
        )
        parts.append(_draw_text(PLOT_LEFT_PX - 6, y(10**power) + 4, "end", f"{10**power:,}"))
    ends = {name: y(line[max(line)]) for name, line in lines.items()}
    for colour, (name, place) in zip(COLOURS * 9, _spread_names(ends), strict=False):
        points = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in lines[name].items())
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        last = lines[name][max(lines[name])]
        said = f"{escape(name)}: {last:.0f}"
        parts.append(
            f'<text x="{PLOT_RIGHT_PX + 10}" y="{place + 4:.1f}" fill="{colour}">{said}</text>'
        )
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CHART_WIDTH_PX} {CHART_HEIGHT_PX}" '
        f'font-family="sans-serif" font-size="13">\n'
        f'<rect width="{CHART_WIDTH_PX}" height="{CHART_HEIGHT_PX}" fill="#fff"/>\n'
        f"{inside}\n</svg>\n"
    )


def _draw_text(x: float, y: float, anchor: str, said: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _spread_names(ends: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Yield each name with where it stands, from above, none on another."""
    lowest = -float(MIN_NAME_GAP_PX)
    for name, place in sorted(ends.items(), key=lambda end: end[1]):
        lowest = max(place, lowest + MIN_NAME_GAP_PX)
        yield name, lowest

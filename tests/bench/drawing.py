"""A plain drawing of cost against size, as SVG: both scales logarithmic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 860, 460

LEFT, RIGHT, TOP, BOTTOM = 60, 560, 40, 410
"""Of the plot; the names stand to the right of it."""

COLOURS = ("#1b5e8c", "#b3401f", "#2e7d32", "#6a3d9a", "#a6761d", "#c2185b", "#455a64", "#00838f",
           "#827717", "#5d4037")  # fmt: skip

LEAST_GAP = 15
"""Pixels between two names."""

Lines = Mapping[str, Mapping[int, float]]
"""Costs by size, by name."""


def drawn(across: str, up: str, lines: Lines) -> str:
    """Return the drawing; every cost and size is above 0."""
    sizes = sorted({size for line in lines.values() for size in line})
    costs = [max(cost, 1.0) for line in lines.values() for cost in line.values()]
    top = max(costs)

    def x(size: float) -> float:
        span = log10(sizes[-1] / sizes[0]) or 1
        return LEFT + (RIGHT - LEFT) * log10(size / sizes[0]) / span

    def y(cost: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * log10(max(cost, 1.0)) / (log10(top) or 1)

    parts = [_tick(LEFT, 20, "start", up), _tick(RIGHT, HEIGHT - 10, "end", across)]
    for size in sizes:
        parts.append(_tick(x(size), BOTTOM + 18, "middle", f"{size:,}"))
    for power in range(int(log10(top)) + 1):
        parts.append(f'<path d="M{LEFT} {y(10**power):.1f}H{RIGHT}" stroke="#ccc"/>')
        parts.append(_tick(LEFT - 6, y(10**power) + 4, "end", f"{10**power:,}"))
    ends = {name: y(line[max(line)]) for name, line in lines.items()}
    for colour, (name, place) in zip(COLOURS * 9, _apart(ends), strict=False):
        points = " ".join(f"{x(size):.1f},{y(cost):.1f}" for size, cost in lines[name].items())
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
        last = lines[name][max(lines[name])]
        said = f"{escape(name)}: {last:.0f}"
        parts.append(f'<text x="{RIGHT + 10}" y="{place + 4:.1f}" fill="{colour}">{said}</text>')
    inside = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="sans-serif" font-size="13">\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>\n{inside}\n</svg>\n'
    )


def _tick(x: float, y: float, anchor: str, said: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>'


def _apart(ends: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Yield each name with where it stands, from above, none on another."""
    lowest = -float(LEAST_GAP)
    for name, place in sorted(ends.items(), key=lambda end: end[1]):
        lowest = max(place, lowest + LEAST_GAP)
        yield name, lowest

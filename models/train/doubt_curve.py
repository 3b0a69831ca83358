"""The curve of doubt, as an SVG: hands right once the questions are answered, by their number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SIDE, LEFT, TOP, BOTTOM = 360, 56, 64, 52
"""Side of the square plot and the room around it, in units of the picture."""

MOST, WORST = 4.0, 0.92
"""Where the axes end: questions a hand, and share of hands right."""

STYLE = """
  :root { --ground: #fdfcf8; --ink: #23302b; --faint: #c9cfc9; --one: #a8341f; --two: #2f7d5b }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #161b19; --ink: #ecebe3; --faint: #434c48; --one: #ff9d7e; --two: #7fcfa8 }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--ink); text-anchor: middle }
  .ground { fill: var(--ground) } .grid { stroke: var(--faint) } .title { font-size: 15px }
  .left { text-anchor: end } .key { text-anchor: start }
  path { fill: none; stroke-width: 2 } circle { stroke: var(--ground) }
  .alone { stroke: var(--one) } .together { stroke: var(--two) }
  .alone-dot { fill: var(--one) } .together-dot { fill: var(--two) } .chosen { stroke-width: 0 }
"""


@dataclass(frozen=True, slots=True)
class Point:
    """What a gate brings."""

    gate: float
    questions: float
    """A hand."""
    right: float
    """Share of hands without an error that is not asked about."""


Curves = Mapping[str, Sequence[Point]]
"""By `alone` and `together`: tiles decided one by one, or weighed together."""


def doubt_svg(panels: Mapping[str, Curves], gate: float) -> str:
    """Return a panel for each kind of hand; large dots mark the gate nearest to `gate`."""
    wide = LEFT + SIDE + 24
    drawn = (
        _panel(i * wide, title, curves, gate) for i, (title, curves) in enumerate(panels.items())
    )
    width, height = wide * len(panels), TOP + SIDE + BOTTOM
    box = f"0 0 {width} {height}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">',
            "<title>Hands right once the questions are answered, by questions a hand</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{width}" height="{height}"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _panel(x: int, title: str, curves: Curves, gate: float) -> str:
    middle = SIDE / 2
    return "\n".join(
        [
            f'<g transform="translate({x + LEFT} {TOP})">',
            f'<text class="title" x="{middle}" y="-40">{title}</text>',
            *(_key(k, name) for k, name in enumerate(curves)),
            *(_line_across(share) for share in (0.92, 0.94, 0.96, 0.98, 0.99, 1.0)),
            *(_line_down(questions) for questions in (0, 1, 2, 3, 4)),
            *(_curve(name, points, gate) for name, points in curves.items()),
            f'<text x="{middle}" y="{SIDE + 38}">questions a hand</text>',
            f'<text transform="translate(-42 {middle}) rotate(-90)">hands then right, %</text>',
            "</g>",
        ]
    )


def _key(k: int, name: str) -> str:
    x = 60 + 150 * k
    return (
        f'<circle class="{name}-dot" cx="{x}" cy="-19" r="5"/>'
        f'<text class="key" x="{x + 10}" y="-15">tiles {name}</text>'
    )


def _place(point: Point) -> tuple[float, float]:
    across = min(point.questions, MOST) / MOST
    return SIDE * across, SIDE * (1 - (max(point.right, WORST) - WORST) / (1 - WORST))


def _curve(name: str, points: Sequence[Point], gate: float) -> str:
    shown = [point for point in points if point.questions <= MOST and point.right >= WORST]
    path = " ".join("{:.1f},{:.1f}".format(*_place(point)) for point in shown)
    chosen = min(points, key=lambda point: abs(point.gate - gate))
    dots = (
        '<circle class="{}-dot" cx="{:.1f}" cy="{:.1f}" r="{}"/>'.format(
            name, *_place(point), 7 if point is chosen else 3
        )
        for point in shown
    )
    return f'<path class="{name}" d="M{path}"/>' + "".join(dots)


def _line_across(share: float) -> str:
    y = _place(Point(0, 0, share))[1]
    return (
        f'<line class="grid" x1="0" y1="{y:.1f}" x2="{SIDE}" y2="{y:.1f}"/>'
        f'<text class="left" x="-8" y="{y + 4:.1f}">{100 * share:.0f}</text>'
    )


def _line_down(questions: int) -> str:
    x = SIDE * questions / MOST
    return (
        f'<line class="grid" x1="{x:.1f}" y1="0" x2="{x:.1f}" y2="{SIDE}"/>'
        f'<text x="{x:.1f}" y="{SIDE + 18}">{questions}</text>'
    )

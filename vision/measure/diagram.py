"""Draw the reliability diagram as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from vision.measure.calibration import Bin

SIDE, LEFT, TOP, BOTTOM = 360, 52, 70, 48
"""Side of the square plot and the space around it, in units of the picture."""

WIDTH, HEIGHT = LEFT + SIDE + 20, TOP + SIDE + BOTTOM
"""Size of one panel."""

STYLE = """
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


def reliability_svg(panels: Sequence[tuple[str, float, Sequence[Bin]]]) -> str:
    """Return a panel for each (title, expected calibration error, bins), side by side."""
    width = max(len(panels), 1) * WIDTH
    drawn = (_panel(i * WIDTH, *panel) for i, panel in enumerate(panels))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img">',
            "<title>Reliability: share right by stated confidence</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="ground" width="{width}" height="{HEIGHT}"/>',
            *drawn,
            "</svg>\n",
        ]
    )


def _panel(x: int, title: str, error: float, bins: Sequence[Bin]) -> str:
    middle, foot = SIDE / 2, SIDE + 36
    return "\n".join(
        [
            f'<g transform="translate({x + LEFT} {TOP})">',
            f'<text class="title" x="{middle}" y="-46">{title}</text>',
            f'<text x="{middle}" y="-28">expected calibration error {100 * error:.1f} %</text>',
            *(_tick(share) for share in (0, 25, 50, 75, 100)),
            *(_bar(b) for b in bins if b.right.whole),
            f'<line class="ideal" x1="0" y1="{SIDE}" x2="{SIDE}" y2="0"/>',
            *(_reach(b) for b in bins if b.right.whole),
            f'<text x="{middle}" y="{foot}">stated confidence, %; above: how many tiles</text>',
            f'<text transform="translate(-38 {middle}) rotate(-90)">share right, %</text>',
            "</g>",
        ]
    )


def _tick(share: int) -> str:
    at = SIDE * share / 100
    return (
        f'<line class="grid" x1="0" y1="{at}" x2="{SIDE}" y2="{at}"/>'
        f'<text class="left" x="-6" y="{SIDE - at + 4}">{share}</text>'
        f'<text x="{at}" y="{SIDE + 18}">{share}</text>'
    )


def _bar(b: Bin) -> str:
    x, width = SIDE * b.low + 1, SIDE * (b.high - b.low) - 2
    height = SIDE * (b.right.value or 0.0)
    return (
        f'<rect class="bar" x="{x:.1f}" y="{SIDE - height:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}"/>'
        f'<text class="count" x="{x + width / 2:.1f}" y="-6">{b.right.whole}</text>'
    )


def _reach(b: Bin) -> str:
    """Return the 95 % interval of the share right, at the mean confidence."""
    x, (low, high) = SIDE * b.confidence, b.right.interval
    return (
        f'<line class="reach" x1="{x:.1f}" y1="{SIDE * (1 - low):.1f}" x2="{x:.1f}" '
        f'y2="{SIDE * (1 - high):.1f}"/>'
        f'<circle class="mean" cx="{x:.1f}" '
        f'cy="{SIDE * (1 - (b.right.value or 0.0)):.1f}" r="3"/>'
    )

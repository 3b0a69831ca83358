"""The totals of a match as a graph: one line for each player, drawn as SVG by the template."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from device.i18n.words import say, write_total
from device.matches.match import Match
from device.views.table.history import describe_leaders

GRAPH_WIDTH, GRAPH_HEIGHT = 320, 250
"""Size of the drawing in its own units; about the CSS pixels of a phone."""

TOP_Y, BOTTOM_Y = 12, 214
"""Vertical positions of the highest and the lowest total."""

_DIGIT_WIDTH, _LETTER_WIDTH, _FULL_LETTER_WIDTH = 11.5, 10.5, 18.5
"""Widths of a figure, a Latin letter and a Chinese letter, in text of 18.5 units."""

_LABEL_GAP = 14
"""Space between the end of a line and its name."""

LABEL_HEIGHT = 21
"""Least distance between two names."""

_MAX_LABEL_CHARS = 11
"""Letters of a name beside the graph."""

_MAX_MARKED_POINTS = 24
"""Longer lines are marked at their end alone."""

_MAX_TICKS = 5
"""Horizontal lines that divide the graph."""


@dataclass(frozen=True, slots=True)
class GraphLine:
    """The line of one player."""

    label: str
    points: str
    """The points of an SVG polyline."""
    end: tuple[float, float]
    label_y: float
    """Where the name stands: as high as the line's end, or beside another name."""


@dataclass(frozen=True, slots=True)
class GraphTick:
    """A horizontal line at a round number of points."""

    y: float
    says: str
    is_start: bool
    """Whether all players began here."""


@dataclass(frozen=True, slots=True)
class MatchGraph:
    """The graph of a match."""

    says: str
    """Who leads and all totals, for those who cannot see the graph."""
    left: float
    right: float
    """Where the lines begin and end."""
    label_x: float
    lines: tuple[GraphLine, ...]
    """In the order of the players."""
    ticks: tuple[GraphTick, ...]
    first_says: str
    last_says: str
    """The deals at both ends of the graph."""
    is_marked: bool
    """Whether every point of a line has a mark, and not its end alone."""
    width: int = GRAPH_WIDTH
    height: int = GRAPH_HEIGHT


def shorten_names(names: Sequence[str]) -> dict[str, str]:
    """Return each name's first word where no other name has it; else the whole name."""
    first = {name: name.split()[0] for name in names}
    return {
        name: first[name] if list(first.values()).count(first[name]) == 1 else name
        for name in names
    }


def match_graph(match: Match) -> MatchGraph | None:
    """Return the graph of all entries that count; None before the first."""
    rows, players = match.course.rows, match.game.players
    if not rows:
        return None
    start = match.game.first_tallies
    totals = {each: (start, *(row.totals[each] for row in rows)) for each in players}
    low, high, step = find_round_bounds(total for line in totals.values() for total in line)
    ticks = range(low, high + 1, step)
    labels = {name: _cut(short) for name, short in shorten_names(players).items()}
    left = _DIGIT_WIDTH * max(len(str(tick)) for tick in ticks) + 8.0
    right = GRAPH_WIDTH - _LABEL_GAP - max(map(_text_width, labels.values()))
    points = {
        each: [
            (left + (right - left) * at / len(rows), _height_of(total, low, high))
            for at, total in enumerate(line)
        ]
        for each, line in totals.items()
    }
    label_heights = spread_labels({each: line[-1][1] for each, line in points.items()})
    last = match.course.last_deal
    return MatchGraph(
        says=describe_totals(match),
        left=left,
        right=right,
        label_x=right + _LABEL_GAP,
        lines=tuple(
            GraphLine(
                labels[each],
                " ".join(f"{x:.1f},{y:.1f}" for x, y in points[each]),
                points[each][-1],
                label_heights[each],
            )
            for each in players
        ),
        ticks=tuple(
            GraphTick(_height_of(tick, low, high), write_total(tick), tick == start)
            for tick in ticks
        ),
        first_says=say("graph.begin"),
        last_says=say("table.deal", number=last.deal.number) if last and last.deal else "",
        is_marked=len(rows) <= _MAX_MARKED_POINTS,
    )


def describe_totals(match: Match) -> str:
    """Return who leads or won, and all totals, the highest first."""
    totals = sorted(match.course.totals.items(), key=lambda item: -item[1])
    leads = describe_leaders(match.course.leaders, totals[0][1], match.ended)
    totals_text = ", ".join(f"{player} {total}" for player, total in totals)
    return say("graph.says", leads=leads, totals=totals_text)


def find_round_bounds(totals: Iterable[int]) -> tuple[int, int, int]:
    """Return round bounds that hold all totals, and the distance of the ticks between them."""
    sorted_totals = sorted(totals)
    lowest, highest = sorted_totals[0], sorted_totals[-1]
    min_step = max((highest - lowest) / (_MAX_TICKS - 2), 1)
    steps = [
        digit * 10**power for power in range(len(str(int(min_step))) + 1) for digit in (1, 2, 5)
    ]
    step = steps[bisect_left(steps, min_step)]
    low = lowest // step * step
    return low, max(-(-highest // step) * step, low + step), step


def _height_of(total: int, low: int, high: int) -> float:
    return BOTTOM_Y - (BOTTOM_Y - TOP_Y) * (total - low) / (high - low)


def spread_labels(heights: Mapping[str, float]) -> dict[str, float]:
    """Move heights apart until no two labels overlap, all of them within the graph."""
    order = sorted(heights, key=lambda each: heights[each])
    positions: list[float] = []
    for name in order:
        positions.append(max([heights[name], *(at + LABEL_HEIGHT for at in positions[-1:])]))
    lowest = float(BOTTOM_Y)
    for number in reversed(range(len(positions))):
        positions[number] = min(positions[number], lowest)
        lowest = positions[number] - LABEL_HEIGHT
    return dict(zip(order, positions, strict=True))


def _cut(name: str) -> str:
    """Cut a long name; the beginning of its last word stays, for names that begin alike."""
    if len(name) <= _MAX_LABEL_CHARS:
        return name
    first, *rest = name.split()
    last = f" {rest[-1][:3]}" if rest else ""
    return f"{first[: _MAX_LABEL_CHARS - 1 - len(last)]}…{last}"


def _text_width(words: str) -> float:
    return sum(_LETTER_WIDTH if ord(each) < 0x2E80 else _FULL_LETTER_WIDTH for each in words)

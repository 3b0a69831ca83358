"""From quads alone to rows and groups: which tiles lie in line, and where the gaps are.

Nothing here looks at what the tiles are, but for which lie face down: a row of backs is a wall.
The hand is the longest row of aligned tiles and the rows next to it; discards, walls and other
players' tiles lie askew or apart and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import numpy.typing as npt

from vision.geometry.gaps import cut_at_gaps
from vision.geometry.neighbours import components, side_by_side
from vision.geometry.plane import AS_HELD, Plane, Quads, flatten, mean_sides, median
from vision.geometry.upright import which_way_up
from vision.preprocess import Float64s
from vision.reading import RowName, Why

ASKEW = np.radians(20)
"""A tile turned further than this against the row, and not sideways, does not belong to it unless
it touches it."""

ASKEW_ALONE = np.radians(10)
"""The same for a tile that has no neighbour: or every fourth of strewn tiles would pass."""

REACH = 1.4
"""Tiles in a row follow each other within this many tile widths of gap."""

SLANT = 0.5
"""Neighbours in a row are at most this many tile heights higher or lower than each other."""

NEXT_ROW, NEXT_ALONE = 2.6, 1.7
"""The hand's next row lies within this many tile heights, centre to centre; a lone tile nearer."""

ODD_SIZE = 1.75
"""Nothing so many times larger or smaller than the hand's tiles belongs to it; dice are smaller."""

FAR = 3.0
"""What lies more tile heights away from the hand than this is nothing to ask about."""

APART, ASIDE = 3.0, 0.9
"""Flowers lie within this many tile widths of a row's end, and this many heights off its line."""

TOUCHING = 0.3
"""Tiles with less of a gap, in tile widths, touch."""

WALL = 3
"""So many tiles face down in line are a wall's: in a hand two kongs' ends may meet, and no more."""


@dataclass(frozen=True, slots=True)
class TileRow:
    """Tiles in line, left to right as their owner sees them, cut into groups at the gaps."""

    groups: tuple[tuple[int, ...], ...]
    meaning: RowName | None = None
    """What the printed mat says that the row is; None where no mat does."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """All positions in the row, left to right."""
        return tuple(tile for group in self.groups for tile in group)

    def renumbered(self, places: Mapping[int, int]) -> TileRow:
        """Return the row with every tile at its new place in the list of tiles."""
        groups = tuple(tuple(places[tile] for tile in group) for group in self.groups)
        return TileRow(groups, self.meaning)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the tiles of a photograph lie."""

    rows: tuple[TileRow, ...] = ()
    """The hand's, the farthest from its owner first."""
    sideways: frozenset[int] = frozenset()
    """Tiles of the rows that lie across them."""
    left_out: Mapping[int, Why] = field(default_factory=dict)
    """Why each of the others is not the hand's."""
    upright: bool = True
    """Whether it is clear which side the owner sits at."""
    beside: tuple[int, ...] = ()
    """Tiles that are the hand's though they lie in none of its rows: flowers, thrown down."""
    unclear: frozenset[int] = frozenset()
    """Flowers among the hand's that may be another player's."""
    odd: frozenset[int] = frozenset()
    """Tiles left out that are larger or smaller than the hand's, whatever else they are."""

    def renumbered(self, places: Mapping[int, int]) -> Layout:
        """Return the layout with every tile at its new place in the list of tiles."""
        return Layout(
            tuple(row.renumbered(places) for row in self.rows),
            frozenset(places[tile] for tile in self.sideways),
            {places[tile]: why for tile, why in self.left_out.items()},
            self.upright,
            tuple(places[tile] for tile in self.beside),
            frozenset(places[tile] for tile in self.unclear),
            frozenset(places[tile] for tile in self.odd),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Tiles in the hand's own coordinates: x along the rows, y across them, tile widths."""

    centres: Float64s
    half_widths: Float64s
    """Half of each tile's reach along the row."""
    right: Float64s
    """Each tile's own rightward direction."""
    angles: Float64s
    """How far each tile is turned against the row, or against lying across it, radians."""
    sideways: npt.NDArray[np.bool_]
    sizes: Float64s
    """The square root of each tile's area, as a multiple of the hand's."""
    height: float
    """Of the hand's tiles."""


def lay_out(
    quads: Quads,
    backs: Sequence[bool] | None = None,
    owner: tuple[float, float] | None = None,
) -> Layout:
    """Return the hand's rows; tiles apart are in none.

    `backs` says which tiles lie face down, and `owner` in which direction of the photograph the
    hand's owner sits, where that is known.
    """
    if not len(quads):
        return Layout()
    back = np.zeros(len(quads), bool) if backs is None else np.asarray(backs, bool)
    line = max(
        side_by_side(quads, REACH, SLANT), key=lambda chain: (np.sum(~back[chain]), len(chain))
    )
    plane = flatten(quads, np.array(line), owner or AS_HELD)
    frame = _frame(plane, line)
    segments, left_out = _segments(frame, back)
    if not segments:
        return Layout(left_out=left_out, odd=_odd(left_out))
    hand = _hand_rows(frame, segments, line)
    own = [tile for row in hand for tile in row]
    odd = _odd(left_out)
    left_out |= _apart(frame, own, left_out)
    if owner:
        below, clear = bool(plane.held[1] > 0), True
    else:
        telling = [i for i in own if not frame.sideways[i] and not back[i]]
        below, clear = which_way_up(frame.right[telling], plane)
    side = 1.0 if below else -1.0
    hand.sort(key=lambda row: side * float(frame.centres[row, 1].mean()))
    groups = cut_at_gaps(side * frame.centres[:, 0], frame.half_widths, hand)
    sideways = frozenset(i for i in own if frame.sideways[i])
    rows = tuple(TileRow(cut) for cut in groups)
    return Layout(rows, sideways, left_out, clear, odd=odd)


def _odd(left_out: Mapping[int, Why]) -> frozenset[int]:
    return frozenset(tile for tile, why in left_out.items() if why == "size")


def reading_order(rows: Iterable[TileRow], quads: Quads) -> tuple[int, ...]:
    """Return all positions, the hand's row by row as one reads, then those apart from it."""
    in_rows = [tile for row in rows for tile in row.tiles]
    middles = quads[..., 0].mean(1).tolist()
    apart = sorted(set(range(len(quads))) - set(in_rows), key=lambda i: float(middles[i]))
    return (*in_rows, *apart)


def _frame(plane: Plane, line: list[int]) -> _Frame:
    across, down = mean_sides(plane.quads)
    wide, tall = np.hypot(*across.T), np.hypot(*down.T)
    height = float(median(tall[line]))
    # A quad that begins on a long side has been named a quarter turn wrong. Far away, where quads
    # are nearly square, it must look more like the hand's tiles turned than as it was named.
    turned = np.stack([np.abs(wide / height - 1), np.abs(tall - 1)])
    as_named = np.stack([np.abs(tall / height - 1), np.abs(wide - 1)])
    wrong = (turned < 0.15).all(0) & (turned.sum(0) < as_named.sum(0))
    right = (
        np.where(wrong[:, None], down, across)
        / np.maximum(np.where(wrong, tall, wide), 1e-9)[:, None]
    )
    sizes = np.sqrt(_areas(plane.quads))
    angle = np.arctan2(np.abs(right[:, 1]), np.abs(right[:, 0]))
    sideways = angle > np.pi / 4
    return _Frame(
        centres=plane.quads.sum(1) / 4,
        half_widths=np.ptp(plane.quads[..., 0], axis=1) / 2,
        right=right,
        angles=np.where(sideways, np.pi / 2 - angle, angle),
        sideways=sideways,
        sizes=sizes / median(sizes[line]),
        height=height,
    )


def _areas(quads: Float64s) -> Float64s:
    """Return the area of each quad: half of what its diagonals span."""
    (a, b), (c, d) = (quads[:, 2] - quads[:, 0]).T, (quads[:, 3] - quads[:, 1]).T
    return np.asarray(np.abs(a * d - b * c) / 2)


def _segments(frame: _Frame, back: npt.NDArray[np.bool_]) -> tuple[list[list[int]], dict[int, Why]]:
    """Return the runs of tiles that may be the hand's, and why the other tiles cannot be."""
    like = (frame.sizes < ODD_SIZE) & (frame.sizes > 1 / ODD_SIZE)
    left_out: dict[int, Why] = dict.fromkeys(np.flatnonzero(~like).tolist(), "size")
    gaps, dy = _gaps(frame)
    touching = (gaps < TOUCHING) & (dy < SLANT * frame.height)
    fitting = np.flatnonzero(like & (frame.angles < ASKEW)).tolist()
    askew = np.flatnonzero(like & (frame.angles >= ASKEW)).tolist()
    fitting += [i for i in askew if touching[i, fitting].any()]
    left_out |= {i: "askew" for i in askew if i not in fitting}
    segments = []
    in_line = components(fitting, (gaps < REACH) & (dy < SLANT * frame.height))
    for segment in (part for run in in_line for part in _without_walls(frame, run, back)):
        if back[segment].all():
            continue
        if len(segment) == 1 and len(fitting) > 1 and _lies_alone_askew(frame, segment[0]):
            left_out[segment[0]] = "askew"
        else:
            segments.append(segment)
    kept = {tile for segment in segments for tile in segment} | left_out.keys()
    return segments, left_out | dict.fromkeys((i for i in fitting if i not in kept), "backs")


def _without_walls(
    frame: _Frame, segment: list[int], back: npt.NDArray[np.bool_]
) -> Iterator[list[int]]:
    """Yield what is left of a run of tiles without the stretches of it that are a wall."""
    rest: list[int] = []
    for down, stretch in groupby(_left_to_right(frame, segment), key=lambda tile: bool(back[tile])):
        tiles = list(stretch)
        if down and len(tiles) >= WALL:
            if rest:
                yield rest
            rest = []
        else:
            rest = rest + tiles
    if rest:
        yield rest


def _lies_alone_askew(frame: _Frame, tile: int) -> bool:
    return bool(frame.sideways[tile] or frame.angles[tile] > ASKEW_ALONE)


def _gaps(frame: _Frame) -> tuple[Float64s, Float64s]:
    """Return the gap along the row and the height apart of every two tiles, both (N, N)."""
    x, y = frame.centres.T
    dx, dy = np.abs(x[None] - x[:, None]), np.abs(y[None] - y[:, None])
    return dx - frame.half_widths[None] - frame.half_widths[:, None], dy


def _apart(frame: _Frame, own: list[int], left_out: Mapping[int, Why]) -> dict[int, Why]:
    """Return the tiles that lie far from the hand, and those that are merely apart from it."""
    x, y = frame.centres.T
    away = np.hypot(x[:, None] - x[own], y[:, None] - y[own]).min(1)
    far = np.flatnonzero(away > FAR * frame.height).tolist()
    others = [i for i in range(len(away)) if i not in own and i not in left_out]
    why: dict[int, Why] = dict.fromkeys(others, "apart")
    return why | dict.fromkeys(far, "far")


def _hand_rows(frame: _Frame, segments: list[list[int]], line: list[int]) -> list[list[int]]:
    """Return the segment with most of the line, and those next to it or to one that is."""
    waiting = sorted(segments, key=len, reverse=True)
    first = max(waiting, key=lambda segment: len(set(segment).intersection(line)))
    waiting.remove(first)
    hand = [first]
    joined = True
    while joined:
        joined = False
        for segment in waiting:
            row = next((row for row in hand if _beyond_its_end(frame, segment, row)), None)
            if row is not None:
                row.extend(segment)
            elif any(_next_to(frame, segment, row) for row in hand if len(row) > 1):
                hand.append(segment)
            else:
                continue
            waiting.remove(segment)
            joined = True
            break
    return hand


def _beyond_its_end(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Whether a segment lies past an end of the row, as flowers laid apart do."""
    ours, theirs = _left_to_right(frame, segment), _left_to_right(frame, row)
    for left, right in ((ours[-1], theirs[0]), (theirs[-1], ours[0])):
        dx, dy = frame.centres[right] - frame.centres[left]
        gap = dx - frame.half_widths[left] - frame.half_widths[right]
        if 0 < gap < APART and abs(dy) < ASIDE * frame.height:
            return True
    return False


def _left_to_right(frame: _Frame, row: list[int]) -> list[int]:
    return sorted(row, key=lambda i: float(frame.centres[i, 0]))


def _next_to(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Whether a tile of a segment has one of the row's above or below it, or nearly.

    One tile must be close by; of several in line it is less likely that they lie so by chance.
    """
    x, y = frame.centres.T
    dx, dy = np.abs(x[segment, None] - x[row]), np.abs(y[segment, None] - y[row])
    across, reach = (1.0 + APART, NEXT_ROW) if len(segment) > 1 else (1.5, NEXT_ALONE)
    return bool(((dx < across) & (dy < reach * frame.height)).any())

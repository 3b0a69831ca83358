"""From quads alone to rows and groups: which tiles lie in line, and where the gaps are.

Nothing here looks at what the tiles are. The hand is the longest row of aligned tiles and the rows
next to it; discards, walls and other players' tiles lie askew or apart and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Quads = npt.NDArray[np.float32]
"""(N, 4, 2): corners clockwise from each tile's own top left, pixels."""

Vectors = npt.NDArray[np.float64]
"""Directions and distances, pixels."""

ASKEW = np.radians(20)
"""A tile turned further than this against the row, and not sideways, does not belong to it."""

REACH = 1.4
"""Tiles in a row follow each other within this many tile widths of gap."""

SLANT = 0.5
"""Neighbours in a row are at most this many tile heights higher or lower than each other."""

NEXT_ROW = 1.7
"""The next row of the hand lies within this many tile heights, centre to centre."""

ODD_SIZE = 1.6
"""Nothing so many times larger or smaller than the hand's tiles belongs to it; dice are smaller."""

CLEAR_MAJORITY = 2 / 3
"""Share of the longest row's tiles that must be upside down for the photo to be."""

APART, ASIDE = 3.0, 0.9
"""Flowers lie within this many tile widths of a row's end, and this many heights off its line."""

SET_GAP = 0.3
"""A gap of this many tile widths ends a set."""


@dataclass(frozen=True, slots=True)
class Row:
    """Tiles in line, left to right as their owner sees them, cut into groups at the gaps."""

    groups: tuple[tuple[int, ...], ...]

    @property
    def tiles(self) -> tuple[int, ...]:
        """All positions in the row, left to right."""
        return tuple(tile for group in self.groups for tile in group)

    def renumbered(self, places: Mapping[int, int]) -> Row:
        """Return the row with every tile at its new place in the list of tiles."""
        return Row(tuple(tuple(places[tile] for tile in group) for group in self.groups))


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Tiles in the hand's own coordinates: x along the rows, y towards the owner."""

    centres: Vectors
    half_widths: Vectors
    """Half of each tile's reach along the row."""
    width: float
    height: float


def find_rows(quads: Quads) -> tuple[Row, ...]:
    """Return the hand's rows, the farthest from its owner first; tiles apart are in none."""
    if not len(quads):
        return ()
    right = _right_axes(quads)
    line = max(_chains(quads, right), key=len)
    axis = _axis(right, line)
    frame, like = _frame(quads, axis, line), _like_in_size(quads, line)
    fitting = [i for i in range(len(quads)) if like[i] and _aligned(right[i], axis)]
    askew = [i for i in range(len(quads)) if like[i] and i not in fitting]
    gaps, dy = _gaps(frame)
    touching = (gaps < SET_GAP * frame.width) & (dy < SLANT * frame.height)
    fitting += [i for i in askew if touching[i, fitting].any()]
    in_line = (gaps < REACH * frame.width) & (dy < SLANT * frame.height)
    rows = _hand_rows(frame, _components(fitting, in_line))
    return tuple(Row(_cut_at_gaps(frame, row)) for row in rows)


def reading_order(rows: Iterable[Row], quads: Quads) -> tuple[int, ...]:
    """Return all positions, the hand's row by row as one reads, then those apart from it."""
    in_rows = [tile for row in rows for tile in row.tiles]
    apart = sorted(
        set(range(len(quads))) - set(in_rows), key=lambda i: float(quads[i, :, 0].mean())
    )
    return (*in_rows, *apart)


def _right_axes(quads: Quads) -> Vectors:
    """Return each tile's own rightward direction, unit vectors (N, 2)."""
    right = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]).astype(np.float64)
    lengths = np.maximum(np.linalg.norm(right, axis=1, keepdims=True), 1e-9)
    return np.asarray(right / lengths, np.float64)


def _chains(quads: Quads, right: Vectors) -> list[list[int]]:
    """Return runs of tiles that stand side by side, each in the other's own view."""
    down = np.column_stack([-right[:, 1], right[:, 0]])
    centres = quads.mean(1).astype(np.float64)
    offsets = centres[None] - centres[:, None]
    widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    heights = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    across = np.abs((offsets * right[:, None]).sum(-1)) / widths[:, None]
    along = np.abs((offsets * down[:, None]).sum(-1)) / heights[:, None]
    sees = (across < 1 + REACH) & (along < SLANT)
    parallel = np.abs(right @ right.T) > np.cos(ASKEW)
    return _components(range(len(quads)), sees & sees.T & parallel)


def _frame(quads: Quads, axis: Vectors, line: list[int]) -> _Frame:
    turned = quads.astype(np.float64) @ np.column_stack([axis, [-axis[1], axis[0]]])
    reach = np.ptp(turned, axis=1)
    return _Frame(
        turned.mean(1),
        reach[:, 0] / 2,
        float(np.median(reach[line, 0])),
        float(np.median(reach[line, 1])),
    )


def _axis(right: Vectors, line: list[int]) -> Vectors:
    """Return the row's direction: as the photo is held, unless most tiles are upside down in it.

    Many faces look alike either way up, so it takes a clear majority to turn the hand round.
    """
    angles = np.arctan2(right[line, 1], right[line, 0])
    doubled = np.angle(np.exp(2j * angles).mean()) / 2  # between -90 and 90 degrees: as held
    axis = np.array([np.cos(doubled), np.sin(doubled)])
    upside_down = (right[line] @ axis < 0).mean() > CLEAR_MAJORITY
    return -axis if upside_down else axis


def _aligned(right: Vectors, axis: Vectors) -> bool:
    along = abs(float(right @ axis))
    return bool(along > np.cos(ASKEW) or along < np.sin(ASKEW))


def _like_in_size(quads: Quads, line: list[int]) -> npt.NDArray[np.bool_]:
    """Return which tiles (N,) are about as large as those of the row."""
    sizes = np.sqrt([cv2.contourArea(quad) for quad in quads])
    ratio = sizes / np.median(sizes[line])
    return np.asarray((ratio < ODD_SIZE) & (ratio > 1 / ODD_SIZE))


def _gaps(frame: _Frame) -> tuple[Vectors, Vectors]:
    """Return the gap along the row and the height apart of every two tiles, both (N, N)."""
    dx, dy = np.moveaxis(np.abs(frame.centres[None] - frame.centres[:, None]), -1, 0)
    return dx - frame.half_widths[None] - frame.half_widths[:, None], dy


def _hand_rows(frame: _Frame, segments: list[list[int]]) -> list[list[int]]:
    """Return the longest segment and those that lie next to it, farthest first."""
    segments = sorted(segments, key=len, reverse=True)
    hand = segments[:1]
    for segment in segments[1:]:
        continued = [row for row in hand if _beyond_its_end(frame, segment, row)]
        if continued:
            continued[0].extend(segment)
        elif any(_next_to(frame, segment, row) for row in hand):
            hand.append(segment)
    return sorted(hand, key=lambda row: float(frame.centres[row, 1].mean()))


def _beyond_its_end(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Whether a segment lies past an end of the row, as flowers laid apart do."""
    ours, theirs = _left_to_right(frame, segment), _left_to_right(frame, row)
    for left, right in ((ours[-1], theirs[0]), (theirs[-1], ours[0])):
        dy = abs(frame.centres[left, 1] - frame.centres[right, 1])
        if 0 < _gap(frame, left, right) < APART * frame.width and dy < ASIDE * frame.height:
            return True
    return False


def _left_to_right(frame: _Frame, row: list[int]) -> list[int]:
    return sorted(row, key=lambda i: float(frame.centres[i, 0]))


def _next_to(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Whether most tiles of a segment have one of the row's just above or below them."""
    dx, dy = np.moveaxis(np.abs(frame.centres[segment][:, None] - frame.centres[row]), -1, 0)
    near = ((dx < 1.5 * frame.width) & (dy < NEXT_ROW * frame.height)).any(axis=1)
    return bool(near.mean() > 0.5)


def _cut_at_gaps(frame: _Frame, row: list[int]) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    for i in _left_to_right(frame, row):
        if groups and _gap(frame, groups[-1][-1], i) < SET_GAP * frame.width:
            groups[-1].append(i)
        else:
            groups.append([i])
    return tuple(tuple(group) for group in groups)


def _gap(frame: _Frame, i: int, j: int) -> float:
    between = frame.centres[j, 0] - frame.centres[i, 0]
    return float(between - frame.half_widths[i] - frame.half_widths[j])


def _components(items: Sequence[int], linked: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Return the connected components of the items, `linked` (N, N) telling who is next to whom."""
    left = list(items)
    components: list[list[int]] = []
    while left:
        component = [left.pop()]
        for i in component:
            component += [j for j in left if linked[i, j]]
            left = [j for j in left if not linked[i, j]]
        components.append(component)
    return components

"""Find rows and groups of tiles from their quads, and the side where the owner sits.

Faces play no part here, except that a row of face-down tiles is a wall. The hand is the longest row
of aligned tiles and the rows next to it. Discards, walls and other players' tiles are turned or
apart, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from vision.geometry.plane import (
    DOWN_DIRECTION,
    HEIGHT_PER_WIDTH,
    UNSEEN_PLANE,
    Plane,
    Quads,
    fit_plane,
    mean_sides,
    median,
)
from vision.geometry.runs import cut_at_gaps, find_components, find_runs
from vision.preprocess import Float64s
from vision.reading import LeftOutReason, RowName

MAX_ROW_TURN_RAD = np.radians(20)
"""A tile turned further against the row, and not sideways, belongs to it only if it touches it."""

MAX_LONE_TURN_RAD = np.radians(10)
"""The same for a tile without neighbours; otherwise every fourth strewn tile would pass."""

MAX_ROW_GAP_WIDTHS = 1.4
"""Largest gap between tiles of a row, in tile widths."""

MAX_ROW_OFFSET_HEIGHTS = 0.5
"""Largest offset of neighbours across the row, in tile heights."""

MAX_NEXT_ROW_HEIGHTS, MAX_NEXT_LONE_TILE_HEIGHTS = 2.6, 1.7
"""Largest distance between centres of neighbouring rows, in tile heights, and the same for a lone
tile."""

MAX_SIZE_RATIO = 1.75
"""A tile that is larger or smaller by this factor does not belong to the hand; dice are smaller."""

MIN_FAR_HEIGHTS = 3.0
"""Tiles farther from the hand than this, in tile heights, are not asked about."""

MAX_ROW_END_GAP_WIDTHS, MAX_ROW_END_OFFSET_HEIGHTS = 3.0, 0.9
"""Flowers lie within this gap of a row's end, in tile widths, and this offset from its line, in
heights."""

MAX_TOUCHING_GAP_WIDTHS = 0.3
"""Tiles with a smaller gap, in tile widths, touch."""

MIN_WALL_TILES = 3
"""This many face-down tiles in line are a wall. In a hand the ends of two kongs may meet, but no
more."""


MAX_SCENES = 32
"""Layouts that are remembered: more than one reading has."""


@dataclass(frozen=True, slots=True)
class RowExtent:
    """Where a row lies, in tile widths from above, with the hand's rows along x."""

    left: float
    right: float
    level: float
    """Its middle across the rows."""

    def is_in_line(self, other: RowExtent) -> bool:
        """Return whether this row lies beside another, as if both were one row with a gap."""
        is_apart = self.right <= other.left or other.right <= self.left
        max_offset = MAX_ROW_OFFSET_HEIGHTS * HEIGHT_PER_WIDTH
        return is_apart and abs(self.level - other.level) < max_offset


@dataclass(frozen=True, slots=True)
class TileRow:
    """Tiles in line, left to right as the owner sees them, cut into groups at the gaps."""

    groups: tuple[tuple[int, ...], ...]
    meaning: RowName | None = None
    """What the printed mat says about the row; None without a mat."""
    extent: RowExtent | None = field(default=None, compare=False)
    """Where it lies; None where it was not measured."""

    @property
    def tiles(self) -> tuple[int, ...]:
        """All positions in the row, left to right."""
        return tuple(tile for group in self.groups for tile in group)

    def renumber(self, places: Mapping[int, int]) -> TileRow:
        """Return the row with every tile's position replaced by `places`."""
        groups = tuple(tuple(places[tile] for tile in group) for group in self.groups)
        return TileRow(groups, self.meaning, self.extent)


@dataclass(frozen=True, slots=True)
class Layout:
    """How the tiles of a photograph lie."""

    rows: tuple[TileRow, ...] = ()
    """Rows of the hand, farthest from its owner first."""
    sideways: frozenset[int] = frozenset()
    """Tiles that lie across their row."""
    left_out: Mapping[int, LeftOutReason] = field(default_factory=dict)
    """Why each other tile does not belong to the hand."""
    upright: bool = True
    """Whether it is clear at which side the owner sits."""
    bonus_tiles: tuple[int, ...] = ()
    """Tiles that belong to the hand but lie in none of its rows: loose flowers."""
    unclear: frozenset[int] = frozenset()
    """Flowers of which it is unclear whether they are the hand's or another player's."""
    odd: frozenset[int] = frozenset()
    """Left-out tiles that are larger or smaller than the hand's, for whatever reason they are left
    out."""
    plane: Plane = field(default=UNSEEN_PLANE, compare=False)
    """The table from above, with the hand's rows along x."""

    @property
    def row_tiles(self) -> frozenset[int]:
        """The tiles of all rows."""
        return frozenset(tile for row in self.rows for tile in row.tiles)

    @property
    def unclear_taken(self) -> frozenset[int]:
        """The unclear flowers that are taken for the hand's; the others are left out."""
        return self.unclear - self.left_out.keys()

    def renumber(self, places: Mapping[int, int]) -> Layout:
        """Return the layout with every tile's position replaced by `places`."""
        return Layout(
            tuple(row.renumber(places) for row in self.rows),
            frozenset(places[tile] for tile in self.sideways),
            {places[tile]: why for tile, why in self.left_out.items()},
            self.upright,
            tuple(places[tile] for tile in self.bonus_tiles),
            frozenset(places[tile] for tile in self.unclear),
            frozenset(places[tile] for tile in self.odd),
            self.plane,
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Frame:
    """Tiles in the hand's coordinates: x along the rows, y across them, in tile widths."""

    centres: Float64s
    half_widths: Float64s
    """Half of each tile's extent along the row."""
    right: Float64s
    """Each tile's own rightward direction."""
    angles: Float64s
    """Turn of each tile against the row, or against lying across it, in radians."""
    sideways: npt.NDArray[np.bool_]
    sizes: Float64s
    """Square root of each tile's area, relative to the hand's tiles."""
    height: float
    """Height of the hand's tiles."""


def lay_out(
    quads: Quads,
    backs: Sequence[bool] | None = None,
    owner: tuple[float, float] | None = None,
) -> Layout:
    """Return the hand's rows; tiles apart from it are in none.

    `backs` says which tiles lie face down. `owner` is the direction of the photograph in which the
    hand's owner sits, where known.
    """
    if not len(quads):
        return Layout()
    is_back = np.zeros(len(quads), bool) if backs is None else np.asarray(backs, bool)
    return _lay_out_once(np.asarray(quads, np.float32).tobytes(), is_back.tobytes(), owner)


@lru_cache(MAX_SCENES)
def _lay_out_once(corners: bytes, backs: bytes, owner: tuple[float, float] | None) -> Layout:
    """Return the layout of at least one tile; corners are float32, backs bool.

    A reading asks for the same one up to three times: before and after a second look, and after
    print was read.
    """
    quads = np.frombuffer(corners, np.float32).reshape(-1, 4, 2)
    is_back = np.frombuffer(backs, bool)
    face_up = (~is_back).tolist()  # NumPy is slow for single values
    line = max(
        find_runs(quads, MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS),
        key=lambda chain: (sum(face_up[tile] for tile in chain), len(chain)),
    )
    plane = fit_plane(quads, np.array(line), owner or DOWN_DIRECTION)
    frame = _to_frame(plane.flatten(quads), line)
    segments, left_out = _find_segments(frame, is_back)
    if not segments:
        return Layout(left_out=left_out, odd=_odd_sized(left_out), plane=plane)
    hand = _grow_hand(frame, segments, line)
    hand_tiles = [tile for row in hand for tile in row]
    odd = _odd_sized(left_out)
    left_out |= _reasons_apart(frame, hand_tiles, left_out)
    if owner:
        is_below, clear = bool(plane.owner_direction[1] > 0), True
    else:
        voting_tiles = [i for i in hand_tiles if not frame.sideways[i] and not is_back[i]]
        is_below, clear = find_owner_side(frame.right[voting_tiles], plane)
    side = 1.0 if is_below else -1.0
    hand.sort(key=lambda row: side * float(frame.centres[row, 1].mean()))
    groups = cut_at_gaps(side * frame.centres[:, 0], frame.half_widths, hand)
    sideways = frozenset(i for i in hand_tiles if frame.sideways[i])
    rows = tuple(TileRow(cut) for cut in groups)
    return Layout(rows, sideways, left_out, clear, odd=odd, plane=plane)


def lay_out_in_turn(
    quads: Quads, backs: Sequence[bool], tiles: Sequence[int], min_tiles: int
) -> Iterator[Layout]:
    """Yield the layout of these tiles, then that of those it leaves out, and so on.

    Positions are those in `quads`. It ends where a layout's rows have fewer than `min_tiles`.
    """
    rest = list(tiles)
    while len(rest) >= min_tiles:
        part = lay_out(quads[rest], [backs[tile] for tile in rest])
        part = part.renumber(dict(enumerate(rest)))
        row_tiles = part.row_tiles
        if len(row_tiles) < min_tiles:
            return
        rest = [tile for tile in rest if tile not in row_tiles]
        yield part


def _odd_sized(left_out: Mapping[int, LeftOutReason]) -> frozenset[int]:
    return frozenset(tile for tile, why in left_out.items() if why == "size")


def reading_order(rows: Iterable[TileRow], quads: Quads) -> tuple[int, ...]:
    """Return all positions: the hand's rows in reading order, then the tiles apart from it."""
    in_rows = [tile for row in rows for tile in row.tiles]
    middles = quads[..., 0].mean(1).tolist()
    loose_tiles = sorted(set(range(len(quads))) - set(in_rows), key=lambda i: float(middles[i]))
    return (*in_rows, *loose_tiles)


def _to_frame(flat: Float64s, line: list[int]) -> _Frame:
    horizontal, vertical = mean_sides(flat)
    wide, tall = np.hypot(*horizontal.T), np.hypot(*vertical.T)
    height = float(median(tall[line]))
    # A quad that starts on a long side has the wrong quarter turn. Distant quads are nearly square:
    # they must fit the hand's tiles better turned than as named.
    sideways_misfit = np.stack([np.abs(wide / height - 1), np.abs(tall - 1)])
    upright_misfit = np.stack([np.abs(tall / height - 1), np.abs(wide - 1)])
    wrong = (sideways_misfit < 0.15).all(0) & (sideways_misfit.sum(0) < upright_misfit.sum(0))
    lengths = np.maximum(np.where(wrong, tall, wide), 1e-9)
    right = np.where(wrong[:, None], vertical, horizontal) / lengths[:, None]
    sizes = np.sqrt(_areas(flat))
    angle = np.arctan2(np.abs(right[:, 1]), np.abs(right[:, 0]))
    sideways = angle > np.pi / 4
    return _Frame(
        centres=flat.sum(1) / 4,
        half_widths=np.ptp(flat[..., 0], axis=1) / 2,
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


def _find_segments(
    frame: _Frame, is_back: npt.NDArray[np.bool_]
) -> tuple[list[list[int]], dict[int, LeftOutReason]]:
    """Return the runs that may belong to the hand, and why other tiles cannot."""
    like = (frame.sizes < MAX_SIZE_RATIO) & (frame.sizes > 1 / MAX_SIZE_RATIO)
    left_out: dict[int, LeftOutReason] = dict.fromkeys(np.flatnonzero(~like).tolist(), "size")
    gaps, dy = _pairwise_gaps(frame)
    is_touching = (gaps < MAX_TOUCHING_GAP_WIDTHS) & (dy < MAX_ROW_OFFSET_HEIGHTS * frame.height)
    fitting = np.flatnonzero(like & (frame.angles < MAX_ROW_TURN_RAD)).tolist()
    askew = np.flatnonzero(like & (frame.angles >= MAX_ROW_TURN_RAD)).tolist()
    fitting += [i for i in askew if is_touching[i, fitting].any()]
    left_out |= {i: "askew" for i in askew if i not in fitting}
    segments = []
    in_line = find_components(
        fitting, (gaps < MAX_ROW_GAP_WIDTHS) & (dy < MAX_ROW_OFFSET_HEIGHTS * frame.height)
    )
    for segment in (part for run in in_line for part in _without_walls(frame, run, is_back)):
        if is_back[segment].all():
            continue
        if len(segment) == 1 and len(fitting) > 1 and _lies_alone_askew(frame, segment[0]):
            left_out[segment[0]] = "askew"
        else:
            segments.append(segment)
    placed_tiles = {tile for segment in segments for tile in segment} | left_out.keys()
    return segments, left_out | dict.fromkeys(
        (i for i in fitting if i not in placed_tiles), "backs"
    )


def _without_walls(
    frame: _Frame, segment: list[int], is_back: npt.NDArray[np.bool_]
) -> Iterator[list[int]]:
    """Yield the pieces of a run without its stretches of wall."""
    rest: list[int] = []
    for is_face_down, stretch in groupby(
        _sort_left_to_right(frame, segment), key=lambda tile: bool(is_back[tile])
    ):
        tiles = list(stretch)
        if is_face_down and len(tiles) >= MIN_WALL_TILES:
            if rest:
                yield rest
            rest = []
        else:
            rest = rest + tiles
    if rest:
        yield rest


def _lies_alone_askew(frame: _Frame, tile: int) -> bool:
    return bool(frame.sideways[tile] or frame.angles[tile] > MAX_LONE_TURN_RAD)


def _pairwise_gaps(frame: _Frame) -> tuple[Float64s, Float64s]:
    """Return the gap along the row and the distance across it for every two tiles, both (N, N)."""
    x, y = frame.centres.T
    dx, dy = np.abs(x[None] - x[:, None]), np.abs(y[None] - y[:, None])
    return dx - frame.half_widths[None] - frame.half_widths[:, None], dy


def _reasons_apart(
    frame: _Frame, hand_tiles: list[int], left_out: Mapping[int, LeftOutReason]
) -> dict[int, LeftOutReason]:
    """Return the reasons for tiles outside the hand: `far_tiles` or `apart`."""
    x, y = frame.centres.T
    distances = np.hypot(x[:, None] - x[hand_tiles], y[:, None] - y[hand_tiles]).min(1)
    far_tiles = np.flatnonzero(distances > MIN_FAR_HEIGHTS * frame.height).tolist()
    other_tiles = [i for i in range(len(distances)) if i not in hand_tiles and i not in left_out]
    reasons: dict[int, LeftOutReason] = dict.fromkeys(other_tiles, "apart")
    return reasons | dict.fromkeys(far_tiles, "far")


def _grow_hand(frame: _Frame, segments: list[list[int]], line: list[int]) -> list[list[int]]:
    """Return the segment with most of the line, joined repeatedly by segments next to it."""
    candidates = sorted(segments, key=len, reverse=True)
    first = max(candidates, key=lambda segment: len(set(segment).intersection(line)))
    candidates.remove(first)
    hand = [first]
    has_grown = True
    while has_grown:
        has_grown = False
        for segment in candidates:
            row = next((row for row in hand if _is_past_row_end(frame, segment, row)), None)
            if row is not None:
                row.extend(segment)
            elif any(_is_next_to(frame, segment, row) for row in hand if len(row) > 1):
                hand.append(segment)
            else:
                continue
            candidates.remove(segment)
            has_grown = True
            break
    return hand


def _is_past_row_end(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Return whether a segment lies past an end of the row, as flowers laid apart do."""
    segment_tiles, row_tiles = _sort_left_to_right(frame, segment), _sort_left_to_right(frame, row)
    for left, right in ((segment_tiles[-1], row_tiles[0]), (row_tiles[-1], segment_tiles[0])):
        dx, dy = frame.centres[right] - frame.centres[left]
        gap = dx - frame.half_widths[left] - frame.half_widths[right]
        if 0 < gap < MAX_ROW_END_GAP_WIDTHS and abs(dy) < MAX_ROW_END_OFFSET_HEIGHTS * frame.height:
            return True
    return False


def _sort_left_to_right(frame: _Frame, row: list[int]) -> list[int]:
    return sorted(row, key=lambda i: float(frame.centres[i, 0]))


def _is_next_to(frame: _Frame, segment: list[int], row: list[int]) -> bool:
    """Return whether a segment has a tile nearly above or below one of the row's.

    A single tile must be closer; several in line are less likely to be there by chance.
    """
    x, y = frame.centres.T
    dx, dy = np.abs(x[segment, None] - x[row]), np.abs(y[segment, None] - y[row])
    max_dx, reach = (
        (1.0 + MAX_ROW_END_GAP_WIDTHS, MAX_NEXT_ROW_HEIGHTS)
        if len(segment) > 1
        else (1.5, MAX_NEXT_LONE_TILE_HEIGHTS)
    )
    return bool(((dx < max_dx) & (dy < reach * frame.height)).any())


MIN_UPRIGHT_SHARE = 2 / 3
"""Share of a row's tiles with the same way up that decides it. Many faces look alike either way up,
and few people turn all their tiles."""

MIN_UPRIGHT_SHARE_AGAINST_VIEW = 3 / 4
"""The same where an oblique view says otherwise. A careless player may turn two tiles in three, and
half of the faces look much alike either way."""

MIN_OBLIQUE_GROWTH = 0.012
"""Growth of tiles towards the camera, per tile width, from which the view is oblique. The camera is
then at the owner's side."""

MIN_HELD_UPRIGHT_COSINE = 0.7
"""A photograph is held upright if its lower edge is within 45 degrees of the rows. This is the part
across the rows of that edge's unit direction."""


def find_owner_side(right: Float64s, plane: Plane) -> tuple[bool, bool]:
    """Return whether the owner sits below the rows, and whether that is clear.

    `right` (N, 2) are the directions of the hand's tiles in the rows' coordinates. A clear majority
    of the tiles decides. Otherwise an oblique view is one from the owner's seat. Otherwise the
    photograph is held as the owner sees it, which is a guess and never clear. Turning a photograph
    by a quarter must not make its hand clearer.
    """
    votes = float((right[:, 0] > 0).mean()) if len(right) else 0.5
    oblique, is_below = (
        abs(plane.near_direction[1]) >= MIN_OBLIQUE_GROWTH,
        bool(plane.near_direction[1] > 0),
    )
    is_contradicted = oblique and is_below != (votes > 0.5)
    if max(votes, 1 - votes) >= (
        MIN_UPRIGHT_SHARE_AGAINST_VIEW if is_contradicted else MIN_UPRIGHT_SHARE
    ):
        return votes > 0.5, True
    if oblique:
        return is_below, (votes if is_below else 1 - votes) >= 0.5
    if abs(plane.owner_direction[1]) >= MIN_HELD_UPRIGHT_COSINE:
        return bool(plane.owner_direction[1] > 0), False
    return votes > 0.5, False

"""Choose which tiles of a photograph are the hand.

Tiles lie in lines, and lines in pieces with wide gaps between them. The hand is mostly the longest
line and what lies next to it. But players also lay blocks apart, and another player's tiles or
discards may lie near. So combinations of pieces are judged as one hand each: how many tiles it has,
whether sets come out, whether its pieces face one way, how far apart they are. The best is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import chain, islice

import numpy as np

from scorer.hand import HAND_SIZE
from scorer.tiles import CODES, FACE_DOWN, Tile, copies_in_set
from vision.geometry.blocks import REASONS_OF_BLOCKS
from vision.geometry.plane import HEIGHT_PER_WIDTH, Quads, mean_sides, quads_of
from vision.geometry.rows import Layout, TileRow, lay_out_in_turn
from vision.hand.arrangement import is_bonus
from vision.hand.exposure import cut_at_wide_gaps, set_sizes
from vision.preprocess import Float64s
from vision.reading import TileReading

MIN_CLUSTER_TILES = 2
"""Fewest tiles apart from the usual hand that are looked at: one is mostly a discard."""

CLOSE_PIECE_WIDTHS = 1.8
"""Up to this distance pieces lie as close as a hand's rows: other players' rarely do."""

NEAR_PIECE_WIDTHS = 2.2
"""Up to this distance pieces of a hand usually lie from each other."""

MIN_FACING_TILES = 3
"""Fewer tiles do not say which way a piece faces."""

MAX_AGAINST_COSINE, MIN_ACROSS_SINE = -0.5, 0.7
"""A piece that faces farther away from the rest faces another way: cosine and sine of the angle."""

MAX_FLOWER_DISTANCE_WIDTHS = 5.0
"""Flowers farther from a hand may be another player's."""

MAX_SEARCH_STEPS = 12
"""Pieces that are added to or taken from a first choice, one after another."""

MIN_START_TILES = 5
"""A hand is looked for around lines of this many tiles: it has one."""

MAX_FURTHER_CLUSTERS = 4
"""Other hands and blocks on a table that are looked at."""

MIN_RIVAL_TILES = 9
"""From this number of tiles apart from a hand they may be the hand themselves."""


MISSING_COST = 0.9
"""For each tile under thirteen."""
EXCESS_COST = 2.5
"""For each tile over fourteen."""
EXCESS_FACE_COST = 1.5
"""For each tile that a set does not have so often."""
MAX_EXCESS_FACES = 3
"""Tiles of such faces that are counted: more are misread."""
ODD_COST = 0.5
"""For each tile that makes no set, outside the line of concealed tiles."""
FACING_COST = 2.0
"""For each piece that faces another way."""
APART_COST = 0.25
"""For each tile width more than is usual between a piece and the nearest other one."""
LEFT_COST = 0.35
"""For each tile of a piece that is left out though it lies as near as is usual."""
MAX_LEFT_TILES = 3
"""Tiles of such a piece that are counted, unless it lies close."""
WHOLE_GAIN = 0.8
"""What four sets and a pair speak for a combination."""
AWAY_COST = 1.0
"""For facing away from the camera."""
BEHIND_COST = 0.12
"""For each tile height that another piece lies nearer to the camera."""
MIN_GAIN = 0.3
"""The usual hand is left only for one that is better by this."""
MIN_RIVAL_LEAD = 1.0
"""The player is asked about other tiles for which no more than this less speaks."""
MAX_COST = 2.0
"""Nor is it left for one against which as much speaks: where tiles lie for show, none is a hand."""


@dataclass(frozen=True, eq=False)
class _Piece:
    """Tiles of one line without wide gaps, and what they say by themselves."""

    row: TileRow
    line: int
    """Number of its line: pieces of one line share it."""
    tile_count: int
    """Tiles that are no flowers, each kong counted as three."""
    misread_kongs: int
    """Groups of four that would be a kong if one or two tiles of it were misread."""
    loose: int
    """Those that make neither a set nor a pair."""
    pairs: int
    faces: tuple[str, ...]
    count: int
    """Its tiles, flowers with them."""
    has_flowers: bool
    direction: complex
    """Mean direction of the tiles' heads, seen from above; short where they differ."""
    lowest: float
    """How near to the camera it lies, in tile heights of the photograph."""


@dataclass(frozen=True, eq=False)
class _Scene:
    """The pieces of a photograph."""

    pieces: tuple[_Piece, ...]
    distances: list[list[float]]
    """Between the nearest middles of every two pieces, in tile widths."""
    camera: complex
    """The direction towards the photograph's lower edge, seen from above."""
    usual: frozenset[int]
    """The pieces of the usual hand."""

    @cached_property
    def neighbours(self) -> list[list[tuple[int, float]]]:
        """For each piece, those as near as pieces of one hand usually are, and how far away."""
        return [
            [(k, apart) for k, apart in enumerate(row) if apart < NEAR_PIECE_WIDTHS]
            for row in self.distances
        ]

    @cached_property
    def nearest_distance(self) -> float:
        """How near to the camera the nearest piece lies."""
        return max(p.lowest for p in self.pieces)

    @cached_property
    def cost(self) -> Callable[[frozenset[int]], float]:
        """Returns what speaks against pieces as one hand; the search asks for some repeatedly."""
        return cache(self._add_costs)

    def _add_costs(self, choice: frozenset[int]) -> float:
        pieces = [self.pieces[k] for k in choice]
        tile_count = sum(p.tile_count for p in pieces)
        cost = MISSING_COST * max(0, HAND_SIZE - 1 - tile_count)
        fours = sum(p.misread_kongs for p in pieces)
        cost += EXCESS_COST * max(0, tile_count - HAND_SIZE - fours)
        cost += EXCESS_FACE_COST * min(_excess(pieces), MAX_EXCESS_FACES)
        cost += ODD_COST * _odd(pieces)
        cost += self._gap_cost(choice)
        direction = _total_facing(pieces)
        cost += self._charge_left_pieces(choice, direction)
        cost += self._turn_cost(pieces, direction)
        is_whole = not sum(p.loose for p in pieces) and sum(p.pairs for p in pieces) == 1
        cost -= WHOLE_GAIN * (tile_count == HAND_SIZE and is_whole)
        return cost + BEHIND_COST * (self.nearest_distance - max(p.lowest for p in pieces))

    def rank_choices(self) -> list[frozenset[int]]:
        """Return the pieces of possible hands, the likeliest first, the usual hand among them.

        Each is what adding and removing pieces one by one leads to.
        """
        lines = {piece.line for piece in self.pieces}
        starts = [frozenset(k for k, p in enumerate(self.pieces) if p.line == n) for n in lines]
        long = [s for s in starts if sum(self.pieces[k].tile_count for k in s) >= MIN_START_TILES]
        ends = {self._with_flowers(self._improve(start)) for start in (self.usual, *long)}
        ways = {self.usual, *(end for end in ends if self._may_be_taken(end))}
        return sorted(ways, key=lambda way: (self.cost(way), sorted(way)))

    def tiles_of(self, choice: frozenset[int]) -> list[int]:
        """Return the tiles of these pieces."""
        return sorted(tile for k in choice for tile in self.pieces[k].row.tiles)

    def may_be_whole(self, choice: frozenset[int]) -> bool:
        """Return whether these pieces have as many tiles as a hand."""
        return HAND_SIZE - 1 <= sum(self.pieces[k].tile_count for k in choice) <= HAND_SIZE

    def _may_be_taken(self, choice: frozenset[int]) -> bool:
        """Return whether pieces may be taken without a question, in place of the usual ones.

        Not if they only add to it. Nor if they only leave one tile out: it may be a tile just
        drawn, or a flower misread.
        """
        tile_count = sum(self.pieces[k].tile_count for k in choice)
        left = self.usual - choice
        if choice < self.usual and sum(self.pieces[k].count for k in left) == 1:
            return False
        return tile_count >= HAND_SIZE - 1 or choice <= self.usual or not choice & self.usual

    def _with_flowers(self, choice: frozenset[int]) -> frozenset[int]:
        """Return the pieces with those of the usual hand that hold flowers, which are no discards.

        A tile beside a flower that is one too many may be a flower itself, misread.
        """
        direction = _total_facing([self.pieces[k] for k in choice])
        return choice.union(
            k
            for k in self.usual
            if self.pieces[k].has_flowers
            and _cosine(self.pieces[k].direction, direction) > MAX_AGAINST_COSINE
            and min(self.distances[k][own] for own in choice) < MAX_FLOWER_DISTANCE_WIDTHS
        )

    def _improve(self, choice: frozenset[int]) -> frozenset[int]:
        cost = self.cost(choice)
        for _ in range(MAX_SEARCH_STEPS):
            ways = [choice ^ {k} for k in range(len(self.pieces)) if choice != {k}]
            costs = [self.cost(way) for way in ways]
            if not ways or min(costs) >= cost:
                break
            cost = min(costs)
            choice = ways[costs.index(cost)]
        return choice

    def _gap_cost(self, choice: frozenset[int]) -> float:
        """Return the cost of the gaps over which pieces belong together."""
        first, *rest = choice
        nearest_distances = {k: self.distances[first][k] for k in rest}
        cost = 0.0
        while nearest_distances:
            k = min(nearest_distances, key=nearest_distances.__getitem__)
            cost += APART_COST * max(0.0, nearest_distances.pop(k) - NEAR_PIECE_WIDTHS)
            row = self.distances[k]
            nearest_distances = {
                other: min(far, row[other]) for other, far in nearest_distances.items()
            }
        return cost

    def _charge_left_pieces(self, choice: frozenset[int], direction: complex) -> float:
        cost = 0.0
        for k, piece in enumerate(self.pieces):
            near_gaps = [apart for own, apart in self.neighbours[k] if own in choice]
            if near_gaps and k not in choice and not _faces_against(piece, direction):
                is_close = min(near_gaps) < CLOSE_PIECE_WIDTHS
                cost += LEFT_COST * (piece.count if is_close else min(piece.count, MAX_LEFT_TILES))
        return cost

    def _turn_cost(self, pieces: Sequence[_Piece], direction: complex) -> float:
        opposing_tiles = sum(_faces_against(p, direction) for p in pieces)
        return FACING_COST * opposing_tiles + AWAY_COST * max(0.0, _cosine(direction, self.camera))


def _total_facing(pieces: Sequence[_Piece]) -> complex:
    """Return the direction of the pieces' heads, of unit length; 0 where they say nothing."""
    total = sum((p.direction * p.count for p in pieces), 0j)
    return total / max(abs(total), 1e-6)


def _faces_against(piece: _Piece, direction: complex) -> bool:
    """Return whether a piece faces another way than a hand, as other players' tiles do."""
    if piece.count < MIN_FACING_TILES:
        return False
    is_opposed = _cosine(piece.direction, direction) < MAX_AGAINST_COSINE
    return is_opposed or abs(_cosine(piece.direction, direction * 1j)) > MIN_ACROSS_SINE


def _cosine(a: complex, b: complex) -> float:
    return a.real * b.real + a.imag * b.imag


@dataclass(frozen=True, slots=True)
class HandChoice:
    """The tiles that are most likely the hand."""

    layout: Layout
    rival: Layout | None = None
    """Other tiles that are the hand nearly as likely."""

    @property
    def rows(self) -> tuple[TileRow, ...]:
        """The rows of both."""
        return (*self.layout.rows, *(self.rival.rows if self.rival else ()))


def choose_hand(tiles: Sequence[TileReading], usual: Layout, rules: str) -> HandChoice:
    """Return the hand that is most likely: `usual` where nothing speaks against it."""
    table = _Table(tiles, usual, rules)
    scene = table.scene_to_judge() if usual.rows else None
    if scene is None:
        return HandChoice(usual)
    best, *other_choices = scene.rank_choices()
    cost = scene.cost(best)
    if cost > min(MAX_COST, scene.cost(scene.usual) - MIN_GAIN):
        best, cost = scene.usual, scene.cost(scene.usual)
    rival = next((way for way in other_choices if not way & best and scene.may_be_whole(way)), None)
    is_close_call = rival is not None and scene.cost(rival) < cost + MIN_RIVAL_LEAD
    return HandChoice(
        usual if best == scene.usual else table.lay_out_again(scene.tiles_of(best)),
        table.lay_out_again(scene.tiles_of(rival)) if is_close_call and rival else None,
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """The tiles of a photograph and where they lie."""

    tiles: Sequence[TileReading]
    layout: Layout
    rules: str

    @cached_property
    def codes(self) -> list[str]:
        return [tile.code for tile in self.tiles]

    @cached_property
    def backs(self) -> list[bool]:
        return [code == FACE_DOWN for code in self.codes]

    @cached_property
    def quads(self) -> Quads:
        return quads_of(self.tiles)

    @cached_property
    def flat(self) -> Float64s:
        """(N, 4, 2): the quads from above."""
        return self.layout.plane.flatten(self.quads)

    @cached_property
    def centres(self) -> Float64s:
        return np.asarray(self.flat.mean(1))

    @cached_property
    def heads(self) -> Float64s:
        """(N, 2): the direction of each tile's head, of unit length."""
        _, vertical = mean_sides(self.flat)
        return np.asarray(-vertical / np.maximum(np.hypot(*vertical.T), 1e-9)[:, None])

    @cached_property
    def usual(self) -> list[_Piece]:
        """The pieces of the usual hand."""
        return self._cut(self.layout.rows, 0)

    @cached_property
    def rest(self) -> list[int]:
        """Tiles outside the usual hand that may still be of the hand."""
        left_out, odd = self.layout.left_out, self.layout.odd
        return [k for k, why in left_out.items() if why in REASONS_OF_BLOCKS and k not in odd]

    def scene_to_judge(self) -> _Scene | None:
        """Return the pieces of all that may be the hand; None if the usual one needs no judging."""
        usual_scene = self.scene(())
        is_settled = usual_scene.cost(usual_scene.usual) < MIN_GAIN
        if is_settled and len(self.rest) < MIN_RIVAL_TILES:
            return None
        further = lay_out_in_turn(self.quads, self.backs, self.rest, MIN_CLUSTER_TILES)
        clusters = [*islice(further, MAX_FURTHER_CLUSTERS)]
        largest = max((len(cluster.row_tiles) for cluster in clusters), default=0)
        if is_settled and largest < MIN_RIVAL_TILES:
            return None
        return self.scene([row for cluster in clusters for row in cluster.rows])

    def scene(self, further: Sequence[TileRow]) -> _Scene:
        """Return the pieces of the usual hand and of further rows."""
        pieces = (*self.usual, *self._cut(further, len(self.layout.rows)))
        distances = self._distances([list(piece.row.tiles) for piece in pieces])
        usual = frozenset(range(len(self.usual)))
        return _Scene(pieces, distances, complex(*self.layout.plane.owner_direction), usual)

    def lay_out_again(self, tiles: Sequence[int]) -> Layout:
        """Return the layout of these tiles alone; rows apart from the others come first."""
        parts = [*lay_out_in_turn(self.quads, self.backs, tiles, 1)]
        rows = tuple(row for part in reversed(parts) for row in part.rows)
        sideways = frozenset[int]().union(*(part.sideways for part in parts))
        upright = all(p.upright or len(p.row_tiles) < MIN_FACING_TILES for p in parts)
        in_rows = frozenset[int]().union(*(part.row_tiles for part in parts))
        loose_tiles = (k for k in range(len(self.tiles)) if k not in in_rows)
        left_out = {k: self.layout.left_out.get(k, "apart") for k in loose_tiles}
        return replace(
            self.layout, rows=rows, sideways=sideways, left_out=left_out, upright=upright
        )

    def _cut(self, rows: Sequence[TileRow], first: int) -> list[_Piece]:
        """Return the pieces of rows; `first` is the number of the first row's line."""
        return [
            self._piece(part, line)
            for line, row in enumerate(rows, first)
            for part in cut_at_wide_gaps(row, self.centres)
        ]

    def _piece(self, row: TileRow, line: int) -> _Piece:
        codes, row_tiles = self.codes, list(row.tiles)
        face_up_tiles = [k for k in row_tiles if not self.backs[k]]
        sizes = [set_sizes(codes, group, self.rules) for group in row.groups]
        sizes_of_all = [size for of_group in sizes for size in of_group]
        return _Piece(
            row,
            line,
            tile_count=sum(min(size, 3) for size in sizes_of_all),
            misread_kongs=sum(sum(s) == 4 and len(s) > 1 for s in sizes),
            loose=sizes_of_all.count(1),
            pairs=sizes_of_all.count(2),
            faces=tuple(codes[tile] for tile in row_tiles if codes[tile] in CODES),
            count=len(row_tiles),
            has_flowers=any(is_bonus(codes[tile]) for tile in row_tiles),
            direction=complex(*self.heads[face_up_tiles].mean(0)) if face_up_tiles else 0j,
            lowest=float((self.centres[row_tiles] @ self.layout.plane.owner_direction).max())
            / HEIGHT_PER_WIDTH,
        )

    def _distances(self, pieces: Sequence[Sequence[int]]) -> list[list[float]]:
        x, y = self.centres.T
        tile_distances = np.hypot(x[:, None] - x, y[:, None] - y)
        by_piece = np.stack([tile_distances[:, own].min(1) for own in pieces], 1)
        return [by_piece[own].min(0).tolist() for own in pieces]


_COPIES = {code: copies_in_set(Tile.parse(code)) for code in CODES}


def _odd(pieces: Sequence[_Piece]) -> int:
    """Return how many tiles make no set, outside the line that has most of them, and one pair."""
    by_line: Counter[int] = Counter()
    for piece in pieces:
        by_line[piece.line] += piece.loose
    spare_pairs = max(0, sum(p.pairs for p in pieces) - 1)
    return sum(by_line.values()) - max(by_line.values(), default=0) + spare_pairs


def _excess(pieces: Sequence[_Piece]) -> int:
    """Return how many tiles more than a set has there are of all faces."""
    face_counts = Counter(chain.from_iterable(piece.faces for piece in pieces))
    return sum(
        count - _COPIES[code] for code, count in face_counts.items() if count > _COPIES[code]
    )

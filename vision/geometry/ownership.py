"""Decide which player owns loose tiles beside a hand, by the distances between tiles.

Faces play no part here; `vision.hand.bonus` selects the loose tiles.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vision.geometry.plane import Quads
from vision.geometry.rows import MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS, Layout
from vision.geometry.runs import find_components, find_runs
from vision.preprocess import Float64s

MAX_HAND_DISTANCE_WIDTHS = 6.0
"""Greatest distance of a hand's own tile from the hand, in tile widths between middles. It allows a
gap of four widths and an offset along the hand's side."""

MAX_TABLE_DISTANCE_WIDTHS = 10.0
"""The same where all hands of a table are seen, one of which a tile must belong to."""

MAX_LIKELY_DISTANCE_WIDTHS = 4.0
"""Up to this distance, in tile widths, a tile that may be another's is rather this hand's."""

MAX_TOGETHER_WIDTHS = 2.5
"""Loose tiles closer than this, in tile widths, were laid down together."""

MIN_CLEAR_DISTANCE_RATIO, MIN_LIKELY_DISTANCE_RATIO = 2.5, 1.5
"""A tile belongs to one hand if another hand within reach is this many times farther away. From the
second ratio it is rather this hand's."""

MIN_ROW_TILES = 3
"""Fewest adjacent tiles that may be another player's hand."""

Ownership = Literal["own", "likely", "possible", "not"]
"""`own`: clearly the hand's. `likely`: rather its own than not, so the player is asked. `possible`:
rather not, and the player is asked. `not`: clearly not."""


@dataclass(frozen=True, slots=True, eq=False)
class TilesFromAbove:
    """Tiles seen from straight above, in tile widths."""

    middles: Float64s
    """(N, 2)."""
    hand: tuple[int, ...]
    """Positions of the hand's tiles."""
    neighbours: tuple[int, ...]
    """Positions of all other tiles: discards, walls, other players' hands."""
    rows: tuple[int, ...]
    """Positions of those that lie in rows like another player's hand."""


def view_from_above(
    quads: Quads,
    layout: Layout,
    discards: Collection[int],
    backs: Sequence[bool],
    other_quads: Quads,
) -> TilesFromAbove:
    """Return the tiles of a photograph without those `discards`, sorted by their role.

    `layout` refers to `quads`. `other_quads` are other players' tiles, and `backs` marks face-down
    tiles among both.
    """
    hand = [k for row in layout.rows for k in row.tiles if k not in discards]
    no_tiles = {k for k, why in layout.left_out.items() if why in ("size", "pattern")} | layout.odd
    neighbours = [k for k in layout.left_out if k not in discards and k not in no_tiles]
    neighbours += range(len(quads), len(quads) + len(other_quads))
    all_quads = np.concatenate([quads, other_quads])
    rows = _tiles_of_others(all_quads, neighbours, np.array(backs, bool))
    middles = layout.plane.flatten(all_quads).mean(1)
    return TilesFromAbove(middles, tuple(hand), tuple(neighbours), tuple(rows))


def judge_ownership(
    view: TilesFromAbove,
    discards: Sequence[int],
    faint: Collection[int],
    reach: float,
) -> dict[int, Ownership]:
    """Return the ownership of each of the tiles `discards`; none beyond `reach` is the hand's.

    The `faint` ones may be discards: they belong to nobody unless they lie by this hand. Flowers
    are laid in one place, so with several places within reach none is clear.
    """
    to_hand, to_neighbours, other_distances = (
        _nearest_distances(view.middles, to) for to in (view.hand, view.neighbours, view.rows)
    )
    discarded_flowers = {
        k for k in faint if to_hand[k] > min(MAX_HAND_DISTANCE_WIDTHS, to_neighbours[k])
    }
    ownerships: dict[int, Ownership] = dict.fromkeys(discards, "not")
    loose = [k for k in discards if k not in discarded_flowers]
    places = [
        together
        for together in group_by_place(view.middles, loose)
        if to_hand[together].min() < reach
    ]
    for place_tiles in places:
        gap, other, others_gap = (
            float(to[place_tiles].min()) for to in (to_hand, to_neighbours, other_distances)
        )
        is_clear = gap < min(MAX_HAND_DISTANCE_WIDTHS, other) and others_gap > min(
            MAX_HAND_DISTANCE_WIDTHS, MIN_CLEAR_DISTANCE_RATIO * gap
        )
        is_likely = (
            gap < MAX_LIKELY_DISTANCE_WIDTHS and others_gap > MIN_LIKELY_DISTANCE_RATIO * gap
        )
        claim: Ownership = "likely" if is_likely else "possible"
        ownerships |= dict.fromkeys(place_tiles, "own" if is_clear and len(places) == 1 else claim)
    closer_to_hand = np.flatnonzero(to_hand > MIN_CLEAR_DISTANCE_RATIO * other_distances)
    return {
        k: "not" if k in closer_to_hand and ownerships[k] != "own" else ownerships[k]
        for k in discards
    }


def group_by_place(middles: Float64s, loose: Sequence[int]) -> list[list[int]]:
    """Return the loose tiles in groups that were laid down together.

    `middles` (N, 2) are those of all tiles, seen from above, in tile widths.
    """
    is_near = np.linalg.norm(middles[:, None] - middles, axis=2) < MAX_TOGETHER_WIDTHS
    return sorted(sorted(together) for together in find_components(loose, is_near))


def _tiles_of_others(quads: Quads, neighbours: Sequence[int], is_back: Float64s) -> list[int]:
    """Return the tiles in rows like another player's hand; a wall belongs to nobody."""
    runs = (
        find_runs(quads[list(neighbours)], MAX_ROW_GAP_WIDTHS, MAX_ROW_OFFSET_HEIGHTS)
        if neighbours
        else []
    )
    rows = [[neighbours[k] for k in run] for run in runs if len(run) >= MIN_ROW_TILES]
    return [k for row in rows if is_back[row].mean() < 0.5 for k in row]


def _nearest_distances(middles: Float64s, targets: Sequence[int]) -> Float64s:
    """Return the distance of each tile (N,) to the nearest of some; infinite if there are none."""
    if not targets:
        return np.full(len(middles), np.inf)
    return np.asarray(np.linalg.norm(middles[:, None] - middles[list(targets)], axis=2).min(1))

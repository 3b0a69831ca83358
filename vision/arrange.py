"""From named tiles to a hand: rows, then sets, then what the rules make of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from scorer.tiles import FACE_DOWN
from vision.assemble import AssembledHand, LaidSet, assemble, set_kind
from vision.reading import Row, SetReading
from vision.rows import Quads, find_rows

LONGEST_SET = 4


def arrange(codes: Sequence[str], quads: Quads, rules: str) -> AssembledHand:
    """Return the hand that these tiles make.

    `quads` (N, 4, 2), clockwise from each tile's own top left. The row nearest the player is the
    concealed one, the others are exposed (design: how a hand is laid out); a single row is taken
    as concealed. Tiles that lie apart from the hand are in no set.
    """
    rows = find_rows(np.asarray(quads, np.float32))
    laid: list[LaidSet] = []
    for place, row in enumerate(rows):
        meaning: Row = "concealed" if place == len(rows) - 1 else "exposed"
        for group in row.groups:
            laid += [LaidSet(piece, meaning) for piece in _pieces(codes, group)]
    return assemble(codes, laid, rules)


def to_sets(hand: AssembledHand) -> tuple[SetReading, ...]:
    """Return the hand's sets as a reading shows them."""
    return tuple(SetReading(s.tiles, s.row, s.kind) for s in hand.sets)


def _pieces(codes: Sequence[str], group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Cut a run of touching tiles into sets; one with face-down tiles is left to the rules."""
    names = tuple(codes[i] for i in group)
    if FACE_DOWN in names or (len(group) <= LONGEST_SET and set_kind(names) != "loose"):
        return [group]
    return [group[start:end] for start, end in _cut(names)]


def _cut(names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Return the cut of a run that leaves the fewest tiles loose, then the fewest pieces."""

    @cache
    def best(start: int) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
        if start == len(names):
            return (0, 0), ()
        ways = []
        for end in range(start + 1, min(start + LONGEST_SET, len(names)) + 1):
            kind = set_kind(names[start:end])
            if kind == "loose" and end > start + 1:
                continue
            (loose, pieces), cut = best(end)
            ways.append(((loose + (kind == "loose"), pieces + 1), ((start, end), *cut)))
        return min(ways, key=lambda way: way[0])

    return best(0)[1]

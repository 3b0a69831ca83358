"""From named tiles to a hand: rows, then sets, then what the rules make of them."""

from __future__ import annotations

from collections.abc import Sequence

from scorer.tiles import FACE_DOWN
from vision.assemble import AssembledHand, LaidSet, assemble, cut_into_sets
from vision.reading import Row as RowMeaning
from vision.reading import SetReading
from vision.rows import Row


def arrange(codes: Sequence[str], rows: Sequence[Row], rules: str) -> AssembledHand:
    """Return the hand that these tiles make.

    `rows` come farthest from the player first. The row nearest the player is the concealed one, the
    others are exposed (design: how a hand is laid out); a single row is taken as concealed. Tiles
    in no row are in no set.
    """
    laid: list[LaidSet] = []
    for place, row in enumerate(rows):
        meaning: RowMeaning = "concealed" if place == len(rows) - 1 else "exposed"
        for group in row.groups:
            laid += [LaidSet(piece, meaning) for piece in _pieces(codes, group)]
    return assemble(codes, laid, rules)


def to_sets(hand: AssembledHand) -> tuple[SetReading, ...]:
    """Return the hand's sets as a reading shows them."""
    return tuple(SetReading(s.tiles, s.row, s.kind) for s in hand.sets)


def _pieces(codes: Sequence[str], group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Cut a run of touching tiles into sets; one with face-down tiles is left to the rules."""
    names = tuple(codes[i] for i in group)
    return [group] if FACE_DOWN in names else [group[piece] for piece in cut_into_sets(names)]

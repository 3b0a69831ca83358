"""The small copy of the hand below its photograph, set by set as scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from device.i18n.words import say
from device.views.tableau import TableauGroup, TableauTile
from scorer.breakdown import Breakdown, TileSet
from vision.hand.assembly import AssembledHand
from vision.reading import RowName


@dataclass(frozen=True, slots=True)
class StripSet:
    """One set of the strip."""

    label: str
    """Empty for a tile that is in no set."""
    pieces: tuple[TableauTile, ...]
    source: int
    moves_to: RowName | None
    """The row to which one tap moves it; None where a tap does not move it."""


Strip = dict[RowName, tuple[StripSet, ...]]


def strip(
    rows: dict[RowName, list[TableauGroup]], hand: AssembledHand, breakdown: Breakdown | None
) -> Strip:
    """Return the rows that have tiles, each set as it counts."""
    codes = {t: c for laid in hand.sets for t, c in zip(laid.tiles, laid.codes, strict=True)}
    drawn = {row: tuple(map(_as_laid, groups)) for row, groups in rows.items() if groups}
    if breakdown and "concealed" in drawn:
        drawn["concealed"] = _as_counted(drawn["concealed"], breakdown.sets, codes)
    return drawn


def _as_laid(group: TableauGroup) -> StripSet:
    if group.loose and len(group.pieces) == 1:  # nobody exposes a single tile
        return StripSet("", group.pieces, group.source, None)
    return StripSet(group.label, group.pieces, group.source, group.moves_to)


def _as_counted(
    laid: tuple[StripSet, ...], counted: Iterable[TileSet], codes: dict[int, str]
) -> tuple[StripSet, ...]:
    """Regroup concealed tiles into the sets that the score makes of them.

    Tiles that lie together as they count stay as they are, and so do tiles in no set. Every other
    set takes its tiles from where they lie, the leftmost first.
    """
    wanted = [each for each in counted if each.concealed and each.kind != "loose"]
    kept: list[StripSet] = []
    rest: list[StripSet] = []
    for each in laid:
        own = Counter(codes[piece.place] for piece in each.pieces)
        same = next((want for want in wanted if Counter(want.tiles) == own), None)
        if same:
            wanted.remove(same)
        (kept if same else rest).append(each)
    left = [piece for each in rest for piece in each.pieces]
    if not wanted or Counter(code for want in wanted for code in want.tiles) - Counter(
        codes[piece.place] for piece in left
    ):
        return laid  # nothing to regroup, or the score has tiles here that nobody laid
    made = [_taken(want, left, codes) for want in wanted]
    still = [replace(each, pieces=tuple(p for p in each.pieces if p in left)) for each in rest]
    return tuple(sorted([*kept, *made, *(s for s in still if s.pieces)], key=_leftmost))


def _leftmost(laid: StripSet) -> int:
    return min(piece.place for piece in laid.pieces)


def _taken(want: TileSet, left: list[TableauTile], codes: dict[int, str]) -> StripSet:
    """Remove the tiles of a set from those that are left and return the set."""
    pieces = []
    for code in want.tiles:
        piece = next(each for each in left if codes[each.place] == code)
        left.remove(piece)
        pieces.append(piece)
    ordered = tuple(sorted(pieces, key=lambda each: each.place))
    return StripSet(say(f"kind.{want.kind}"), ordered, -1, None)

"""Arrange named tiles into a hand: rows, then sets, then what the rules make of them.

The row of a set says whether it is exposed. Open questions are asked: `vision.hand.questions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from scorer.hand import HAND_SIZE
from scorer.layings import classify_group, cut_into_sets, is_set, laying_shapes
from scorer.tiles import CODES, FACE_DOWN, Tile
from vision.geometry.rows import TileRow
from vision.hand.assembly import AssembledHand, LaidSet, assemble
from vision.hand.joint_decoding import TileGroup
from vision.reading import SetReading

_Run = tuple[int, ...]
"""Tiles that belong together, left to right."""

_BONUS_CODES = frozenset(code for code in CODES if Tile.parse(code).is_bonus)


def arrange(
    codes: Sequence[str],
    rows: Sequence[TileRow],
    rules: str,
    sideways: Iterable[int] = (),
    loose_bonus: Sequence[int] = (),
) -> AssembledHand:
    """Return the hand that these tiles make.

    `rows` come farthest from the player first. The nearest row is concealed, and sets in the others
    are exposed (design: how a hand is laid out). A row of bonus tiles only is neither, and a mat
    names its rows itself. Tiles in no row are in no set. `sideways` are tiles across their row;
    `loose_bonus` are tiles in no row that still belong to the hand.
    """
    shapes = laying_shapes(rules)
    playing_rows = [row for row in rows if not is_bonus_row(codes, row)]
    sets = [LaidSet(row.tiles, "bonus") for row in rows if row not in playing_rows]
    sets += [LaidSet(tuple(loose_bonus), "bonus")] if loose_bonus else []
    if any(row.meaning for row in playing_rows):
        return assemble(codes, [*sets, *_lay_mat_rows(codes, playing_rows, shapes)], rules)
    sets += _lay_far_rows(codes, playing_rows[:-1], shapes, frozenset(sideways))
    for row in playing_rows[-1:]:
        own_sets = list(_lay_own_row(codes, row, shapes, is_only_row=len(playing_rows) == 1))
        sets += _split_undeclared_kongs(codes, own_sets, row, sets)
    return assemble(codes, sets, rules)


def arrange_beside(codes: Sequence[str], rows: Sequence[TileRow], rules: str) -> AssembledHand:
    """Return the sets of rows that lie beside a hand: exposed if most of them are sets."""
    shapes = laying_shapes(rules)
    playing_rows = [row for row in rows if not is_bonus_row(codes, row)]
    bonus_sets = [LaidSet(row.tiles, "bonus") for row in rows if row not in playing_rows]
    far_sets = _lay_far_rows(codes, playing_rows, shapes, frozenset())
    melds = [s for s in far_sets if len(s.tiles) >= 3 and is_set(_codes_of(codes, s.tiles), shapes)]
    if len(melds) * 2 < len(far_sets):  # three or four loose tiles are no misread set here
        far_sets = [LaidSet(each.tiles, "concealed") for each in far_sets]
    return assemble(codes, [*bonus_sets, *far_sets], rules)


def find_adjacent_groups(codes: Sequence[str], rows: Sequence[TileRow]) -> Iterator[TileGroup]:
    """Yield the groups of adjacent tiles, and whether they are probably exposed sets."""
    playing_rows = [row for row in rows if not is_bonus_row(codes, row)]
    for row in playing_rows:
        exposed = row.meaning == "exposed" if row.meaning else row is not playing_rows[-1]
        yield from (TileGroup(group, exposed) for group in row.groups)


def to_sets(hand: AssembledHand) -> tuple[SetReading, ...]:
    """Return the hand's sets in the form of a reading."""
    return tuple(SetReading(s.tiles, s.row, s.kind) for s in hand.sets)


def is_bonus(code: str) -> bool:
    """Return whether this is a flower or a season."""
    return code in _BONUS_CODES


def is_bonus_row(codes: Sequence[str], row: TileRow) -> bool:
    """Return whether a row holds only flowers and seasons."""
    return all(is_bonus(codes[tile]) for tile in row.tiles)


def _lay_far_rows(
    codes: Sequence[str], rows: Sequence[TileRow], shapes: tuple[str, ...], sideways: frozenset[int]
) -> list[LaidSet]:
    """Return the sets of the rows that may be exposed.

    Loose tiles and pairs cannot be exposed, unless a sideways tile shows that they were claimed.
    Rows of mostly such tiles are a concealed hand that was too long for one line.
    """
    pieces = [piece for row in rows for piece in _cut_row(codes, row, shapes)]
    exposable = [piece for piece in pieces if len(piece) >= 3 and not is_bonus(codes[piece[0]])]
    playing_tiles = [tile for piece in pieces for tile in piece if not is_bonus(codes[tile])]
    is_exposed = 2 * sum(len(piece) for piece in exposable) >= len(playing_tiles)
    exposed = [
        piece
        for piece in pieces
        if is_exposed and (piece in exposable or not sideways.isdisjoint(piece))
    ]
    return [LaidSet(each, "exposed" if each in exposed else "concealed") for each in pieces]


def _lay_mat_rows(
    codes: Sequence[str], rows: Sequence[TileRow], shapes: tuple[str, ...]
) -> Iterator[LaidSet]:
    """Yield the sets of rows that lie on the mat."""
    own_rows = [row for row in rows if row.meaning != "exposed"]
    for row in rows:
        if row.meaning == "exposed":
            yield from (LaidSet(piece, "exposed") for piece in _cut_row(codes, row, shapes))
    sets = [LaidSet(row.tiles, "exposed") for row in rows if row.meaning == "exposed"]
    for row in own_rows:
        yield from _split_undeclared_kongs(
            codes, list(_lay_own_row(codes, row, shapes, is_only_row=False)), row, sets
        )


def _cut_row(codes: Sequence[str], row: TileRow, shapes: tuple[str, ...]) -> list[_Run]:
    """Cut a row of possible exposed sets at its gaps, unless it makes more sense without them.

    Three or four tiles between gaps stay together even if they make no set: one may be misread.
    """
    by_gaps = [piece for group in row.groups for piece in _cut_run(codes, group, shapes, keep=True)]
    gapless = list(_cut_run(codes, row.tiles, shapes))

    def odd(pieces: list[_Run]) -> int:
        return sum(len(p) for p in pieces if len(p) < 3 or not is_set(_codes_of(codes, p), shapes))

    return min(by_gaps, gapless, key=odd)


def _lay_own_row(
    codes: Sequence[str], row: TileRow, shapes: tuple[str, ...], is_only_row: bool
) -> Iterator[LaidSet]:
    """Yield the sets of the row nearest the player, or of the only row.

    In the only row, one pung laid as a concealed one (BMJA-V05, SAF-V03) shows that its owner marks
    concealed pungs. A pung with all tiles face up is then exposed (BMJA-V11).
    """
    pieces = [piece for group in row.groups for piece in _cut_run(codes, group, shapes)]
    face_down_pieces = [
        names for names in (_codes_of(codes, p) for p in pieces) if FACE_DOWN in names
    ]
    if not all(is_set(names, shapes) for names in face_down_pieces):
        pieces = list(_cut_run(codes, row.tiles, shapes))
    has_kong_marks = is_only_row and any(
        len(names) == 3 and is_set(names, shapes) for names in face_down_pieces
    )
    for piece in pieces:
        exposed = has_kong_marks and classify_group(_codes_of(codes, piece)) == "pung"
        yield LaidSet(piece, "exposed" if exposed else "concealed")


def _split_undeclared_kongs(
    codes: Sequence[str], own_sets: list[LaidSet], row: TileRow, other_sets: Sequence[LaidSet]
) -> Iterator[LaidSet]:
    """Yield the sets of a player's own row; four alike in a run are a kong only if necessary.

    A kong laid by itself is declared (BMJA-V07). In a run the four may be a pung and a loose tile.
    They are a kong only if the hand has the additional tile for it.
    """
    sets = [*other_sets, *own_sets]
    spare = sum(not is_bonus(codes[tile]) for each in sets for tile in each.tiles) - HAND_SIZE
    in_run = [
        each
        for each in own_sets
        if classify_group(_codes_of(codes, each.tiles)) == "kong" and each.tiles not in row.groups
    ]
    spare -= sum(len(each.tiles) == 4 for each in sets if each not in in_run)
    for laid_set in own_sets:
        if laid_set in in_run and in_run.index(laid_set) >= spare:
            yield LaidSet(laid_set.tiles[:3], laid_set.row)
            yield LaidSet(laid_set.tiles[3:], laid_set.row)
        else:
            yield laid_set


def _codes_of(codes: Sequence[str], piece: _Run) -> tuple[str, ...]:
    return tuple(codes[tile] for tile in piece)


def _cut_run(
    codes: Sequence[str], group: _Run, shapes: tuple[str, ...], keep: bool = False
) -> Iterator[_Run]:
    """Cut a run of touching tiles into sets, with bonus tiles separate.

    With `keep`, three or four tiles that make no sets stay together.
    """
    bonus = tuple(tile for tile in group if is_bonus(codes[tile]))
    playing_tiles = tuple(tile for tile in group if tile not in bonus)
    names = _codes_of(codes, playing_tiles)
    cut = cut_into_sets(names, shapes)
    if keep and 3 <= len(playing_tiles) <= 4 and any(not is_set(names[p], shapes) for p in cut):
        yield playing_tiles
    else:
        yield from (playing_tiles[piece] for piece in cut)
    if bonus:
        yield bonus

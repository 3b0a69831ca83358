"""A hand's tiles as the page draws them: in rows and sets, and in the small strip below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from device.hands.manual_entry import kind_of
from device.hands.misreading import find_misread_tile
from device.hands.record import HandRecord, HandTile
from device.hands.scoring import has_right_count
from device.i18n.words import say, say_count, tile_name
from scorer.breakdown import Breakdown, TileSet
from scorer.layings import cut_into_sets, is_set, laying_shapes
from scorer.ruleset import Ruleset
from scorer.special.base import PUNG_TILES
from scorer.tiles import FACE_DOWN, JOKER
from vision.hand.assembly import AssembledHand, AssembledSet
from vision.reading import RowName, TileReading

ROWS: tuple[RowName, ...] = get_args(RowName)

_OTHER_ROW: dict[RowName, RowName] = {"concealed": "exposed", "exposed": "concealed"}
"""Where a set goes that is laid open, or taken back into the hand."""

SETS_IN_MAH_JONG, PAIRS_IN_MAH_JONG = 4, 1
"""How many sets and pairs an ordinary Mah-Jong has (BMJA-H01)."""

_SYMBOLS_WITHOUT_FACE: dict[str | None, str] = {
    None: "tile-unknown",
    FACE_DOWN: "tile-back",
    JOKER: "tile-unknown",
}
"""The drawings for tiles that show no face."""


@dataclass(frozen=True, slots=True)
class TileView:
    """One tile on the page."""

    place: int
    symbol: str
    """Name of its drawing in the sprite."""
    name: str
    """The tile in words, including doubts and changes."""
    doubtful: bool
    changed: bool
    winning: bool


@dataclass(frozen=True, slots=True)
class GroupingChoice:
    """Another grouping of tiles, one tap away."""

    verb: str
    """`split` or `join`."""
    groups: str
    """The places of the tiles, groups separated by `|`: `3 4 5|6`."""


@dataclass(frozen=True, slots=True)
class TileGroupView:
    """One set on the page."""

    source: int
    row: RowName
    label: str
    pieces: tuple[TileView, ...]
    moves_to: RowName | None
    """The row to which the button moves the set; None for bonus tiles."""
    loose: bool
    """The tiles make no set by themselves."""
    ways: tuple[GroupingChoice, ...]
    """Other groupings of its tiles."""


def tile_rows(
    record: HandRecord, hand: AssembledHand, doubtful: Collection[int]
) -> dict[RowName, list[TileGroupView]]:
    """Return the sets by row, in the order in which they lie or were entered.

    `doubtful` are the places of the hand's doubtful tiles.
    """
    shapes = laying_shapes(record.rules)
    rows: dict[RowName, list[TileGroupView]] = {}
    for row in ROWS:
        row_sets = sorted(
            (laid for laid in hand.sets if laid.row == row), key=lambda s: min(s.tiles)
        )
        pairs = zip(row_sets, (*row_sets[1:], None), strict=False)
        rows[row] = [
            _tile_group(record, laid, doubtful, _grouping_choices(record, laid, after, shapes))
            for laid, after in pairs
        ]
    return rows


def _grouping_choices(
    record: HandRecord, tile_set: AssembledSet, after: AssembledSet | None, shapes: tuple[str, ...]
) -> tuple[GroupingChoice, ...]:
    """Return how a set may be split, and joined with the next one."""
    if tile_set.row == "bonus":
        return ()
    ways = []
    codes = _codes_as_laid(record, tile_set)
    if tile_set.kind in ("loose", "kong") and len(codes) > 1:
        cut = cut_into_sets(codes, shapes) if tile_set.kind == "loose" else ()
        pieces = cut if len(cut) > 1 else (slice(0, len(codes) - 1), slice(len(codes) - 1, None))
        ways.append(
            GroupingChoice(
                "split", "|".join(_format_places(tile_set.tiles[piece]) for piece in pieces)
            )
        )
    if after and is_set((*codes, *_codes_as_laid(record, after)), shapes):
        ways.append(GroupingChoice("join", _format_places((*tile_set.tiles, *after.tiles))))
    return tuple(ways)


def _codes_as_laid(record: HandRecord, tile_set: AssembledSet) -> tuple[str, ...]:
    """Return the codes of a set; face-down tiles stay face down."""
    return tuple(record.tiles[place].code or FACE_DOWN for place in tile_set.tiles)


def _format_places(tiles: Sequence[int]) -> str:
    return " ".join(map(str, tiles))


def doubtful_places(record: HandRecord) -> tuple[int, ...]:
    """Return the places of the hand's doubtful tiles.

    Where there is none, one that keeps a winner's hand from being a Mah-Jong is doubtful.
    """
    in_hand = {place for laid in record.sets for place in laid.tiles}
    doubtful = tuple(place for place in sorted(in_hand) if record.tiles[place].doubtful)
    misread_tile = None if doubtful else find_misread_tile(record)
    return doubtful if misread_tile is None else (misread_tile,)


MIN_GAPS = 2
"""A single gap is answered as a tile is: "No", and "Not a tile"."""

MIN_ALTERNATIVE_CHANCE = 0.005
"""Less likely alternatives are not offered."""

MIN_POSSIBLE_ODDS = 0.05
"""Less likely names of a tile are not weighed; bare wood looks a little like many."""


def find_gaps(record: HandRecord) -> tuple[int, ...]:
    """Return the places of the doubtful tiles if they are gaps between tiles; else none.

    On bare wood, gaps are read as tiles. They are what a hand has too many: with fewer, a tile in
    doubt belongs to the hand. Bonus tiles do not count among a hand's tiles. Counting cannot tell a
    gap from the fourth tile of a kong: such a tile is asked about by itself.
    """
    of_hand = {place for laid in record.sets if laid.row != "bonus" for place in laid.tiles}
    gaps = tuple(place for place in doubtful_places(record) if place in of_hand)
    if len(gaps) < MIN_GAPS or has_right_count(record) or _may_be_of_kong(record, gaps, of_hand):
        return ()
    tiles = tuple(
        replace(tile, code=None) if place in gaps else tile
        for place, tile in enumerate(record.tiles)
    )
    return gaps if has_right_count(replace(record, tiles=tiles)) else ()


def _may_be_of_kong(record: HandRecord, places: Collection[int], of_hand: set[int]) -> bool:
    """Return whether one of these tiles lies in a kong, or may be the fourth tile of one."""
    counts = Counter(record.tiles[place].code for place in of_hand.difference(places))
    fourths = {code for code, count in counts.items() if count == PUNG_TILES}
    return any(
        {FACE_DOWN, *fourths} & _possible_codes(record.tiles[place]) for place in places
    ) or any(
        len(laid.tiles) == PUNG_TILES + 1
        and not set(laid.tiles).isdisjoint(places)
        and len({record.tiles[k].code for k in laid.tiles if k not in places} - {FACE_DOWN}) <= 1
        for laid in record.sets
    )


def _possible_codes(tile: HandTile) -> set[str | None]:
    """Return what a tile may be by its look."""
    if tile.read is None:
        return {tile.code}
    likely = {code for code, odds in tile.read.alternatives if odds >= MIN_POSSIBLE_ODDS}
    return {tile.code, tile.read.seen, *likely}


def likely_alternatives(read: TileReading) -> tuple[tuple[str, float], ...]:
    """Return what else a tile may be, with chances, the likeliest first."""
    return tuple(each for each in read.alternatives if each[1] >= MIN_ALTERNATIVE_CHANCE)


def list_guesses(read: TileReading, code: str | None, *, is_doubtful: bool) -> tuple[str, ...]:
    """Return what else a tile may be that is `code` now, the best first.

    After a correction, the first reading is among them, so that one tap takes a slip back. Unlikely
    guesses are those of a doubtful tile alone.
    """
    guesses = read.alternatives if is_doubtful else likely_alternatives(read)
    return tuple(each for each in (read.code, *(guess for guess, _ in guesses)) if each != code)


def doubtful_groups(record: HandRecord) -> tuple[tuple[int, ...], ...]:
    """Return the places of the doubtful tiles by question."""
    sets = [laid.tiles for laid in record.assembled_hand.sets]
    codes = [tile.code for tile in record.tiles]
    looks = [tile.read.alike if tile.read else 0 for tile in record.tiles]
    return group_by_question(doubtful_places(record), sets, codes, looks)


def group_by_question(
    places: Iterable[int],
    sets: Sequence[Sequence[int]],
    codes: Sequence[str | None],
    looks: Sequence[int],
) -> tuple[tuple[int, ...], ...]:
    """Return the places of tiles in groups that are one question each.

    Tiles of one name are one question if they lie in one of `sets` or look alike: have the same
    number in `looks`, which is 0 for a tile that looks like no other.
    """
    set_of = {place: number for number, laid in enumerate(sets) for place in laid}
    groups: dict[frozenset[tuple[str, int, str | None]], set[int]] = {}
    for place in places:
        marks = frozenset({("set", set_of[place], codes[place])})
        if looks[place]:
            marks |= {("look", looks[place], codes[place])}
        group = {place}
        for other in [each for each in groups if each & marks]:
            group |= groups.pop(other)
            marks |= other
        groups[marks] = group
    return tuple(sorted(tuple(sorted(group)) for group in groups.values()))


def count_line(
    hand: AssembledHand, breakdown: Breakdown | None, rules: Ruleset
) -> tuple[str, bool]:
    """Return a line such as `14 tiles · 4 sets + pair`, and whether the hand is complete.

    A special hand that is not four sets and a pair is named instead.
    """
    kinds = [s.kind for s in (breakdown.sets if breakdown else hand.sets)]
    tiles = sum(len(s.tiles) for s in hand.sets if s.row != "bonus")
    sets = sum(kind in ("chow", "pung", "kong") for kind in kinds)
    pairs = kinds.count("pair")
    is_complete = (sets, pairs) == (SETS_IN_MAH_JONG, PAIRS_IN_MAH_JONG)
    parts = [say_count("count.tiles", tiles)]
    if is_complete:
        parts.append(say("count.whole"))
    elif breakdown and breakdown.special and not breakdown.fishing:
        is_complete = True
        parts.append(say(rules.specials_by_id[breakdown.special].name))
    else:
        parts += [say_count("count.sets", sets)] if sets else []
        parts += [say_count("count.pairs", pairs)] if pairs else []
    return " · ".join(parts), is_complete


def symbol(code: str | None) -> str:
    """Return the name of a tile's drawing in the sprite."""
    return _SYMBOLS_WITHOUT_FACE.get(code, f"tile-{code}")


def _tile_group(
    record: HandRecord,
    tile_set: AssembledSet,
    doubtful: Collection[int],
    ways: tuple[GroupingChoice, ...],
) -> TileGroupView:
    pieces = tuple(
        _tile_view(record, place, code, doubtful=place in doubtful)
        for place, code in zip(tile_set.tiles, tile_set.codes, strict=True)
    )
    kind = kind_of(tile_set, goulash=record.agreement.goulash)
    return TileGroupView(
        source=tile_set.source,
        row=tile_set.row,
        label=say(f"kind.{kind}"),
        pieces=pieces,
        moves_to=_OTHER_ROW.get(tile_set.row),
        loose=kind == "loose",
        ways=ways,
    )


def _tile_view(record: HandRecord, place: int, counts_as: str, *, doubtful: bool) -> TileView:
    tile = record.tiles[place]
    if record.photo is None:  # a hand entered by hand has no reading to differ from
        tile = replace(tile, is_changed=False)
    winning = record.situation.winner and record.situation.winning_tile == place
    return TileView(
        place=place,
        symbol=symbol(tile.code),
        name=_describe_tile(place, tile, counts_as, doubtful=doubtful, winning=winning),
        doubtful=doubtful,
        changed=tile.is_changed,
        winning=winning,
    )


def _describe_tile(
    place: int, tile: HandTile, counts_as: str, *, doubtful: bool, winning: bool
) -> str:
    name = tile_name(tile.code or FACE_DOWN)
    if tile.code == FACE_DOWN and counts_as != FACE_DOWN:
        name = say("tile.counts-as", name=name, other=tile_name(counts_as))
    notes = [
        note
        for note, holds in (
            ("tile.is-doubtful", doubtful),
            ("tile.is-changed", tile.is_changed),
            ("tile.is-winning", winning),
        )
        if holds
    ]
    return ", ".join([say("tile.numbered", number=place + 1, name=name), *map(say, notes)])


@dataclass(frozen=True, slots=True)
class StripSet:
    """One set of the strip."""

    label: str
    """Empty for a tile that is in no set."""
    pieces: tuple[TileView, ...]
    source: int
    moves_to: RowName | None
    """The row to which one tap moves it; None where a tap does not move it."""
    is_exposed: bool = False


StripRow = RowName | Literal["laid"]
"""A row of the strip; `laid` holds the exposed and concealed sets in the order in which they lie,
while it is asked which were exposed."""

Strip = Mapping[StripRow, tuple[StripSet, ...]]


@dataclass(frozen=True, slots=True)
class RowMove:
    """One tap that moves all sets of a row, where the player says which were exposed."""

    sets: str
    """Their numbers: `3 4 5`."""
    row: RowName
    """The row to which they move."""


def row_moves(hand: AssembledHand) -> dict[RowName, RowMove]:
    """Return the move of each row: only pungs, chows and kongs can be exposed."""
    moves = {}
    for row, other in _OTHER_ROW.items():
        movable_sets = [
            s for s in hand.sets if s.row == row and (row == "exposed" or _can_be_exposed(s))
        ]
        if movable_sets:
            moves[row] = RowMove(_format_places(sorted({s.source for s in movable_sets})), other)
    return moves


def _can_be_exposed(tile_set: AssembledSet) -> bool:
    return tile_set.kind in ("chow", "pung", "kong")


def tile_strip(
    rows: dict[RowName, list[TileGroupView]], hand: AssembledHand, breakdown: Breakdown | None
) -> Strip:
    """Return the rows that have tiles, each set as it counts."""
    codes = {t: c for laid in hand.sets for t, c in zip(laid.tiles, laid.codes, strict=True)}
    drawn_rows: dict[StripRow, tuple[StripSet, ...]] = {
        row: tuple(map(_set_as_laid, groups)) for row, groups in rows.items() if groups
    }
    if breakdown and "concealed" in drawn_rows:
        drawn_rows["concealed"] = _sets_as_counted(drawn_rows["concealed"], breakdown.sets, codes)
    return drawn_rows


def strip_as_laid(rows: dict[RowName, list[TileGroupView]]) -> Strip:
    """Return the sets in the order in which they lie, whatever the score makes of them."""
    sets = [_set_as_laid(group) for row in _OTHER_ROW for group in rows[row]]
    drawn_rows: dict[StripRow, tuple[StripSet, ...]] = {
        "laid": tuple(sorted(sets, key=_leftmost_place)),
        "bonus": tuple(map(_set_as_laid, rows["bonus"])),
    }
    return {row: drawn for row, drawn in drawn_rows.items() if drawn}


def _set_as_laid(group: TileGroupView) -> StripSet:
    is_exposed = group.row == "exposed"
    if group.loose and len(group.pieces) == 1:  # nobody exposes a single tile
        return StripSet("", group.pieces, group.source, None, is_exposed)
    return StripSet(group.label, group.pieces, group.source, group.moves_to, is_exposed)


def _sets_as_counted(
    strip_sets: tuple[StripSet, ...], counted_sets: Iterable[TileSet], codes: dict[int, str]
) -> tuple[StripSet, ...]:
    """Regroup concealed tiles into the sets that the score makes of them.

    Tiles that lie together as they count stay as they are, and so do tiles in no set. Every other
    set takes its tiles from where they lie, the leftmost first.
    """
    wanted_sets = [each for each in counted_sets if each.concealed and each.kind != "loose"]
    kept_sets: list[StripSet] = []
    rest: list[StripSet] = []
    for strip_set in strip_sets:
        tile_counts = Counter(codes[piece.place] for piece in strip_set.pieces)
        matching_set = next(
            (want for want in wanted_sets if Counter(want.tiles) == tile_counts), None
        )
        if matching_set:
            wanted_sets.remove(matching_set)
        (kept_sets if matching_set else rest).append(strip_set)
    left = [piece for each in rest for piece in each.pieces]
    if not wanted_sets or Counter(code for want in wanted_sets for code in want.tiles) - Counter(
        codes[piece.place] for piece in left
    ):
        return strip_sets  # nothing to regroup, or the score has tiles here that nobody laid
    new_sets = [_take_set(want, left, codes) for want in wanted_sets]
    remaining_sets = [
        replace(each, pieces=tuple(p for p in each.pieces if p in left)) for each in rest
    ]
    return tuple(
        sorted(
            [*kept_sets, *new_sets, *(s for s in remaining_sets if s.pieces)], key=_leftmost_place
        )
    )


def _leftmost_place(strip_set: StripSet) -> int:
    return min(piece.place for piece in strip_set.pieces)


def _take_set(want: TileSet, left: list[TileView], codes: dict[int, str]) -> StripSet:
    """Remove the tiles of a set from those that are left and return the set."""
    pieces = []
    for code in want.tiles:
        piece = next(tile for tile in left if codes[tile.place] == code)
        left.remove(piece)
        pieces.append(piece)
    ordered_pieces = tuple(sorted(pieces, key=lambda tile: tile.place))
    return StripSet(say(f"kind.{want.kind}"), ordered_pieces, -1, None)

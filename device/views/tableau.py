"""A hand's tiles as the page draws them: in rows and sets, and in the small strip below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from device.hands.layout import kind_of
from device.hands.record import HandRecord, HandTile
from device.i18n.words import say, say_count, tile_name
from scorer.breakdown import Breakdown
from scorer.layings import cut_into_sets, is_set, laying_shapes
from scorer.rulesets.builtin import load_builtin
from scorer.tiles import FACE_DOWN, JOKER
from vision.hand.assembly import AssembledHand, AssembledSet
from vision.reading import RowName

ROWS: tuple[RowName, ...] = get_args(RowName)

FULL_SETS, FULL_PAIRS = 4, 1
"""How many sets and pairs an ordinary Mah-Jong has (BMJA-H01)."""

_UNDRAWN: dict[str | None, str] = {
    None: "tile-unknown",
    FACE_DOWN: "tile-back",
    JOKER: "tile-unknown",
}
"""The drawings for tiles that show no face."""


@dataclass(frozen=True, slots=True)
class TableauTile:
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
class TableauGroup:
    """One set on the page."""

    source: int
    row: RowName
    label: str
    pieces: tuple[TableauTile, ...]
    moves_to: RowName | None
    """The row to which the button moves the set; None for bonus tiles."""
    loose: bool
    """The tiles make no set by themselves."""
    ways: tuple[GroupingChoice, ...]
    """Other groupings of its tiles."""


def rows(record: HandRecord, hand: AssembledHand) -> dict[RowName, list[TableauGroup]]:
    """Return the sets by row, in the order in which they lie or were entered."""
    shapes = laying_shapes(record.rules)
    found: dict[RowName, list[TableauGroup]] = {}
    for row in ROWS:
        own = sorted((laid for laid in hand.sets if laid.row == row), key=lambda s: min(s.tiles))
        pairs = zip(own, (*own[1:], None), strict=False)
        found[row] = [
            _group(record, laid, _ways(record, laid, after, shapes)) for laid, after in pairs
        ]
    return found


def _ways(
    record: HandRecord, laid: AssembledSet, after: AssembledSet | None, shapes: tuple[str, ...]
) -> tuple[GroupingChoice, ...]:
    """Return how a set may be split, and joined with the next one."""
    if laid.row == "bonus":
        return ()
    ways = []
    codes = _as_named(record, laid)
    if laid.kind in ("loose", "kong") and len(codes) > 1:
        cut = cut_into_sets(codes, shapes) if laid.kind == "loose" else ()
        pieces = cut if len(cut) > 1 else (slice(0, len(codes) - 1), slice(len(codes) - 1, None))
        ways.append(
            GroupingChoice("split", "|".join(_places(laid.tiles[piece]) for piece in pieces))
        )
    if after and is_set((*codes, *_as_named(record, after)), shapes):
        ways.append(GroupingChoice("join", _places((*laid.tiles, *after.tiles))))
    return tuple(ways)


def _as_named(record: HandRecord, laid: AssembledSet) -> tuple[str, ...]:
    """Return the codes of a set; face-down tiles stay face down."""
    return tuple(record.tiles[place].code or FACE_DOWN for place in laid.tiles)


def _places(tiles: Sequence[int]) -> str:
    return " ".join(map(str, tiles))


def doubtful_places(record: HandRecord) -> tuple[int, ...]:
    """Return the places of the hand's doubtful tiles."""
    in_hand = {place for laid in record.sets for place in laid.tiles}
    return tuple(place for place in sorted(in_hand) if record.tiles[place].doubtful)


def count_line(hand: AssembledHand, breakdown: Breakdown | None) -> tuple[str, bool]:
    """Return a line such as `14 tiles · 4 sets + pair`, and whether the hand is complete.

    A special hand that is not four sets and a pair is named instead.
    """
    kinds = [s.kind for s in (breakdown.sets if breakdown else hand.sets)]
    tiles = sum(len(s.tiles) for s in hand.sets if s.row != "bonus")
    sets = sum(kind in ("chow", "pung", "kong") for kind in kinds)
    pairs = kinds.count("pair")
    whole = (sets, pairs) == (FULL_SETS, FULL_PAIRS)
    parts = [say_count("count.tiles", tiles)]
    if whole:
        parts.append(say("count.whole"))
    elif breakdown and breakdown.special and not breakdown.fishing:
        whole = True
        parts.append(load_builtin(breakdown.ruleset).specials_by_id[breakdown.special].name)
    else:
        parts += [say_count("count.sets", sets)] if sets else []
        parts += [say_count("count.pairs", pairs)] if pairs else []
    return " · ".join(parts), whole


def symbol(code: str | None) -> str:
    """Return the name of a tile's drawing in the sprite."""
    return _UNDRAWN.get(code, f"tile-{code}")


def _group(
    record: HandRecord, laid: AssembledSet, ways: tuple[GroupingChoice, ...]
) -> TableauGroup:
    other: dict[RowName, RowName] = {"exposed": "concealed", "concealed": "exposed"}
    pieces = tuple(
        _piece(record, place, code) for place, code in zip(laid.tiles, laid.codes, strict=True)
    )
    return TableauGroup(
        source=laid.source,
        row=laid.row,
        label=say(f"kind.{laid.kind}"),
        pieces=pieces,
        moves_to=other.get(laid.row),
        loose=kind_of(laid, goulash=record.agreement.goulash) == "loose",
        ways=ways,
    )


def _piece(record: HandRecord, place: int, counts_as: str) -> TableauTile:
    tile = record.tiles[place]
    if record.photo is None:  # a hand entered by hand has no reading to differ from
        tile = replace(tile, changed=False)
    winning = record.situation.winner and record.situation.winning_tile == place
    return TableauTile(
        place=place,
        symbol=symbol(tile.code),
        name=_spoken(place, tile, counts_as, winning),
        doubtful=tile.doubtful,
        changed=tile.changed,
        winning=winning,
    )


def _spoken(place: int, tile: HandTile, counts_as: str, winning: bool) -> str:
    name = tile_name(tile.code or FACE_DOWN)
    if tile.code == FACE_DOWN and counts_as != FACE_DOWN:
        name = say("tile.counts-as", name=name, other=tile_name(counts_as))
    notes = [
        note
        for note, holds in (
            ("tile.is-doubtful", tile.doubtful),
            ("tile.is-changed", tile.changed),
            ("tile.is-winning", winning),
        )
        if holds
    ]
    return ", ".join([say("tile.numbered", number=place + 1, name=name), *map(say, notes)])

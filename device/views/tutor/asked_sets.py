"""Name and score the sets among asked-about tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from device.hands.record import HandRecord
from device.i18n.words import say
from scorer.breakdown import TileSet
from scorer.decompose.unfinished_splits import group_alike
from scorer.hand import WILD_CODES
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.sets import make_set
from scorer.teach.lessons.tile_meanings import paying_awards
from scorer.tiles import BY_CODE, FACE_DOWN
from vision.hand.assembly import AssembledHand, AssembledSet

CHOWS_SHOWN = 4
"""Chows shown among loose tiles; how many a hand may hold is another question."""


@dataclass(frozen=True, slots=True)
class SetLine:
    """One award of a set."""

    rule: str
    label: str
    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class AskedSetView:
    """One set among the tiles."""

    name: str
    codes: tuple[str, ...]
    """The tiles, all face up."""
    lines: tuple[SetLine, ...]
    otherwise: str
    """Its score if it were exposed instead of concealed, or the reverse; empty if equal."""


def sets_of(
    record: HandRecord, parts: AssembledHand, seat: SeatWinds, rules: Ruleset, *, several: bool
) -> Iterator[AskedSetView]:
    """Yield every pung, kong, chow and pair, as the tiles lie or could lie.

    With `several`, the rows mean nothing: only face-down tiles make a set concealed.
    """
    wild = WILD_CODES if record.agreement.goulash else frozenset[str]()
    for laid in parts.sets:
        if laid.row == "bonus" or FACE_DOWN in laid.codes:
            continue
        concealed = laid.row == "concealed" and not (several and _all_face_up(record, laid))
        codes = tuple(code for code in laid.codes if code in BY_CODE or code in wild)
        made = make_set(codes, concealed=concealed, wild=wild)
        loose = [code for code in codes if code not in wild]
        for each in (made,) if made else group_alike(loose, chows=CHOWS_SHOWN):
            if each.kind != "loose":
                yield _view(each, seat, rules)


def _all_face_up(record: HandRecord, laid: AssembledSet) -> bool:
    return all(record.tiles[place].code != FACE_DOWN for place in laid.tiles)


def _view(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> AskedSetView:
    kind = say(f"kind.{tile_set.kind}")
    by_row = tile_set.kind in ("pung", "kong")
    row = "concealed" if tile_set.concealed else "exposed"
    other = replace(tile_set, concealed=not tile_set.concealed)
    here, there = (_points(each, seat, rules) for each in (tile_set, other))
    return AskedSetView(
        name=say(f"asking.set.{row}", kind=kind) if by_row else kind,
        codes=tile_set.tiles,
        lines=tuple(
            SetLine(
                award.rule.id,
                award.rule.label_for(concealed=award.concealed),
                award.points,
                award.rule.doubles,
            )
            for award in paying_awards(tile_set, seat, rules)
        ),
        otherwise=say(f"asking.otherwise.{row}", points=there) if here != there else "",
    )


def _points(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> int:
    return sum(award.points for award in paying_awards(tile_set, seat, rules))

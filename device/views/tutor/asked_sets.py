"""The sets among tiles that somebody asks about: what each is called, and what it is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from device.hands.hand import HandRecord
from device.i18n.words import say
from scorer.breakdown import TileSet
from scorer.decompose.unfinished import alike
from scorer.hand import WILD
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.sets import make_set
from scorer.teach.lessons.meanings import worth
from scorer.tiles import BY_CODE, FACE_DOWN
from vision.hand.assemble import AssembledHand, AssembledSet

CHOWS_SHOWN = 4
"""Of tiles that lie loose; whether a hand may hold so many is another question."""


@dataclass(frozen=True, slots=True)
class SetLine:
    """One thing that a set earns."""

    rule: str
    label: str
    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class AskedSetView:
    """One set."""

    name: str
    codes: tuple[str, ...]
    """As the tiles are, face up."""
    lines: tuple[SetLine, ...]
    otherwise: str
    """What it would score laid the other way; empty where that makes no difference."""


def sets_of(
    record: HandRecord, parts: AssembledHand, seat: SeatWinds, rules: Ruleset, *, several: bool
) -> Iterator[AskedSetView]:
    """Yield every pung, kong, chow and pair, as the tiles lie or could lie.

    Of `several` sets that are no player's rows only tiles face down say that a set is concealed.
    """
    wild = WILD if record.agreement.goulash else frozenset[str]()
    for laid in parts.sets:
        if laid.row == "bonus" or FACE_DOWN in laid.codes:
            continue
        concealed = laid.row == "concealed" and not (several and _all_face_up(record, laid))
        codes = tuple(code for code in laid.codes if code in BY_CODE or code in wild)
        made = make_set(codes, concealed=concealed, wild=wild)
        loose = [code for code in codes if code not in wild]
        for each in (made,) if made else alike(loose, chows=CHOWS_SHOWN):
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
            for award in worth(tile_set, seat, rules)
        ),
        otherwise=say(f"asking.otherwise.{row}", points=there) if here != there else "",
    )


def _points(tile_set: TileSet, seat: SeatWinds, rules: Ruleset) -> int:
    return sum(award.points for award in worth(tile_set, seat, rules))

"""A breakdown as the page writes it out: points, then doubles, then the total."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.hand import HandRecord
from device.hands.scoring import hand_from, places_of
from device.i18n.words import say
from device.views.asides import Asides, asides
from device.views.overlay import OverlayWindow, around
from scorer.breakdown import Breakdown, Line
from scorer.explain.sums import amount, sum_text, written
from scorer.notation import format_hand
from scorer.rulesets.shipped import shipped
from vision.hand.assemble import AssembledHand
from vision.reading import Quad


@dataclass(frozen=True, slots=True)
class LineView:
    """One award."""

    rule: str
    label: str
    amount: str
    sentence: str
    codes: tuple[str, ...]
    places: tuple[int, ...]
    """Its tiles on the page and in the photograph."""
    window: OverlayWindow | None
    """The part of the photograph that shows them."""
    quads: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class SpecialView:
    """The special hand that was scored."""

    rule: str
    name: str
    sentence: str
    """What it is made of."""
    fishing: bool
    """The hand is one tile short of it."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole score."""

    total: int
    working: tuple[str, ...]
    """The sum written out, in one line or two."""
    special: SpecialView | None
    notice: str
    """What the ruleset says of itself; empty for most."""
    points: tuple[LineView, ...]
    doubles: tuple[LineView, ...]
    apart: tuple[LineView, ...]
    """The bonus tiles beside a special hand, points first (BMJA-S02)."""
    apart_working: str
    """Their own sum written out; empty where it is but one figure."""
    parts: tuple[tuple[str, int], ...]
    """What leads to the total where that is more than one sum: a name and an amount each."""
    cut: str
    """What the limit did to the total; empty where it did nothing."""
    warnings: tuple[str, ...]
    asides: Asides
    hand_text: str


def score_sheet(record: HandRecord, hand: AssembledHand, breakdown: Breakdown) -> ScoreSheet:
    """Return what the page shows of a score."""

    def views(part: str, *, doubles: bool) -> tuple[LineView, ...]:
        lines = (line for line in breakdown.lines if line.part == part)
        return tuple(_line(record, hand, line) for line in lines if bool(line.doubles) == doubles)

    return ScoreSheet(
        total=breakdown.total,
        working=working(breakdown),
        special=_special(breakdown),
        notice=breakdown.notice,
        points=views("hand", doubles=False),
        doubles=views("hand", doubles=True),
        apart=views("bonus", doubles=False) + views("bonus", doubles=True),
        apart_working=_apart_working(breakdown),
        parts=tuple(_parts(breakdown)),
        cut=say("score.cut", limit=breakdown.limit) if breakdown.limited else "",
        warnings=tuple(say(problem.message) for problem in breakdown.problems),
        asides=asides(breakdown),
        hand_text=format_hand(hand_from(record)),
    )


def working(breakdown: Breakdown) -> tuple[str, ...]:
    """Return the sum written out: `20 + 8 + 4 = 32 · ×2 ×2 = 128 (limit 1000)`.

    Bonus tiles that are counted apart are added in a line of its own: `288 + 16 = 304`.
    """
    steps = [say(sum_text(breakdown))]
    hand, bonus = _worth(breakdown)
    if bonus:
        own = [line.points for line in breakdown.lines if line.points and line.part == "hand"]
        steps = [step for step in [written(own, breakdown.doubles)] if "=" in step]
        steps.append(say("score.with-bonus", hand=hand, bonus=bonus, sum=hand + bonus))
    if breakdown.limit is not None and (bonus or not breakdown.limited):
        steps[-1] = say("score.within-limit", sum=steps[-1], limit=breakdown.limit)
    return tuple(steps)


def _worth(breakdown: Breakdown) -> tuple[int, int]:
    """Return what the hand comes to, and the bonus tiles beside it, before the limit."""
    hand = breakdown.base << breakdown.doubles
    return hand, breakdown.bonus_base << breakdown.bonus_doubles


def _special(breakdown: Breakdown) -> SpecialView | None:
    if breakdown.special is None:
        return None
    special = shipped(breakdown.ruleset).special_named[breakdown.special]
    return SpecialView(special.id, special.name, special.sentence, breakdown.fishing)


def _apart_working(breakdown: Breakdown) -> str:
    """Return the sum of the bonus tiles: `4 + 4 = 8 · ×2 = 16`."""
    points = [line.points for line in breakdown.lines if line.part == "bonus" and line.points]
    text = written(points, breakdown.bonus_doubles)
    return text if "=" in text else ""


def _parts(breakdown: Breakdown) -> Iterator[tuple[str, int]]:
    hand, bonus = _worth(breakdown)
    if bonus:
        yield say("score.the-hand"), hand
        yield say("tiles.bonus"), bonus
    if breakdown.limited:
        yield say("score.before-limit"), hand + bonus


def _line(record: HandRecord, hand: AssembledHand, line: Line) -> LineView:
    places = places_of(line.tiles, hand)
    quads = tuple(
        read.quad for read in (record.tiles[place].read for place in places) if read is not None
    )
    return LineView(
        rule=line.rule,
        label=line.label,
        amount=amount(line),
        sentence=line.sentence,
        codes=line.tiles,
        places=places,
        window=around(quads, record),
        quads=quads,
    )

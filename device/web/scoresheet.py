"""A breakdown as the page writes it out: points, then doubles, then the total."""

from __future__ import annotations

from dataclasses import dataclass

from device.hands import HandRecord, hand_from
from device.scoring import judge, places_of
from device.web.overlay import Window, around
from device.web.words import say
from scorer.breakdown import Breakdown, Line
from scorer.errors import HandError
from scorer.explain import sum_text
from scorer.hand import Hand
from scorer.notation import format_hand
from vision.assemble import AssembledHand
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
    window: Window | None
    """The part of the photograph that shows them."""
    quads: tuple[Quad, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A whole score."""

    total: int
    working: str
    """The sum written out."""
    limited: bool
    points: tuple[LineView, ...]
    doubles: tuple[LineView, ...]
    not_counted: tuple[tuple[str, str], ...]
    """Rule id and reason."""
    warnings: tuple[str, ...]
    hand_text: str


def score_sheet(record: HandRecord, hand: AssembledHand, breakdown: Breakdown) -> ScoreSheet:
    """Return what the page shows of a score."""
    scored = hand_from(record)
    views = [_line(record, hand, line) for line in breakdown.lines]
    return ScoreSheet(
        total=breakdown.total,
        working=working(breakdown, scored),
        limited=breakdown.limited,
        points=tuple(v for v, line in zip(views, breakdown.lines, strict=True) if line.points),
        doubles=tuple(v for v, line in zip(views, breakdown.lines, strict=True) if line.doubles),
        not_counted=tuple((n.rule, n.reason) for n in breakdown.not_counted),
        warnings=tuple(problem.message for problem in breakdown.problems),
        hand_text=format_hand(scored),
    )


def working(breakdown: Breakdown, hand: Hand) -> str:
    """Return the sum written out: `20 + 8 + 4 = 32 · ×2 ×2 = 128 (limit 1000)`."""
    text = sum_text(breakdown)
    if breakdown.limited or hand.limit is None:
        return text
    return say("score.within-limit", sum=text, limit=hand.limit)


def total_of(record: HandRecord) -> int | None:
    """Return a hand's total; None while it has none."""
    try:
        return judge(record).total
    except HandError:
        return None


def _line(record: HandRecord, hand: AssembledHand, line: Line) -> LineView:
    places = places_of(line.tiles, hand)
    quads = tuple(
        read.quad for read in (record.tiles[place].read for place in places) if read is not None
    )
    return LineView(
        rule=line.rule,
        label=line.label,
        amount=str(line.points) if line.points else " ".join(["×2"] * line.doubles),
        sentence=line.sentence,
        codes=line.tiles,
        places=places,
        window=around(quads, record),
        quads=quads,
    )

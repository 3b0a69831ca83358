"""A score as the page shows it: points, doubles, the total, and the details below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.record import HandRecord
from device.hands.scoring import find_counted_elsewhere, hand_from, locate_tiles
from device.i18n.words import describe_rules, say
from device.views.photo_overlay import OverlayWindow, window_around
from scorer.breakdown import Breakdown, Line, Score
from scorer.explain.sums import cuts_as_ordinary, write_amount, write_points, write_score
from scorer.message import Message
from scorer.notation import format_hand
from scorer.ruleset import Ruleset, SpecialHand
from vision.hand.assembly import AssembledHand


@dataclass(frozen=True, slots=True)
class LineView:
    """One line of the score."""

    rule: str
    label: str
    amount: str
    sentence: str
    codes: tuple[str, ...]
    places: tuple[int, ...]
    """Places of its tiles."""
    window: OverlayWindow | None
    """The part of the photograph that shows them."""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A complete score."""

    breakdown: Breakdown
    rules: Ruleset
    working: tuple[str, ...]
    """The sum written out, in one line or two."""
    points: tuple[LineView, ...]
    doubles: tuple[LineView, ...]
    separate_lines: tuple[LineView, ...]
    """The bonus tiles beside a special hand, points first (BMJA-S02)."""
    separate_working: str
    """The sum of the bonus tiles; empty where it is a single figure."""
    parts: tuple[tuple[str, int], ...]
    """Name and amount of each partial sum, where there is more than one."""
    cut: str
    """How the limit cut the total; empty where it did not."""
    uncounted: tuple[tuple[str, Message], ...]
    """Rule id and reason, at the end what counts by other families' rules."""

    hand_text: str

    @property
    def total(self) -> int:
        """The total."""
        return self.breakdown.total

    @property
    def special(self) -> SpecialHand | None:
        """The special hand that was scored; None for an ordinary hand."""
        return self.rules.specials_by_id.get(self.breakdown.special or "")

    @property
    def rules_text(self) -> str:
        """The ruleset and its limit, in words."""
        return describe_rules(self.rules)


def score_sheet(record: HandRecord, hand: AssembledHand, breakdown: Breakdown) -> ScoreSheet:
    """Return a score as the page shows it."""

    def views(part: str, *, doubles: bool) -> tuple[LineView, ...]:
        lines = (line for line in breakdown.lines if line.part == part)
        return tuple(
            _line_view(record, hand, line) for line in lines if bool(line.doubles) == doubles
        )

    rules, scored_hand = record.agreement.rules, hand_from(record)
    uncounted_rules = find_counted_elsewhere(scored_hand, record.agreement.custom_rules)
    return ScoreSheet(
        breakdown=breakdown,
        rules=rules,
        working=format_working(breakdown),
        points=views("hand", doubles=False),
        doubles=views("hand", doubles=True),
        separate_lines=views("bonus", doubles=False) + views("bonus", doubles=True),
        separate_working=_format_bonus_working(breakdown),
        parts=tuple(_name_parts(breakdown)),
        cut=_say_cut(breakdown, rules),
        uncounted=tuple(
            (each.rule, each.reason) for each in (*breakdown.not_counted, *uncounted_rules)
        ),
        hand_text=format_hand(scored_hand),
    )


def _say_cut(breakdown: Breakdown, rules: Ruleset) -> str:
    if not breakdown.limited:
        return ""
    ordinary = cuts_as_ordinary(breakdown, rules)
    return say("score.cut-ordinary" if ordinary else "score.cut", limit=breakdown.limit)


def format_working(breakdown: Score) -> tuple[str, ...]:
    """Return the sum written out: `20 + 8 + 4 = 32 · ×2 ×2 = 128 (limit 1000)`.

    Bonus tiles that are counted apart are added in a line of its own: `288 + 16 = 304`.
    """
    steps = [say(write_score(breakdown))]
    hand, bonus = _worth_before_limit(breakdown)
    if bonus:
        hand_points = [
            line.points for line in breakdown.lines if line.points and line.part == "hand"
        ]
        steps = [step for step in [write_points(hand_points, breakdown.doubles)] if "=" in step]
        steps.append(say("score.with-bonus", hand=hand, bonus=bonus, sum=hand + bonus))
    if breakdown.limit is not None and (bonus or not breakdown.limited):
        steps[-1] = say("score.within-limit", sum=steps[-1], limit=breakdown.limit)
    return tuple(map(_keep_operators, steps))


def _keep_operators(text: str) -> str:
    """Return a sum that a line may break before an operator alone, and behind a dot."""
    return re.sub(r"(?<=[+=]) | (?=·)|(?<!·) (?=×)", "\N{NO-BREAK SPACE}", text)


def _worth_before_limit(breakdown: Score) -> tuple[int, int]:
    """Return the hand's worth and that of separate bonus tiles, before the limit."""
    hand = breakdown.base << breakdown.doubles
    return hand, breakdown.bonus_base << breakdown.bonus_doubles


def _format_bonus_working(breakdown: Breakdown) -> str:
    """Return the sum of the bonus tiles: `4 + 4 = 8 · ×2 = 16`."""
    points = [line.points for line in breakdown.lines if line.part == "bonus" and line.points]
    text = write_points(points, breakdown.bonus_doubles)
    return _keep_operators(text) if "=" in text else ""


def _name_parts(breakdown: Breakdown) -> Iterator[tuple[str, int]]:
    hand, bonus = _worth_before_limit(breakdown)
    if bonus:
        yield say("score.the-hand"), hand
        yield say("tiles.bonus"), bonus
    if breakdown.limited:
        yield say("score.before-limit"), hand + bonus


def _line_view(record: HandRecord, hand: AssembledHand, line: Line) -> LineView:
    places = locate_tiles(line.tiles, hand)
    quads = tuple(
        read.quad for read in (record.tiles[place].read for place in places) if read is not None
    )
    return LineView(
        rule=line.rule,
        label=say(line.label),
        amount=write_amount(line),
        sentence=say(line.sentence),
        codes=line.tiles,
        places=places,
        window=window_around(quads, record),
    )

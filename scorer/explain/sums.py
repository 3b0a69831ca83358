"""Write a score as a sum in signs, and list the other ways of scoring the hand.

Several ways are compared, as ordinary or as special hands (BMJA-H06, S08, F03).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Protocol

from scorer.breakdown import Line, Score, ScoringAlternative, TileSet
from scorer.message import Message, message, plain_text
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate
from scorer.scoring.lines import name_special
from scorer.tile_names import describe_set, name_tiles


class WrittenSum(Protocol):
    """The parts of a sum."""

    @property
    def points(self) -> int:
        """The points of the hand."""

    @property
    def doubles(self) -> int:
        """The doubles of the hand."""

    @property
    def bonus_points(self) -> int:
        """The points of bonus tiles that are summed apart."""

    @property
    def bonus_doubles(self) -> int:
        """The doubles of bonus tiles that are summed apart."""


def write_score(breakdown: Score) -> Message:
    """Return the sum of a score, written out.

    >>> from scorer.notation import parse_hand
    >>> from scorer.score import score
    >>> from scorer.message import to_english
    >>> text = "B888 DRRR | O234 C55 O777 | F2 won=discard with=O7"
    >>> to_english(write_score(score(parse_hand(text))))
    '20 + 4 + 2 + 2 + 4 = 32 · ×2 = 64'
    >>> to_english(write_score(score(parse_hand("| B19 C19 O19 WESWN DRGWW | won=wall limit=500"))))
    '1000 (limit 500)'
    """
    hand = [line.points for line in breakdown.lines if line.points and line.part == "hand"]
    bonus_points = [line.points for line in breakdown.lines if line.points and line.part == "bonus"]
    text = plain_text(write_points(hand, breakdown.doubles))
    if bonus_points:
        worth = (breakdown.base << breakdown.doubles) + (
            breakdown.bonus_base << breakdown.bonus_doubles
        )
        bonus = write_points(bonus_points, breakdown.bonus_doubles)
        text = message("sum.bonus", hand=text, bonus=bonus, all=worth)
    if breakdown.limited:
        return message("sum.limited", hand=text, limit=breakdown.total)
    return text


def cuts_as_ordinary(breakdown: Score, rules: Ruleset) -> bool:
    """Return whether the limit of ordinary hands, lower than that of all, cuts the score."""
    ordinary_limit = rules.ordinary_limit if rules.has_lower_limit else None
    return breakdown.limited and breakdown.special is None and breakdown.limit == ordinary_limit


def write_points(points: Sequence[int], doubles: int = 0) -> str:
    """Write points added up and doubled, in signs that need no translation.

    >>> write_points([8, 4]), write_points([20]), write_points([24], 2), write_points([])
    ('8 + 4 = 12', '20', '24 · ×2 ×2 = 96', '0')
    """
    text = " + ".join(map(str, points)) or "0"
    if len(points) > 1:
        text += f" = {sum(points)}"
    if doubles:
        text += f" · {write_doubles(doubles)} = {sum(points) << doubles}"
    return text


def write_doubles(doubles: int) -> str:
    """Write doubles in signs: `×2 ×2`."""
    return " ".join(["×2"] * doubles)


def write_amount(line: Line) -> str:
    """Write what a line gives: its doubles in signs, or its points."""
    return write_doubles(line.doubles) or str(line.points)


def write_working(way: WrittenSum, limit: int | None) -> Message:
    """Write the sum of a way of scoring in short: `44 · ×2 ×2 = 176`."""
    text = plain_text(write_points([way.points], way.doubles))
    worth = (way.points << way.doubles) + (way.bonus_points << way.bonus_doubles)
    if way.bonus_points:
        bonus = write_points([way.bonus_points], way.bonus_doubles)
        text = message("sum.bonus", hand=text, bonus=bonus, all=worth)
    if limit is not None and worth > limit:
        return message("sum.limited", hand=text, limit=limit)
    return text


MAX_SHOWN_ALTERNATIVES = 8
"""Only the best are shown."""


def list_alternatives(
    ways: list[Candidate], best: Candidate, limit: int | None
) -> tuple[ScoringAlternative, ...]:
    """Return the ways of scoring that differ in name or score, the chosen one first.

    A special hand appears once, with its best way. An ordinary hand appears once for each
    arrangement with a different score.
    """
    has_choice = len({way.arrangement.sets for way in ways if way.special is None}) > 1
    rest = sorted((way for way in ways if way is not best), key=lambda way: -way.worth)
    unique_ways: dict[tuple[Message, int], Candidate] = {}
    for way in (best, *rest):
        ordinary_score = 0 if way.special else way.capped_score(limit)
        unique_ways.setdefault((_label_way(way, with_sets=has_choice), ordinary_score), way)
    return tuple(
        ScoringAlternative(
            label=label,
            rule=way.special.id if way.special else None,
            total=way.capped_score(limit),
            working=write_working(way, way.limit_under(limit)),
            chosen=way is best,
        )
        for (label, _), way in list(unique_ways.items())[:MAX_SHOWN_ALTERNATIVES]
    )


def _label_way(way: Candidate, *, with_sets: bool) -> Message:
    if way.special:
        return name_special(way.special, fishing=way.fishing)
    if not with_sets:
        return message("compared.ordinary")
    return message(
        "compared.ordinary-sets", sets=_join_sets(list(map(_name_set, way.arrangement.sets)))
    )


def _join_sets(names: list[Message]) -> Message:
    """Join the names of sets."""
    return reduce(lambda sets, name: message("compared.and-set", sets=sets, more=name), names)


def _name_set(tile_set: TileSet) -> Message:
    return (
        message("compared.loose", tiles=name_tiles(tile_set.tiles))
        if tile_set.kind == "loose"
        else describe_set(tile_set)
    )

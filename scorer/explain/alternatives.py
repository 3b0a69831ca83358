"""The ways of scoring that were compared (BMJA-H06, S08, F03)."""

from __future__ import annotations

from functools import reduce

from scorer.breakdown import Compared, TileSet
from scorer.explain.sums import working
from scorer.message import Message, message, of_rules
from scorer.naming import described, tiles
from scorer.scoring.candidates import Candidate
from scorer.scoring.lines import name_of

MOST = 8
"""Only the best are shown."""


def compared(ways: list[Candidate], best: Candidate, limit: int | None) -> tuple[Compared, ...]:
    """Return the ways of scoring that differ in name or score, the chosen one first.

    A special hand appears once, with its best way. An ordinary hand appears once for each
    arrangement with a different score.
    """
    several = len({way.reading.sets for way in ways if way.special is None}) > 1
    rest = sorted((way for way in ways if way is not best), key=lambda way: -way.worth)
    shown: dict[tuple[Message, int], Candidate] = {}
    for way in (best, *rest):
        within = 0 if way.special else way.within(limit)
        shown.setdefault((_label(way, with_sets=several), within), way)
    return tuple(
        Compared(
            label=label,
            rule=way.special.id if way.special else None,
            total=way.within(limit),
            working=working(way, limit),
            chosen=way is best,
        )
        for (label, _), way in list(shown.items())[:MOST]
    )


def _label(way: Candidate, *, with_sets: bool) -> Message:
    if way.special:
        return of_rules(name_of(way.special, fishing=way.fishing))
    if not with_sets:
        return message("compared.ordinary")
    return message("compared.ordinary-sets", sets=_in_a_line(list(map(_named, way.reading.sets))))


def _in_a_line(named: list[Message]) -> Message:
    """Join the names of sets."""
    return reduce(lambda sets, more: message("compared.and-set", sets=sets, more=more), named)


def _named(each: TileSet) -> Message:
    return (
        message("compared.loose", tiles=tiles(each.tiles))
        if each.kind == "loose"
        else described(each)
    )

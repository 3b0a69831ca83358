"""The ways of scoring that were weighed against one another (BMJA-H06, S08, F03)."""

from __future__ import annotations

from scorer.breakdown import Compared
from scorer.explain.sums import working
from scorer.scoring.candidates import Candidate
from scorer.scoring.lines import name_of
from scorer.wording import describe_all

MOST = 8
"""How many are shown; the best ones."""


def compared(ways: list[Candidate], best: Candidate, limit: int | None) -> tuple[Compared, ...]:
    """Return the ways that differ in what they are or what they give, the chosen one first.

    Of a special hand there is the best way alone; of the ordinary one, every reading that matters.
    """
    several = len({way.reading.sets for way in ways if way.special is None}) > 1
    rest = sorted((way for way in ways if way is not best), key=lambda way: -way.worth)
    shown: dict[tuple[str, int], Candidate] = {}
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


def _label(way: Candidate, *, with_sets: bool) -> str:
    if way.special:
        return name_of(way.special, fishing=way.fishing)
    return f"Ordinary hand: {describe_all(way.reading.sets)}" if with_sets else "Ordinary hand"

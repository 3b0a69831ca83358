"""Scoring: read the hand every way, price each reading, keep the best (BMJA-H06).

>>> from scorer.notation import parse_hand
>>> score(parse_hand("B111 | C345 DRRR O22 C777 | seat=S round=E won=wall with=C5")).total
76
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.awards import FINDERS, Award
from scorer.breakdown import Breakdown, Line, NotCounted
from scorer.checks import hand_problems
from scorer.errors import HandError, HandProblem, warning
from scorer.fishing import fishing_for
from scorer.hand import Hand
from scorer.mah_jong import why_no_mah_jong
from scorer.near_misses import NEAR_MISSES
from scorer.readings import Reading, readings
from scorer.rules import RULES, TWO_PLAYERS, Rule
from scorer.special import of_readings
from scorer.wording import describe


@dataclass(frozen=True, slots=True)
class Priced:
    """A reading with its lines."""

    reading: Reading
    lines: tuple[Line, ...]

    @property
    def base(self) -> int:
        """The points together: always even (BMJA-B14)."""
        return sum(line.points for line in self.lines)

    @property
    def doubles(self) -> int:
        """How often the points are doubled."""
        return sum(line.doubles for line in self.lines)

    @property
    def worth(self) -> int:
        """The score before the limit."""
        return self.base << self.doubles


def score(hand: Hand) -> Breakdown:
    """Return what the hand scores, by its best reading; raise HandError for what is no hand."""
    problems = hand_problems(hand)
    errors = tuple(problem for problem in problems if problem.level == "error")
    if errors:  # the warnings tell what a score is worth, and there is none
        raise HandError(errors)
    priced = [price(reading) for reading in readings(hand)]
    if not priced:
        raise HandError((why_no_mah_jong(hand),))
    best = max(priced, key=lambda each: (each.worth, -each.reading.loose_tiles))
    total = best.worth if hand.limit is None else min(best.worth, hand.limit)
    return Breakdown(
        total=total,
        base=best.base,
        doubles=best.doubles,
        limited=total < best.worth,
        special=None,
        lines=best.lines,
        not_counted=tuple(not_counted(best.reading)),
        sets=best.reading.sets,
        problems=(*problems, *second_looks(hand, best, priced)),
    )


def price(reading: Reading) -> Priced:
    """Return the reading with a line for each award that gives something."""
    return Priced(
        reading,
        tuple(
            _line(rule, award)
            for rule in _rules_for(reading.hand)
            if rule.gives
            for award in FINDERS[rule.id](reading)
        ),
    )


def not_counted(reading: Reading) -> Iterator[NotCounted]:
    """Yield the rules that give nothing here though a player might think so."""
    for rule in _rules_for(reading.hand):
        if FINDERS[rule.id](reading):
            reason = None if rule.gives else rule.sentence
        else:
            reason = NEAR_MISSES[rule.id](reading) if rule.id in NEAR_MISSES else None
        if reason:
            yield NotCounted(rule.id, reason)


def _rules_for(hand: Hand) -> Iterator[Rule]:
    return (rule for rule in RULES.values() if hand.winner or not rule.winner_only)


def _line(rule: Rule, award: Award) -> Line:
    return Line(
        rule=rule.id,
        label=rule.label_for(concealed=award.concealed),
        points=rule.points_for(concealed=award.concealed),
        doubles=rule.doubles,
        tiles=award.tiles,
    )


def second_looks(hand: Hand, best: Priced, priced: list[Priced]) -> Iterator[HandProblem]:
    """Yield what the player should know before the score is settled."""
    if not hand.winner:
        fished = fishing_for(hand)
        if fished:
            yield warning(
                "special-hand",
                f"This hand was one tile short of {fished.name} ({fished.id}), a special hand. "
                "What fishing for it is worth is not scored yet: what is shown is the ordinary "
                "sum.",
            )
        return
    special = of_readings(hand, (each.reading for each in priced))
    if special:
        yield warning(
            "special-hand",
            f"This is {special.name} ({special.id}), a special hand worth {special.worth}. "
            "Special hands are not scored yet: what is shown is the ordinary sum.",
        )
    claim = best.reading.claim
    if claim and _depends_on_claim(priced):
        completed = describe(best.reading.sets[claim.place])
        advice = "lay that set with the exposed ones" if hand.winning_tile else "say which tile won"
        yield warning(
            "winning-tile",
            f"The winning tile is taken to have completed the {completed}. "
            f"If it completed another set the score differs: {advice}.",
        )
    needed = TWO_PLAYERS
    if hand.players == 2 and best.doubles < needed.doubles and best.worth < needed.points:
        yield warning(
            "two-players",
            f"With two players a hand may go Mah-Jong only with {needed.doubles} doubles or "
            f"{needed.points} points.",
        )


def _depends_on_claim(priced: list[Priced]) -> bool:
    """Return whether the score hangs on what is not known: the tile claimed, or its side.

    Among the concealed tiles the player may choose the set that it completed (BMJA-H06).
    """
    best_for: dict[tuple[str, bool] | None, int] = {}
    for each in priced:
        claim = each.reading.claim
        facts = claim and (claim.tile, claim.lay_exposed)
        best_for[facts] = max(each.worth, best_for.get(facts, 0))
    return len(set(best_for.values())) > 1

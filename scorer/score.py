"""Scoring: every way to score the hand, the best of them, and how it comes about (BMJA-H06).

>>> from scorer.notation import parse_hand
>>> hand = parse_hand("B111 | C345 DRRR O22 C777 | seat=S round=E won=wall with=C5")
>>> total(hand), score(hand).total
(76, 76)
"""

from __future__ import annotations

from scorer.breakdown import Breakdown
from scorer.errors import HandError, HandProblem
from scorer.explain.alternatives import compared
from scorer.explain.nearest import nearest_specials
from scorer.explain.not_counted import not_counted
from scorer.explain.waits import waits_of
from scorer.explain.warnings import refuse_too_little, warnings_of
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate, best_candidate
from scorer.scoring.lines import lines_of
from scorer.scoring.losing import Completions, completions, losing_candidates
from scorer.scoring.winning import winning_candidates
from scorer.validate.circumstances import rules_of
from scorer.validate.mah_jong import why_no_mah_jong
from scorer.validate.tiles_in_hand import hand_problems


def score(hand: Hand, rules: Ruleset | None = None) -> Breakdown:
    """Return what the hand scores, and why; raise HandError for what is no hand.

    The rules are those that the hand names, or the ones given, with the hand's choices made.
    """
    rules = rules_of(hand, rules)
    problems = _refuse(hand, rules)
    coming = {} if hand.winner else completions(hand, rules)
    ways = _ways(hand, rules, coming)
    limit = rules.limit_for(hand)
    best = best_candidate(ways, limit)
    within = best.within(limit)
    return Breakdown(
        total=within,
        base=best.points,
        doubles=best.doubles,
        bonus_base=best.bonus_points,
        bonus_doubles=best.bonus_doubles,
        limited=within < best.worth,
        special=best.special.id if best.special else None,
        fishing=best.fishing,
        lines=lines_of(best, rules),
        not_counted=not_counted(best, ways, rules),
        sets=best.reading.sets,
        problems=(*problems, *warnings_of(hand, best, ways, rules)),
        compared=compared(ways, best, limit),
        waits=waits_of(hand, rules, coming),
        nearest=() if hand.winner else nearest_specials(hand, rules, coming),
        ruleset=rules.name,
        notice=rules.notice,
        limit=limit,
        options=rules.options_in_force,
    )


def total(hand: Hand, rules: Ruleset | None = None) -> int:
    """Return the total that `score` gives, without the explanation; raise HandError likewise."""
    rules = rules_of(hand, rules)
    _refuse(hand, rules)
    coming = {} if hand.winner else completions(hand, rules)
    limit = rules.limit_for(hand)
    return best_candidate(_ways(hand, rules, coming), limit).within(limit)


def _refuse(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return the warnings about a hand; raise HandError with every error, if there is one."""
    problems = hand_problems(hand, rules)
    errors = tuple(problem for problem in problems if problem.level == "error")
    if errors:  # the warnings tell what a score is worth, and there is none
        raise HandError(errors)
    return problems


def _ways(hand: Hand, rules: Ruleset, coming: Completions) -> list[Candidate]:
    if not hand.winner:
        return losing_candidates(hand, rules, coming)
    ways = winning_candidates(hand, rules)
    if not ways:
        raise HandError((why_no_mah_jong(hand, rules),))
    return refuse_too_little(hand, ways, rules)

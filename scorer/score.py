"""Score a hand: find every way to score it, choose the best, explain it (BMJA-H06).

`score_total` finds the best candidate, `score_unexplained` also writes its lines, and `score` also
explains them.

>>> from scorer.notation import parse_hand
>>> hand = parse_hand("B111 | C345 DRRR O22 C777 | seat=S round=E won=wall with=C5")
>>> total(hand), brief(hand).total, score(hand).total
(76, 76, 76)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scorer.breakdown import Breakdown, Score
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


class Weighed(NamedTuple):
    """The first stage: a hand, every candidate for its score, and the best one."""

    hand: Hand
    rules: Ruleset
    problems: tuple[HandProblem, ...]
    """Warnings about the hand."""
    completed: Completions
    """The candidates with each tile that completes a hand which did not win."""
    candidates: list[Candidate]
    best: Candidate
    limit: int | None

    @property
    def total(self) -> int:
        """The best score, cut to the limit."""
        return self.best.within(self.limit)


def score(hand: Hand, rules: Ruleset | None = None) -> Breakdown:
    """Return the score of a hand with its explanation; raise HandError for an impossible hand.

    Without `rules`, the hand's own ruleset is used. The hand's choices are applied to either.
    """
    weighed = _weigh(hand, rules)
    return Breakdown(**_written_out(weighed), **_explained(weighed))


def brief(hand: Hand, rules: Ruleset | None = None) -> Score:
    """Return the score without the explanation; raise HandError as `score` does."""
    return Score(**_written_out(_weigh(hand, rules)))


def total(hand: Hand, rules: Ruleset | None = None) -> int:
    """Return only the total; raise HandError as `score` does."""
    return _weigh(hand, rules).total


def _weigh(hand: Hand, rules: Ruleset | None) -> Weighed:
    rules = rules_of(hand, rules)
    problems = _refuse(hand, rules)
    completed = {} if hand.winner else completions(hand, rules)
    candidates = _candidates(hand, rules, completed)
    limit = rules.limit_for(hand)
    return Weighed(
        hand, rules, problems, completed, candidates, best_candidate(candidates, limit), limit
    )


def _written_out(weighed: Weighed) -> dict[str, Any]:
    """Return the fields of a `Score`: the best candidate, its lines, and the warnings."""
    hand, rules, problems, _, candidates, best, limit = weighed
    return {
        "total": weighed.total,
        "base": best.points,
        "doubles": best.doubles,
        "bonus_base": best.bonus_points,
        "bonus_doubles": best.bonus_doubles,
        "limited": weighed.total < best.worth,
        "special": best.special.id if best.special else None,
        "fishing": best.fishing,
        "lines": lines_of(best, rules),
        "problems": (*problems, *warnings_of(hand, best, candidates, rules)),
        "ruleset": rules.name,
        "notice": rules.notice,
        "limit": limit,
    }


def _explained(weighed: Weighed) -> dict[str, Any]:
    """Return the fields that a `Breakdown` adds: alternatives, and what is not counted."""
    hand, rules, _, completed, candidates, best, limit = weighed
    return {
        "sets": best.reading.sets,
        "not_counted": not_counted(best, candidates, rules),
        "compared": compared(candidates, best, limit),
        "waits": waits_of(hand, rules, completed),
        "nearest": () if hand.winner else nearest_specials(hand, rules, completed),
        "options": rules.options_in_force,
    }


def _refuse(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return the warnings about a hand; raise HandError with every error, if there is one."""
    problems = hand_problems(hand, rules)
    errors = tuple(problem for problem in problems if problem.level == "error")
    if errors:  # warnings qualify a score, and there is none
        raise HandError(errors)
    return problems


def _candidates(hand: Hand, rules: Ruleset, coming: Completions) -> list[Candidate]:
    if not hand.winner:
        return losing_candidates(hand, rules, coming)
    candidates = winning_candidates(hand, rules)
    if not candidates:
        raise HandError((why_no_mah_jong(hand, rules),))
    return refuse_too_little(hand, candidates, rules)

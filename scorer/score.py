"""Score a hand: find every way to score it, choose the best, explain it (BMJA-H06).

`score_total` finds the best candidate, `score_unexplained` also writes its lines, and `score` also
explains them.

>>> from scorer.notation import parse_hand
>>> hand = parse_hand("B111 | C345 DRRR O22 C777 | seat=S round=E won=wall with=C5")
>>> score_total(hand), score_unexplained(hand).total, score(hand).total
(76, 76, 76)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scorer.breakdown import Breakdown, Score
from scorer.errors import HandError, HandProblem
from scorer.explain.prospects import find_waits, nearest_specials
from scorer.explain.sums import list_alternatives
from scorer.explain.uncounted_rules import find_uncounted_rules
from scorer.explain.warnings import find_warnings, require_enough_for_two
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import (
    Candidate,
    Completions,
    choose_best,
    find_completions,
    losing_candidates,
    winning_candidates,
)
from scorer.scoring.lines import write_lines
from scorer.validate.circumstance_checks import choose_rules
from scorer.validate.tile_checks import find_hand_problems, why_no_mah_jong


class Evaluation(NamedTuple):
    """The first stage: a hand, every candidate for its score, and the best one."""

    hand: Hand
    rules: Ruleset
    problems: tuple[HandProblem, ...]
    """Warnings about the hand."""
    completions: Completions
    """The candidates with each tile that completes a hand which did not win."""
    candidates: list[Candidate]
    best: Candidate
    limit: int | None

    @property
    def total(self) -> int:
        """The best score, cut to the limit."""
        return self.best.capped_score(self.limit)


def score(hand: Hand, rules: Ruleset | None = None) -> Breakdown:
    """Return the score of a hand with its explanation; raise HandError for an impossible hand.

    Without `rules`, the hand's own ruleset is used. The hand's choices are applied to either.
    """
    evaluation = _evaluate(hand, rules)
    return Breakdown(**_score_fields(evaluation), **_explanation_fields(evaluation))


def score_unexplained(hand: Hand, rules: Ruleset | None = None) -> Score:
    """Return the score without the explanation; raise HandError as `score` does."""
    return Score(**_score_fields(_evaluate(hand, rules)))


def score_total(hand: Hand, rules: Ruleset | None = None) -> int:
    """Return only the total; raise HandError as `score` does."""
    return _evaluate(hand, rules).total


def _evaluate(hand: Hand, rules: Ruleset | None) -> Evaluation:
    rules = choose_rules(hand, rules)
    problems = _check_hand(hand, rules)
    completions = {} if hand.winner else find_completions(hand, rules)
    candidates = _find_candidates(hand, rules, completions)
    limit = rules.limit_for(hand)
    return Evaluation(
        hand, rules, problems, completions, candidates, choose_best(candidates, limit), limit
    )


def _score_fields(evaluation: Evaluation) -> dict[str, Any]:
    """Return the fields of a `Score`: the best candidate, its lines, and the warnings."""
    hand, rules, problems, _, candidates, best, limit = evaluation
    return {
        "total": evaluation.total,
        "base": best.points,
        "doubles": best.doubles,
        "bonus_base": best.bonus_points,
        "bonus_doubles": best.bonus_doubles,
        "limited": evaluation.total < best.worth,
        "special": best.special.id if best.special else None,
        "fishing": best.fishing,
        "lines": write_lines(best, rules),
        "problems": (*problems, *find_warnings(hand, best, candidates, rules)),
        "ruleset": rules.name,
        "notice": rules.notice,
        "limit": best.limit_under(limit),
    }


def _explanation_fields(evaluation: Evaluation) -> dict[str, Any]:
    """Return the fields that a `Breakdown` adds: alternatives, and what is not counted."""
    hand, rules, _, completions, candidates, best, limit = evaluation
    return {
        "sets": best.arrangement.sets,
        "not_counted": find_uncounted_rules(best, candidates, rules),
        "compared": list_alternatives(candidates, best, limit),
        "waits": find_waits(hand, rules, completions),
        "nearest": () if hand.winner else nearest_specials(hand, rules, completions),
        "options": rules.options_in_force,
    }


def _check_hand(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return the warnings about a hand; raise HandError with every error, if there is one."""
    problems = find_hand_problems(hand, rules)
    # Warnings qualify a score; where there is none, only the errors are said.
    HandError.raise_for(problem for problem in problems if problem.level == "error")
    return problems


def _find_candidates(hand: Hand, rules: Ruleset, completions: Completions) -> list[Candidate]:
    if not hand.winner:
        return losing_candidates(hand, rules, completions)
    candidates = winning_candidates(hand, rules)
    if not candidates:
        raise HandError((why_no_mah_jong(hand, rules),))
    return require_enough_for_two(hand, candidates, rules)

"""What the scorer answers where a refusal is an answer, too."""

from __future__ import annotations

from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.score import score


def score_or_none(hand: Hand, rules: Ruleset | None = None) -> Breakdown | None:
    """Return the score; None for a hand that is refused."""
    try:
        return score(hand, rules)
    except HandError:
        return None


def special_of(hand: Hand, rules: Ruleset) -> str | None:
    """Return the special hand that a hand counts as; None for none, and for one that is refused."""
    result = score_or_none(hand, rules)
    return result.special if result else None


def total_of(hand: Hand, rules: Ruleset | None = None) -> int | None:
    """Return what a hand scores, explained and all; None for one that is refused."""
    result = score_or_none(hand, rules)
    return result.total if result else None

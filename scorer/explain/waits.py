"""Find what a losing hand was waiting for, and the special hands nearest to it."""

from __future__ import annotations

from scorer.breakdown import Wait
from scorer.explain.warnings import enough_for_two
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import best_candidate
from scorer.scoring.losing import Completions


def waits_of(hand: Hand, rules: Ruleset, completions: Completions) -> tuple[Wait, ...]:
    """Return each tile that would complete the hand, with its score, dearest first.

    A tile that would not allow Mah-Jong with two players is left out (BMJA-N02).
    """
    limit = rules.limit_for(hand)
    waits = []
    for code, candidates in completions.items():
        enough = enough_for_two(hand, candidates, rules)
        if enough:
            best = best_candidate(enough, limit)
            special = best.special.id if best.special else None
            waits.append(Wait(code, 4 - hand.tiles.count(code), best.within(limit), special))
    return tuple(sorted(waits, key=lambda wait: -wait.total))

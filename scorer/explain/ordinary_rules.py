"""Why an ordinary rule gave nothing, by asking its test."""

from __future__ import annotations

from scorer.decompose.readings import HandReading
from scorer.hand import Hand
from scorer.predicates.bonus_tests import BONUS_TESTS, bonus_tiles
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import SET_REASONS
from scorer.reasons import Reason, because
from scorer.ruleset import Rule, Ruleset


def why_nothing(rule: Rule, arrangement: HandReading, rules: Ruleset) -> Reason:
    """Return the one thing that kept a rule from giving anything.

    None when the hand is too far from the rule, or when nobody would expect it.
    """
    match rule.of:
        case "hand":
            return HAND_TESTS[rule.when].why_not(arrangement, rules)
        case "bonus":
            return BONUS_TESTS[rule.when].why_not(bonus_tiles(arrangement.hand, rules))
        case "set":
            why_not = SET_REASONS.get((rule.when, rule.kinds[0]))
            return why_not(arrangement, rules) if why_not else None
        case _:
            return _not_drawn(rule, arrangement.hand)


def _not_drawn(rule: Rule, hand: Hand) -> Reason:
    """BMJA-B12, SAF-R08: a claimed tile does not count as drawn; for B12 nor does a loose tile."""
    if "wall" not in rule.ways:
        return None
    loose_too = "loose" in rule.ways
    if hand.claimed:
        return because("claimed" if loose_too else "claimed-not-from-the-live-wall")
    return because("loose-tile") if hand.on_loose_tile and not loose_too else None

"""Why a winner's tiles are no Mah-Jong."""

from __future__ import annotations

from scorer.decompose.grouping import Sets
from scorer.decompose.readings import HandReading, arrangements, laid_down
from scorer.errors import HandProblem, error
from scorer.hand import Hand
from scorer.message import message
from scorer.ruleset import Ruleset
from scorer.validate.tiles_in_hand import chow_rule, in_a_kong, not_a_set


def why_no_mah_jong(hand: Hand, rules: Ruleset) -> HandProblem:
    """Return the reason why a winner's hand has no legal arrangement."""
    fixed = laid_down(hand)
    if fixed is None:
        broken = (
            problem for codes in hand.exposed for problem in not_a_set(codes, hand.wild_codes)
        )
        return next(broken)
    ways = list(arrangements(hand, fixed, chows=4))
    if not ways:
        return error("not-mah-jong", message("held.not-mah-jong"))
    if rules.one_suit and all(len(HandReading(hand, sets).suits) > 1 for sets in ways):
        return error("two-suits", message("held.two-suits"))
    chows = [_chows(sets) for sets in ways]
    if hand.winning_tile and min(chows) <= rules.chows_for(hand):
        return in_a_kong(hand.winning_tile)
    return error("too-many-chows", message("held.too-many-chows", rule=chow_rule(hand, rules)))


def _chows(sets: Sets) -> int:
    return sum(each.kind == "chow" for each in sets)

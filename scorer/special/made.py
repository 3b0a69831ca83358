"""Which special hands a winner's hand is, under a ruleset."""

from __future__ import annotations

from scorer.decompose.readings import HandReading
from scorer.hand import HAND_SIZE, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.holding import holding_of
from scorer.special.table import EVENT_HANDS, SETS_HANDS, TILES_HANDS
from scorer.tiles import BY_CODE

EVENTFUL = frozenset({"heaven", "earth", "loose", "last-tile", "kong-of-kong"})
"""The ways of winning that may make a special hand."""


def made_of_sets(arrangement: HandReading, traits: int, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that an arrangement of a winner's hand is."""
    return [
        each
        for each in rules.specials_of["sets"]
        if SETS_HANDS[each.when].made(arrangement, traits, rules)
    ]


def made_of_tiles(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make.

    They must be concealed until the winning tile, which may be claimed (BMJA-S05); so none has a
    declared kong (BMJA-S07), or a set laid down before.
    """
    if hand.declared_kongs or len(hand.exposed) > 1 or not rules.specials_of["tiles"]:
        return []
    laid = hand.exposed[0] if hand.exposed else ()
    by_claim = hand.may_be_claimed and hand.winning_tile in (None, *laid)
    if (laid and not by_claim) or len(hand.tiles) != HAND_SIZE:
        return []
    holding = holding_of(hand.tiles, hand.wild_codes, spare=hand.may_have_drawn_wild)
    claimed = BY_CODE.get(hand.winning_tile or "") if hand.claimed else None
    return [
        each
        for each in rules.specials_of["tiles"]
        for found in (TILES_HANDS[each.when],)
        if len(laid) <= found.largest_claim
        and found.made(holding, rules)
        and (claimed is None or found.may_end_with(claimed, rules))
    ]


def made_by_event(arrangement: HandReading, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENTFUL.isdisjoint(arrangement.hand.won_by):
        return []
    return [
        each
        for each in rules.specials_of["event"]
        if EVENT_HANDS[each.when].made(arrangement, rules)
    ]

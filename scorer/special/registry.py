"""Which special hands a winner has made: by the pattern of the tiles, or by the way of winning."""

from __future__ import annotations

from types import MappingProxyType

from scorer.decompose.arrangements import HandArrangement, read_fixed_sets
from scorer.hand import HAND_SIZE, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.base import count_tiles
from scorer.special.event_hands import (
    EarthsBlessing,
    EventHand,
    HeavensBlessing,
    Moon,
    PlumBlossom,
    TwofoldFortune,
)
from scorer.special.tile_patterns import is_made_of, may_be_won

EVENT_HANDS = MappingProxyType[str, EventHand](
    {
        "heaven": HeavensBlessing(),
        "earth": EarthsBlessing(),
        "plum-blossom": PlumBlossom(),
        "moon": Moon(),
        "twofold-fortune": TwofoldFortune(),
    }
)
"""The special hands of an event, by the names that ruleset files use."""

EVENT_WAYS = frozenset({"heaven", "earth", "loose", "last-tile", "kong-of-kong"})
"""The ways of winning that may make a special hand."""


def find_tiles_hands(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make."""
    specials = rules.specials_by_shape["tiles"]
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    if not specials or len(hand.tiles) != HAND_SIZE + kongs:
        return []
    concealed = _concealed_hands(hand, specials)
    return [each for each in specials if each in concealed or _is_open_hand(hand, each)]


def _concealed_hands(hand: Hand, specials: tuple[SpecialHand, ...]) -> list[SpecialHand]:
    """Return those that the tiles make, concealed until the winning tile (BMJA-S05).

    So none has a declared kong (BMJA-S07), or a set laid down before. The winning tile may be
    claimed, where the hand allows that.
    """
    if hand.declared_kongs or len(hand.exposed) > 1:
        return []
    laid = hand.exposed[0] if hand.exposed else ()
    by_claim = hand.may_be_claimed and hand.winning_tile in (None, *laid)
    if (laid and not by_claim) or len(hand.tiles) != HAND_SIZE:
        return []
    holding = count_tiles(hand.tiles, hand.wild_codes, spare=hand.may_have_drawn_wild)
    return [
        each
        for each in specials
        for pattern in (each.pattern,)
        if pattern
        and len(laid) <= pattern.longest
        and is_made_of(pattern, holding)
        and may_be_won(each, hand)
    ]


def _is_open_hand(hand: Hand, special: SpecialHand) -> bool:
    """Return whether the sets laid down and the other tiles are a hand that may be exposed."""
    if special.concealed or special.pattern is None or not may_be_won(special, hand):
        return False
    laid = read_fixed_sets(hand)
    if laid is None:
        return False
    total = len(hand.concealed)
    holding = count_tiles(
        hand.concealed, hand.wild_codes, spare=hand.may_have_drawn_wild, total=total
    )
    return is_made_of(special.pattern, holding, laid)


def is_any_tiles_hand(hand: Hand, rules: Ruleset) -> bool:
    """Return whether one more tile, a wild one, would make a special hand of another shape."""
    laid = read_fixed_sets(hand)
    holding = count_tiles(
        hand.concealed, hand.wild_codes, spare=True, total=len(hand.concealed) + 1
    )
    return laid is not None and any(
        is_made_of(each.pattern, holding, laid)
        for each in rules.specials_by_shape["tiles"]
        if each.pattern and not (laid and each.concealed)
    )


def find_event_hands(arrangement: HandArrangement, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENT_WAYS.isdisjoint(arrangement.hand.won_by):
        return []
    return [
        each
        for each in rules.specials_by_shape["event"]
        if EVENT_HANDS[each.when].matches(arrangement, rules)
    ]

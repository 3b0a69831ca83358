"""Which special hands a winner has made: by the pattern of the tiles, or by the way of winning."""

from __future__ import annotations

from types import MappingProxyType

from scorer.decompose.arrangements import HandArrangement, read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.hand import HAND_SIZE, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.base import TileCounts, count_tiles
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
    found = [*_hands_of_all_tiles(hand, rules), *_hands_with_sets(hand, rules)]
    return [each for each in dict.fromkeys(found) if may_be_won(each, hand)]


def _hands_of_all_tiles(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return those of which nothing was laid down before the winning tile (BMJA-S05).

    So none has a declared kong (BMJA-S07). The winning tile may be claimed, where the hand allows
    that.
    """
    specials = rules.specials_by_shape["tiles"]
    if hand.declared_kongs or len(hand.exposed) > 1 or not specials:
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
        if pattern and len(laid) <= pattern.longest and is_made_of(pattern, holding)
    ]


def _hands_with_sets(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return those of which some sets are laid down."""
    laid = read_fixed_sets(hand) if rules.specials_with_sets else None
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    if not laid or len(hand.tiles) != HAND_SIZE + kongs:
        return []
    spare, total = hand.may_have_drawn_wild, len(hand.concealed)
    holding = count_tiles(hand.concealed, hand.wild_codes, spare=spare, total=total)
    return _made_of(rules.specials_with_sets, holding, laid)


def is_any_tiles_hand(hand: Hand, rules: Ruleset) -> bool:
    """Return whether one more tile, a wild one, would make a special hand of another shape."""
    specials = rules.specials_with_sets if hand.laid_down else rules.specials_by_shape["tiles"]
    laid = read_fixed_sets(hand) if specials else None
    total = len(hand.concealed) + 1
    holding = count_tiles(hand.concealed, hand.wild_codes, spare=True, total=total)
    return laid is not None and bool(_made_of(specials, holding, laid))


def _made_of(
    specials: tuple[SpecialHand, ...], holding: TileCounts, laid: Sets
) -> list[SpecialHand]:
    return [each for each in specials if each.pattern and is_made_of(each.pattern, holding, laid)]


def find_event_hands(arrangement: HandArrangement, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENT_WAYS.isdisjoint(arrangement.hand.won_by):
        return []
    return [
        each
        for each in rules.specials_by_shape["event"]
        if EVENT_HANDS[each.when].matches(arrangement, rules)
    ]

"""All special hands by the names that ruleset files use, and which of them a winner has made."""

from __future__ import annotations

from types import MappingProxyType

from scorer.decompose.arrangements import HandArrangement
from scorer.hand import HAND_SIZE, Hand
from scorer.ruleset import Ruleset, SpecialHand
from scorer.sets import HandTraits
from scorer.special.base import EventHand, SetsHand, TilesHand, count_tiles
from scorer.special.event_hands import (
    EarthsBlessing,
    HeavensBlessing,
    Moon,
    PlumBlossom,
    TwofoldFortune,
)
from scorer.special.knitting import Knitting, TripleKnitting
from scorer.special.major_hands import (
    AllPairHonours,
    AllWindsAndDragons,
    FourBlessings,
    FourfoldPlenty,
    HeadsAndTails,
    ThirteenUniqueWonders,
    ThreeGreatScholars,
)
from scorer.special.suit_hands import (
    BuriedTreasure,
    GatesOfHeaven,
    ImperialJade,
    Purity,
    WrigglingSnake,
)
from scorer.tiles import BY_CODE

SETS_HANDS = MappingProxyType[str, SetsHand](
    {
        "purity": Purity(),
        "buried-treasure": BuriedTreasure(),
        "heads-and-tails": HeadsAndTails(),
        "imperial-jade": ImperialJade(),
        "three-great-scholars": ThreeGreatScholars(),
        "four-blessings": FourBlessings(),
        "all-winds-and-dragons": AllWindsAndDragons(),
        "fourfold-plenty": FourfoldPlenty(),
    }
)

TILES_HANDS = MappingProxyType[str, TilesHand](
    {
        "all-pair-honours": AllPairHonours(),
        "knitting": Knitting(),
        "triple-knitting": TripleKnitting(),
        "wriggling-snake": WrigglingSnake(),
        "gates-of-heaven": GatesOfHeaven(),
        "thirteen-unique-wonders": ThirteenUniqueWonders(),
    }
)

EVENT_HANDS = MappingProxyType[str, EventHand](
    {
        "heaven": HeavensBlessing(),
        "earth": EarthsBlessing(),
        "plum-blossom": PlumBlossom(),
        "moon": Moon(),
        "twofold-fortune": TwofoldFortune(),
    }
)


EVENT_WAYS = frozenset({"heaven", "earth", "loose", "last-tile", "kong-of-kong"})
"""The ways of winning that may make a special hand."""


def find_sets_hands(
    arrangement: HandArrangement, traits: HandTraits, rules: Ruleset
) -> list[SpecialHand]:
    """Return the special hands that an arrangement of a winner's hand is."""
    return [
        each
        for each in rules.specials_by_shape["sets"]
        if SETS_HANDS[each.when].matches(arrangement, traits, rules)
    ]


def find_tiles_hands(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make.

    They must be concealed until the winning tile, which may be claimed (BMJA-S05); so none has a
    declared kong (BMJA-S07), or a set laid down before.
    """
    if hand.declared_kongs or len(hand.exposed) > 1 or not rules.specials_by_shape["tiles"]:
        return []
    laid = hand.exposed[0] if hand.exposed else ()
    by_claim = hand.may_be_claimed and hand.winning_tile in (None, *laid)
    if (laid and not by_claim) or len(hand.tiles) != HAND_SIZE:
        return []
    holding = count_tiles(hand.tiles, hand.wild_codes, spare=hand.may_have_drawn_wild)
    claimed = BY_CODE.get(hand.winning_tile or "") if hand.claimed else None
    return [
        each
        for each in rules.specials_by_shape["tiles"]
        for found in (TILES_HANDS[each.when],)
        if len(laid) <= found.largest_claim
        and found.matches(holding, rules)
        and (claimed is None or found.may_end_with(claimed, rules))
    ]


def find_event_hands(arrangement: HandArrangement, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENT_WAYS.isdisjoint(arrangement.hand.won_by):
        return []
    return [
        each
        for each in rules.specials_by_shape["event"]
        if EVENT_HANDS[each.when].matches(arrangement, rules)
    ]

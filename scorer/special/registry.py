"""Which special hands a winner has made: by the pattern of the tiles, or by the way of winning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from scorer.decompose.arrangements import HandArrangement, read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.patterns.frames import BIT_BY_CODE, PLAYING_CODES, HandPattern
from scorer.ruleset import Ruleset, SpecialHand
from scorer.special.base import KONG_TILES, count_tiles
from scorer.special.event_hands import (
    EarthsBlessing,
    EventHand,
    HeavensBlessing,
    Moon,
    PlumBlossom,
    TwofoldFortune,
)
from scorer.special.tile_patterns import faces_of_wild, is_made_of, may_be_won

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


class Lying(NamedTuple):
    """How a hand lies, once it is settled which tiles count as the player's own."""

    own: Codes
    laid: Sets
    """The sets that stay as they lie: exposed ones, and declared kongs."""
    claimed: int = 0
    """How many of the own tiles lie exposed, since the winning tile was claimed with them."""


def find_tiles_hands(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make."""
    specials = rules.specials_by_shape["tiles"]
    kongs = [len(codes) for codes in hand.laid_down].count(KONG_TILES)
    if not specials or len(hand.tiles) != HAND_SIZE + kongs:
        return []
    if len(hand.laid_down) > 1 and not rules.specials_with_sets:
        return []
    found = dict[SpecialHand, None]()
    for lying in _ways_to_lie(hand):
        found |= dict.fromkeys(_made_of(rules, hand, lying))
    return [each for each in specials if each in found and may_be_won(each, hand)]


def _ways_to_lie(hand: Hand) -> Iterator[Lying]:
    """Yield the hand as it lies, and with each group that a claim laid down taken back.

    Its tiles count as the player's own: a run may be claimed for, though it is no set.
    """
    laid = read_fixed_sets(hand)
    if laid is not None:
        yield Lying(hand.concealed, laid)
    for place, codes in enumerate(hand.exposed if hand.may_be_claimed else ()):
        if len(codes) == KONG_TILES or hand.winning_tile not in (None, *codes):
            continue
        others = hand.exposed[:place] + hand.exposed[place + 1 :]
        laid = read_fixed_sets(replace(hand, exposed=others))
        if laid is not None:
            yield Lying((*hand.concealed, *codes), laid, len(codes))


def _made_of(rules: Ruleset, hand: Hand, lying: Lying) -> Iterator[SpecialHand]:
    """Yield the special hands that the tiles make."""
    holding = count_tiles(
        lying.own, hand.wild_codes, spare=hand.may_have_drawn_wild, total=len(lying.own)
    )
    for each, pattern in _may_be_of(rules, lying):
        if is_made_of(pattern, holding, lying.laid):
            yield each


def _may_be_of(rules: Ruleset, lying: Lying) -> Iterator[tuple[SpecialHand, HandPattern]]:
    """Yield the special hands of other shapes in which sets may lie as these do."""
    exposed = bool(lying.laid) and any(not each.concealed for each in lying.laid)
    for each in rules.specials_with_sets if lying.laid else rules.specials_by_shape["tiles"]:
        pattern = each.pattern
        if pattern and lying.claimed <= pattern.longest and not (exposed and each.concealed):
            yield each, pattern


def tiles_that_complete(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles that would make a special hand of another shape.

    In a goulash it is every tile when one more wild tile would.
    """
    laid = read_fixed_sets(hand)
    if laid is None:
        return ()
    more = len(hand.concealed) + 1
    holding = count_tiles(hand.concealed, hand.wild_codes, spare=True, total=more)
    near = [pattern for _, pattern in _may_be_of(rules, Lying(hand.concealed, laid))]
    if hand.goulash:
        return PLAYING_CODES if any(is_made_of(each, holding, laid) for each in near) else ()
    faces = 0
    for each in near:
        faces |= faces_of_wild(each, holding, laid)
    return tuple(code for code in PLAYING_CODES if faces & BIT_BY_CODE[code])


def find_event_hands(arrangement: HandArrangement, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENT_WAYS.isdisjoint(arrangement.hand.won_by):
        return []
    return [
        each
        for each in rules.specials_by_shape["event"]
        if EVENT_HANDS[each.when].matches(arrangement, rules)
    ]

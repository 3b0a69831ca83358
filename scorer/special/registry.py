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


class HandLayout(NamedTuple):
    """How a hand lies, once it is settled which tiles count as the player's own."""

    own_codes: Codes
    table_sets: Sets
    """The sets that stay as they lie: exposed ones, and declared kongs."""
    claimed_count: int = 0
    """How many of the own tiles lie exposed, since the winning tile was claimed with them."""


def find_tiles_hands(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make."""
    specials = rules.specials_by_shape["tiles"]
    kongs = [len(codes) for codes in hand.sets_on_table].count(KONG_TILES)
    if not specials or len(hand.tiles) != HAND_SIZE + kongs:
        return []
    if len(hand.sets_on_table) > 1 and not rules.specials_with_sets:
        return []
    tiles_hands = dict[SpecialHand, None]()
    for lying in _ways_to_lie(hand):
        tiles_hands |= dict.fromkeys(_find_matches(rules, hand, lying))
    return [each for each in specials if each in tiles_hands and may_be_won(each, hand)]


def _ways_to_lie(hand: Hand) -> Iterator[HandLayout]:
    """Yield the hand as it lies, and with each group that a claim laid down taken back.

    Its tiles count as the player's own: a run may be claimed for, though it is no set.
    """
    table_sets = read_fixed_sets(hand)
    if table_sets is not None:
        yield HandLayout(hand.concealed, table_sets)
    for place, codes in enumerate(hand.exposed if hand.may_be_claimed else ()):
        if len(codes) == KONG_TILES or hand.winning_tile not in (None, *codes):
            continue
        other_sets = hand.exposed[:place] + hand.exposed[place + 1 :]
        table_sets = read_fixed_sets(replace(hand, exposed=other_sets))
        if table_sets is not None:
            yield HandLayout((*hand.concealed, *codes), table_sets, len(codes))


def _find_matches(rules: Ruleset, hand: Hand, layout: HandLayout) -> Iterator[SpecialHand]:
    """Yield the special hands that the tiles make."""
    counts = count_tiles(
        layout.own_codes,
        hand.wild_codes,
        spare=hand.may_have_drawn_wild,
        total=len(layout.own_codes),
    )
    for each, pattern in _may_be_of(rules, layout):
        if is_made_of(pattern, counts, layout.table_sets):
            yield each


def _may_be_of(rules: Ruleset, layout: HandLayout) -> Iterator[tuple[SpecialHand, HandPattern]]:
    """Yield the special hands of other shapes in which sets may lie as these do."""
    exposed = bool(layout.table_sets) and any(not each.concealed for each in layout.table_sets)
    for special in (
        rules.specials_with_sets if layout.table_sets else rules.specials_by_shape["tiles"]
    ):
        pattern = special.pattern
        if (
            pattern
            and layout.claimed_count <= pattern.longest
            and not (exposed and special.concealed)
        ):
            yield special, pattern


def tiles_that_complete(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles that would make a special hand of another shape.

    In a goulash it is every tile when one more wild tile would.
    """
    table_sets = read_fixed_sets(hand)
    if table_sets is None:
        return ()
    total = len(hand.concealed) + 1
    counts = count_tiles(hand.concealed, hand.wild_codes, spare=True, total=total)
    patterns = [pattern for _, pattern in _may_be_of(rules, HandLayout(hand.concealed, table_sets))]
    if hand.goulash:
        return (
            PLAYING_CODES if any(is_made_of(each, counts, table_sets) for each in patterns) else ()
        )
    faces = 0
    for each in patterns:
        faces |= faces_of_wild(each, counts, table_sets)
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

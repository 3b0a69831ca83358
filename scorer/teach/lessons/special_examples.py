"""Examples of special hands, complete and one tile short.

What may be exposed of a special hand is found by scoring variants of its example.

>>> from scorer.rulesets.shipped import shipped
>>> bmja = shipped("bmja")
>>> exposure(bmja.special_named["BMJA-S11"], bmja), exposure(bmja.special_named["BMJA-S17"], bmja)
('any set', 'last tile')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Literal

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.memo_sizes import FEW
from scorer.notation import parse_hand
from scorer.predicates.waits import one_short
from scorer.ruleset import Ruleset, SpecialHand
from scorer.score import score
from scorer.teach.lessons.examples import example_of
from scorer.tiles import BY_CODE

Exposure = Literal["any set", "last tile", "last pair", "last 1 or 9", "any hand"]
"""What may be claimed: any set (BMJA-S05); only the last tile; only the last tile of the pair
(BMJA-C09); only a last 1 or 9 (BMJA-C13). An event may go with any Mah-Jong (BMJA-S40)."""


def example(special: SpecialHand) -> Hand:
    """Return a hand that is this special hand."""
    return parse_hand(example_of(special.id).hands[0])


def fishing_example(special: SpecialHand) -> Hand | None:
    """Return the example before its last tile; None for a hand that cannot be fished for."""
    return None if special.of == "event" else one_short(example(special))


@lru_cache(maxsize=FEW)
def exposure(special: SpecialHand, rules: Ruleset) -> Exposure:
    """Find what may be exposed of this hand, by exposing its sets and claiming its tiles."""
    whole = example(special)
    if special.of == "event":
        return "any hand"
    laid = with_a_set_exposed(whole)
    if special.of == "sets" and all(_is(special, each, rules) for each in laid):
        return "any set"
    claimed = [(tile, _is(special, _claiming(whole, tile), rules)) for tile in _last_tiles(whole)]
    if all(stands for _, stands in claimed):
        return "last tile"
    pairs = all(whole.tiles.count(tile) == 2 for tile, stands in claimed if stands)
    return "last pair" if pairs and special.of == "sets" else "last 1 or 9"


def with_a_set_exposed(hand: Hand) -> Iterator[Hand]:
    """Yield the hand with each of its concealed pungs and kongs exposed in turn."""
    for place, kong in enumerate(hand.declared_kongs):
        others = hand.declared_kongs[:place] + hand.declared_kongs[place + 1 :]
        yield replace(hand, exposed=(*hand.exposed, kong), declared_kongs=others)
    for code in sorted(set(hand.concealed), key=BY_CODE.__getitem__):
        if hand.concealed.count(code) == 3:
            left = tuple(each for each in hand.concealed if each != code)
            yield replace(hand, exposed=(*hand.exposed, (code,) * 3), concealed=left)


def _last_tiles(hand: Hand) -> list[str]:
    return sorted(set(hand.concealed), key=BY_CODE.__getitem__)


def _claiming(hand: Hand, tile: str) -> Hand:
    return replace(hand, won_by=("discard",), winning_tile=tile)


def _is(special: SpecialHand, hand: Hand, rules: Ruleset) -> bool:
    """Return whether the scorer finds this special hand among the ways to score the hand."""
    try:
        breakdown = score(hand, rules)
    except HandError:
        return False
    return special.id in {breakdown.special, *(way.rule for way in breakdown.compared)}

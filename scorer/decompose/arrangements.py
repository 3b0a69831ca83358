"""Arrange the tiles of a hand in sets, in every possible way (BMJA-H06).

Sets on the table stay as they are; only concealed tiles can be arranged differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from scorer.breakdown import SetKind
from scorer.decompose.splits import Sets, split_into_sets
from scorer.decompose.unfinished_splits import (
    Prices,
    group_alike,
    group_alike_with_wilds,
    group_by_price,
)
from scorer.decompose.wild_splits import split_with_wilds
from scorer.hand import Codes, Hand
from scorer.patterns.frames import SETS_PER_HAND
from scorer.ruleset import Ruleset
from scorer.sets import expose_set, make_set
from scorer.tiles import BY_CODE, SUITS


class Claim(NamedTuple):
    """A claimed winning tile, which exposes the set that it completes (BMJA-K02 to K04)."""

    place: int
    """The index of that set in the arrangement."""
    tile: str
    lay_exposed: bool
    """Whether the set lay with the exposed ones, not among the player's own tiles."""


@dataclass(frozen=True, slots=True)
class HandArrangement:
    """A hand with all its tiles arranged in sets."""

    hand: Hand
    sets: Sets
    claim: Claim | None = None

    @property
    def codes(self) -> Codes:
        """The codes of all tiles but bonus tiles, set by set; wild tiles keep their code."""
        return tuple(code for each in self.sets for code in each.tiles)

    @property
    def exposed_places(self) -> list[int]:
        """The indices of the exposed sets."""
        return [place for place, each in enumerate(self.sets) if not each.concealed]

    @property
    def loose_tiles(self) -> int:
        """The number of tiles in no set."""
        return sum(len(each.tiles) for each in self.of_kind("loose"))

    @property
    def suits(self) -> tuple[str, ...]:
        """The suit letters that occur, in the order of `SUITS`."""
        families = self._families
        return tuple([suit for suit in SUITS if suit in families])

    @property
    def has_honours(self) -> bool:
        """Whether there is a wind or a dragon."""
        return not self._families.issubset(SUITS)

    @property
    def _families(self) -> set[str]:
        return {code[0] for each in self.sets for code in each.faces if code in BY_CODE}

    def of_kind(self, *kinds: SetKind) -> Sets:
        """Return the sets of these kinds."""
        return tuple(each for each in self.sets if each.kind in kinds)

    @property
    def pungs_and_kongs(self) -> Sets:
        """The pungs and kongs."""
        return self.of_kind("pung", "kong")


def read_fixed_sets(hand: Hand) -> Sets | None:
    """Return the sets on the table; None when one of the groups is no set."""
    wild = hand.wild_codes
    fixed_sets = [make_set(codes, concealed=False, wild=wild) for codes in hand.exposed]
    fixed_sets += [make_set(codes, concealed=True, wild=wild) for codes in hand.declared_kongs]
    sets = tuple(each for each in fixed_sets if each)
    return sets if len(sets) == len(fixed_sets) else None


def winning_arrangements(hand: Hand, rules: Ruleset) -> Iterator[HandArrangement]:
    """Yield every arrangement of a winner's hand that the rules allow.

    It yields none when the hand is no Mah-Jong of sets.
    """
    fixed_sets = read_fixed_sets(hand)
    if fixed_sets is None:
        return
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed_sets)
    for sets in arrange_tiles(hand, fixed_sets, chows=chows):
        yield from _place_claim(HandArrangement(hand, sets))


def arrange_tiles(hand: Hand, fixed_sets: Sets, *, chows: int) -> Iterator[Sets]:
    """Yield every way to arrange the tiles as four sets and a pair.

    At most `chows` of the concealed sets are chows.
    """
    pairs = sum(each.kind == "pair" for each in fixed_sets)
    counts = {"sets": SETS_PER_HAND - len(fixed_sets) + pairs, "pairs": 1 - pairs}
    if chows < 0:
        return
    wilds = tuple(code for code in hand.concealed if code in hand.wild_codes)
    if wilds:
        natural = [code for code in hand.concealed if code not in hand.wild_codes]
        spare = hand.may_have_drawn_wild
        ways = split_with_wilds(natural, wilds, spare=spare, **counts)
    else:
        ways = split_into_sets(hand.concealed, chows=chows, **counts)
    for sets in ways:
        yield fixed_sets + sets


def _place_claim(arrangement: HandArrangement) -> Iterator[HandArrangement]:
    """Yield the arrangement once for each set that a claimed winning tile may have completed.

    It yields nothing when the winning tile cannot have completed any set.
    """
    hand, sets = arrangement.hand, arrangement.sets
    places = _completable_places(sets, hand.winning_tile)
    if not hand.is_claimed:
        if places:
            yield arrangement
        return
    tile = hand.winning_tile
    for place in places:
        tile_set = sets[place]
        sets_after_claim = (*sets[:place], expose_set(tile_set), *sets[place + 1 :])
        for code in (tile,) if tile else dict.fromkeys(tile_set.tiles):
            yield HandArrangement(
                hand, sets_after_claim, Claim(place, code, not tile_set.concealed)
            )


def _completable_places(sets: Sets, tile: str | None) -> list[int]:
    """Return the indices of the sets that the winning tile may have completed.

    An exposed pair must be that set. A kong cannot be: a loose tile follows it.
    """
    for place, each in enumerate(sets):
        if each.kind == "pair" and not each.concealed:
            return [place]
    return [
        place
        for place, each in enumerate(sets)
        if each.kind != "kong" and (tile is None or tile in each.tiles)
    ]


def losing_arrangements(
    hand: Hand, rules: Ruleset, prices: Prices, *, is_whole_best: bool
) -> Iterator[HandArrangement]:
    """Yield the arrangements of a losing hand that may score best.

    They differ in what wild tiles stand for. `prices` gives the value of each set at this seat.
    Unless equal tiles are best kept together (`is_whole_best`), they differ in that, too.
    """
    fixed_sets = read_fixed_sets(hand) or ()
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed_sets)
    wilds = tuple(code for code in hand.concealed if code in hand.wild_codes)
    if not wilds and is_whole_best:
        yield HandArrangement(hand, fixed_sets + group_alike(hand.concealed, chows=max(chows, 0)))
        return
    if not wilds:
        for sets in group_by_price(hand.concealed, prices, chows=max(chows, 0)):
            yield HandArrangement(hand, fixed_sets + sets)
        return
    natural = [code for code in hand.concealed if code not in hand.wild_codes]
    for sets in group_alike_with_wilds(natural, wilds, prices):
        yield HandArrangement(hand, fixed_sets + sets)

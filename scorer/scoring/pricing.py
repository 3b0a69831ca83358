"""Price sets, bonus tiles, the way of winning and whole hands under a ruleset.

Prices of single sets, bonus tiles and ways of winning are kept in caches of bounded size. They
depend only on the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS, MAX_CACHED_TABLES
from scorer.decompose.arrangements import HandArrangement
from scorer.decompose.unfinished_splits import is_whole_best
from scorer.hand import Codes, Hand
from scorer.predicates.bonus_tests import BONUS_TESTS, BonusTiles, bonus_tiles
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import TILE_TESTS, SeatWinds
from scorer.ruleset import Rule, Ruleset
from scorer.sets import HAND_TRAITS, HandTraits, trait_bits


class Award(NamedTuple):
    """A rule that applies once, and the tiles that earn it."""

    rule: Rule
    tiles: Codes = ()
    concealed: bool = False

    @property
    def points(self) -> int:
        """The points that it gives."""
        return self.rule.concealed_points if self.concealed else self.rule.exposed_points


class Price(NamedTuple):
    """Points and doubles, and the bits of a set's traits."""

    points: int
    doubles: int
    trait_bits: int = 0


class SetsPrice(NamedTuple):
    """Points and doubles of all sets of a hand, and the traits of the hand."""

    points: int
    doubles: int
    traits: HandTraits


def set_awards(rules: Ruleset, seat: SeatWinds, tile_set: TileSet) -> tuple[Award, ...]:
    """Return the awards of a single set; loose tiles earn none, and are not cached.

    The seat decides only what winds are worth.
    """
    if tile_set.kind == "loose":
        return ()
    is_wind = tile_set.faces[0][0] == "W"
    return cached_set_awards(rules, seat if is_wind else NO_SEAT, tile_set)


NO_SEAT = SeatWinds("", "")


@lru_cache(maxsize=MAX_CACHED_HANDS)
def cached_set_awards(rules: Ruleset, seat: SeatWinds, tile_set: TileSet) -> tuple[Award, ...]:
    """Return the awards of a set that is no loose tile."""
    return tuple(
        Award(rule, tile_set.tiles, tile_set.concealed)
        for rule in rules.rules_by_subject["set"]
        if tile_set.kind in rule.kinds and TILE_TESTS[rule.when](tile_set.tile, seat)
    )


def bonus_awards(rules: Ruleset, hand: Hand) -> tuple[Award, ...]:
    """Return the awards of the flowers and seasons."""
    return _bonus_awards(rules, bonus_tiles(hand, rules))


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _bonus_awards(rules: Ruleset, bonus: BonusTiles) -> tuple[Award, ...]:
    return tuple(
        Award(rule, tiles)
        for rule in rules.rules_by_subject["bonus"]
        for tiles in BONUS_TESTS[rule.when].finds(bonus)
    )


def win_awards(rules: Ruleset, hand: Hand) -> Iterator[Award]:
    """Yield the awards for the way of winning, and for an original call by any player."""
    return awards_for_ways(rules.rules_by_subject["win"], hand)


def awards_for_ways(rules: Iterable[Rule], hand: Hand) -> Iterator[Award]:
    """Yield the awards of these rules for the circumstances of a hand, not its tiles."""
    ways = narrowest_ways(hand)
    tile = (hand.winning_tile,) if hand.winning_tile else ()
    for rule in rules:
        if hand.winner or not rule.winner_only:
            if not rule.ways:
                yield Award(rule, hand.tiles)
            elif not ways.isdisjoint(rule.ways):
                yield Award(rule, () if "original-call" in rule.ways else tile)


def hand_awards(rules: Ruleset, arrangement: HandArrangement) -> Iterator[Award]:
    """Yield the awards of a winner's hand as a whole."""
    if arrangement.hand.winner:
        traits = sets_price(rules, arrangement).traits
        for rule in rules.rules_by_subject["hand"]:
            if HAND_TESTS[rule.when].holds(arrangement, traits, rules):
                yield Award(rule, arrangement.codes)


NARROWER_WAYS = {"wall": "last-tile", "discard": "last-discard", "loose": "kong-of-kong"}
"""A way of winning, and the narrower way that implies it."""


def narrowest_ways(hand: Hand) -> frozenset[str]:
    """Return the ways of winning, without those that a narrower one implies."""
    ways = set(hand.won_by)
    ways -= {way for way, narrower in NARROWER_WAYS.items() if narrower in ways}
    return frozenset(ways | {"original-call"}) if hand.made_original_call else frozenset(ways)


class SetPrices(dict[TileSet, Price]):
    """The price of each set under one ruleset at one seat, filled on demand."""

    def __init__(self, rules: Ruleset, seat: SeatWinds) -> None:
        super().__init__()
        self._rules = rules
        self._seat = seat

    def __missing__(self, tile_set: TileSet) -> Price:
        awards = set_awards(self._rules, self._seat, tile_set)
        if tile_set.kind == "loose":
            return NO_PRICE
        price = Price(*sum_awards(awards)[:2], trait_bits(tile_set))
        self[tile_set] = price
        return price

    @cached_property
    def is_whole_best(self) -> bool:
        """Whether equal tiles of a losing hand score most together, and chows nothing."""
        return is_whole_best(self)


@lru_cache(maxsize=MAX_CACHED_TABLES)
def set_prices(rules: Ruleset, own_wind: str, prevailing: str) -> SetPrices:
    """Return the price lookup for a seat and a prevailing wind."""
    return SetPrices(rules, SeatWinds(own_wind, prevailing))


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _bonus_price(rules: Ruleset, bonus: Codes, seat_wind: str) -> Price:
    return sum_awards(bonus_awards(rules, Hand(bonus=bonus, seat_wind=seat_wind)))


def bonus_price(rules: Ruleset, hand: Hand) -> Price:
    """Return the price of the flowers and seasons."""
    return _bonus_price(rules, hand.bonus, hand.seat_wind) if hand.bonus else NO_PRICE


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _win_price(rules: Ruleset, won_by: Codes, winner: bool, original_call: bool) -> Price:
    hand = Hand(winner=winner, won_by=won_by, original_call=original_call)
    return sum_awards(win_awards(rules, hand))


def win_price(rules: Ruleset, hand: Hand) -> Price:
    """Return the price of the way of winning."""
    return _win_price(rules, hand.won_by, hand.winner, hand.original_call)


def sum_awards(awards: Iterable[Award]) -> Price:
    """Return the sum of awards."""
    points = doubles = 0
    for award in awards:
        points += award.points
        doubles += award.rule.doubles
    return Price(points, doubles)


NO_PRICE = Price(0, 0)


def sets_price(rules: Ruleset, arrangement: HandArrangement) -> SetsPrice:
    """Return the sum of the sets' prices, and the traits of the hand that they make."""
    hand = arrangement.hand
    prices = set_prices(rules, hand.seat_wind, hand.prevailing_wind)
    points = doubles = bits = 0
    for tile_set in arrangement.sets:
        price = prices[tile_set]
        points += price[0]
        doubles += price[1]
        bits |= price[2]
    return SetsPrice(points, doubles, HAND_TRAITS[bits])

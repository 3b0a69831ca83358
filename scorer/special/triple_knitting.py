"""The special hand of triplets, one rank in all three suits each: Triple knitting (BMJA-S14)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.memo_sizes import MANY
from scorer.ruleset import Ruleset
from scorer.special.held import MOST_MISSING, Held, Missing
from scorer.special.holding import ONE_TO_NINE, SUIT_LETTERS, Holding, by_rank
from scorer.special.knitting import is_far
from scorer.special.shapes import Target, TilesHand
from scorer.tiles import SUITS

TRIPLETS = 4
COPIES = 4
"""Copies of each tile (BMJA-T04)."""
COUPLES = tuple(combinations(range(len(SUITS)), 2))


class TripleKnitting(TilesHand):
    """BMJA-S14: four triplets, and a couple: one rank in two suits."""

    largest_claim = 3

    def made(self, holding: Holding, rules: Ruleset) -> bool:
        if not SUIT_LETTERS.issuperset(holding.families):
            return False
        of_suits = Counter(code[0] for code in holding.natural.elements())
        if any(of_suits[suit] < TRIPLETS - holding.wilds for suit in SUITS):
            return False  # each triplet takes one of every suit
        reached = {Knitted(0, 0, 0, 0)}
        for counts in by_rank(holding.natural, tuple(SUITS)):
            if any(counts):
                parts = set(_knit(counts))
                together = {before.plus(part) for before in reached for part in parts}
                reached = {knitted for knitted in together if knitted.is_within(holding)}
        # A couple of two wild tiles need not be tried: a triplet can be split instead.
        return any(knitted[:3] == (TRIPLETS, 1, holding.wilds) for knitted in reached)

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return () if is_far(held) else (_nearest(held),)


class Knitted(NamedTuple):
    """How many triplets and couples some tiles form, and the wild tiles in them."""

    triplets: int
    couples: int
    wilds: int
    """The number of wild tiles needed."""
    extra: int
    """How many of these are the second wild tile of their group."""

    def is_within(self, holding: Holding) -> bool:
        """Return whether the hand has room for it and enough wild tiles."""
        return self.couples <= 1 and self.wilds <= holding.wilds and self.extra <= holding.spare

    def plus(self, other: Knitted) -> Knitted:
        """Return the sum of both."""
        return Knitted(*(a + b for a, b in zip(self, other, strict=True)))


def _knit(counts: tuple[int, ...]) -> Iterable[Knitted]:
    """Yield the ways to knit all tiles of one rank, with at most one couple."""
    for couple in ((), *COUPLES):
        for absent in ((), *((place,) for place in couple)):
            rest = list(counts)
            for place in set(couple) - set(absent):
                rest[place] -= 1
            if min(rest) < 0:
                continue
            wilds = len(absent)
            for triplets in range(max(rest), min(TRIPLETS, sum(rest)) + 1):
                missing = TRIPLET * triplets - sum(rest)
                extra = max(missing - triplets, 0)
                yield Knitted(triplets, int(bool(couple)), wilds + missing, extra)


TRIPLET = len(SUITS)


class OfRank(NamedTuple):
    """What one rank may contribute to a hand, and the tiles missing for that."""

    triplets: int
    couples: int
    tiles: tuple[int, ...]
    """The suits, by place, of the tiles that are missing."""
    wilds: int
    """How many of them wild tiles may replace: one in each triplet or couple (BMJA-G05)."""


class Plan(NamedTuple):
    """What the ranks so far contribute to a hand."""

    missing: int
    """The number of tiles missing from the parts, before wild tiles replace some."""
    parts: tuple[tuple[str, OfRank], ...]
    """By rank."""


def _nearest(held: Held) -> Target:
    """Return what is missing from the hand that needs fewest tiles; None when all are far."""
    # By triplets, couples and usable wild tiles: the plan with fewest missing tiles.
    plans: Mapping[tuple[int, int, int], Plan] = {(0, 0, 0): Plan(0, ())}
    for rank, counts in zip(ONE_TO_NINE, by_rank(held.own, tuple(SUITS)), strict=True):
        further: dict[tuple[int, int, int], Plan] = {}
        unreachable = tuple(suit + rank in held.unreachable for suit in SUITS)
        parts = _parts(counts, unreachable, held.wilds)
        for (triplets, couples, wilds), plan in plans.items():
            for part in parts:
                state = (
                    triplets + part.triplets,
                    couples + part.couples,
                    min(wilds + part.wilds, held.wilds),
                )
                missing = plan.missing + len(part.tiles)
                if state[0] > TRIPLETS or state[1] > 1 or missing - held.wilds > MOST_MISSING:
                    continue
                if state not in further or missing <= further[state].missing:
                    further[state] = Plan(missing, (*plan.parts, (rank, part)))
        plans = further
    whole = {state: plan for state, plan in plans.items() if state[:2] == (TRIPLETS, 1)}
    if not whole:
        return None
    best = min(whole, key=lambda state: whole[state].missing - state[2])
    return [
        Missing(tuple(list(SUITS)[place] + rank for place in part.tiles), part.wilds)
        for rank, part in whole[best].parts
    ]


@lru_cache(maxsize=MANY)
def _parts(
    counts: tuple[int, ...], unreachable: tuple[bool, ...], wilds: int
) -> tuple[OfRank, ...]:
    """Return what a rank may contribute, given the number held in each suit.

    Of parts that contribute the same, only the one with fewest missing tiles is returned. An
    unreachable tile must be wild (BMJA-G07).
    """
    best: dict[tuple[int, int, int], OfRank] = {}
    for part in _every_part(counts, unreachable):
        usable = min(part.wilds, wilds)
        gives = (part.triplets, part.couples, usable)
        fewest = gives not in best or len(part.tiles) <= len(best[gives].tiles)
        if fewest and sum(unreachable[place] for place in part.tiles) <= usable:
            best[gives] = part._replace(wilds=usable)
    return tuple(best.values())


def _every_part(counts: tuple[int, ...], unreachable: tuple[bool, ...]) -> Iterator[OfRank]:
    for couple in ((), *reversed(COUPLES)):  # of equal parts the last is kept
        # Wild tiles replace the first ones: unreachable tiles, then those of the couple.
        places = sorted(range(TRIPLET), key=lambda at: (not unreachable[at], at not in couple))
        for triplets in range(COPIES - bool(couple) + 1):
            missing = [max(triplets + (at in couple) - n, 0) for at, n in enumerate(counts)]
            tiles = tuple(at for at in places for _ in range(missing[at]))
            groups = triplets + any(missing[at] for at in couple)
            yield OfRank(triplets, int(bool(couple)), tiles, min(len(tiles), groups))

"""Find how many tiles a hand needs for an ordinary Mah-Jong, and which bring it nearer.

>>> from scorer.hand import Hand
>>> from scorer.rulesets.builtin import load_builtin
>>> hand = Hand(concealed=("B1", "B1", "B1", "B2", "B3", "DR", "DR"))
>>> min_tiles_needed(hand, load_builtin("bmja"))
7
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.decompose.arrangements import read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.hand import Codes, Hand
from scorer.patterns.frames import COPIES_PER_TILE, PLAYING_CODES, SETS_PER_HAND
from scorer.ruleset import Ruleset
from scorer.tiles import SUITS


class SetTotals(NamedTuple):
    """The sets and pairs that some faces give towards a hand."""

    sets: int = 0
    chows: int = 0
    pairs: int = 0
    wilds: int = 0
    """The number of wild tiles in them."""


class FaceSets(NamedTuple):
    """Pungs and pairs of one face."""

    totals: SetTotals
    natural: int
    """The number of natural tiles in them."""


Costs = Mapping[SetTotals, int]
"""The fewest natural tiles missing for these totals."""

NO_COST: Costs = {SetTotals(): 0}

_SETS_OF_ONE_FACE = (
    FaceSets(SetTotals(sets=1), 3),
    FaceSets(SetTotals(sets=1, wilds=1), 2),
    FaceSets(SetTotals(pairs=1), 2),
    FaceSets(SetTotals(pairs=1, wilds=1), 1),
)
"""A pung or a pair holds at most one wild tile (BMJA-G05). A kong never needs fewer tiles."""


def min_tiles_needed(hand: Hand, rules: Ruleset) -> int | None:
    """Return the fewest tiles that must still come; 0 for a complete hand.

    Other tiles are discarded; sets on the table stay. None when the hand can no longer become an
    ordinary Mah-Jong: with a second chow on the table, for example.
    """
    fixed_sets = read_fixed_sets(hand)
    if fixed_sets is None:
        return None
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed_sets)
    set_count = SETS_PER_HAND - len(fixed_sets)
    if min(chows, set_count) < 0 or any(each.kind == "pair" for each in fixed_sets):
        return None
    suits = _possible_suits(fixed_sets) if rules.one_suit else (tuple(SUITS),)
    counts = (_min_needed_in_suits(hand, set_count, chows, allowed) for allowed in suits)
    return min((each for each in counts if each is not None), default=None)


def useful_tiles(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles that would reduce the number of missing tiles."""
    current = min_tiles_needed(hand, rules)
    if not current:
        return ()
    tile_counts = Counter(hand.tiles)
    return tuple(
        code
        for code in PLAYING_CODES
        if tile_counts[code] < COPIES_PER_TILE and code not in hand.wild_codes
        for then in (min_tiles_needed(replace(hand, concealed=(*hand.concealed, code)), rules),)
        if then is not None and then < current
    )


def _possible_suits(fixed_sets: Sets) -> tuple[tuple[str, ...], ...]:
    """Return each suit that a hand of one suit may still have (SAF-H02)."""
    families = {each.tile.family for each in fixed_sets if each.tile.is_suit}
    return tuple((suit,) for suit in SUITS if families <= {suit})


def _min_needed_in_suits(hand: Hand, sets: int, chows: int, suits: tuple[str, ...]) -> int | None:
    wild = hand.wild_codes
    concealed_counts = Counter(code for code in hand.concealed if code not in wild)
    exposed_counts = Counter(
        code for codes in hand.sets_on_table for code in codes if code not in wild
    )
    held_wilds = len(hand.concealed) - concealed_counts.total()
    most_wild = COPIES_PER_TILE - len(hand.wilds) + held_wilds if hand.goulash else 0
    limits = SetTotals(sets, chows, 1, max(most_wild, 0))
    costs = NO_COST
    for family in _families(suits):
        family_counts = tuple(concealed_counts[code] for code in family)
        left = tuple(
            0 if code in wild else COPIES_PER_TILE - exposed_counts[code] for code in family
        )
        costs = _combine_costs(costs, _family_costs(family_counts, left, limits), limits)
    total_costs = (
        cost + max(got.wilds - held_wilds, 0)
        for got, cost in costs.items()
        if (got.sets, got.pairs) == (sets, 1)
    )
    return min(total_costs, default=None)


def _families(suits: Iterable[str]) -> Iterator[Codes]:
    """Yield the tiles of each suit, in order, and each honour by itself."""
    for suit in suits:
        yield tuple(code for code in PLAYING_CODES if code[0] == suit)
    yield from ((code,) for code in PLAYING_CODES if code[0] in "WD")


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _family_costs(held_counts: tuple[int, ...], left: tuple[int, ...], limits: SetTotals) -> Costs:
    """Return the cost of each outcome within a family, computed rank by rank.

    A chow that began one or two ranks earlier also takes a tile of this rank.
    """
    ranks = len(held_counts)
    states: dict[tuple[SetTotals, int, int], int] = {(SetTotals(), 0, 0): 0}
    for rank in range(ranks):
        after: dict[tuple[SetTotals, int, int], int] = {}
        for (totals, earlier, last), cost in states.items():
            max_runs = (
                min(limits.chows - totals.chows, limits.sets - totals.sets)
                if rank < ranks - 2
                else 0
            )
            for new_runs in range(max_runs + 1):
                with_runs = _add_totals(totals, SetTotals(sets=new_runs, chows=new_runs))
                for face_sets in _face_options(
                    left[rank] - earlier - last - new_runs, limits.wilds
                ):
                    new_totals = _add_totals(with_runs, face_sets.totals)
                    if not _fits_limits(new_totals, limits):
                        continue
                    need = earlier + last + new_runs + face_sets.natural
                    price = cost + max(need - held_counts[rank], 0)
                    state = (new_totals, last, new_runs)
                    after[state] = min(price, after.get(state, price))
        states = after
    costs: dict[SetTotals, int] = {}
    for (totals, _, _), cost in states.items():
        costs[totals] = min(cost, costs.get(totals, cost))
    return costs


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _face_options(left: int, wilds: int) -> tuple[FaceSets, ...]:
    """Return the pungs and pairs that a face may make with `left` of its tiles."""
    if left < 0:
        return ()
    options = {FaceSets(SetTotals(), 0)}
    for _ in range(COPIES_PER_TILE):
        options |= {
            FaceSets(_add_totals(one.totals, other.totals), one.natural + other.natural)
            for one in options
            for other in _SETS_OF_ONE_FACE
            if one.natural + other.natural <= left
            and one.totals.wilds + other.totals.wilds <= wilds
            and one.totals.pairs + other.totals.pairs <= 1
        }
    return tuple(sorted(options))


def _combine_costs(first: Costs, other: Costs, limits: SetTotals) -> Costs:
    costs: dict[SetTotals, int] = {}
    for totals, cost in first.items():
        for other_totals, price in other.items():
            joint_totals = _add_totals(totals, other_totals)
            if _fits_limits(joint_totals, limits):
                costs[joint_totals] = min(cost + price, costs.get(joint_totals, cost + price))
    return costs


def _add_totals(first: SetTotals, other: SetTotals) -> SetTotals:
    return SetTotals(
        first[0] + other[0], first[1] + other[1], first[2] + other[2], first[3] + other[3]
    )


def _fits_limits(totals: SetTotals, limits: SetTotals) -> bool:
    return (
        totals[0] <= limits[0]
        and totals[1] <= limits[1]
        and totals[2] <= limits[2]
        and totals[3] <= limits[3]
    )

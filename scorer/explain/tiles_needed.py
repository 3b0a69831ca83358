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

    got: SetTotals
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
    fixed = read_fixed_sets(hand)
    if fixed is None:
        return None
    chows = rules.chows_for(hand) - sum(each.kind == "chow" for each in fixed)
    wanted = SETS_PER_HAND - len(fixed)
    if min(chows, wanted) < 0 or any(each.kind == "pair" for each in fixed):
        return None
    suits = _possible_suits(fixed) if rules.one_suit else (tuple(SUITS),)
    found = (_min_needed_in_suits(hand, wanted, chows, allowed) for allowed in suits)
    return min((each for each in found if each is not None), default=None)


def useful_tiles(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles that would reduce the number of missing tiles."""
    now = min_tiles_needed(hand, rules)
    if not now:
        return ()
    held = Counter(hand.tiles)
    return tuple(
        code
        for code in PLAYING_CODES
        if held[code] < COPIES_PER_TILE and code not in hand.wild_codes
        for then in (min_tiles_needed(replace(hand, concealed=(*hand.concealed, code)), rules),)
        if then is not None and then < now
    )


def _possible_suits(fixed: Sets) -> tuple[tuple[str, ...], ...]:
    """Return each suit that a hand of one suit may still have (SAF-H02)."""
    laid = {each.tile.family for each in fixed if each.tile.is_suit}
    return tuple((suit,) for suit in SUITS if laid <= {suit})


def _min_needed_in_suits(hand: Hand, sets: int, chows: int, suits: tuple[str, ...]) -> int | None:
    wild = hand.wild_codes
    own = Counter(code for code in hand.concealed if code not in wild)
    gone = Counter(code for codes in hand.laid_down for code in codes if code not in wild)
    held_wilds = len(hand.concealed) - own.total()
    most_wild = COPIES_PER_TILE - len(hand.wilds) + held_wilds if hand.goulash else 0
    limits = SetTotals(sets, chows, 1, max(most_wild, 0))
    costs = NO_COST
    for family in _families(suits):
        held = tuple(own[code] for code in family)
        left = tuple(0 if code in wild else COPIES_PER_TILE - gone[code] for code in family)
        costs = _combine_costs(costs, _family_costs(held, left, limits), limits)
    whole = (
        cost + max(got.wilds - held_wilds, 0)
        for got, cost in costs.items()
        if (got.sets, got.pairs) == (sets, 1)
    )
    return min(whole, default=None)


def _families(suits: Iterable[str]) -> Iterator[Codes]:
    """Yield the tiles of each suit, in order, and each honour by itself."""
    for suit in suits:
        yield tuple(code for code in PLAYING_CODES if code[0] == suit)
    yield from ((code,) for code in PLAYING_CODES if code[0] in "WD")


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _family_costs(held: tuple[int, ...], left: tuple[int, ...], limits: SetTotals) -> Costs:
    """Return the cost of each outcome within a family, computed rank by rank.

    A chow that began one or two ranks earlier also takes a tile of this rank.
    """
    ranks = len(held)
    states: dict[tuple[SetTotals, int, int], int] = {(SetTotals(), 0, 0): 0}
    for rank in range(ranks):
        after: dict[tuple[SetTotals, int, int], int] = {}
        for (got, earlier, last), cost in states.items():
            most = min(limits.chows - got.chows, limits.sets - got.sets) if rank < ranks - 2 else 0
            for begun in range(most + 1):
                with_runs = _add_totals(got, SetTotals(sets=begun, chows=begun))
                for alike in _face_options(left[rank] - earlier - last - begun, limits.wilds):
                    now = _add_totals(with_runs, alike.got)
                    if not _fits_limits(now, limits):
                        continue
                    need = earlier + last + begun + alike.natural
                    price = cost + max(need - held[rank], 0)
                    state = (now, last, begun)
                    after[state] = min(price, after.get(state, price))
        states = after
    costs: dict[SetTotals, int] = {}
    for (got, _, _), cost in states.items():
        costs[got] = min(cost, costs.get(got, cost))
    return costs


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _face_options(left: int, wilds: int) -> tuple[FaceSets, ...]:
    """Return the pungs and pairs that a face may make with `left` of its tiles."""
    if left < 0:
        return ()
    found = {FaceSets(SetTotals(), 0)}
    for _ in range(COPIES_PER_TILE):
        found |= {
            FaceSets(_add_totals(one.got, other.got), one.natural + other.natural)
            for one in found
            for other in _SETS_OF_ONE_FACE
            if one.natural + other.natural <= left
            and one.got.wilds + other.got.wilds <= wilds
            and one.got.pairs + other.got.pairs <= 1
        }
    return tuple(sorted(found))


def _combine_costs(one: Costs, other: Costs, limits: SetTotals) -> Costs:
    both: dict[SetTotals, int] = {}
    for got, cost in one.items():
        for more, price in other.items():
            now = _add_totals(got, more)
            if _fits_limits(now, limits):
                both[now] = min(cost + price, both.get(now, cost + price))
    return both


def _add_totals(one: SetTotals, other: SetTotals) -> SetTotals:
    return SetTotals(one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def _fits_limits(got: SetTotals, limits: SetTotals) -> bool:
    return (
        got[0] <= limits[0] and got[1] <= limits[1] and got[2] <= limits[2] and got[3] <= limits[3]
    )

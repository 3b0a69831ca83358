"""Hands of a pattern: whether there is any, and some at random.

>>> example_hands(compile_pattern("x1-9, pung y, pair z"), 1, Random(1))
[('B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'O8', 'O8', 'O8', 'C7', 'C7')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, groupby, islice
from operator import itemgetter
from random import Random
from typing import NamedTuple, TypeVar

from scorer.message import Message, message
from scorer.patterns.frames import (
    BIT_BY_CODE,
    COPIES_PER_TILE,
    SET_KINDS,
    Group,
    HandFrame,
    HandPattern,
    compile_pattern,
    fillings,
    mask_of,
)
from scorer.patterns.notation import GROUP_KINDS, PatternError

_T = TypeVar("_T")
_Tiles = tuple[str, ...]
_Order = Callable[[list[_Tiles]], Sequence[_Tiles]]


class ExampleGroup(NamedTuple):
    """Tiles of a hand that belong together."""

    tiles: tuple[str, ...]
    is_set: bool = False
    """Whether they are a chow, a pung or a kong."""


def example_groups(pattern: HandPattern, count: int, rng: Random) -> list[tuple[ExampleGroup, ...]]:
    """Return some hands of a pattern, of different suits and ranks where it leaves them open."""

    def shuffle(ways: Sequence[_T]) -> Sequence[_T]:
        return rng.sample(ways, len(ways))

    hands: list[tuple[ExampleGroup, ...]] = []
    for _ in range(count):
        attempts = (_fill(frame, shuffle) for frame in shuffle(pattern.frames))
        hands += islice(filter(None, attempts), 1)
    return hands


def example_hands(pattern: HandPattern, count: int, rng: Random) -> list[_Tiles]:
    """Return the tiles of some hands of a pattern."""
    hands = example_groups(pattern, count, rng)
    return [tuple(tile for group in hand for tile in group.tiles) for hand in hands]


def check_it_can_be_held(pattern: HandPattern) -> None:
    """Raise PatternError when no hand can be of the pattern, or nearly every hand is."""
    if not any(_fill(frame, lambda ways: ways) for frame in pattern.frames):
        raise PatternError(_why_no_hand(pattern))
    if pattern.is_of_sets and any(map(_allows_every_mah_jong, pattern.frames)):
        raise PatternError(message("pattern-fault.every-mah-jong"))


def _why_no_hand(pattern: HandPattern) -> Message:
    """Return the group that no tiles can be, or else that too few tiles are left for all."""
    impossible = [next(filter(_cannot_be, frame.groups), None) for frame in pattern.frames]
    group = impossible[0]
    if group is None or None in impossible:
        return message("pattern-fault.no-hand")
    kinds = "/".join(kind for kind in GROUP_KINDS if kind in group.kinds)
    return message("pattern-fault.no-such-group", group=f"{kinds} {group.label}")


def _cannot_be(group: Group) -> bool:
    return not _ways_to_fill(group)


EVERY_FACE = compile_pattern("7 pairs any").frames[0].groups[0].codes


def _allows_every_mah_jong(frame: HandFrame) -> bool:
    return all(
        group.codes == EVERY_FACE and (group.kinds >= SET_KINDS or not group.is_set)
        for group in frame.groups
    )


def _fill(frame: HandFrame, order: _Order) -> tuple[ExampleGroup, ...] | None:
    """Return a hand of a frame; the ways to fill a group are tried in this order."""
    groups = sorted(frame.groups, key=lambda group: len(group.codes))
    single = sorted((*frame.written_tiles, *frame.chosen_tiles), key=BIT_BY_CODE.__getitem__)
    families = (ExampleGroup(tuple(tiles)) for _, tiles in groupby(single, itemgetter(0)))
    return _fill_groups(frame, groups, tuple(families), order)


def _fill_groups(
    frame: HandFrame, groups: Sequence[Group], hand: tuple[ExampleGroup, ...], order: _Order
) -> tuple[ExampleGroup, ...] | None:
    tiles = [tile for group in hand for tile in group.tiles]
    tile_mask = mask_of(tiles)
    missing = [needed for needed in frame.must_have if not tile_mask & needed]
    if not groups:
        return None if missing else hand
    if not _can_have_suits([each for each in missing if each.bit_count() > 1], groups):
        return None
    first = groups[0]
    for way in order(_ways_to_fill(first)):
        if max(Counter((*tiles, *way)).values()) <= COPIES_PER_TILE:
            group = ExampleGroup(way, is_set=first.is_set)
            filled_hand = _fill_groups(frame, groups[1:], (*hand, group), order)
            if filled_hand:
                return filled_hand
    return None


def _ways_to_fill(group: Group) -> list[_Tiles]:
    """Return the tiles of each chow, pung or other group that it may be; no kong for a pung."""
    return [tiles for _, tiles in fillings(group, kongs=True)]


def _can_have_suits(missing: Sequence[int], groups: Sequence[Group]) -> bool:
    """Return whether these groups are enough for the suits that are still missing.

    Without it, what no choice can have would be looked for in millions of them.
    """
    masks = [(group.mask, _suits_in(group)) for group in groups]
    return all(
        sum(suits for mask, suits in masks if any(mask & needed for needed in some)) >= len(some)
        for count in range(1, len(missing) + 1)
        for some in combinations(missing, count)
    )


def _suits_in(group: Group) -> int:
    """Return how many suits one group may have."""
    return max({"couple": 2, "triplet": 3}.get(kind, 1) for kind in group.kinds)

"""Hands of a pattern: whether there is any, and some at random.

>>> example_hands(compile_pattern("x1-9, pung y, pair z"), 1, Random(1))
[('B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8', 'B9', 'O2', 'O2', 'O2', 'C2', 'C2')]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from scorer.patterns.frames import (
    COPIES_PER_TILE,
    SET_KINDS,
    Group,
    HandFrame,
    HandPattern,
    compile_pattern,
    fillings,
    mask_of,
)
from scorer.patterns.notation import TILES_BY_KIND, PatternError

_Tiles = tuple[str, ...]
_Order = Callable[[list[_Tiles]], Sequence[_Tiles]]


def example_hands(pattern: HandPattern, count: int, rng: Random) -> list[_Tiles]:
    """Return some hands of a pattern, of different suits and ranks where it leaves them open."""

    def shuffled(ways: list[_Tiles]) -> Sequence[_Tiles]:
        return rng.sample(ways, len(ways))

    hands = (_fill(rng.choice(pattern.frames), shuffled) for _ in range(count))
    return [hand for hand in hands if hand]


def check_it_can_be_held(pattern: HandPattern) -> None:
    """Raise PatternError when no hand can be of the pattern, or nearly every hand is."""
    if not any(_fill(frame, lambda ways: ways) for frame in pattern.frames):
        raise PatternError("No hand can be of this pattern: there are four of each tile.")
    if pattern.is_of_sets and any(map(_allows_every_mah_jong, pattern.frames)):
        raise PatternError("Every Mah-Jong is of this pattern: say more about its sets.")


EVERY_FACE = compile_pattern("7 pairs any").frames[0].groups[0].codes


def _allows_every_mah_jong(frame: HandFrame) -> bool:
    return all(
        group.codes == EVERY_FACE and (group.kinds >= SET_KINDS or not group.is_set)
        for group in frame.groups
    )


def _fill(frame: HandFrame, order: _Order) -> _Tiles | None:
    """Return a hand of a frame; the ways to fill a group are tried in this order."""
    groups = sorted(frame.groups, key=lambda group: len(group.codes))
    return _fill_groups(frame, groups, (*frame.written, *frame.chosen), order)


def _fill_groups(
    frame: HandFrame, groups: Sequence[Group], tiles: _Tiles, order: _Order
) -> _Tiles | None:
    if not groups:
        held = mask_of(tiles)
        return tiles if all(held & needed for needed in frame.must_have) else None
    first = groups[0]
    kind = min(sorted(first.kinds), key=TILES_BY_KIND.__getitem__)
    for way in order([*fillings(kind, first.codes)]):
        if max(Counter((*tiles, *way)).values()) <= COPIES_PER_TILE:
            hand = _fill_groups(frame, groups[1:], (*tiles, *way), order)
            if hand:
                return hand
    return None

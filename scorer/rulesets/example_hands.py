"""Hands that show a special hand whose file has no example of its own.

>>> write_example("x1-9, pung y, pair z", concealed=True)
'| B123456789 C444 O22 | seat=E round=E won=wall with=O2'
"""

from __future__ import annotations

from random import Random

from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.patterns.examples import example_groups
from scorer.patterns.frames import compile_pattern

KONG_TILES, PUNG_TILES = 4, 3


def write_example(pattern: str, *, concealed: bool) -> str:
    """Return a hand text of a pattern, the same for the same pattern.

    One pung or kong is laid down where that is allowed: a hand that stands twice, for less with a
    set laid down, is shown as the one that is meant.
    """
    (groups,) = example_groups(compile_pattern(pattern), 1, Random(pattern))
    sets = [group for group in groups if group.is_set and len(set(group.tiles)) == 1]
    exposed_sets = sets[:1] if not concealed else []
    kongs = [each for each in sets if len(each.tiles) == KONG_TILES and each not in exposed_sets]
    rest = [each for each in groups if each not in (*exposed_sets, *kongs)]
    tiles = tuple(tile for group in rest for tile in group.tiles)
    hand = Hand(
        exposed=tuple(each.tiles for each in exposed_sets),
        declared_kongs=tuple(each.tiles for each in kongs),
        concealed=tiles,
        winner=True,
        won_by=("wall",),
        winning_tile=tiles[-1],
    )
    return format_hand(hand)

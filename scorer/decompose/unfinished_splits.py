"""Group the concealed tiles of a hand that is not complete (BMJA-H06, K05).

Equal tiles score most together, and chows score nothing. So only wild tiles leave a choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.decompose.splits import Sets, chow_codes_from
from scorer.decompose.wild_splits import WildGroup, make_wild_set, split_face
from scorer.hand import Codes
from scorer.sets import KIND_BY_SIZE, MAX_WILDS_BY_KIND, make_set
from scorer.tiles import BY_CODE, CODES

Prices = Mapping[TileSet, tuple[int, int, int]]
"""The points, doubles and trait bits of each set, as `scorer.scoring.pricing.Price`."""


def group_alike(codes: Sequence[str], *, chows: int) -> Sets:
    """Group equal tiles into sets, then make up to `chows` chows of single tiles."""
    held = set(codes)
    count = {code: codes.count(code) for code in CODES if code in held}
    sets = [found for code, n in count.items() if (found := make_set((code,) * n, concealed=True))]
    single = [code for code, n in count.items() if n == 1]
    for code in tuple(single):
        run = chow_codes_from(code)
        chow = make_set(run, concealed=True) if chows and set(run) <= set(single) else None
        if chow:
            sets.append(chow)
            single = [each for each in single if each not in run]
            chows -= 1
    return (*sets, *_loose_set(tuple(single)))


def _loose_set(codes: Codes) -> Sets:
    return (TileSet("loose", codes, concealed=True),) if codes else ()


class FaceGroups(NamedTuple):
    """The groups chosen for some faces, and their value."""

    wilds: int
    """The number of wild tiles used."""
    points: int
    doubles: int
    groups: tuple[tuple[str, WildGroup], ...]
    """Each group with its face; a group of one is a loose tile."""


def group_alike_with_wilds(natural: Sequence[str], wilds: Codes, prices: Prices) -> Iterator[Sets]:
    """Yield the groupings that may score best: no other has more of both points and doubles."""
    best = [FaceGroups(0, 0, 0, ())]
    for face, count in sorted(Counter(natural).items()):
        ways = [
            _price_groups(face, groups, wilds, prices) for groups in _group_face(count, len(wilds))
        ]
        best = _keep_unbeaten(
            [_combine(before, way) for before in best for way in ways], len(wilds)
        )
    for heaps in best:
        yield _fill_groups(heaps, wilds)


def _combine(one: FaceGroups, other: FaceGroups) -> FaceGroups:
    return FaceGroups(
        one.wilds + other.wilds,
        one.points + other.points,
        one.doubles + other.doubles,
        one.groups + other.groups,
    )


def _keep_unbeaten(heaps: list[FaceGroups], wilds: int) -> list[FaceGroups]:
    """Keep those that use at most `wilds` wild tiles and that no other beats."""
    kept: list[FaceGroups] = []  # those of fewer wild tiles first
    for each in sorted(heaps, key=lambda heap: (heap.wilds, -heap.points, -heap.doubles)):
        is_beaten = any(k.points >= each.points and k.doubles >= each.doubles for k in kept)
        if each.wilds <= wilds and not is_beaten:
            kept.append(each)
    return kept


def _price_groups(
    face: str, groups: tuple[WildGroup, ...], wilds: Codes, prices: Prices
) -> FaceGroups:
    points = doubles = 0
    for group in groups:
        if group != SINGLE_TILE:
            price = prices[make_wild_set(face, group, wilds[: group.wild])]
            points += price[0]
            doubles += price[1]
    used = sum(group.wild for group in groups)
    return FaceGroups(used, points, doubles, tuple((face, group) for group in groups))


SINGLE_TILE = WildGroup(1, 0)
"""A loose tile."""


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _group_face(natural: int, wilds: int) -> tuple[tuple[WildGroup, ...], ...]:
    """Return the ways to group this many equal tiles; some may stay loose."""
    ways = {tuple(sorted(way, reverse=True)) for way in split_face(natural, wilds, _is_allowed)}
    return tuple(sorted(ways, reverse=True))


def _is_allowed(group: WildGroup) -> bool:
    kind = KIND_BY_SIZE.get(group.natural + group.wild)
    return group == SINGLE_TILE or (kind is not None and group.wild <= MAX_WILDS_BY_KIND[kind])


def _fill_groups(heaps: FaceGroups, wilds: Codes) -> Sets:
    """Return the groups as sets of tiles; remaining tiles are loose."""
    left = list(wilds)
    sets: list[TileSet] = []
    single: list[str] = []
    for face, group in heaps.groups:
        if group == SINGLE_TILE:
            single.append(face)
        else:
            sets.append(make_wild_set(face, group, tuple(left[: group.wild])))
            del left[: group.wild]
    return (*sets, *_loose_set((*sorted(single, key=BY_CODE.__getitem__), *left)))

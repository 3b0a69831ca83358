"""Group the concealed tiles of a hand that is not complete (BMJA-H06, K05).

Under the British rules equal tiles score most together, and chows score nothing, so only wild
tiles leave a choice. A table's own figures may say otherwise: then the prices choose.
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
from scorer.patterns.frames import PLAYING_CODES
from scorer.sets import KIND_BY_SIZE, MAX_WILDS_BY_KIND, make_set
from scorer.tiles import BY_CODE, CODES

Prices = Mapping[TileSet, tuple[int, int, int]]
"""The points, doubles and trait bits of each set, as `scorer.scoring.pricing.Price`."""


def group_alike(codes: Sequence[str], *, chows: int) -> Sets:
    """Group equal tiles into sets, then make up to `chows` chows of single tiles."""
    faces = set(codes)
    count = {code: codes.count(code) for code in CODES if code in faces}
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


def is_whole_best(prices: Prices) -> bool:
    """Return whether equal tiles score most together, whatever they are, and chows nothing."""
    for code in PLAYING_CODES:
        pair, pung, kong = (prices[_make_equal_set(code, size)] for size in (2, 3, 4))
        run = chow_codes_from(code)
        chow = make_set(run, concealed=True)
        if chow and any(prices[chow][:2]):
            return False
        for less, more, times in ((pair, pung, 1), (pung, kong, 1), (pair, kong, 2)):
            if less[0] * times > more[0] or less[1] * times > more[1]:
                return False
    return True


def _make_equal_set(code: str, size: int) -> TileSet:
    return make_wild_set(code, WildGroup(size, 0), ())


def group_by_price(codes: Sequence[str], prices: Prices, *, chows: int) -> Iterator[Sets]:
    """Yield the groupings that may score best, with up to `chows` chows."""
    counts, best = Counter(codes), list[FaceGroups]()
    for runs in _choose_chows(counts, chows, 0):
        rest = counts - Counter(code for run in runs for code in run)
        worth = [prices[TileSet("chow", run, concealed=True)] for run in runs]
        start = FaceGroups(0, sum(p[0] for p in worth), sum(p[1] for p in worth), (), runs)
        best = _keep_unbeaten([*best, *_group_faces(rest, (), prices, start)], 0)
    for heaps in best:
        yield _fill_groups(heaps, ())


def _choose_chows(counts: Counter[str], max_chows: int, first: int) -> Iterator[tuple[Codes, ...]]:
    """Yield every choice of up to `max_chows` chows, from this place of `PLAYING_CODES` on."""
    yield ()
    for place in range(first, len(PLAYING_CODES)) if max_chows else ():
        run = chow_codes_from(PLAYING_CODES[place])
        if run and all(counts[code] for code in run):
            for more in _choose_chows(counts - Counter(run), max_chows - 1, place):
                yield (run, *more)


class FaceGroups(NamedTuple):
    """The groups chosen for some faces, and their value."""

    wilds: int
    """The number of wild tiles used."""
    points: int
    doubles: int
    groups: tuple[tuple[str, WildGroup], ...]
    """Each group with its face; a group of one is a loose tile."""
    chows: tuple[Codes, ...] = ()


def group_alike_with_wilds(natural: Sequence[str], wilds: Codes, prices: Prices) -> Iterator[Sets]:
    """Yield the groupings that may score best: no other has more of both points and doubles."""
    for heaps in _group_faces(Counter(natural), wilds, prices, FaceGroups(0, 0, 0, ())):
        yield _fill_groups(heaps, wilds)


def _group_faces(
    counts: Counter[str], wilds: Codes, prices: Prices, start: FaceGroups
) -> list[FaceGroups]:
    """Return the best groupings of these tiles and of wild ones, besides those chosen before."""
    best = [start]
    for face, count in sorted(counts.items()):
        ways = [
            _price_groups(face, groups, wilds, prices) for groups in _group_face(count, len(wilds))
        ]
        best = _keep_unbeaten(
            [_combine(before, way) for before in best for way in ways], len(wilds)
        )
    return best


def _combine(first: FaceGroups, other: FaceGroups) -> FaceGroups:
    return FaceGroups(
        first.wilds + other.wilds,
        first.points + other.points,
        first.doubles + other.doubles,
        first.groups + other.groups,
        first.chows + other.chows,
    )


def _keep_unbeaten(heaps: list[FaceGroups], wilds: int) -> list[FaceGroups]:
    """Keep those that use at most `wilds` wild tiles and that no other beats."""
    best_heaps: list[FaceGroups] = []  # those of fewer wild tiles first
    for heap in sorted(heaps, key=lambda heap: (heap.wilds, -heap.points, -heap.doubles)):
        is_beaten = any(k.points >= heap.points and k.doubles >= heap.doubles for k in best_heaps)
        if heap.wilds <= wilds and not is_beaten:
            best_heaps.append(heap)
    return best_heaps


def _price_groups(
    face: str, groups: tuple[WildGroup, ...], wilds: Codes, prices: Prices
) -> FaceGroups:
    points = doubles = 0
    for group in groups:
        if group != SINGLE_TILE:
            price = prices[make_wild_set(face, group, wilds[: group.wild])]
            points += price[0]
            doubles += price[1]
    wild_count = sum(group.wild for group in groups)
    return FaceGroups(wild_count, points, doubles, tuple((face, group) for group in groups))


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
    sets = [TileSet("chow", run, concealed=True) for run in heaps.chows]
    single: list[str] = []
    for face, group in heaps.groups:
        if group == SINGLE_TILE:
            single.append(face)
        else:
            sets.append(make_wild_set(face, group, tuple(left[: group.wild])))
            del left[: group.wild]
    return (*sets, *_loose_set((*sorted(single, key=BY_CODE.__getitem__), *left)))

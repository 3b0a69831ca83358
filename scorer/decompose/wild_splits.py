"""Find every way to split concealed tiles into sets when some are wild (BMJA-G01 to G07).

A goulash has no chows. So each face makes its own sets, completed with wild tiles.

>>> for sets in split_with_wilds(("DR", "DR", "WE"), ("JK", "JK"), sets=1, pairs=1):
...     print([(each.kind, each.tiles) for each in sets])
[('pair', ('WE', 'JK')), ('pung', ('DR', 'DR', 'JK'))]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.decompose.splits import Sets
from scorer.hand import Codes
from scorer.patterns.frames import PLAYING_CODES
from scorer.sets import KIND_BY_SIZE, MAX_WILDS_BY_KIND
from scorer.tiles import BY_CODE


class WildGroup(NamedTuple):
    """A set given by its number of natural tiles of one face and of wild tiles."""

    natural: int
    wild: int

    @property
    def extra(self) -> int:
        """How many wild tiles it holds beyond what a set may."""
        return max(self.wild - MAX_WILDS_BY_KIND[KIND_BY_SIZE[self.natural + self.wild]], 0)


def split_with_wilds(
    natural: Sequence[str], wilds: Codes, *, sets: int, pairs: int, spare: bool = False
) -> Iterator[Sets]:
    """Yield the ways to split all tiles into this many sets and pairs (0 or 1).

    With `spare`, one pair or pung may hold one more wild tile: the one that was drawn from the
    wall and completed it (BMJA-G05).
    """
    count = Counter(natural)
    faces = sorted(count, key=BY_CODE.__getitem__)
    for groups in _distribute([count[face] for face in faces], len(wilds), sets, pairs, int(spare)):
        yield from _fill_groups(faces, groups, wilds)


_Groups = tuple[tuple[WildGroup, ...], ...]
"""The groups of each face; a pair of wild tiles alone comes last, without a face."""


def _distribute(
    counts: list[int], wilds: int, sets: int, pairs: int, spare: int
) -> Iterator[_Groups]:
    """Yield the groups for each face that together use all tiles."""
    if not counts:
        if (wilds, sets, pairs) == (0, 0, 0):
            yield ((),)
        elif (wilds, sets, pairs, spare) == (2, 0, 1, 1):
            yield ((WildGroup(0, 2),),)
        return
    for groups in _group_face(counts[0], wilds):
        wilds_left = wilds - sum(group.wild for group in groups)
        pair_count = sum(group.natural + group.wild == 2 for group in groups)
        sets_left, pairs_left = sets - (len(groups) - pair_count), pairs - pair_count
        spare_left = spare - sum(group.extra for group in groups)
        if min(wilds_left, sets_left, pairs_left, spare_left) < 0:
            continue
        for others in _distribute(counts[1:], wilds_left, sets_left, pairs_left, spare_left):
            yield (groups, *others)


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _group_face(natural: int, wilds: int) -> tuple[tuple[WildGroup, ...], ...]:
    """Return the ways to group this many equal tiles, the largest group first."""
    ways = split_face(natural, wilds, _is_allowed)
    return tuple(dict.fromkeys(tuple(sorted(way, reverse=True)) for way in ways))


def _is_allowed(group: WildGroup) -> bool:
    """Return whether this is a set; a pair or pung may have one wild tile too many."""
    kind = KIND_BY_SIZE.get(group.natural + group.wild)
    return kind is not None and group.extra <= (kind != "kong")


def split_face(
    natural: int, wilds: int, may_be: Callable[[WildGroup], bool]
) -> Iterator[tuple[WildGroup, ...]]:
    """Yield the ways to put this many equal tiles in allowed groups, with wild tiles."""
    if not natural:
        yield ()
        return
    for natural_count in range(1, natural + 1):
        for wild in range(wilds + 1):
            group = WildGroup(natural_count, wild)
            if may_be(group):
                for others in split_face(natural - natural_count, wilds - wild, may_be):
                    yield (group, *others)


def _fill_groups(faces: list[str], groups: _Groups, wilds: Codes) -> Iterator[Sets]:
    """Yield the groups as sets of tiles; a pair of wild tiles may stand for any face."""
    sets: list[TileSet] = []
    left = list(wilds)
    for face, of_face in zip(faces, groups, strict=False):
        for group in of_face:
            wild_tiles = tuple(left[: group.wild])
            del left[: group.wild]
            sets.append(make_wild_set(face, group, wild_tiles))
    if not left:
        yield tuple(sets)
        return
    for face in PLAYING_CODES:
        yield (*sets, make_wild_set(face, WildGroup(0, 2), tuple(left)))


def make_wild_set(face: str, group: WildGroup, wilds: Codes) -> TileSet:
    """Return the set of a face that these wild tiles complete."""
    size = group.natural + group.wild
    stands_for = (face,) * size if wilds else ()
    return TileSet(KIND_BY_SIZE[size], ((face,) * group.natural) + wilds, True, stands_for)

"""Special hands of other shapes than four sets and a pair: whether tiles make them.

Tiles may be wild (BMJA-G05). One wild tile more than the player holds shows what a hand waits for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.decompose.splits import Sets
from scorer.hand import Hand
from scorer.patterns.frames import BIT_BY_CODE, Group, HandFrame, HandPattern, fillings, mask_of
from scorer.patterns.notation import TILES_BY_KIND, GroupKind
from scorer.ruleset import SpecialHand
from scorer.special.base import Effort, TileCounts, kind_alike, most_wilds
from scorer.tiles import BY_CODE

MADE_BIT = 1 << len(BIT_BY_CODE)
"""Beside the bits of the faces that a wild tile may stand for: that the tiles make the hand."""


def is_made_of(
    pattern: HandPattern,
    tile_counts: TileCounts,
    table_sets: Sets = (),
    effort: Effort | None = None,
) -> bool:
    """Return whether the tiles, and the sets laid down, are a hand of this pattern.

    Wild tiles may replace some (BMJA-G05).
    """
    return any(_find_covers(pattern, tile_counts, table_sets, effort or Effort(), find_all=False))


def faces_of_wild(
    pattern: HandPattern,
    tile_counts: TileCounts,
    table_sets: Sets = (),
    effort: Effort | None = None,
) -> int:
    """Return, as bits, every face that the only wild tile may stand for in such a hand."""
    faces = 0
    for found in _find_covers(pattern, tile_counts, table_sets, effort or Effort(), find_all=True):
        faces |= found
    return faces & ~MADE_BIT


def _find_covers(
    pattern: HandPattern,
    tile_counts: TileCounts,
    table_sets: Sets,
    effort: Effort,
    *,
    find_all: bool,
) -> Iterator[int]:
    """Yield what each frame finds that the tiles make: `MADE_BIT`, and the faces of wild tiles."""
    present = tile_counts.mask
    for each in table_sets:
        present |= mask_of(each.faces)
    cover = None
    for mask, frames in pattern.frames_by_mask:
        if present & ~mask:
            continue
        cover = cover or _Cover(tile_counts, effort, find_all=find_all)
        for frame in frames:
            missing_suits = tuple([suit for suit in frame.uncertain if not present & suit])
            if (missing_suits and not tile_counts.wilds) or not cover.may_cover(
                frame, len(table_sets)
            ):
                continue
            for groups in _groups_left(frame.groups, table_sets):
                faces = cover.covers_frame(frame, groups, missing_suits)
                if faces:
                    yield faces


def _groups_left(groups: tuple[Group, ...], table_sets: Sets) -> Iterator[tuple[Group, ...]]:
    """Yield the groups that are left when each set that was laid down is one of them."""
    if not table_sets:
        yield groups
        return
    tried_groups = set[Group]()
    for place, group in enumerate(groups):
        fits = table_sets[0].kind in group.kinds and group.codes.issuperset(table_sets[0].faces)
        if fits and group not in tried_groups:
            tried_groups.add(group)
            yield from _groups_left(groups[:place] + groups[place + 1 :], table_sets[1:])


_Suits = tuple[int, ...]
"""Suits that must still occur, as bits of their faces."""

_Groups = tuple[tuple[Group, int], ...]
"""Groups, and how many of each are to be filled."""


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _counts_of(group: Group) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Return the tiles of each way to fill a group, by face; a kong is not filled but declared."""
    return tuple(tuple(Counter(tiles).items()) for _, tiles in fillings(group, kongs=False))


class _Cover:
    """The search for groups that hold exactly the tiles of a hand."""

    def __init__(self, tile_counts: TileCounts, effort: Effort, *, find_all: bool) -> None:
        by_rank = Counter[str]()
        for code, count in tile_counts.natural.items():
            by_rank[code[1]] += count
        self.tile_counts, self.effort, self.find_all = tile_counts, effort, find_all
        self.order = sorted([(by_rank[code[1]], code[1], code) for code in tile_counts.natural])
        """The faces, those with fewest partners first: they soon show that there is no way."""
        self.cache = dict[object, int]()
        self.min_wilds = dict[Group, int]()

    def may_cover(self, frame: HandFrame, table_count: int) -> bool:
        """Return whether the tiles are enough for each part by itself; some groups are laid."""
        natural, wilds = self.tile_counts.natural, self.tile_counts.wilds
        for code, count in frame.tiles.items():
            held_count = natural.get(code, 0)
            if held_count < count:
                wilds -= count - held_count
                if wilds < 0:
                    return False
        short = 0
        for group in frame.groups:
            min_wilds = self.min_wilds.get(group)
            if min_wilds is None:
                min_wilds = self.min_wilds[group] = self._count_min_wilds(group)
            short += min_wilds > wilds
        return short <= table_count

    def _count_min_wilds(self, group: Group) -> int:
        """Return how many tiles of a group must be wild."""
        held_count = self.tile_counts.natural.get
        minimum = len(BIT_BY_CODE)
        for counts in _counts_of(group):
            short = 0
            for code, count in counts:
                short += max(count - held_count(code, 0), 0)
            if short < minimum:
                minimum = short
                if not minimum:
                    break
        return minimum

    def covers_frame(
        self, frame: HandFrame, groups: tuple[Group, ...], missing_suits: _Suits
    ) -> int:
        """Return whether the tiles are all that the frame needs, and nothing else."""
        faces = 0
        tile_counts = self.tile_counts
        start = _Rest(tile_counts.natural, tile_counts.wilds, tile_counts.spare)
        of_kind = tuple(Counter(groups).items())
        for rest in _without_certain([*frame.tiles.items()], start):
            other_faces = self.covers(rest.natural, of_kind, rest.wilds, rest.spare, missing_suits)
            if other_faces:
                faces |= other_faces | rest.faces
                if not self.find_all:
                    break
        return faces

    def covers(
        self,
        natural: Mapping[str, int],
        groups: _Groups,
        wilds: int,
        spare: int,
        missing_suits: _Suits,
    ) -> int:
        """Return whether these tiles and `wilds` wild ones fill these groups.

        The groups may have `spare` wild tiles more than their limits, together.
        """
        first = ""
        for _, _, code in self.order:
            if natural[code]:
                first = code
                break
        else:
            return MADE_BIT if _are_all_wild(groups, wilds, spare, missing_suits) else 0
        key = (*natural.values(), groups, wilds, spare, missing_suits)
        if key not in self.cache:
            self.cache[key] = self._fill_with(first, natural, groups, wilds, spare, missing_suits)
        return self.cache[key]

    def _fill_with(
        self,
        first: str,
        natural: Mapping[str, int],
        groups: _Groups,
        wilds: int,
        spare: int,
        missing_suits: _Suits,
    ) -> int:
        """Put the first tile in each group that it may be of, and cover what is left."""
        self.effort.step()
        faces = 0
        for place, (group, count) in enumerate(groups):
            if first not in group.codes:
                continue
            less = ((group, count - 1),) if count > 1 else ()
            left = (*groups[:place], *less, *groups[place + 1 :])
            for way in _ways_to_fill(group, first, natural, wilds):
                if way.extra > spare:
                    continue
                rest = dict(natural)
                for code in way.natural_tiles:
                    rest[code] -= 1
                still_missing = missing_suits and tuple(
                    [suit for suit in missing_suits if not way.faces & suit]
                )
                other_faces = self.covers(
                    rest, left, wilds - way.wilds, spare - way.extra, still_missing
                )
                if other_faces:
                    faces |= other_faces | way.faces
                    if not (self.find_all and wilds):
                        return faces
        return faces


class _Rest(NamedTuple):
    """What is left after the tiles that a frame needs for certain."""

    natural: Mapping[str, int]
    wilds: int
    spare: int
    """Whether one group may hold one wild tile more."""
    faces: int = 0
    """The faces that wild tiles stood for, as bits."""


def _without_certain(tiles: list[tuple[str, int]], left: _Rest) -> Iterator[_Rest]:
    """Yield what is left after the tiles that are all needed; wild tiles may replace some."""
    if not tiles:
        yield left
        return
    (code, needed_count), rest = tiles[0], tiles[1:]
    held_count = left.natural.get(code, 0)
    for natural_count in range(
        min(needed_count, held_count), max(needed_count - left.wilds, 0) - 1, -1
    ):
        wild_count = needed_count - natural_count
        extra = max(wild_count - most_wilds(kind_alike(needed_count)), 0)
        if extra <= left.spare:
            yield from _without_certain(
                rest,
                _Rest(
                    {**left.natural, code: held_count - natural_count}
                    if natural_count
                    else left.natural,
                    left.wilds - wild_count,
                    left.spare - extra,
                    left.faces | (BIT_BY_CODE[code] if wild_count else 0),
                ),
            )


class _Way(NamedTuple):
    """One way to fill a group around a tile."""

    natural_tiles: tuple[str, ...]
    wilds: int
    extra: int
    """How many of the wild tiles are too many."""
    faces: int
    """The faces that wild tiles stand for, as bits."""


def _ways_to_fill(
    group: Group, code: str, natural: Mapping[str, int], wilds: int
) -> Iterator[_Way]:
    """Yield the ways to fill a group with this tile, others, and wild ones."""
    for kind, tiles in _fillings_with(code, group):
        other_tiles = [each for each in tiles if natural.get(each)]
        if tiles[:1] == (code,):  # all alike
            other_tiles = other_tiles[: natural[code] - 1]
        size = len(tiles)
        for natural_count in range(len(other_tiles), max(size - wilds, 0) - 1, -1):
            wild_count = size - natural_count
            extra = max(wild_count - most_wilds(kind), 0)
            for kept in dict.fromkeys(combinations(other_tiles, natural_count)):
                faces = mask_of((Counter(tiles) - Counter(kept)).keys()) if wild_count else 0
                yield _Way((code, *kept), wild_count, extra, faces)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _fillings_with(code: str, group: Group) -> tuple[tuple[GroupKind, tuple[str, ...]], ...]:
    """Return the other tiles of each group that has this tile.

    Four alike that nobody declared are no kong, as a declared kong is nothing else (BMJA-S07).
    """
    return tuple(
        (kind, tiles[: tiles.index(code)] + tiles[tiles.index(code) + 1 :])
        for kind, tiles in fillings(group, kongs=False)
        if code in tiles
    )


def _are_all_wild(groups: _Groups, wilds: int, spare: int, missing_suits: _Suits) -> bool:
    """Return whether the groups that are left may be wild tiles alone; a kong may not."""
    kinds = [_least_kind(group) for group, count in groups for _ in range(count)]
    if "kong" in kinds:
        return False
    sizes = [TILES_BY_KIND[kind] for kind in kinds]
    extra = sum(max(size - most_wilds(k), 0) for k, size in zip(kinds, sizes, strict=True))
    may_occur = all(any(group.mask & suit for group, _ in groups) for suit in missing_suits)
    return sum(sizes) == wilds and extra <= spare and may_occur and len(missing_suits) <= wilds


def _least_kind(group: Group) -> GroupKind:
    return min(group.kinds, key=TILES_BY_KIND.__getitem__)


def may_be_won(special: SpecialHand, hand: Hand) -> bool:
    """Return whether the hand may have been completed as it was (BMJA-S05, C13)."""
    if not hand.is_claimed or special.claim == "any":
        return True
    last = BY_CODE.get(hand.winning_tile or "")
    return special.claim == "terminal" and not (last and last.is_minor)

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
    pattern: HandPattern, holding: TileCounts, laid: Sets = (), effort: Effort | None = None
) -> bool:
    """Return whether the tiles, and the sets laid down, are a hand of this pattern.

    Wild tiles may replace some (BMJA-G05).
    """
    return any(_find_covers(pattern, holding, laid, effort or Effort(), every=False))


def faces_of_wild(
    pattern: HandPattern, holding: TileCounts, laid: Sets = (), effort: Effort | None = None
) -> int:
    """Return, as bits, every face that the only wild tile may stand for in such a hand."""
    faces = 0
    for found in _find_covers(pattern, holding, laid, effort or Effort(), every=True):
        faces |= found
    return faces & ~MADE_BIT


def _find_covers(
    pattern: HandPattern, holding: TileCounts, laid: Sets, effort: Effort, *, every: bool
) -> Iterator[int]:
    """Yield what each frame finds that the tiles make: `MADE_BIT`, and the faces of wild tiles."""
    present = holding.mask
    for each in laid:
        present |= mask_of(each.faces)
    cover = None
    for mask, frames in pattern.frames_by_mask:
        if present & ~mask:
            continue
        cover = cover or _Cover(holding, effort, every=every)
        for frame in frames:
            lacking = tuple([suit for suit in frame.uncertain if not present & suit])
            if (lacking and not holding.wilds) or not cover.may_cover(frame, len(laid)):
                continue
            for groups in _groups_left(frame.groups, laid):
                found = cover.covers_frame(frame, groups, lacking)
                if found:
                    yield found


def _groups_left(groups: tuple[Group, ...], laid: Sets) -> Iterator[tuple[Group, ...]]:
    """Yield the groups that are left when each set that was laid down is one of them."""
    if not laid:
        yield groups
        return
    tried = set[Group]()
    for place, group in enumerate(groups):
        fits = laid[0].kind in group.kinds and group.codes.issuperset(laid[0].faces)
        if fits and group not in tried:
            tried.add(group)
            yield from _groups_left(groups[:place] + groups[place + 1 :], laid[1:])


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

    def __init__(self, holding: TileCounts, effort: Effort, *, every: bool) -> None:
        by_rank = Counter[str]()
        for code, count in holding.natural.items():
            by_rank[code[1]] += count
        self.holding, self.effort, self.every = holding, effort, every
        self.order = sorted([(by_rank[code[1]], code[1], code) for code in holding.natural])
        """The faces, those with fewest partners first: they soon show that there is no way."""
        self.known = dict[object, int]()
        self.least = dict[Group, int]()

    def may_cover(self, frame: HandFrame, laid: int) -> bool:
        """Return whether the tiles are enough for each part by itself; some groups are laid."""
        natural, wilds = self.holding.natural, self.holding.wilds
        for code, count in frame.tiles.items():
            held = natural.get(code, 0)
            if held < count:
                wilds -= count - held
                if wilds < 0:
                    return False
        short = 0
        for group in frame.groups:
            least = self.least.get(group)
            if least is None:
                least = self.least[group] = self._least(group)
            short += least > wilds
        return short <= laid

    def _least(self, group: Group) -> int:
        """Return how many tiles of a group must be wild."""
        held = self.holding.natural.get
        least = len(BIT_BY_CODE)
        for counts in _counts_of(group):
            short = 0
            for code, count in counts:
                short += max(count - held(code, 0), 0)
            if short < least:
                least = short
                if not least:
                    break
        return least

    def covers_frame(self, frame: HandFrame, groups: tuple[Group, ...], lacking: _Suits) -> int:
        """Return whether the tiles are all that the frame needs, and nothing else."""
        found = 0
        held = self.holding
        start = _Rest(held.natural, held.wilds, held.spare)
        of_kind = tuple(Counter(groups).items())
        for rest in _without_certain([*frame.tiles.items()], start):
            others = self.covers(rest.natural, of_kind, rest.wilds, rest.spare, lacking)
            if others:
                found |= others | rest.faces
                if not self.every:
                    break
        return found

    def covers(
        self,
        natural: Mapping[str, int],
        groups: _Groups,
        wilds: int,
        spare: int,
        lacking: _Suits,
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
            return MADE_BIT if _are_all_wild(groups, wilds, spare, lacking) else 0
        key = (*natural.values(), groups, wilds, spare, lacking)
        if key not in self.known:
            self.known[key] = self._fill_with(first, natural, groups, wilds, spare, lacking)
        return self.known[key]

    def _fill_with(
        self,
        first: str,
        natural: Mapping[str, int],
        groups: _Groups,
        wilds: int,
        spare: int,
        lacking: _Suits,
    ) -> int:
        """Put the first tile in each group that it may be of, and cover what is left."""
        self.effort.step()
        found = 0
        for place, (group, count) in enumerate(groups):
            if first not in group.codes:
                continue
            less = ((group, count - 1),) if count > 1 else ()
            left = (*groups[:place], *less, *groups[place + 1 :])
            for way in _ways_to_fill(group, first, natural, wilds):
                if way.extra > spare:
                    continue
                rest = dict(natural)
                for code in way.used:
                    rest[code] -= 1
                still = lacking and tuple([suit for suit in lacking if not way.faces & suit])
                others = self.covers(rest, left, wilds - way.wilds, spare - way.extra, still)
                if others:
                    found |= others | way.faces
                    if not (self.every and wilds):
                        return found
        return found


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
    (code, needed), rest = tiles[0], tiles[1:]
    held = left.natural.get(code, 0)
    for used in range(min(needed, held), max(needed - left.wilds, 0) - 1, -1):
        replaced = needed - used
        extra = max(replaced - most_wilds(kind_alike(needed)), 0)
        if extra <= left.spare:
            yield from _without_certain(
                rest,
                _Rest(
                    {**left.natural, code: held - used} if used else left.natural,
                    left.wilds - replaced,
                    left.spare - extra,
                    left.faces | (BIT_BY_CODE[code] if replaced else 0),
                ),
            )


class _Way(NamedTuple):
    """One way to fill a group around a tile."""

    used: tuple[str, ...]
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
        others = [each for each in tiles if natural.get(each)]
        if tiles[:1] == (code,):  # all alike
            others = others[: natural[code] - 1]
        size = len(tiles)
        for more in range(len(others), max(size - wilds, 0) - 1, -1):
            replaced = size - more
            extra = max(replaced - most_wilds(kind), 0)
            for kept in dict.fromkeys(combinations(others, more)):
                faces = mask_of((Counter(tiles) - Counter(kept)).keys()) if replaced else 0
                yield _Way((code, *kept), replaced, extra, faces)


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


def _are_all_wild(groups: _Groups, wilds: int, spare: int, lacking: _Suits) -> bool:
    """Return whether the groups that are left may be wild tiles alone; a kong may not."""
    kinds = [_least_kind(group) for group, count in groups for _ in range(count)]
    if "kong" in kinds:
        return False
    sizes = [TILES_BY_KIND[kind] for kind in kinds]
    extra = sum(max(size - most_wilds(k), 0) for k, size in zip(kinds, sizes, strict=True))
    may_occur = all(any(group.mask & suit for group, _ in groups) for suit in lacking)
    return sum(sizes) == wilds and extra <= spare and may_occur and len(lacking) <= wilds


def _least_kind(group: Group) -> GroupKind:
    return min(group.kinds, key=TILES_BY_KIND.__getitem__)


def may_be_won(special: SpecialHand, hand: Hand) -> bool:
    """Return whether the hand may have been completed as it was (BMJA-S05, C13)."""
    if not hand.claimed or special.claim == "any":
        return True
    last = BY_CODE.get(hand.winning_tile or "")
    return special.claim == "terminal" and not (last and last.is_minor)

"""Special hands of other shapes than four sets and a pair: what makes them, what they lack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.decompose.splits import Sets
from scorer.hand import Hand
from scorer.patterns.frames import Group, HandFrame, HandPattern, fillings
from scorer.patterns.notation import TILES_BY_KIND, GroupKind
from scorer.ruleset import SpecialHand
from scorer.special.base import (
    MissingFromTarget,
    PlayerTiles,
    TileCounts,
    kind_alike,
    most_wilds,
)
from scorer.special.group_search import (
    missing_from_groups,
    missing_from_pairs,
    missing_from_tiles,
)
from scorer.special.knitting import missing_from_couples, missing_from_triplets
from scorer.tiles import BY_CODE, SUITS


def is_made_of(pattern: HandPattern, holding: TileCounts, laid: Sets = ()) -> bool:
    """Return whether the tiles, and the sets laid down, are a hand of this pattern.

    Wild tiles may replace some (BMJA-G05).
    """
    return any(
        _cover_frame(frame, groups, holding)
        for mask, frames in pattern.frames_by_mask
        if not holding.mask & ~mask
        for frame in frames
        for groups in _groups_left(frame.groups, laid)
    )


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


def _cover_frame(frame: HandFrame, groups: tuple[Group, ...], holding: TileCounts) -> bool:
    """Return whether the tiles are all that the frame needs, and nothing else."""
    if any(not holding.mask & suit for suit in frame.uncertain):
        return False
    if not groups:
        return _are_the_tiles(frame.tiles, holding)
    cover = _Cover(holding.natural)
    return any(
        cover.covers(rest, tuple(Counter(groups).items()), wilds, spare)
        for rest, wilds, spare in _without_certain(
            [*frame.tiles.items()], dict(holding.natural), holding.wilds, holding.spare
        )
    )


def _are_the_tiles(tiles: Mapping[str, int], holding: TileCounts) -> bool:
    natural = holding.natural
    if len(natural) + holding.wilds < len(tiles):
        return False
    if any(count > tiles.get(code, 0) for code, count in natural.items()):
        return False
    extra = sum(
        max(count - natural.get(code, 0) - most_wilds(kind_alike(count)), 0)
        for code, count in tiles.items()
        if count > 1
    )
    return extra <= holding.spare


_Rest = tuple[dict[str, int], int, int]
"""The tiles left by face, the wild tiles left, and whether one group may hold one more."""


def _without_certain(
    tiles: list[tuple[str, int]], natural: dict[str, int], wilds: int, spare: int
) -> Iterator[_Rest]:
    """Yield what is left after the tiles that are all needed; wild tiles may replace some."""
    if not tiles:
        yield natural, wilds, spare
        return
    (code, needed), rest = tiles[0], tiles[1:]
    for used in range(min(needed, natural.get(code, 0)), max(needed - wilds, 0) - 1, -1):
        replaced = needed - used
        extra = max(replaced - most_wilds(kind_alike(needed)), 0)
        if replaced <= wilds and extra <= spare:
            left = {**natural, code: natural.get(code, 0) - used}
            yield from _without_certain(rest, left, wilds - replaced, spare - extra)


class _Cover:
    """The search for groups that hold exactly the tiles of a hand."""

    def __init__(self, natural: Mapping[str, int]) -> None:
        by_rank = Counter[str]()
        for code, count in natural.items():
            by_rank[code[1]] += count
        self.order = sorted(natural, key=lambda code: (by_rank[code[1]], code[1]))
        """The faces, those with fewest partners first: they soon show that there is no way."""
        self.failed = set[object]()

    def covers(
        self,
        natural: dict[str, int],
        groups: tuple[tuple[Group, int], ...],
        wilds: int,
        spare: int,
    ) -> bool:
        """Return whether these tiles and `wilds` wild ones fill these groups.

        The groups may have `spare` wild tiles more than their limits, together.
        """
        first = next((code for code in self.order if natural[code]), None)
        if first is None:
            return _all_wild(groups, wilds, spare)
        key = (*natural.values(), groups, wilds, spare)
        if key in self.failed:
            return False
        for place, (group, count) in enumerate(groups):
            if first not in group.codes:
                continue
            less = ((group, count - 1),) if count > 1 else ()
            left = (*groups[:place], *less, *groups[place + 1 :])
            for used, replaced, extra in _ways_to_fill(group, first, natural, wilds):
                if extra > spare:
                    continue
                rest = dict(natural)
                for code in used:
                    rest[code] -= 1
                if self.covers(rest, left, wilds - replaced, spare - extra):
                    return True
        self.failed.add(key)
        return False


def _ways_to_fill(
    group: Group, code: str, natural: Mapping[str, int], wilds: int
) -> Iterator[tuple[tuple[str, ...], int, int]]:
    """Yield the tiles, among them this one, the wild ones, and how many of these are too many."""
    for kind, tiles in _fillings_with(code, group):
        others = [each for each in tiles if natural.get(each)]
        if tiles[:1] == (code,):  # all alike
            others = others[: natural[code] - 1]
        size = len(tiles)
        for more in range(len(others), max(size - wilds, 0) - 1, -1):
            replaced = size - more
            extra = max(replaced - most_wilds(kind), 0)
            for kept in dict.fromkeys(combinations(others, more)):
                yield (code, *kept), replaced, extra


@lru_cache(maxsize=MAX_CACHED_TABLES)
def _fillings_with(code: str, group: Group) -> tuple[tuple[GroupKind, tuple[str, ...]], ...]:
    """Return the other tiles of each group that has this tile.

    Four alike that nobody declared are no kong.
    """
    return tuple(
        (kind, tiles[: tiles.index(code)] + tiles[tiles.index(code) + 1 :])
        for kind in sorted(group.kinds - {"kong"})
        for tiles in fillings(kind, group.codes)
        if code in tiles
    )


def _all_wild(groups: tuple[tuple[Group, int], ...], wilds: int, spare: int) -> bool:
    """Return whether the groups that are left may be wild tiles alone; a kong may not."""
    if any(_least(group) == "kong" for group, _ in groups):
        return False
    sizes = [(group, TILES_BY_KIND[_least(group)]) for group, n in groups for _ in range(n)]
    extra = sum(max(size - most_wilds(_least(group)), 0) for group, size in sizes)
    return sum(size for _, size in sizes) == wilds and extra <= spare


def _least(group: Group) -> GroupKind:
    return min(group.kinds, key=TILES_BY_KIND.__getitem__)


def may_be_won(special: SpecialHand, hand: Hand) -> bool:
    """Return whether the hand may have been completed as it was (BMJA-S05, C13)."""
    if not hand.claimed or special.claim == "any":
        return True
    last = BY_CODE.get(hand.winning_tile or "")
    return special.claim == "terminal" and not (last and last.is_minor)


def missing_from_tiles_hand(special: SpecialHand, held: PlayerTiles) -> Iterator[MissingFromTarget]:
    """Yield what is missing from each version of the hand; nothing where a set may not be laid."""
    if special.pattern is None or (held.fixed and special.stays_concealed):
        return
    own = held.own
    near = [
        frame
        for mask, frames in special.pattern.frames_by_mask
        if held.is_near(mask)
        for frame in frames
    ]
    for frame in sorted(near, key=lambda each: (each.suits, not all(map(own.get, each.chosen)))):
        yield _missing_from_frame(frame, held)


def _missing_from_frame(frame: HandFrame, held: PlayerTiles) -> MissingFromTarget:
    kinds = Counter(kind for group in frame.groups for kind in group.kinds)
    needed = (*frame.written, *frame.chosen)
    if held.fixed:
        return missing_from_groups(held, needed, frame.groups)
    if not frame.groups:
        return missing_from_tiles(held, frame.written, frame.chosen)
    if needed or not frame.is_alike or kinds.total() != len(frame.groups):
        return missing_from_groups(held, needed, frame.groups)
    codes = frame.groups[0].codes
    if set(kinds) == {"pair"}:
        return missing_from_pairs(held, sorted(codes, key=BY_CODE.__getitem__), kinds["pair"])
    suits = tuple(suit for suit in SUITS if suit + "1" in codes)
    if set(kinds) == {"couple"}:
        return missing_from_couples(held, suits, kinds["couple"])
    if set(kinds) <= {"triplet", "couple"} and kinds["couple"] <= 1:
        return missing_from_triplets(held, kinds["triplet"], kinds["couple"])
    return missing_from_groups(held, needed, frame.groups)

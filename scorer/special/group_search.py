"""What a special hand lacks: the choice of its groups that needs fewest tiles.

Suits, ranks and single tiles are chosen by the frames of a pattern. In each frame, sets on the
table take their groups first; then every group is filled in every way that may still be the best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter, itemgetter
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.decompose.splits import Sets
from scorer.hand import Codes
from scorer.patterns.frames import (
    COPIES_PER_TILE,
    PLACE_BY_CODE,
    PLAYING_CODES,
    Group,
    HandFrame,
    HandPattern,
    fillings,
    mask_of,
)
from scorer.special.base import (
    MAX_MISSING_TILES,
    Effort,
    MissingTiles,
    PlayerTiles,
    kind_alike,
    most_wilds,
)
from scorer.special.knitting import missing_from_knitting
from scorer.tiles import SUITS


class GroupFill(NamedTuple):
    """One way to fill a group."""

    counts: tuple[tuple[int, int], ...]
    """The place of each face among all faces, and how many tiles of it."""
    wilds: int
    """How many of the tiles may be wild (BMJA-G05)."""
    mask: int
    is_chow: bool


class Choice(NamedTuple):
    """A filling, and how many tiles it lacks at least: while no other group has taken any."""

    min_missing: int
    """After wild tiles have replaced as many as they may."""
    short: int
    """Before that."""
    fill: GroupFill


class Shortage(NamedTuple):
    """What has been found to be missing so far."""

    missing: tuple[MissingTiles, ...] = ()
    tiles: int = 0
    wilds: int = 0
    """How many of the tiles wild ones may replace."""
    wild_only: int = 0
    """How many of them only wild tiles can be (BMJA-G07)."""


@lru_cache(maxsize=MAX_CACHED_HANDS)
def fillings_of(group: Group) -> tuple[GroupFill, ...]:
    """Return every way to fill a group; a kong needs one tile more than a pung of its face."""
    fills = (
        GroupFill(
            tuple((PLACE_BY_CODE[code], count) for code, count in Counter(tiles).items()),
            most_wilds(kind),
            mask_of(tiles),
            kind == "chow",
        )
        for kind, tiles in fillings(group, kongs=True)
    )
    return tuple(sorted(fills, key=lambda fill: fill.counts))


_cost_key = attrgetter("min_missing", "short")


class MissingSearch:
    """The search for what one player lacks for special hands."""

    def __init__(self, tiles: PlayerTiles, effort: Effort | None = None) -> None:
        self.tiles = tiles
        self.effort = effort or Effort()
        self.own_counts = [tiles.counts.get(code, 0) for code in PLAYING_CODES]
        table_counts = Counter(code for each in tiles.fixed_sets for code in each.faces)
        self.room = [COPIES_PER_TILE - table_counts[code] for code in PLAYING_CODES]
        self.laid_mask = mask_of(table_counts)
        self._choices = dict[Group, list[Choice]]()
        self._frames = dict[HandPattern, list[tuple[int, HandFrame]]]()

    def estimate_missing(self, pattern: HandPattern) -> int:
        """Return how many tiles a pattern surely lacks; more than are near when it is far."""
        near_frames = self._near_frames(pattern)
        return near_frames[0][0] if near_frames else MAX_MISSING_TILES + 1

    def find_missing(
        self, pattern: HandPattern, most_chows: int, max_missing: int = MAX_MISSING_TILES
    ) -> Codes:
        """Return the fewest tiles that a pattern lacks; none if more, or nothing lacks."""
        chows = most_chows - sum(each.kind == "chow" for each in self.tiles.fixed_sets)
        best: tuple[MissingTiles, ...] = ()
        for minimum, frame in self._near_frames(pattern):
            if minimum > max_missing or chows < 0:
                break
            for groups, grown_tiles in _deal_sets(self.tiles.fixed_sets, frame.groups):
                if frame.is_knitted:
                    missing = self._find_knitted(frame, max_missing)
                else:
                    missing = _FrameSearch(self, frame, groups, max_missing).run(grown_tiles, chows)
                if missing is not None and self.count(missing) <= max_missing:
                    best, max_missing = missing, self.count(missing) - 1
        return self._fill_with_wilds(best)

    def _find_knitted(self, frame: HandFrame, max_missing: int) -> tuple[MissingTiles, ...] | None:
        sizes = [group.size for group in frame.groups]
        suits = "".join(suit for suit in SUITS if suit + "1" in frame.groups[0].codes)
        return missing_from_knitting(self.tiles, suits, sizes.count(3), sizes.count(2), max_missing)

    def count(self, missing: Iterable[MissingTiles]) -> int:
        """Return how many tiles are missing after the wild ones are used."""
        tiles = wilds = 0
        for each in missing:
            tiles += len(each.tiles)
            wilds += min(each.wilds, len(each.tiles))
        return tiles - min(self.tiles.wilds, wilds)

    def choices(self, group: Group) -> list[Choice]:
        """Return the ways to fill a group, cheapest first."""
        choices = self._choices.get(group)
        if choices is None:
            own_counts, wilds = self.own_counts, self.tiles.wilds
            choices = []
            for fill in fillings_of(group):
                short = 0
                for place, count in fill.counts:
                    if count > own_counts[place]:
                        short += count - own_counts[place]
                wild = min(short, wilds, fill.wilds) if wilds else 0
                choices.append(Choice(short - wild, short, fill))
            choices.sort(key=_cost_key)
            self._choices[group] = choices
        return choices

    def _near_frames(self, pattern: HandPattern) -> list[tuple[int, HandFrame]]:
        """Return the frames that may be near, those that may lack fewest first."""
        near_frames = self._frames.get(pattern)
        if near_frames is None:
            near_frames = [
                (least, frame)
                for mask, frames in pattern.frames_by_mask
                if self.tiles.is_near(mask)
                for frame in frames
                for least in (self._estimate_frame(frame),)
                if least <= MAX_MISSING_TILES
            ]
            near_frames.sort(key=itemgetter(0))
            self._frames[pattern] = near_frames
        return near_frames

    def _estimate_frame(self, frame: HandFrame) -> int:
        """Return how many tiles the frame surely lacks, whatever the sets on the table are."""
        own_counts = self.own_counts
        certain = 0
        for place, count in frame.certain:
            if count > own_counts[place]:
                certain += count - own_counts[place]
        minima = [
            found[0].min_missing if (found := self.choices(group)) else MAX_MISSING_TILES + 1
            for group in frame.groups
        ]
        if self.tiles.fixed_sets:
            minima = sorted(minima)[: max(len(minima) - len(self.tiles.fixed_sets), 0)]
        return max(certain - self.tiles.wilds, 0) + sum(minima)

    def _fill_with_wilds(self, missing: Iterable[MissingTiles]) -> Codes:
        """Return what is still missing after the wild tiles are used (BMJA-G05).

        They first replace tiles that exist only as wild ones.
        """
        left, needed_tiles = self.tiles.wilds, list[str]()
        reachable = self.tiles.unreachable.isdisjoint
        for group in sorted(missing, key=lambda group: reachable(group.tiles)):
            wild = min(left, group.wilds, len(group.tiles))
            left -= wild
            needed_tiles += sorted(group.tiles, key=lambda tile: reachable((tile,)))[wild:]
        return tuple(sorted(needed_tiles, key=PLACE_BY_CODE.__getitem__))


def _deal_sets(sets: Sets, groups: tuple[Group, ...]) -> Iterator[tuple[tuple[Group, ...], Codes]]:
    """Yield the groups that are left when each set is one of them, and what these sets lack."""
    if not sets:
        yield groups, ()
        return
    tried_groups = set[Group]()
    for place, group in enumerate(groups):
        if group in tried_groups or not group.codes.issuperset(sets[0].faces):
            continue
        tried_groups.add(group)
        grows = _grows_into(sets[0], group)
        if grows or sets[0].kind in group.kinds:
            lacking_tiles = (sets[0].tile.code,) if grows else ()
            for rest, more in _deal_sets(sets[1:], groups[:place] + groups[place + 1 :]):
                yield rest, (*lacking_tiles, *more)


def _grows_into(tile_set: TileSet, group: Group) -> bool:
    """Return whether a pung on the table is to become a kong to be of the group (BMJA-K07)."""
    return tile_set.kind == "pung" and "kong" in group.kinds and "pung" not in group.kinds


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _order_of(group: Group) -> tuple[int, int, str]:
    """Return a key: groups of few fillings first, then sets before pairs, equal ones together."""
    return len(fillings_of(group)), -group.size, f"{sorted(group.codes)} {sorted(group.kinds)}"


class _FrameSearch:
    """The search for the choice of groups of one frame that lacks fewest tiles."""

    def __init__(
        self, player: MissingSearch, frame: HandFrame, groups: Sequence[Group], max_missing: int
    ) -> None:
        self.player, self.frame, self.max_missing = player, frame, max_missing
        self.best: Shortage | None = None
        self.groups = sorted(groups, key=_order_of)
        self.choices = [player.choices(group) for group in self.groups]
        minima = [
            found[0].min_missing if found else MAX_MISSING_TILES + 1 for found in self.choices
        ]
        self.wilds = player.tiles.wilds
        short = [min(c.short for c in found) if found else 0 for found in self.choices]
        self.short_after = [*accumulate(reversed(short), initial=0)][::-1]
        self.least_after = [*accumulate(reversed(minima), initial=0)][::-1]
        self.equal_counts = [1] * len(groups)  # how many equal groups follow, with this one
        for place in reversed(range(len(groups) - 1)):
            if self.groups[place] == self.groups[place + 1]:
                self.equal_counts[place] = self.equal_counts[place + 1] + 1
        self.used_counts = [0] * len(PLAYING_CODES)
        self.tried_states = set[tuple[int, ...]]()

    def run(self, grown_tiles: Codes, chows: int) -> tuple[MissingTiles, ...] | None:
        """Return what is missing at least, or None when it is more than `max_missing`."""
        shortage = Shortage()
        needs = [((PLACE_BY_CODE[code], 1), 0) for code in grown_tiles]
        needs += [(each, most_wilds(kind_alike(each[1]))) for each in self.frame.certain]
        for counts, wilds in needs:
            next_shortage = self._take((counts,), wilds, shortage)
            if next_shortage is None:
                return None
            shortage = next_shortage
        self._fill(0, 0, shortage, self.player.laid_mask | self.frame.certain_mask, chows)
        return self.best.missing if self.best else None

    def _take(
        self, counts: Iterable[tuple[int, int]], wilds: int, shortage: Shortage
    ) -> Shortage | None:
        """Take tiles from the hand; return what is missing then, None when it cannot exist.

        The tiles are taken in any case.
        """
        own_counts, used_counts, room = self.player.own_counts, self.used_counts, self.player.room
        short = list[str]()
        possible = True
        for place, count in counts:
            used_counts[place] += count
            lack = used_counts[place] - own_counts[place]
            if lack > 0:
                lack = min(lack, count)
                possible = possible and used_counts[place] <= room[place]
                short += [PLAYING_CODES[place]] * lack
        if not short:
            return shortage if possible else None
        tiles = self.player.tiles
        wild_only = sum(code in tiles.unreachable for code in short) if tiles.unreachable else 0
        wild = min(wilds, len(short))
        if not possible or wild_only > wild or shortage.wild_only + wild_only > tiles.wilds:
            return None
        return Shortage(
            (*shortage.missing, MissingTiles(tuple(short), wilds)),
            shortage.tiles + len(short),
            shortage.wilds + wild,
            shortage.wild_only + wild_only,
        )

    def _fill(self, index: int, start: int, shortage: Shortage, mask: int, chows: int) -> None:
        """Fill the group at this place in every way that may be the best; equal groups in order."""
        count = shortage.tiles - min(self.wilds, shortage.wilds)
        if count + self.least_after[index] > self.max_missing:
            return
        self.player.effort.step()
        state = (index, start, chows, shortage.wilds, shortage.wild_only, *self.used_counts)
        if state in self.tried_states:
            return
        self.tried_states.add(state)
        if index == len(self.groups):
            if all(mask & suit for suit in self.frame.uncertain):
                self.best, self.max_missing = shortage, count - 1
            return
        equal_count = self.equal_counts[index]
        rest_minimum = self.least_after[index + equal_count]
        choices = self.choices[index]
        for place in range(start, len(choices)):
            minimum, short, fill = choices[place]
            if (
                count + minimum * equal_count + rest_minimum > self.max_missing
            ):  # as do all that follow
                return
            if (fill.is_chow and not chows) or (
                shortage.tiles + short + self.short_after[index + 1] - self.wilds > self.max_missing
            ):
                continue
            next_shortage = self._take(fill.counts, fill.wilds, shortage)
            if next_shortage is not None:
                self._fill(
                    index + 1,
                    place if equal_count > 1 else 0,
                    next_shortage,
                    mask | fill.mask,
                    chows - fill.is_chow,
                )
            for each, count_of in fill.counts:
                self.used_counts[each] -= count_of

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


class Filling(NamedTuple):
    """One way to fill a group."""

    counts: tuple[tuple[int, int], ...]
    """The place of each face among all faces, and how many tiles of it."""
    wilds: int
    """How many of the tiles may be wild (BMJA-G05)."""
    mask: int
    is_chow: bool


class Choice(NamedTuple):
    """A filling, and how many tiles it lacks at least: while no other group has taken any."""

    least: int
    """After wild tiles have replaced as many as they may."""
    short: int
    """Before that."""
    filling: Filling


class Lacking(NamedTuple):
    """What has been found to be missing so far."""

    missing: tuple[MissingTiles, ...] = ()
    tiles: int = 0
    wilds: int = 0
    """How many of the tiles wild ones may replace."""
    forced: int = 0
    """How many of them only wild tiles can be (BMJA-G07)."""


@lru_cache(maxsize=MAX_CACHED_HANDS)
def fillings_of(group: Group) -> tuple[Filling, ...]:
    """Return every way to fill a group; a kong needs one tile more than a pung of its face."""
    found = (
        Filling(
            tuple((PLACE_BY_CODE[code], count) for code, count in Counter(tiles).items()),
            most_wilds(kind),
            mask_of(tiles),
            kind == "chow",
        )
        for kind, tiles in fillings(group, kongs=True)
    )
    return tuple(sorted(found, key=lambda each: each.counts))


_by_least = attrgetter("least", "short")


class MissingSearch:
    """The search for what one player lacks for special hands."""

    def __init__(self, held: PlayerTiles, effort: Effort | None = None) -> None:
        self.held = held
        self.effort = effort or Effort()
        self.own = [held.own.get(code, 0) for code in PLAYING_CODES]
        laid = Counter(code for each in held.fixed for code in each.faces)
        self.room = [COPIES_PER_TILE - laid[code] for code in PLAYING_CODES]
        self.laid_mask = mask_of(laid)
        self._choices = dict[Group, list[Choice]]()
        self._frames = dict[HandPattern, list[tuple[int, HandFrame]]]()

    def least(self, pattern: HandPattern) -> int:
        """Return how many tiles a pattern surely lacks; more than are near when it is far."""
        near = self._near_frames(pattern)
        return near[0][0] if near else MAX_MISSING_TILES + 1

    def fewest(self, pattern: HandPattern, most_chows: int, most: int = MAX_MISSING_TILES) -> Codes:
        """Return the fewest tiles that a pattern lacks; none if more, or nothing lacks."""
        chows = most_chows - sum(each.kind == "chow" for each in self.held.fixed)
        best: tuple[MissingTiles, ...] = ()
        for least, frame in self._near_frames(pattern):
            if least > most or chows < 0:
                break
            for groups, grown in _deal_sets(self.held.fixed, frame.groups):
                if frame.is_knitted:
                    found = self._knitted(frame)
                else:
                    found = _FrameSearch(self, frame, groups, most).run(grown, chows)
                if found is not None and self.count(found) <= most:
                    best, most = found, self.count(found) - 1
        return self._fill_with_wilds(best)

    def _knitted(self, frame: HandFrame) -> tuple[MissingTiles, ...] | None:
        sizes = [group.size for group in frame.groups]
        suits = "".join(suit for suit in SUITS if suit + "1" in frame.groups[0].codes)
        return missing_from_knitting(self.held, suits, sizes.count(3), sizes.count(2))

    def count(self, missing: Iterable[MissingTiles]) -> int:
        """Return how many tiles are missing after the wild ones are used."""
        tiles = wilds = 0
        for each in missing:
            tiles += len(each.tiles)
            wilds += min(each.wilds, len(each.tiles))
        return tiles - min(self.held.wilds, wilds)

    def choices(self, group: Group) -> list[Choice]:
        """Return the ways to fill a group, cheapest first."""
        found = self._choices.get(group)
        if found is None:
            own, wilds = self.own, self.held.wilds
            found = []
            for filling in fillings_of(group):
                short = 0
                for place, count in filling.counts:
                    if count > own[place]:
                        short += count - own[place]
                wild = min(short, wilds, filling.wilds) if wilds else 0
                found.append(Choice(short - wild, short, filling))
            found.sort(key=_by_least)
            self._choices[group] = found
        return found

    def _near_frames(self, pattern: HandPattern) -> list[tuple[int, HandFrame]]:
        """Return the frames that may be near, those that may lack fewest first."""
        near = self._frames.get(pattern)
        if near is None:
            near = [
                (least, frame)
                for mask, frames in pattern.frames_by_mask
                if self.held.is_near(mask)
                for frame in frames
                for least in (self._least(frame),)
                if least <= MAX_MISSING_TILES
            ]
            near.sort(key=itemgetter(0))
            self._frames[pattern] = near
        return near

    def _least(self, frame: HandFrame) -> int:
        """Return how many tiles the frame surely lacks, whatever the sets on the table are."""
        own = self.own
        certain = 0
        for place, count in frame.certain:
            if count > own[place]:
                certain += count - own[place]
        least = [
            found[0].least if (found := self.choices(group)) else MAX_MISSING_TILES + 1
            for group in frame.groups
        ]
        if self.held.fixed:
            least = sorted(least)[: max(len(least) - len(self.held.fixed), 0)]
        return max(certain - self.held.wilds, 0) + sum(least)

    def _fill_with_wilds(self, missing: Iterable[MissingTiles]) -> Codes:
        """Return what is still missing after the wild tiles are used (BMJA-G05).

        They first replace tiles that exist only as wild ones.
        """
        left, needed = self.held.wilds, list[str]()
        reachable = self.held.unreachable.isdisjoint
        for group in sorted(missing, key=lambda group: reachable(group.tiles)):
            wild = min(left, group.wilds, len(group.tiles))
            left -= wild
            needed += sorted(group.tiles, key=lambda tile: reachable((tile,)))[wild:]
        return tuple(sorted(needed, key=PLACE_BY_CODE.__getitem__))


def _deal_sets(sets: Sets, groups: tuple[Group, ...]) -> Iterator[tuple[tuple[Group, ...], Codes]]:
    """Yield the groups that are left when each set is one of them, and what these sets lack."""
    if not sets:
        yield groups, ()
        return
    tried = set[Group]()
    for place, group in enumerate(groups):
        if group in tried or not group.codes.issuperset(sets[0].faces):
            continue
        tried.add(group)
        grows = _grows_into(sets[0], group)
        if grows or sets[0].kind in group.kinds:
            lacking = (sets[0].tile.code,) if grows else ()
            for rest, more in _deal_sets(sets[1:], groups[:place] + groups[place + 1 :]):
                yield rest, (*lacking, *more)


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
        self, player: MissingSearch, frame: HandFrame, groups: Sequence[Group], most: int
    ) -> None:
        self.player, self.frame, self.most = player, frame, most
        self.best: Lacking | None = None
        self.groups = sorted(groups, key=_order_of)
        self.choices = [player.choices(group) for group in self.groups]
        least = [found[0].least if found else MAX_MISSING_TILES + 1 for found in self.choices]
        self.wilds = player.held.wilds
        short = [min(c.short for c in found) if found else 0 for found in self.choices]
        self.short_after = [*accumulate(reversed(short), initial=0)][::-1]
        self.least_after = [*accumulate(reversed(least), initial=0)][::-1]
        self.alike = [1] * len(groups)  # how many equal groups follow, with this one
        for place in reversed(range(len(groups) - 1)):
            if self.groups[place] == self.groups[place + 1]:
                self.alike[place] = self.alike[place + 1] + 1
        self.used = [0] * len(PLAYING_CODES)
        self.tried = set[tuple[int, ...]]()

    def run(self, grown: Codes, chows: int) -> tuple[MissingTiles, ...] | None:
        """Return what is missing at least, or None when it is more than `most`."""
        lacking = Lacking()
        needs = [((PLACE_BY_CODE[code], 1), 0) for code in grown]
        needs += [(each, most_wilds(kind_alike(each[1]))) for each in self.frame.certain]
        for counts, wilds in needs:
            more = self._take((counts,), wilds, lacking)
            if more is None:
                return None
            lacking = more
        self._fill(0, 0, lacking, self.player.laid_mask | self.frame.certain_mask, chows)
        return self.best.missing if self.best else None

    def _take(
        self, counts: Iterable[tuple[int, int]], wilds: int, lacking: Lacking
    ) -> Lacking | None:
        """Take tiles from the hand; return what is missing then, None when it cannot exist.

        The tiles are taken in any case.
        """
        own, used, room = self.player.own, self.used, self.player.room
        short = list[str]()
        possible = True
        for place, count in counts:
            used[place] += count
            lack = used[place] - own[place]
            if lack > 0:
                lack = min(lack, count)
                possible = possible and used[place] <= room[place]
                short += [PLAYING_CODES[place]] * lack
        if not short:
            return lacking if possible else None
        held = self.player.held
        forced = sum(code in held.unreachable for code in short) if held.unreachable else 0
        wild = min(wilds, len(short))
        if not possible or forced > wild or lacking.forced + forced > held.wilds:
            return None
        return Lacking(
            (*lacking.missing, MissingTiles(tuple(short), wilds)),
            lacking.tiles + len(short),
            lacking.wilds + wild,
            lacking.forced + forced,
        )

    def _fill(self, at: int, start: int, lacking: Lacking, mask: int, chows: int) -> None:
        """Fill the group at this place in every way that may be the best; equal groups in order."""
        count = lacking.tiles - min(self.wilds, lacking.wilds)
        if count + self.least_after[at] > self.most:
            return
        self.player.effort.step()
        state = (at, start, chows, lacking.wilds, lacking.forced, *self.used)
        if state in self.tried:
            return
        self.tried.add(state)
        if at == len(self.groups):
            if all(mask & suit for suit in self.frame.uncertain):
                self.best, self.most = lacking, count - 1
            return
        alike = self.alike[at]
        others = self.least_after[at + alike]
        choices = self.choices[at]
        for place in range(start, len(choices)):
            least, short, filling = choices[place]
            if count + least * alike + others > self.most:  # as do all that follow
                return
            if (filling.is_chow and not chows) or (
                lacking.tiles + short + self.short_after[at + 1] - self.wilds > self.most
            ):
                continue
            more = self._take(filling.counts, filling.wilds, lacking)
            if more is not None:
                self._fill(
                    at + 1,
                    place if alike > 1 else 0,
                    more,
                    mask | filling.mask,
                    chows - filling.is_chow,
                )
            for each, count_of in filling.counts:
                self.used[each] -= count_of

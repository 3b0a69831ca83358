"""What a special hand lacks: the choice of its groups that needs fewest tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.splits import Sets
from scorer.patterns.frames import COPIES_PER_TILE, SETS_PER_HAND, Group, fillings
from scorer.patterns.notation import TILES_BY_KIND
from scorer.special.base import (
    MAX_MISSING_TILES,
    PUNG_TILES,
    MissingFromTarget,
    MissingTiles,
    PlayerTiles,
    kind_alike,
    missing_alike,
    missing_singles,
    most_wilds,
)

NO_CODES: frozenset[str] = frozenset()


def missing_from_sets(
    held: PlayerTiles,
    others: frozenset[str],
    required: frozenset[str] = NO_CODES,
    *,
    size: int = PUNG_TILES,
    sets: int = SETS_PER_HAND,
) -> MissingFromTarget:
    """Return what the sets and the pair need: a set of each required face, the rest of `others`.

    The sets and the pair have five different faces, since no face has five tiles. So the faces
    that the player holds most of are best. None when a set on the table does not fit.
    """
    on_table = {each.tile.code for each in held.fixed}
    if any(each.kind == "chow" for each in held.fixed) or not on_table <= others | required:
        return None
    free = sets - len(on_table | required)
    fit = [face for face in held.faces if face in others and face not in on_table | required]
    if free < 0 or len(fit) <= free:
        return None
    of_sets, of_pair = fit[:free], fit[free]
    missing = [missing_alike(held, face, size) for face in (*sorted(required - on_table), *of_sets)]
    missing += [
        MissingTiles((face,) * (size - len(each.tiles) - held.own.get(face, 0)), 0)
        for each in held.fixed
        for face in (each.tile.code,)
    ]
    return [*missing, missing_alike(held, of_pair, 2)]


def missing_from_tiles(
    held: PlayerTiles, written: Sequence[str], chosen: Sequence[str]
) -> MissingFromTarget:
    """Return what certain tiles need. Equal ones that are written together are one group."""
    own = Counter(held.own)
    missing = []
    for code, together in groupby(written):
        count = len([*together])
        missing.append(
            MissingTiles((code,) * max(count - own[code], 0), most_wilds(kind_alike(count)))
        )
        own[code] -= count
    for code in chosen:
        if own[code] <= 0:
            missing.append(MissingTiles((code,)))
        own[code] -= 1
    return missing


def missing_from_pairs(held: PlayerTiles, codes: Sequence[str], count: int) -> MissingFromTarget:
    """Complete single tiles to pairs first, then begin new pairs; four alike are two pairs."""
    singles = [code for code in codes if held.own.get(code, 0) % 2]
    to_come = count - sum(held.own.get(code, 0) // 2 for code in codes)
    even = [code for code in codes if held.own.get(code, 0) in (0, 2)]
    begun = even[: max(to_come - len(singles), 0)]
    return missing_singles([*singles[: max(to_come, 0)], *begun, *begun])


class _Choice(NamedTuple):
    """One way to fill a group."""

    counts: tuple[tuple[str, int], ...]
    """Each face, and how many tiles of it."""
    wilds: int
    """How many of the tiles may be wild (BMJA-G05)."""
    least: int
    """How many tiles it lacks while no other group has taken any."""


def missing_from_groups(
    held: PlayerTiles, needed: Sequence[str], groups: Sequence[Group]
) -> MissingFromTarget:
    """Return what these tiles and groups lack at least; None when it is too much.

    Each set on the table must be one of the groups. All choices are tried, the cheapest first.
    """
    best: MissingFromTarget = None
    for rest, grown in _deal_sets(held.fixed, tuple(groups)):
        search = _Search(held, MAX_MISSING_TILES + held.wilds if best is None else _total(best) - 1)
        found = search.run(needed, sorted(rest, key=lambda group: len(group.codes)), grown)
        best = found if found is not None else best
    return best


def _total(missing: Iterable[MissingTiles]) -> int:
    return sum(len(each.tiles) for each in missing)


def _deal_sets(
    sets: Sets, groups: tuple[Group, ...]
) -> Iterator[tuple[tuple[Group, ...], tuple[MissingTiles, ...]]]:
    """Yield the groups that are left when each set is one of them, and what these sets lack."""
    if not sets:
        yield groups, ()
        return
    tried = set[Group]()
    for place, group in enumerate(groups):
        if group in tried or not group.codes.issuperset(sets[0].faces):
            continue
        tried.add(group)
        lacking = _set_lacks(sets[0], group)
        if lacking is not None:
            for rest, more in _deal_sets(sets[1:], groups[:place] + groups[place + 1 :]):
                yield rest, (*lacking, *more)


def _set_lacks(tile_set: TileSet, group: Group) -> tuple[MissingTiles, ...] | None:
    """Return what a set on the table lacks to be of a group; a pung may become a kong (K07)."""
    if tile_set.kind in group.kinds:
        return ()
    if tile_set.kind == "pung" and "kong" in group.kinds:
        return (MissingTiles((tile_set.tile.code,), 0),)
    return None


class _Search:
    """The search for the choice of groups that lacks fewest tiles."""

    def __init__(self, held: PlayerTiles, most: int) -> None:
        self.held = held
        self.most = most
        self.best: MissingFromTarget = None

    def run(
        self, needed: Sequence[str], groups: Sequence[Group], grown: tuple[MissingTiles, ...]
    ) -> MissingFromTarget:
        """Return what is missing at least, or None when it is more than `most`."""
        own = dict(self.held.own)
        missing = []
        for each in (*grown, *(MissingTiles((code,)) for code in needed)):
            (code,) = each.tiles
            if own.get(code):  # a set's fourth tile in the hand is only to be added (K07)
                own[code] -= 1
            else:
                missing.append(each)
        choices = [_choices(group, own) for group in groups]
        self._fill(groups, choices, 0, own, Counter(needed), missing)
        return self.best

    def _fill(
        self,
        groups: Sequence[Group],
        choices: list[list[_Choice]],
        start: int,
        own: Mapping[str, int],
        used: Mapping[str, int],
        missing: list[MissingTiles],
    ) -> None:
        """Fill the first group in every way that may still be the best; equal groups in order."""
        so_far = _total(missing)
        if so_far > self.most:
            return
        if not groups:
            self.best, self.most = missing, so_far - 1
            return
        again = len(groups) > 1 and groups[1] == groups[0]
        for place in range(start, len(choices[0])):
            choice = choices[0][place]
            if so_far + choice.least > self.most:  # as do all that follow
                return
            if so_far + _count_lacking(choice.counts, own) > self.most or any(
                used.get(code, 0) + count > COPIES_PER_TILE for code, count in choice.counts
            ):
                continue
            left = _lacking(choice.counts, own)
            self._fill(
                groups[1:],
                choices[1:],
                place if again else 0,
                _take(choice.counts, own),
                _add(choice.counts, used),
                [*missing, MissingTiles(left, choice.wilds)] if left else missing,
            )


_Counts = tuple[tuple[str, int], ...]


def _count_lacking(counts: _Counts, own: Mapping[str, int]) -> int:
    return sum(max(count - own.get(code, 0), 0) for code, count in counts)


def _lacking(counts: _Counts, own: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(code for code, count in counts for _ in range(count - own.get(code, 0)))


def _take(counts: _Counts, own: Mapping[str, int]) -> dict[str, int]:
    return {**own, **{code: max(own.get(code, 0) - count, 0) for code, count in counts}}


def _add(counts: _Counts, used: Mapping[str, int]) -> dict[str, int]:
    return {**used, **{code: used.get(code, 0) + count for code, count in counts}}


def _choices(group: Group, own: Mapping[str, int]) -> list[_Choice]:
    """Return every way to fill a group, with as few tiles as its kinds allow; cheapest first."""
    least = min(map(TILES_BY_KIND.__getitem__, group.kinds))
    found = []
    for kind in sorted(group.kinds):
        if TILES_BY_KIND[kind] == least:
            for tiles in fillings(kind, group.codes):
                counts = tuple(Counter(tiles).items())
                lacking = _count_lacking(counts, own)
                found.append(_Choice(counts, most_wilds(kind), lacking))
    return sorted(found, key=lambda choice: choice.least)

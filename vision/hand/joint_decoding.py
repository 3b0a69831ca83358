"""Decode all tiles of a hand together, using facts that hold for every hand.

A tile set holds four of a face and one of each flower and season, and adjacent tiles are mostly a
set. Every likely naming of all tiles is weighed by the classifier's chances and these facts. The
best naming gives the codes, and all namings together give the confidence. Nothing else is assumed:
winning plays no part, and tiles by themselves stay what they look like.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from msgspec import structs

from scorer.layings import MAX_SET_TILES, classify_group, match_shape
from scorer.ruleset import Laying
from scorer.tiles import FACE_DOWN, JOKER, WHITE_DRAGON, Tile, copies_in_set
from vision.reading import BLANK_CODES, TileReading

MIN_NAME_CHANCE = 0.002
"""Names with a lower chance are ignored."""

OTHER_CODE = ""
"""Stands for any name that is not among a tile's likely ones."""

MAX_NAMINGS = 256
"""Namings weighed per part, most likely first. Three doubtful tiles make fewer."""


@dataclass(frozen=True, slots=True)
class TileGroup:
    """Adjacent tiles without a gap."""

    tiles: tuple[int, ...]
    exposed: bool


@dataclass(frozen=True, slots=True)
class SetBonus:
    """Log likelihood that each tile's name gains by being part of a set."""

    exposed: float
    concealed: float


SET_BONUSES = dict.fromkeys(("pung", "kong", "chow"), SetBonus(2, 1)) | {"pair": SetBonus(1, 1)}
"""An exposed group is nearly always a set. Concealed tiles may lie loose but sorted, so that
neighbours nearly make a set. Measured by `models.train.doubt`."""

LAYING_BONUS = 2.0
"""The same for tiles of a concealed set that is marked by face-down ones: no other tiles lie so by
chance."""

LOOSE_BACK_BONUS = -5.0
"""The same for a face-down tile that marks no set: of 6,700 tiles of hands in photographs none was
one, where one in 34 is a white dragon."""

_Naming = tuple[str, ...]
_NameChoices = tuple[tuple[str, float], ...]


def decode_jointly(
    tiles: Sequence[TileReading],
    groups: Sequence[TileGroup],
    gate: float,
    layings: tuple[Laying, ...] = (),
) -> tuple[TileReading, ...]:
    """Return the tiles as they are read together; below `gate` one is doubtful.

    `layings` are a ruleset's sets with face-down tiles.

    A tile that the others rename keeps its own look in `seen`, and is always doubtful, unless it
    may be blank: a white dragon or a back.
    """
    decoded_tiles = list(tiles)
    for part in _weigh_parts(tiles, groups, layings):
        for tile, code, sure in zip(part.tiles, part.best, part.chances, strict=True):
            decoded_tiles[tile] = _rename_tile(tiles[tile], code, sure, gate)
    return tuple(decoded_tiles)


def _rename_tile(tile: TileReading, code: str, sure: float, gate: float) -> TileReading:
    """Return a tile with its joint name; its alternatives stay those of the classifier."""
    sure = round(min(sure, 1.0), 4)
    if code == tile.code:
        return structs.replace(tile, confidence=sure, doubtful=sure < gate)
    rest = ((tile.code, tile.confidence), *(a for a in tile.alternatives if a[0] != code))
    return structs.replace(
        tile,
        code=code,
        confidence=sure,
        doubtful=sure < gate or not {code, tile.code} <= BLANK_CODES,
        seen=tile.code,
        alternatives=rest,
        print_odds=1.0,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Tiles that are weighed together, and the result."""

    tiles: tuple[int, ...]
    groups: tuple[TileGroup, ...]
    best: tuple[str, ...]
    """A code for each tile."""
    chances: tuple[float, ...]
    """Confidence of each of these codes."""


def _weigh_parts(
    tiles: Sequence[TileReading], groups: Sequence[TileGroup], layings: tuple[Laying, ...]
) -> list[_Part]:
    """Weigh each group and each single tile, and join parts that contradict each other."""
    single_tiles = {*range(len(tiles))} - {t for group in groups for t in group.tiles}
    parts = [_weigh(tiles, group.tiles, (group,), layings) for group in groups]
    parts += [_weigh(tiles, (tile,), (), layings) for tile in sorted(single_tiles)]
    while contending_parts := _find_contending(parts) or _find_disagreeing(tiles, parts):
        parts = [part for part in parts if part not in contending_parts]
        joint_tiles = tuple(tile for part in contending_parts for tile in part.tiles)
        joint_groups = [group for part in contending_parts for group in part.groups]
        parts.append(_weigh(tiles, joint_tiles, joint_groups, layings))
    return parts


def _find_contending(parts: Sequence[_Part]) -> list[_Part]:
    """Return parts that together use too many of a face; empty if there are none."""
    face_counts = Counter(code for part in parts for code in part.best)
    for code, count in face_counts.items():
        contending_parts = [part for part in parts if code in part.best]
        if count > _max_copies(code) and len(contending_parts) > 1:
            return contending_parts
    return []


def _find_disagreeing(tiles: Sequence[TileReading], parts: Sequence[_Part]) -> list[_Part]:
    """Return parts that name tiles differently that look alike; empty if there are none."""
    parts_by_look: dict[tuple[int, str], list[_Part]] = {}
    names: dict[tuple[int, str], set[str]] = {}
    for part in parts:
        for tile, code in zip(part.tiles, part.best, strict=True):
            key = (tiles[tile].alike, tiles[tile].code)
            if tiles[tile].alike:
                parts_by_look.setdefault(key, []).append(part)
                names.setdefault(key, set()).add(code)
    for key, concerned in parts_by_look.items():
        if len(names[key]) > 1:
            return [part for part in parts if part in concerned]
    return []


def _weigh(
    tiles: Sequence[TileReading],
    places: tuple[int, ...],
    groups: Sequence[TileGroup],
    layings: tuple[Laying, ...],
) -> _Part:
    """Weigh the namings of the tiles at these places by their looks and their groups."""
    part_tiles = [tiles[place] for place in places]
    index = {place: k for k, place in enumerate(places)}
    runs = [([index[tile] for tile in group.tiles], group.exposed) for group in groups]
    kin = _group_alike(part_tiles)
    surest = [
        max((part_tiles[k] for k in group), key=lambda tile: tile.confidence) for group in kin
    ]
    choices = [_name_choices(tile) for tile in surest]
    # Most hands are far from four of a face, whatever the doubtful tiles are.
    likely = [code for k, options in enumerate(choices) for code, _ in options for _ in kin[k]]
    tight = not _is_possible(likely)
    weighed_namings: list[tuple[float, _Naming]] = []
    total_weight = 0.0
    for chance, names in _likeliest_namings(choices):
        total_weight += math.exp(chance)
        way = _spread(names, kin)
        if not tight or _is_possible(way):
            gain = sum(
                _best_set_bonus(tuple(way[k] for k in run), exposed, layings)
                for run, exposed in runs
            )
            weighed_namings.append((math.exp(chance + gain), way))
    known_namings = [(weight, way) for weight, way in weighed_namings if OTHER_CODE not in way]
    if not known_namings:
        best = tuple(tile.code for tile in part_tiles)
        return _Part(places, tuple(groups), best, tuple(tile.confidence for tile in part_tiles))
    best = max(known_namings, key=lambda pair: pair[0])[1]
    total_weight_of_all = sum(weight for weight, _ in weighed_namings)
    # Namings beyond the limit are assumed to gain as much, each tile by itself.
    rest = total_weight_of_all * max(1 - total_weight, 0.0) / total_weight
    chances = []
    for k, tile in enumerate(part_tiles):
        agreeing = sum(weight for weight, way in weighed_namings if way[k] == best[k])
        lone_chance = dict([(tile.code, tile.confidence), *tile.alternatives]).get(best[k], 0.0)
        chances.append((agreeing + rest * lone_chance) / (total_weight_of_all + rest))
    return _Part(places, tuple(groups), best, tuple(chances))


def _group_alike(tiles: Sequence[TileReading]) -> list[list[int]]:
    """Return the positions of tiles in groups that look alike and were named alike.

    They were misread together if at all, so each group counts as one tile's evidence.
    """
    groups: dict[tuple[int, str], list[int]] = {}
    for k, tile in enumerate(tiles):
        groups.setdefault((tile.alike, tile.code) if tile.alike else (-k, ""), []).append(k)
    return [*groups.values()]


def _spread(names: _Naming, groups: Sequence[Sequence[int]]) -> _Naming:
    """Return each tile's name from the names of their groups."""
    name_of = {k: name for name, group in zip(names, groups, strict=True) for k in group}
    return tuple(name_of[k] for k in range(len(name_of)))


def _name_choices(tile: TileReading) -> _NameChoices:
    """Return what a tile may be, most likely first, with log chances."""
    likely = [(code, p) for code, p in tile.alternatives if p >= MIN_NAME_CHANCE]
    other = 1 - tile.confidence - sum(p for _, p in likely)
    if other >= MIN_NAME_CHANCE:
        likely = sorted([*likely, (OTHER_CODE, other)], key=lambda pair: -pair[1])
    name_chances = [(tile.code, tile.confidence), *likely]
    return tuple((code, math.log(max(chance, 1e-6))) for code, chance in name_chances)


def _likeliest_namings(choices: Sequence[_NameChoices]) -> Iterator[tuple[float, _Naming]]:
    """Yield up to MAX_NAMINGS namings by the classifier alone, most likely first."""
    is_open = [k for k, options in enumerate(choices) if len(options) > 1]
    way = [options[0][0] for options in choices]
    queue = [(-sum(options[0][1] for options in choices), 0, (0,) * len(is_open))]
    for _ in range(MAX_NAMINGS):
        if not queue:
            return
        worth, begin, places = heapq.heappop(queue)
        for k, place in zip(is_open, places, strict=True):
            way[k] = choices[k][place][0]
        yield -worth, tuple(way)
        # Moving tiles to their next choice from left to right reaches each naming once.
        for j in range(begin, len(is_open)):
            options, place = choices[is_open[j]], places[j]
            if place + 1 < len(options):
                after = worth + options[place][1] - options[place + 1][1]
                further = (*places[:j], place + 1, *places[j + 1 :])
                heapq.heappush(queue, (after, j, further))


def _is_possible(way: Iterable[str]) -> bool:
    """Return whether one tile set holds all these (BMJA-T01, BMJA-T04)."""
    face_counts = Counter(way)
    return all(count <= _max_copies(code) for code, count in face_counts.items())


@lru_cache(maxsize=64)
def _max_copies(code: str) -> float:
    return math.inf if code in (OTHER_CODE, FACE_DOWN, JOKER) else copies_in_set(Tile.parse(code))


@lru_cache(maxsize=4096)
def _best_set_bonus(codes: tuple[str, ...], exposed: bool, layings: tuple[Laying, ...]) -> float:
    """Return what the best cut of adjacent tiles into sets adds."""
    if not codes:
        return 0.0
    loose = LOOSE_BACK_BONUS if codes[0] == FACE_DOWN else 0.0
    best = loose + _best_set_bonus(codes[1:], exposed, layings)
    for length in range(2, min(MAX_SET_TILES, len(codes)) + 1):
        gain = _tile_bonus(codes[:length], exposed, layings)
        if gain:
            best = max(best, length * gain + _best_set_bonus(codes[length:], exposed, layings))
    return best


def _tile_bonus(codes: tuple[str, ...], exposed: bool, layings: tuple[Laying, ...]) -> float:
    """Return what each of these tiles gains as part of a set that they make; 0 for loose ones."""
    if OTHER_CODE in codes:
        return 0.0
    fitting_layings = [laying for laying in layings if match_shape(codes, laying.shape)]
    # Blank white dragons: three of them look like a set with one face down.
    if any(laying.concealed for laying in fitting_layings) and WHITE_DRAGON not in codes:
        return LAYING_BONUS
    gain = SET_BONUSES.get("kong" if fitting_layings else classify_group(codes))
    if not gain:
        return 0.0
    return gain.exposed if exposed else gain.concealed

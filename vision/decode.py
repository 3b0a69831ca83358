"""Weigh what each tile may be by what must be true of a hand.

A set of tiles holds four of a face and one of each flower and season, and what lies together is
mostly a set. Every likely way to name all tiles at once is weighed by what the classifier says of
each tile and by these facts; the best way gives the codes, and all ways together how sure each is.
Nothing is made true that need not be: whether the hand has won plays no part, and tiles that lie
by themselves stay what they look like.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scorer.tiles import FACE_DOWN, JOKER, Tile, copies
from vision.assemble import LONGEST_SET, set_kind
from vision.reading import TileReading

UNLIKELY = 0.002
"""A name less likely than this is not weighed."""

OTHER = ""
"""In place of a name: any that is not among a tile's likely ones."""

MOST_WAYS = 256
"""Ways weighed, the likeliest by the classifier first: all that three tiles in doubt can make."""


@dataclass(frozen=True, slots=True)
class Together:
    """Tiles that lie side by side without a gap."""

    tiles: tuple[int, ...]
    exposed: bool


@dataclass(frozen=True, slots=True)
class Gain:
    """How much likelier, as a logarithm, a name becomes by completing a set."""

    exposed: float
    concealed: float


GAINS = {"pung": Gain(6.0, 3.0), "kong": Gain(6.0, 3.0), "chow": Gain(6.0, 3.0), "pair": Gain(2, 2)}
"""An exposed group is a set but for slips of eye or hand; concealed tiles may lie loose, sorted, so
that neighbours nearly make a set without being one."""

_Way = tuple[str, ...]
_Choices = tuple[tuple[str, float], ...]


def decode(
    tiles: Sequence[TileReading], groups: Sequence[Together], gate: float
) -> tuple[TileReading, ...]:
    """Return the tiles as they are read together; below `gate` one is doubtful.

    A tile whose name the others change keeps what was `seen` and is doubtful, however likely.
    """
    choices = [_choices(tile) for tile in tiles]
    is_open = [len(options) > 1 for options in choices]
    touched = [g for g in groups if any(is_open[t] for t in g.tiles)]
    ways = list(_ways(choices, touched))
    named = [(weight, way) for weight, way in ways if OTHER not in way]
    if not named:
        return tuple(tiles)
    top, best = max(named, key=lambda pair: pair[0])
    weighed = [(math.exp(weight - top), way) for weight, way in ways]
    return tuple(_told(tile, k, best[k], weighed, gate) for k, tile in enumerate(tiles))


def _told(
    tile: TileReading, place: int, code: str, weighed: Sequence[tuple[float, _Way]], gate: float
) -> TileReading:
    """Return one tile as all ways together tell it, its alternatives still as the eye has them."""
    total = sum(weight for weight, _ in weighed)
    sure = sum(weight for weight, way in weighed if way[place] == code) / total
    sure = round(min(sure, 1.0), 4)
    if code == tile.code:
        return replace(tile, confidence=sure, doubtful=sure < gate)
    rest = ((tile.code, tile.confidence), *(a for a in tile.alternatives if a[0] != code))
    return replace(
        tile, code=code, confidence=sure, doubtful=True, seen=tile.code, alternatives=rest
    )


def _choices(tile: TileReading) -> _Choices:
    """Return what a tile may be, likeliest first, with the logarithm of each chance."""
    likely = [(code, p) for code, p in tile.alternatives if p >= UNLIKELY]
    other = 1 - tile.confidence - sum(p for _, p in likely)
    if other >= UNLIKELY:
        likely = sorted([*likely, (OTHER, other)], key=lambda pair: -pair[1])
    named = [(tile.code, tile.confidence), *likely]
    return tuple((code, math.log(max(chance, 1e-6))) for code, chance in named)


def _ways(choices: Sequence[_Choices], groups: Sequence[Together]) -> Iterator[tuple[float, _Way]]:
    """Yield the likeliest ways that a set of tiles allows, with the logarithm of their weight."""
    for chance, way in _likeliest(choices):
        if _allowed(way):
            gain = sum(_gain(tuple(way[t] for t in g.tiles), g.exposed) for g in groups)
            yield chance + gain, way


def _likeliest(choices: Sequence[_Choices]) -> Iterator[tuple[float, _Way]]:
    """Yield up to MOST_WAYS ways by what the classifier says alone, the likeliest first."""
    is_open = [k for k, options in enumerate(choices) if len(options) > 1]
    way = [options[0][0] for options in choices]
    waiting = [(-sum(options[0][1] for options in choices), 0, (0,) * len(is_open))]
    for _ in range(MOST_WAYS):
        if not waiting:
            return
        worth, begin, places = heapq.heappop(waiting)
        for k, place in zip(is_open, places, strict=True):
            way[k] = choices[k][place][0]
        yield -worth, tuple(way)
        # Each way is reached once: tiles are moved to their next choice from left to right only.
        for j in range(begin, len(is_open)):
            options, place = choices[is_open[j]], places[j]
            if place + 1 < len(options):
                after = worth + options[place][1] - options[place + 1][1]
                further = (*places[:j], place + 1, *places[j + 1 :])
                heapq.heappush(waiting, (after, j, further))


def _allowed(way: _Way) -> bool:
    """Say whether one set of tiles holds all these (BMJA-T01, BMJA-T04)."""
    counted = Counter(way)
    return all(count <= _copies(code) for code, count in counted.items())


@lru_cache(maxsize=64)
def _copies(code: str) -> float:
    return math.inf if code in (OTHER, FACE_DOWN, JOKER) else copies(Tile.parse(code))


@lru_cache(maxsize=4096)
def _gain(codes: tuple[str, ...], exposed: bool) -> float:
    """Return what the best cut of tiles side by side into sets adds."""
    if not codes:
        return 0.0
    best = _gain(codes[1:], exposed)
    for length in range(2, min(LONGEST_SET, len(codes)) + 1):
        gain = GAINS.get(_kind(codes[:length]))  # none for loose tiles
        if gain:
            worth = gain.exposed if exposed else gain.concealed
            best = max(best, worth + _gain(codes[length:], exposed))
    return best


def _kind(codes: tuple[str, ...]) -> str:
    """Return what these tiles are together, face-down ones taken for the others' face."""
    if OTHER in codes:
        return "loose"
    if FACE_DOWN in codes and len(codes) > 2:
        shown = {*codes} - {FACE_DOWN}
        return "pung" if len(shown) == 1 else "loose"
    return set_kind(codes)

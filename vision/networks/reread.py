"""Read the print of tiles that look like flowers or seasons, and of honours in doubt.

Other tiles are let be: a usual hand costs nothing more, and its box never loads the network.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from vision.networks.classify import Named, softmax
from vision.networks.printed import Printed, PrintReader
from vision.networks.signs import NAMED_BY
from vision.networks.stepping_back import Sight
from vision.networks.told import Chances, is_legible, weighed
from vision.preprocess import RGB, Float32s
from vision.reading import ALTERNATIVES

LIKELY = 0.2
"""From this chance on that it is a flower or a season, a tile's print is read."""

POSSIBLE = 0.02
"""And from this chance on that it is any that print names, where the tile is in doubt."""

BELOW = 0.9
"""A name of which look and print tell different things is no surer than this share of the gate."""

LOOKS = ((0, False), (2, False), (0, True), (2, True), (1, False), (3, False))
"""By how many quarters a tile is turned for a look, and whether words are read then. Each look but
the first is for those in doubt on which nothing could be read before."""

ASKEW = 0.1
"""A tile may lie a quarter on when its look says so with this chance; upside down it may always."""

_PRINTED = frozenset(NAMED_BY.values())


def to_read(sights: Sequence[Sight], gate: float, known: Collection[str] = ()) -> list[int]:
    """Return the places of the tiles whose print is worth reading.

    `gate` is the confidence below which a tile is in doubt; `known` are the names of which the
    table's own set has shown crops: where one of these is sure, nothing need be read.
    """
    return [k for k, sight in enumerate(sights) if _is_read(sight.named, gate, known)]


def reread(
    rgb: RGB, sights: Sequence[Sight], places: Sequence[int], reader: PrintReader, gate: float
) -> list[Sight]:
    """Return what is seen in a photograph, with the print of the tiles at these places read."""
    after = list(sights)
    unread = list(places)
    for further, is_words in LOOKS:
        there = [k for k in unread if _may_lie(sights[k].named, further)]
        read = reader.read_words if is_words else reader.read
        said = read(rgb, [_upright(sights[k], further) for k in there])
        for k, printed in zip(there, said, strict=True):
            legible = is_legible(printed)
            if legible or (not further and not is_words):
                after[k] = _by_print(sights[k], printed, further, gate)
            if legible or sights[k].named.confidence >= gate:
                unread.remove(k)
    return after


def _may_lie(named: Named, further: int) -> bool:
    """Say whether a tile may lie `further` quarters on from the way up that it seems to have."""
    if further % 2 == 0:
        return True
    turns = softmax(named.said[1]) if named.said else np.zeros(4, np.float32)
    return bool(turns[(named.quarter_turns + further) % 4] >= ASKEW)


def _by_print(sight: Sight, printed: Printed, further: int, gate: float) -> Sight:
    """Return a tile named by its print, too, which was read `further` quarters on."""
    turns = (sight.named.quarter_turns + further) % 4
    return replace(sight, named=renamed(replace(sight.named, quarter_turns=turns), printed, gate))


def _upright(sight: Sight, further: int) -> Float32s:
    """Return the quad from the tile's own upper left, or `further` quarters on."""
    return np.roll(sight.located.quad, -sight.named.quarter_turns - further, axis=0)


def _is_read(named: Named, gate: float, known: Collection[str]) -> bool:
    said = chances_of(named)
    if named.code in known and named.confidence >= gate:
        return False
    if _chance(said, "FS") >= LIKELY:
        return True
    possible = sum(chance for code, chance in said.items() if code in _PRINTED)
    return named.confidence < gate and possible >= POSSIBLE


def _chance(said: Mapping[str, float], kinds: str) -> float:
    return sum(chance for code, chance in said.items() if code[0] in kinds)


def chances_of(named: Named) -> Chances:
    """Return the names that are likely at all, each with its chance."""
    return {named.code: named.confidence, **dict(named.alternatives)}


def renamed(named: Named, printed: Printed, gate: float) -> Named:
    """Return what a tile is by look and print together.

    Where both tell the same it is no less sure than by its look alone; where they differ it is in
    doubt, unless its look said little.
    """
    chances = weighed(chances_of(named), printed)
    code = max(chances, key=lambda each: chances[each])
    if code == named.code:
        chances = _as_sure(chances, code, max(chances[code], named.confidence))
    elif named.confidence >= gate:
        chances = _as_sure(chances, code, min(chances[code], BELOW * gate))
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])[: ALTERNATIVES + 1]
    first, *others = ((each, round(chance, 4)) for each, chance in ranked)
    return replace(named, code=first[0], confidence=first[1], alternatives=tuple(others))


def _as_sure(chances: Chances, code: str, sure: float) -> Chances:
    """Return the chances with this one's set, the others' in their proportion."""
    rest = (1 - sure) / max(1 - chances[code], 1e-9)
    return {each: sure if each == code else chance * rest for each, chance in chances.items()}

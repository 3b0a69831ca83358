"""Read the print of possible flowers and seasons, of tiles in doubt, and of unfamiliar sets.

Other tiles are not read, so a usual hand costs nothing and the network is not loaded. Only the pips
of its 6s and 9s of bamboos are counted, which needs no network.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs

from scorer.tiles import CODES, SUITS
from vision.networks.classifier import Classification, softmax
from vision.networks.pips import CODES_WITH_PIPS, read_pips
from vision.networks.print_evidence import (
    MAX_STRANGE_CHANCE,
    Chances,
    is_legible,
    is_spelt,
    kind_chance,
    weigh_evidence,
)
from vision.networks.print_reader import TILE_WIDTH_PX, PrintReader, TilePart, TilePrint
from vision.networks.print_signs import CODE_BY_CHARACTER
from vision.networks.zoom_out import NamedDetection
from vision.preprocess import RGB, Float32s, straighten
from vision.reading import MAX_ALTERNATIVES, TileReading

MIN_BONUS_CHANCE_TO_READ = 0.2
"""Print is read from this chance that a tile is a flower or season."""

MIN_PRINT_CHANCE_TO_READ = 0.02
"""Print of a doubtful tile is read from this chance that print can name it."""

MAX_DISPUTED_GATE_SHARE = 0.9
"""Where look and print disagree, confidence is at most this share of the gate."""

PRINT_LOOKS = ((0, False), (2, False), (0, True), (2, True), (1, False), (3, False))
"""Quarter turns of the tile for each look, and whether words are read. Looks after the first are
for doubtful tiles on which nothing could be read yet."""

GLANCE_PARTS: dict[str, tuple[TilePart, ...]] = {
    "F": ("right", "left", "middle"),
    "S": ("left", "right", "middle"),
    "B": ("left",),
    "C": ("left", "top"),
    "O": ("left",),
}
"""Parts of a kind of tile that a quick look reads, in this order. Of 89 flowers and seasons with
one legible corner, 67 had their numeral in the first."""

HONOUR_PARTS: tuple[TilePart, ...] = ("middle", "left")
"""The same for honours: a flower may be taken for one."""

CODES_TO_COUNT = frozenset(("B6", "B9"))
"""Sure tiles whose pips are counted all the same: canes of chained rings make a 6 look like a 9."""

CONTRADICTED_CHANCE = 0.5
"""Chance that such a name is right where clear pips say another: either errs about as seldom."""

MIN_TURN_CHANCE = 0.1
"""Chance from which a tile may be turned by a quarter. It may always be upside down."""

MAX_LOOK_CHANCE = 0.99
"""A look counts as no surer where it is asked how much print adds to it."""

MIN_SURE_DIFFERENCE = 1e-6
"""Odds are no greater than at this distance from certainty."""

_CODES_WITH_CHARACTER = frozenset(CODE_BY_CHARACTER.values())
_MARKED_CODES = _CODES_WITH_CHARACTER.union(code for code in CODES if code[0] in SUITS)


def select_tiles_to_read(
    sights: Sequence[NamedDetection], gate: float, known: Collection[str] = ()
) -> list[int]:
    """Return the positions of the tiles whose print is worth reading.

    Below `gate` a tile is doubtful. `known` are codes with crops of the table's own set: a
    confident one of these is not read.
    """
    return [k for k, sight in enumerate(sights) if _is_worth_reading(sight.named, gate, known)]


def review_prints(
    rgb: RGB,
    sights: Sequence[NamedDetection],
    places: Sequence[int],
    reader: PrintReader,
    gate: float,
) -> list[NamedDetection]:
    """Return the detections with the print of the tiles at these positions read.

    Confident ones get a quick look first, which is enough where it agrees.
    """
    settled = _settled_prints(rgb, sights, places, reader, gate)
    after = list(sights)
    for k, printed in settled.items():
        odds = _print_odds(sights[k].named.code, to_chances(sights[k].named), printed)
        after[k] = replace(sights[k], print_odds=max(odds, sights[k].print_odds))
    return read_prints(rgb, after, [k for k in places if k not in settled], reader, gate)


def read_prints(
    rgb: RGB,
    sights: Sequence[NamedDetection],
    places: Sequence[int],
    reader: PrintReader,
    gate: float,
) -> list[NamedDetection]:
    """Return the detections with all print of the tiles at these positions read, once."""
    after, unread = list(sights), [k for k in places if not sights[k].is_read]
    for further, is_words in PRINT_LOOKS:
        there = [k for k in unread if _may_be_turned(sights[k].named, further)]
        quads = [_upright_quad(sights[k], further) for k in there]
        if is_words:
            said = reader.read_words(rgb, quads)
        else:  # pips are the same whichever way up
            said = reader.read(rgb, quads, () if further else _with_pips(sights, there))
        for k, printed in zip(there, said, strict=True):
            legible = is_legible(to_chances(sights[k].named), printed)
            if legible or (not further and not is_words):
                after[k] = _rename_sight(sights[k], printed, further, gate)
            if legible or sights[k].named.confidence >= gate:
                unread.remove(k)
    return after


def read_before_asking(
    rgb: RGB,
    sights: Sequence[NamedDetection],
    doubtful: Sequence[int],
    unfamiliar: Sequence[int],
    reader: PrintReader,
    gate: float,
) -> list[NamedDetection]:
    """Return the detections with the print of these tiles read, where it may name them.

    Doubtful tiles are read whole, sure ones of an unfamiliar set get a quick look first.
    """
    asked, others = (
        [k for k in of if _may_be_spelt(sights[k].named)] for of in (doubtful, unfamiliar)
    )
    after = read_prints(rgb, sights, asked, reader, gate)
    return review_prints(rgb, after, others, reader, gate)


def doubt_by_pips(
    rgb: RGB, tiles: Sequence[TileReading], places: Collection[int]
) -> tuple[TileReading, ...]:
    """Return the tiles, sure ones at these positions in doubt if their pips are another tile's."""
    return tuple(
        _compare_pips(rgb, tile)
        if k in places and tile.code in CODES_TO_COUNT and not tile.doubtful
        else tile
        for k, tile in enumerate(tiles)
    )


def _compare_pips(rgb: RGB, tile: TileReading) -> TileReading:
    pips = read_pips(straighten(rgb, np.array(tile.quad, np.float32), TILE_WIDTH_PX))
    if not pips or tile.code in pips:
        return tile
    others = tuple((code, (1 - CONTRADICTED_CHANCE) / len(pips)) for code in sorted(pips))
    return structs.replace(tile, confidence=CONTRADICTED_CHANCE, alternatives=others, doubtful=True)


def _settled_prints(
    rgb: RGB,
    sights: Sequence[NamedDetection],
    places: Sequence[int],
    reader: PrintReader,
    gate: float,
) -> dict[int, TilePrint]:
    """Return what a quick look reads on the tiles without doubt that keep their name by it."""
    sure = [k for k in places if sights[k].named.confidence >= gate]

    def is_same(place: int, printed: TilePrint) -> bool:
        named = sights[sure[place]].named
        return rename_by_print(named, printed, gate).code == named.code

    glanced = reader.glance(
        rgb,
        [_upright_quad(sights[k], 0) for k in sure],
        [GLANCE_PARTS.get(sights[k].named.code[0], HONOUR_PARTS) for k in sure],
        lambda place, printed: (
            is_legible(to_chances(sights[sure[place]].named), printed) and is_same(place, printed)
        ),
        _with_pips(sights, sure),
    )
    return {
        sure[place]: printed for place, printed in enumerate(glanced) if is_same(place, printed)
    }


def _with_pips(sights: Sequence[NamedDetection], places: Sequence[int]) -> list[int]:
    """Return the numbers of those of these places where a tile may have pips, by its look."""
    return [
        number
        for number, k in enumerate(places)
        if _chance_of_any(sights[k].named, CODES_WITH_PIPS) >= MIN_PRINT_CHANCE_TO_READ
    ]


def _may_be_turned(named: Classification, further: int) -> bool:
    """Return whether a tile may be turned `further` quarters from its apparent way up."""
    if further % 2 == 0:
        return True
    turns = softmax(named.said[1]) if named.said else np.zeros(4, np.float32)
    return bool(turns[(named.quarter_turns + further) % 4] >= MIN_TURN_CHANCE)


def _rename_sight(
    sight: NamedDetection, printed: TilePrint, further: int, gate: float
) -> NamedDetection:
    """Return a tile renamed by print that was read `further` quarters on."""
    turns = (sight.named.quarter_turns + further) % 4
    named = rename_by_print(replace(sight.named, quarter_turns=turns), printed, gate)
    said = to_chances(sight.named)
    return replace(
        sight,
        named=named,
        alone=sight.named.confidence if sight.alone is None else sight.alone,
        print_odds=_print_odds(named.code, said, printed),
        is_read=True,
    )


def _print_odds(code: str, said: Chances, printed: TilePrint) -> float:
    """Return how many times print raises the odds of this name; 1 where it names no tile.

    A look that left no doubt is taken for a little less sure, so that print can still raise it.
    """
    if not is_spelt(code, said, printed):
        return 1.0
    limit = min(1.0, MAX_LOOK_CHANCE / max(said.values()))
    limited = {each: chance * limit for each, chance in said.items()}
    before, after = limited.get(code, 0.0), weigh_evidence(limited, printed)[code]
    return max(_odds(after) / _odds(before), 1.0)


def _odds(chance: float) -> float:
    sure = min(max(chance, MIN_SURE_DIFFERENCE), 1 - MIN_SURE_DIFFERENCE)
    return sure / (1 - sure)


def _upright_quad(sight: NamedDetection, further: int) -> Float32s:
    """Return the quad from the tile's own upper left, or `further` quarters on."""
    return np.roll(sight.detection.quad, -sight.named.quarter_turns - further, axis=0)


def _is_worth_reading(named: Classification, gate: float, known: Collection[str]) -> bool:
    said = to_chances(named)
    if named.code in known and named.confidence >= gate:
        return False
    if kind_chance(said, "FS") >= MIN_BONUS_CHANCE_TO_READ:
        return True
    possible = _chance_of_any(named, _CODES_WITH_CHARACTER)
    return named.confidence < gate and possible >= MIN_PRINT_CHANCE_TO_READ


def _may_be_spelt(named: Classification) -> bool:
    """Return whether print may name a tile, by its look; one that looks like nothing may be any."""
    possible = _chance_of_any(named, _MARKED_CODES)
    return named.confidence < MAX_STRANGE_CHANCE or possible >= MIN_PRINT_CHANCE_TO_READ


def _chance_of_any(named: Classification, codes: Collection[str]) -> float:
    return sum(chance for code, chance in to_chances(named).items() if code in codes)


def to_chances(named: Classification) -> Chances:
    """Return the likely codes with their chances."""
    return {named.code: named.confidence, **dict(named.alternatives)}


def rename_by_print(named: Classification, printed: TilePrint, gate: float) -> Classification:
    """Return what a tile is by look and print together.

    Where both agree, it is at least as confident as by look alone. Where they differ, it is
    doubtful, unless the look said little.
    """
    chances = weigh_evidence(to_chances(named), printed)
    code = max(chances, key=lambda each: chances[each])
    if code == named.code and (not printed.pips or code in printed.pips):
        chances = _set_chance(chances, code, max(chances[code], named.confidence))
    elif named.confidence >= gate:
        chances = _set_chance(chances, code, min(chances[code], MAX_DISPUTED_GATE_SHARE * gate))
    ranked = sorted(chances.items(), key=lambda pair: -pair[1])[: MAX_ALTERNATIVES + 1]
    first, *others = ((each, round(chance, 4)) for each, chance in ranked)
    return replace(named, code=first[0], confidence=first[1], alternatives=tuple(others))


def _set_chance(chances: Chances, code: str, sure: float) -> Chances:
    """Return the chances with one set to `sure` and the others scaled to the rest."""
    rest = (1 - sure) / max(1 - chances[code], 1e-9)
    return {each: sure if each == code else chance * rest for each, chance in chances.items()}

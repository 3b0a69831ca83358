"""Read the print of possible flowers and seasons, of tiles in doubt, and of unfamiliar sets.

Other tiles are not read here. Of a usual hand the pips of its 6s and 9s of bamboos are counted,
which needs no network. Of equal tiles `equal_tiles.py` reads one corner.
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
from vision.preprocess import RGB, straighten
from vision.reading import MAX_ALTERNATIVES, TileReading

MIN_BONUS_CHANCE_TO_READ = 0.2
"""Print is read from this chance that a tile is a flower or season."""

MIN_PRINT_CHANCE_TO_READ = 0.02
"""Print of a doubtful tile is read from this chance that print can name it."""

MAX_DISPUTED_GATE_SHARE = 0.9
"""Where look and print disagree, confidence is at most this share of the gate."""

MIN_CHARACTERS_CHANCE_TO_READ = 0.001
"""The numeral above a character is read from this chance that a tile is one of characters."""

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
"""Chance that a name is right where clear print denies it: either errs about as seldom."""

MIN_TURN_CHANCE = 0.1
"""Chance from which a tile may be turned by a quarter. It may always be upside down."""

MAX_LOOK_CHANCE = 0.99
"""A look counts as no surer where it is asked how much print adds to it."""

MIN_SURE_DIFFERENCE = 1e-6
"""Odds are no greater than at this distance from certainty."""

_CODES_WITH_CHARACTER = frozenset(CODE_BY_CHARACTER.values())
_MARKED_CODES = _CODES_WITH_CHARACTER.union(code for code in CODES if code[0] in SUITS)


def select_tiles_to_read(
    sights: Sequence[NamedDetection], gate: float, known_codes: Collection[str] = ()
) -> list[int]:
    """Return the positions of the tiles whose print is worth reading.

    Below `gate` a tile is doubtful. `known_codes` are codes with crops of the table's own set: a
    confident one of these is not read.
    """
    looks = enumerate(sight.classification for sight in sights)
    return [k for k, look in looks if _is_worth_reading(look, gate, known_codes)]


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
    settled_prints = _settled_prints(rgb, sights, places, reader, gate)
    after = list(sights)
    for k, tile_print in settled_prints.items():
        look = sights[k].classification
        odds = _print_odds(look.code, look.chances, tile_print)
        after[k] = replace(sights[k], print_odds=max(odds, sights[k].print_odds))
    return read_prints(rgb, after, [k for k in places if k not in settled_prints], reader, gate)


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
        places_here = [k for k in unread if _may_be_turned(sights[k].classification, further)]
        quads = [sights[k].upright_quad(further) for k in places_here]
        if is_words:
            tile_prints = reader.read_words(rgb, quads)
        else:  # pips are the same whichever way up
            parts = [_telling_parts(sights[k].classification) for k in places_here]
            with_pips = () if further else _with_pips(sights, places_here)
            tile_prints = reader.read(rgb, quads, parts, with_pips)
        for k, tile_print in zip(places_here, tile_prints, strict=True):
            legible = is_legible(sights[k].classification.chances, tile_print)
            if legible or (not further and not is_words):
                after[k] = _rename_sight(sights[k], tile_print, further, gate)
            if legible or sights[k].classification.confidence >= gate:
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
    doubtful_places, unfamiliar_places = (
        [k for k in of if _may_be_spelt(sights[k].classification)] for of in (doubtful, unfamiliar)
    )
    after = read_prints(rgb, sights, doubtful_places, reader, gate)
    return review_prints(rgb, after, unfamiliar_places, reader, gate)


def doubt_by_pips(
    rgb: RGB, tiles: Sequence[TileReading], places: Collection[int], gate: float
) -> tuple[TileReading, ...]:
    """Return the tiles, sure ones at these positions in doubt if their pips are another tile's.

    Those are counted that are often misread, and those that are sure by tiles like them alone.
    """
    return tuple(
        _compare_pips(rgb, tile)
        if k in places and not tile.doubtful and _is_to_count(tile, gate)
        else tile
        for k, tile in enumerate(tiles)
    )


def _is_to_count(tile: TileReading, gate: float) -> bool:
    is_sure_by_others = bool(tile.alike) and tile.alone is not None and tile.alone < gate
    return tile.code in CODES_TO_COUNT or (is_sure_by_others and tile.code in CODES_WITH_PIPS)


def _compare_pips(rgb: RGB, tile: TileReading) -> TileReading:
    pips = read_pips(straighten(rgb, np.array(tile.quad, np.float32), TILE_WIDTH_PX))
    if not pips or tile.code in pips:
        return tile
    return contradict(tile, pips)


def contradict(tile: TileReading, codes: Collection[str]) -> TileReading:
    """Return the tile in doubt, with the codes that its print names as the next."""
    alternatives = tuple((code, (1 - CONTRADICTED_CHANCE) / len(codes)) for code in sorted(codes))
    return structs.replace(
        tile, confidence=CONTRADICTED_CHANCE, alternatives=alternatives, doubtful=True
    )


def _settled_prints(
    rgb: RGB,
    sights: Sequence[NamedDetection],
    places: Sequence[int],
    reader: PrintReader,
    gate: float,
) -> dict[int, TilePrint]:
    """Return what a quick look reads on the tiles without doubt that keep their name by it."""
    sure = [k for k in places if sights[k].classification.confidence >= gate]

    def is_same(place: int, tile_print: TilePrint) -> bool:
        classification = sights[sure[place]].classification
        return rename_by_print(classification, tile_print, gate).code == classification.code

    quick_prints = reader.glance(
        rgb,
        [sights[k].upright_quad() for k in sure],
        [GLANCE_PARTS.get(sights[k].classification.code[0], HONOUR_PARTS) for k in sure],
        lambda place, tile_print: (
            is_legible(sights[sure[place]].classification.chances, tile_print)
            and is_same(place, tile_print)
        ),
        _with_pips(sights, sure),
    )
    return {
        sure[place]: tile_print
        for place, tile_print in enumerate(quick_prints)
        if is_same(place, tile_print)
    }


def _with_pips(sights: Sequence[NamedDetection], places: Sequence[int]) -> list[int]:
    """Return the numbers of those of these places where a tile may have pips, by its look."""
    return [
        number
        for number, k in enumerate(places)
        if _chance_of_any(sights[k].classification, CODES_WITH_PIPS) >= MIN_PRINT_CHANCE_TO_READ
    ]


def _telling_parts(classification: Classification) -> tuple[TilePart, ...]:
    """Return the parts of a tile to read: a numeral at the top counts on characters alone."""
    if kind_chance(classification.chances, "C") < MIN_CHARACTERS_CHANCE_TO_READ:
        return ("left", "right", "middle")
    return ("left", "right", "middle", "top")


def _may_be_turned(classification: Classification, further: int) -> bool:
    """Return whether a tile may be turned `further` quarters from its apparent way up."""
    if further % 2 == 0:
        return True
    if not classification.raw_outputs:
        return False
    turns = softmax(classification.raw_outputs[1])
    return bool(turns[(classification.quarter_turns + further) % 4] >= MIN_TURN_CHANCE)


def _rename_sight(
    sight: NamedDetection, tile_print: TilePrint, further: int, gate: float
) -> NamedDetection:
    """Return a tile renamed by print that was read `further` quarters on."""
    look, lone_confidence = sight.classification, sight.lone_confidence
    turns = (look.quarter_turns + further) % 4
    classification = rename_by_print(replace(look, quarter_turns=turns), tile_print, gate)
    return replace(
        sight,
        classification=classification,
        lone_confidence=look.confidence if lone_confidence is None else lone_confidence,
        print_odds=_print_odds(classification.code, look.chances, tile_print),
        is_read=True,
    )


def _print_odds(code: str, look_chances: Chances, tile_print: TilePrint) -> float:
    """Return how many times print raises the odds of this name; 1 where it names no tile.

    A look that left no doubt is taken for a little less sure, so that print can still raise it.
    """
    if not is_spelt(code, look_chances, tile_print):
        return 1.0
    limit = min(1.0, MAX_LOOK_CHANCE / max(look_chances.values()))
    limited_chances = {each: chance * limit for each, chance in look_chances.items()}
    after = weigh_evidence(limited_chances, tile_print)[code]
    return max(_odds(after) / _odds(limited_chances.get(code, 0.0)), 1.0)


def _odds(chance: float) -> float:
    sure = min(max(chance, MIN_SURE_DIFFERENCE), 1 - MIN_SURE_DIFFERENCE)
    return sure / (1 - sure)


def _is_worth_reading(
    classification: Classification, gate: float, known_codes: Collection[str]
) -> bool:
    look_chances = classification.chances
    if classification.code in known_codes and classification.confidence >= gate:
        return False
    if kind_chance(look_chances, "FS") >= MIN_BONUS_CHANCE_TO_READ:
        return True
    possible = _chance_of_any(classification, _CODES_WITH_CHARACTER)
    return classification.confidence < gate and possible >= MIN_PRINT_CHANCE_TO_READ


def _may_be_spelt(classification: Classification) -> bool:
    """Return whether print may name a tile, by its look; one that looks like nothing may be any."""
    possible = _chance_of_any(classification, _MARKED_CODES)
    return classification.confidence < MAX_STRANGE_CHANCE or possible >= MIN_PRINT_CHANCE_TO_READ


def _chance_of_any(classification: Classification, codes: Collection[str]) -> float:
    return sum(chance for code, chance in classification.chances.items() if code in codes)


def rename_by_print(
    classification: Classification, tile_print: TilePrint, gate: float
) -> Classification:
    """Return what a tile is by look and print together.

    Where both agree, it is at least as confident as by look alone. Where they differ, it is
    doubtful, unless the look said little.
    """
    chances = weigh_evidence(classification.chances, tile_print)
    code = max(chances, key=lambda code: chances[code])
    if code == classification.code and (not tile_print.pips or code in tile_print.pips):
        chances = _set_chance(chances, code, max(chances[code], classification.confidence))
    elif classification.confidence >= gate:
        chances = _set_chance(chances, code, min(chances[code], MAX_DISPUTED_GATE_SHARE * gate))
    ranking = sorted(chances.items(), key=lambda pair: -pair[1])[: MAX_ALTERNATIVES + 1]
    first, *alternatives = ((code, round(chance, 4)) for code, chance in ranking)
    return replace(
        classification, code=first[0], confidence=first[1], alternatives=tuple(alternatives)
    )


def _set_chance(chances: Chances, code: str, sure: float) -> Chances:
    """Return the chances with one set to `sure` and the others scaled to the rest."""
    rest = (1 - sure) / max(1 - chances[code], 1e-9)
    return {each: sure if each == code else chance * rest for each, chance in chances.items()}

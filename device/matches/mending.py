"""Suggest which tiles of a deal were misread when its hands hold too many of a face."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from device.hands.by_hand import held
from device.hands.hand import HandRecord
from device.hands.tiles import HandTile
from device.matches.tile_counts import Records, is_possible, too_many
from scorer.tiles import BY_CODE, CODES, copies_in_set

MOST = 2
"""Tiles that one suggestion changes. If more are wrong, a whole hand is wrong."""

FAINTEST = 5e-5
"""Chances are stored with four decimals, in descending order. The first one stored as zero is at
most this, the next at most half of it."""

OVERLOOKED = 0.1
"""Factor for a tile that a player has named or confirmed: it is less likely to be wrong."""

MOST_NAMES = 3
"""Suggestions that are shown."""

MOST_GUESSES, MOST_MENDS = 30, 400
"""The likeliest single changes, and combinations of them, that are tried."""


@dataclass(frozen=True, slots=True)
class TileChange:
    """A tile that may be another one."""

    player: str
    place: int
    """Its position in the hand."""
    was: str
    code: str
    """The likely tile."""


@dataclass(frozen=True, slots=True)
class _Guess:
    change: TileChange
    chance: float
    """Logarithm of how much likelier this tile is than the current one."""


Mend = tuple[TileChange, ...]


def mends(records: Records) -> tuple[Mend, ...]:
    """Return the likeliest changes after which no face occurs too often.

    Too many of a face says that a tile is wrong, but not which. The reading keeps other chances for
    each tile. Of all changes to as few tiles as possible, the likeliest come first. After a change
    the hands must fit one set of tiles, and every valid hand must stay valid.

    All suggestions change the same tiles. Empty if nothing needs changing, or no reading supports a
    change.
    """
    wrong = too_many(records)
    if not wrong or sum(each.excess for each in wrong) > MOST:
        return ()
    crowded, deal = {each.code for each in wrong}, _Deal(records)
    guesses = sorted(_guesses(records, crowded), key=lambda guess: -guess.chance)[:MOST_GUESSES]
    for size in range(1, MOST + 1):
        ways = sorted(combinations(guesses, size), key=lambda way: -sum(g.chance for g in way))
        tried = (tuple(guess.change for guess in way) for way in ways[:MOST_MENDS])
        possible = (way for way in tried if deal.is_possible_with(way))
        best = next(possible, None)
        if best:
            alike = (way for way in possible if _places(way) == _places(best))
            return (best, *islice(alike, MOST_NAMES - 1))
    return ()


def _places(way: Mend) -> set[tuple[str, int]]:
    return {(each.player, each.place) for each in way}


def changed(records: Records, changes: Sequence[TileChange]) -> dict[str, HandRecord]:
    """Return the hands with these changes applied."""
    after = dict(records)
    for each in changes:
        after[each.player] = _with_tile(after[each.player], each.place, each.code)
    return after


class _Deal:
    """The hands of a deal, with cached tile counts of changed hands."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._held: dict[tuple[str, Mend], Counter[str]] = {}

    def is_possible_with(self, way: Mend) -> bool:
        """Whether one set of tiles holds all changed hands, and each valid hand stays valid."""
        if len(_places(way)) < len(way):
            return False
        own = {player: tuple(c for c in way if c.player == player) for player in self._records}
        counts = sum((self._count_tiles(player, each) for player, each in own.items()), Counter())
        if any(
            count > copies_in_set(BY_CODE[code])
            for code, count in counts.items()
            if code in BY_CODE
        ):
            return False
        return all(self._stays_possible(player, each) for player, each in own.items() if each)

    def _count_tiles(self, player: str, own: Mend) -> Counter[str]:
        if (player, own) not in self._held:
            self._held[player, own] = held(changed(self._records, own)[player])
        return self._held[player, own]

    def _stays_possible(self, player: str, own: Mend) -> bool:
        after = changed(self._records, own)[player]
        return is_possible(after) or not is_possible(self._records[player])


def _with_tile(record: HandRecord, place: int, code: str) -> HandRecord:
    tile = replace(record.tiles[place], code=code, changed=True)
    return replace(record, tiles=(*record.tiles[:place], tile, *record.tiles[place + 1 :]))


def _guesses(records: Records, crowded: set[str]) -> Iterator[_Guess]:
    """Yield the other readings of each tile with a crowded face."""
    for player, record in records.items():
        for place in sorted({place for laid in record.sets for place in laid.tiles}):
            tile = record.tiles[place]
            if tile.code not in crowded or tile.read is None:
                continue
            chances = _chances(tile)
            for code, chance in chances.items():
                if code in CODES and code not in crowded:
                    likelier = math.log(chance) - math.log(chances[tile.code])
                    yield _Guess(TileChange(player, place, tile.code, code), likelier)


def _chances(tile: HandTile) -> Mapping[str, float]:
    """Return the chance of each face for a tile, including its current face."""
    if tile.read is None or tile.code is None:
        return {}
    chances = {tile.read.code: tile.read.confidence}
    for rank, (code, chance) in enumerate(tile.read.alternatives):
        chances.setdefault(code, max(chance, FAINTEST / 2**rank))
    if tile.changed or tile.confirmed:
        chances = {code: chance * OVERLOOKED for code, chance in chances.items()}
        chances[tile.code] = 1.0
    return {
        code: max(chance, FAINTEST) if code == tile.code else chance
        for code, chance in chances.items()
    }

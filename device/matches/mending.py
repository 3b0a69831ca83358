"""Which tiles were likeliest misread where the hands of a deal hold more of a face than there are.

A face too many says that a tile is wrong, not which one. The reader kept what else each tile may
be: of all the ways to name as few tiles as can be otherwise, so that a set of tiles holds them all
and every hand stays possible that was, the one is proposed that these chances make likeliest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice

from device.hands.hand import HandRecord
from device.hands.tiles import HandTile
from device.matches.tile_counts import Records, held, is_possible, too_many
from scorer.tiles import BY_CODE, CODES, copies

MOST = 2
"""Tiles that a mend names otherwise. Where more are wrong, a hand is another one altogether."""

FAINTEST = 5e-5
"""Chances are kept to four places, in their order: one that was rounded to nothing is at the most
this, the next one half of it."""

OVERLOOKED = 0.1
"""So much seldomer is a tile wrong that somebody has named or said right."""

MOST_NAMES = 3
"""What a tile may be, at the most, that is proposed."""

MOST_GUESSES, MOST_MENDS = 30, 400
"""Of single tiles, and of mends made of them, that are tried: the likeliest."""


@dataclass(frozen=True, slots=True)
class TileChange:
    """A tile that is taken for another."""

    player: str
    place: int
    """In the hand."""
    was: str
    code: str
    """What it likely is."""


@dataclass(frozen=True, slots=True)
class _Guess:
    change: TileChange
    chance: float
    """The logarithm of how many times likelier it is than what the tile is taken for."""


Mend = tuple[TileChange, ...]


def mends(records: Records) -> tuple[Mend, ...]:
    """Return the likeliest change after which no face is there too often, and what it may be else.

    All name the same tiles otherwise, the likeliest first. Empty where there is nothing to change,
    and where nothing that was read speaks for any change.
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
    """Return the hands with these tiles named so."""
    after = dict(records)
    for each in changes:
        after[each.player] = _with_tile(after[each.player], each.place, each.code)
    return after


class _Deal:
    """The hands as they are, and what is found of each as it would be: looked at once."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._held: dict[tuple[str, Mend], Counter[str]] = {}

    def is_possible_with(self, way: Mend) -> bool:
        """Whether a set of tiles holds all hands then, and each that was possible still is."""
        if len(_places(way)) < len(way):
            return False
        own = {player: tuple(c for c in way if c.player == player) for player in self._records}
        counts = sum((self._counts(player, each) for player, each in own.items()), Counter())
        if any(count > copies(BY_CODE[code]) for code, count in counts.items() if code in BY_CODE):
            return False
        return all(self._stays_possible(player, each) for player, each in own.items() if each)

    def _counts(self, player: str, own: Mend) -> Counter[str]:
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
    """Yield what else each tile of a crowded face may be, as far as its reading says."""
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
    """Return what a tile may be, what it is taken for among it, and how likely that is."""
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

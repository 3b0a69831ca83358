"""Merge another photograph into a hand that has been read.

Everything that the player named, confirmed, added, removed or moved stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from device.hands.record import AddedReading, HandTile
from vision.hand.assembly import LaidSet
from vision.merging.merge import OTHER_HAND, MergedReading, merge
from vision.reading import Problem, Reading, SetReading, TileReading


@dataclass(frozen=True, slots=True)
class HandAfterPhoto:
    """A hand after merging a photograph."""

    tiles: tuple[HandTile, ...]
    sets: tuple[LaidSet, ...]
    notes: tuple[Problem, ...]
    """Remarks for the player on all photographs together."""
    same_hand: bool


@dataclass(frozen=True, slots=True)
class HandBeforePhoto:
    """A hand before merging a photograph."""

    base: Reading
    """Its first reading; all tiles are placed in its pixels."""
    tiles: tuple[HandTile, ...]
    sets: tuple[LaidSet, ...]
    rules: str
    is_rearranged: bool
    """Whether the player moved or added tiles: then the player's sets stay, and new tiles are
    added."""


def add_reading(hand: HandBeforePhoto, number: int, photo: Reading) -> HandAfterPhoto:
    """Return the hand merged with a reading of the added photograph with this number."""
    if photo.tiles == hand.base.tiles:
        return HandAfterPhoto(
            hand.tiles, hand.sets, (), same_hand=True
        )  # the same photograph again
    read = {place: tile.read for place, tile in enumerate(hand.tiles) if tile.read}
    known = tuple(read)
    merged = merge([_known_reading(hand, read), photo], hand.rules)
    if not any(None not in seen for seen in merged.places):
        return HandAfterPhoto(hand.tiles, hand.sets, (OTHER_HAND,), same_hand=False)
    layout = _HandLayout(list(hand.tiles), list(hand.sets))
    places: list[int] = []
    unclear = {place for block in photo.blocks if block.included for place in block.tiles}
    for tile, (before, seen) in zip(merged.reading.tiles, merged.places, strict=True):
        if before is None and seen in unclear:  # the first photograph's blocks do not ask about it
            tile = structs.replace(tile, doubtful=True)
        place = layout.place_of(tile) if before is None else known[before]
        places.append(place)
        said = () if seen is None else ((number, photo.tiles[seen]),)
        layout.pool(place, tile, said)
    if hand.is_rearranged:
        layout.lay(merged, places)
    else:
        layout.sets = [
            LaidSet(tuple(places[t] for t in s.tiles), s.row) for s in merged.reading.sets
        ]
    return HandAfterPhoto(
        tuple(layout.tiles), tuple(layout.sets), merged.reading.problems, same_hand=True
    )


def _known_reading(hand: HandBeforePhoto, read: Mapping[int, TileReading]) -> Reading:
    """Return the known tiles as a reading of the first photograph."""
    number = {place: k for k, place in enumerate(read)}
    laid = [(tuple(number[t] for t in s.tiles if t in number), s.row) for s in hand.sets]
    return replace(
        hand.base,
        tiles=tuple(_as_player_says(hand.tiles[place], tile) for place, tile in read.items()),
        sets=tuple(SetReading(tiles, row, "loose") for tiles, row in laid if tiles),
    )


def _as_player_says(tile: HandTile, read: TileReading) -> TileReading:
    if tile.code is None or not (tile.changed or tile.confirmed):
        return read
    return structs.replace(read, code=tile.code, confidence=1.0, alternatives=(), doubtful=False)


@dataclass(slots=True)
class _HandLayout:
    """Tiles and sets while a photograph is merged."""

    tiles: list[HandTile]
    sets: list[LaidSet]

    def place_of(self, tile: TileReading) -> int:
        """Return the place for a tile that the reading did not have.

        A tile that the player added by hand, and that was missed, is this tile if the code is the
        same.
        """
        for place, known in enumerate(self.tiles):
            if known.read is None and known.code == tile.code:
                return place
        self.tiles.append(HandTile(tile.code, None))
        return len(self.tiles) - 1

    def pool(self, place: int, tile: TileReading, said: tuple[AddedReading, ...]) -> None:
        """Give a tile its new reading; a code chosen by the player stays."""
        before = self.tiles[place]
        code = before.code if before.changed or before.confirmed else tile.code
        self.tiles[place] = replace(before, code=code, read=tile, also=(*before.also, *said))

    def lay(self, merged: MergedReading, places: Sequence[int]) -> None:
        """Put each tile that is in no set next to its neighbour."""
        for laid in merged.reading.sets:
            own = [places[tile] for tile in laid.tiles]
            for left, place in zip((None, *own), own, strict=False):
                if any(place in s.tiles for s in self.sets):
                    continue
                beside = [k for k, s in enumerate(self.sets) if left in s.tiles]
                if beside:
                    self.sets[beside[0]] = _insert_after(self.sets[beside[0]], left, place)
                else:
                    self.sets.append(LaidSet((place,), laid.row))


def _insert_after(laid: LaidSet, left: int | None, place: int) -> LaidSet:
    at = laid.tiles.index(left) + 1 if left is not None else 0
    return replace(laid, tiles=(*laid.tiles[:at], place, *laid.tiles[at:]))

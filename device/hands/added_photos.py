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
    known_places = tuple(read)
    merge_result = merge([_known_reading(hand, read), photo], hand.rules)
    if not any(None not in seen for seen in merge_result.places):
        return HandAfterPhoto(hand.tiles, hand.sets, (OTHER_HAND,), same_hand=False)
    layout = _HandLayout(list(hand.tiles), list(hand.sets))
    places: list[int] = []
    unclear = {place for block in photo.blocks if block.included for place in block.tiles}
    for tile, (before, photo_tile) in zip(
        merge_result.reading.tiles, merge_result.places, strict=True
    ):
        # The first photograph's blocks do not ask about it.
        if before is None and photo_tile in unclear:
            tile = structs.replace(tile, doubtful=True)
        place = layout.place_of(tile) if before is None else known_places[before]
        places.append(place)
        added_readings = () if photo_tile is None else ((number, photo.tiles[photo_tile]),)
        layout.pool(place, tile, added_readings)
    if hand.is_rearranged:
        layout.lay(merge_result, places)
    else:
        layout.sets = [
            LaidSet(tuple(places[t] for t in s.tiles), s.row) for s in merge_result.reading.sets
        ]
    return HandAfterPhoto(
        tuple(layout.tiles), tuple(layout.sets), merge_result.reading.problems, same_hand=True
    )


def _known_reading(hand: HandBeforePhoto, read: Mapping[int, TileReading]) -> Reading:
    """Return the known tiles as a reading of the first photograph."""
    number = {place: k for k, place in enumerate(read)}
    numbered_sets = [(tuple(number[t] for t in s.tiles if t in number), s.row) for s in hand.sets]
    return structs.replace(
        hand.base,
        tiles=tuple(_as_player_says(hand.tiles[place], tile) for place, tile in read.items()),
        sets=tuple(SetReading(tiles, row, "loose") for tiles, row in numbered_sets if tiles),
    )


def _as_player_says(tile: HandTile, read: TileReading) -> TileReading:
    if tile.code is None or not (tile.is_changed or tile.is_confirmed):
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

    def pool(self, place: int, tile: TileReading, added_readings: tuple[AddedReading, ...]) -> None:
        """Give a tile its new reading; a code chosen by the player stays."""
        before = self.tiles[place]
        code = before.code if before.is_changed or before.is_confirmed else tile.code
        self.tiles[place] = replace(
            before, code=code, read=tile, added_readings=(*before.added_readings, *added_readings)
        )

    def lay(self, merge_result: MergedReading, places: Sequence[int]) -> None:
        """Put each tile that is in no set next to its neighbour."""
        for set_reading in merge_result.reading.sets:
            set_places = [places[tile] for tile in set_reading.tiles]
            for left, place in zip((None, *set_places), set_places, strict=False):
                if any(place in s.tiles for s in self.sets):
                    continue
                neighbour_sets = [k for k, s in enumerate(self.sets) if left in s.tiles]
                if neighbour_sets:
                    self.sets[neighbour_sets[0]] = _insert_after(
                        self.sets[neighbour_sets[0]], left, place
                    )
                else:
                    self.sets.append(LaidSet((place,), set_reading.row))


def _insert_after(laid_set: LaidSet, left: int | None, place: int) -> LaidSet:
    position = laid_set.tiles.index(left) + 1 if left is not None else 0
    return replace(laid_set, tiles=(*laid_set.tiles[:position], place, *laid_set.tiles[position:]))

"""The tile sets of this box, and the pictures of tiles that it learns from.

Events of the box say which set is on the table, and whether pictures may be kept. The code that a
picture shows is never stored: it is what the record of its hand says now, so corrections count. A
picture whose file is deleted is forgotten.
"""

from __future__ import annotations

import io
import secrets
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np
from PIL import Image

from device.hands.readings import PhotoReader
from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.i18n.names import fold_name, tidy_name
from device.settings import append_to_box
from device.store import Store
from device.store.appending import append_if_unchanged
from device.store.events import (
    CropsDeleted,
    CropsStored,
    LearningAllowed,
    SetBegun,
    SetChosen,
    SetSaved,
)
from device.store.log import KindsSeen
from device.tilesets.registrations import Registration, Registrations
from vision.networks.prototypes import first_of_each
from vision.photo import Photo
from vision.preprocess import NO_TILE, RGB, straighten
from vision.reading import Quad, Reading

FIRST_SET_ID = "first"
"""The set that every box begins with. It has no name until there is another set."""

MAX_PICTURES_PER_FACE = 8
"""Pictures of one face that a set keeps, registered ones first, then the newest: 45 faces, at most
some 4 MB. More pictures help little; see the table of `python -m models.train.own_set`."""

MAX_LEARNT_HANDS = 60
"""Confirmed hands to search for these pictures."""

MAX_SET_NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class OwnTileSet:
    """One set of tiles."""

    id: str
    name: str
    """The players' name for it; empty for the first."""


class UnknownSetError(Exception):
    """No tile set has the id."""


class TileSets:
    """The sets of a box; safe to share between threads."""

    def __init__(self, store: Store, hands: HandRepository) -> None:
        self._store = store
        self._hands = hands
        self._changing = threading.Lock()
        self.registrations = Registrations(store, hands)
        """Registrations of sets, which the box learns from once players have checked them."""

    def list_sets(self) -> tuple[OwnTileSet, ...]:
        """Return every set, oldest first."""
        begun_sets = (each.event for each in self._store.of_kinds(SetBegun))
        return (
            OwnTileSet(FIRST_SET_ID, ""),
            *(OwnTileSet(event.set, event.name) for event in begun_sets),
        )

    def chosen_set(self, table: str = "") -> OwnTileSet:
        """Return the set on a table: its own choice, or else the choice for all tables."""
        sets = {each.id: each for each in self.list_sets()}
        choices = [each.event for each in reversed(self._store.of_kinds(SetChosen))]
        table_choices = (each.set for each in choices if each.table == table)
        # A set whose first event is torn has no name and is skipped.
        choice = chain(table_choices, (each.set for each in choices if not each.table))
        return next((sets[each] for each in choice if each in sets), sets[FIRST_SET_ID])

    def begin(self, name: str, table: str = "") -> None:
        """Add a set of that name and put it on the table."""
        name = tidy_name(name)[:MAX_SET_NAME_CHARACTERS]

        def attempt(kinds: KindsSeen) -> str:
            ids_by_name = {fold_name(each.name): each.id for each in self.list_sets()}
            if fold_name(name) in ids_by_name:
                return ids_by_name[fold_name(name)]
            tile_set = secrets.token_hex(4)
            append_to_box(self._store, SetBegun(tile_set, name), kinds)
            return tile_set

        tile_set = append_if_unchanged(self._store, (SetBegun,), attempt)
        append_to_box(self._store, SetChosen(tile_set, table))

    def choose(self, tile_set: str, table: str = "") -> None:
        """Put a set on the table; raise UnknownSetError."""
        self._check(tile_set)
        append_to_box(self._store, SetChosen(tile_set, table))

    def may_learn(self) -> bool | None:
        """Whether the players allow pictures of tiles to be kept; None before they were asked."""
        answer = self._store.latest(LearningAllowed)
        return answer.event.allowed if answer else None

    def allow(self, *, is_allowed: bool) -> None:
        """Keep the players' answer."""
        append_to_box(self._store, LearningAllowed(is_allowed))

    def learn(self, record: HandRecord, photo: Photo) -> None:
        """Keep pictures of a confirmed hand's tiles, if the players allow it.

        They go to the set that lay on the table when the hand was confirmed.
        """
        if not self.may_learn():
            return
        with self._changing:
            tile_set = record.owes_crops_to or self.chosen_set(record.table).id
            crops = {
                place: self._store.keep_crop(tile_set, _encode_tile(photo, quad))
                for place, quad in _confirmed_tiles(record)
            }
            self._hands.change(record.id, CropsStored(tile_set, crops))
            self._delete_unused(tile_set)

    def learn_nothing(self, record: HandRecord) -> None:
        """Record that no picture of a confirmed hand's tiles can be kept."""
        self._hands.change(record.id, CropsStored(record.owes_crops_to, {}))

    def register(self, record: Registration, photos: Iterable[Photo]) -> None:
        """Keep pictures of a registration's tiles. By registering, the players have agreed.

        `photos` are the registration's photographs, and are read one at a time.
        """
        with self._changing:
            crops = {
                f"{number}-{k}": self._store.keep_crop(
                    record.tile_set, _encode_tile(photo, record.tile((number, k)).read.quad)
                )
                for number, photo in enumerate(photos)
                for of, k in record.to_keep()
                if of == number
            }
            self.registrations.change(record.id, SetSaved(crops))
            self._delete_unused(record.tile_set)

    def _delete_unused(self, tile_set: str) -> None:
        """Delete the pictures that are no longer used for learning."""
        used_names = self.codes(tile_set).keys()
        self._store.delete_crops(tile_set, self._store.crops(tile_set) - used_names)

    def codes(self, tile_set: str) -> dict[str, str]:
        """Return the code of each kept picture of a set, by the picture's name."""
        crop_names = self._store.crops(tile_set)
        if not crop_names:
            return {}
        code_by_crop: dict[str, str] = {}
        for name, code in self._corrections(tile_set):
            if name in crop_names:
                code_by_crop.setdefault(name, code or NO_TILE)
        names = list(code_by_crop)
        first = first_of_each(list(code_by_crop.values()), MAX_PICTURES_PER_FACE)
        return {names[place]: code_by_crop[names[place]] for place in first}

    def knows_tiles(self, tile_set: str) -> bool:
        """Return whether the box has learnt any tile of a set."""
        return not set(self.codes(tile_set).values()) <= {NO_TILE}

    def _corrections(self, tile_set: str) -> Iterator[tuple[str, str | None]]:
        """Yield the names of pictures with their codes, newest first.

        Registered pictures come before those of hands, so that they are never displaced.
        """
        for registration in self.registrations.list_learnt(tile_set):
            for place, name in registration.crops.items():
                yield name, registration.tile(place).code
        for hand in self._teaching(tile_set):
            record = self._hands.get_if_whole(hand)
            if record and record.tiles_right and record.tile_set == tile_set:
                for number, name in record.crops.items():
                    yield name, record.tiles[number].code

    def _teaching(self, tile_set: str) -> tuple[str, ...]:
        """Return the ids of the newest hands with pictures of a set.

        Hands with other sets, played at other tables, do not displace these.
        """
        limit = MAX_LEARNT_HANDS * len(self.list_sets())
        crop_events = self._store.newest_of_kinds(CropsStored, limit=limit)
        streams = dict.fromkeys(
            each.stream
            for each in crop_events
            if isinstance(each.event, CropsStored) and each.event.set == tile_set
        )
        return tuple(streams)[:MAX_LEARNT_HANDS]

    def teach(self, reader: PhotoReader, table: str = "") -> None:
        """Teach the reader the set on a table."""
        with self._changing:  # so that no picture is deleted while it is read
            tile_set = self.chosen_set(table).id
            reader.use_tile_set(self.codes(tile_set), lambda name: self._crop(tile_set, name))

    def recognise(
        self, reader: PhotoReader, photo: Photo, reading: Reading, table: str = ""
    ) -> str | None:
        """Return the id of a hand's set if it is clearly not the one on its table."""
        with self._changing:
            codes = {each.id: self.codes(each.id) for each in self.list_sets()}
            codes_by_set = {tile_set: names for tile_set, names in codes.items() if names}
            chosen_id = self.chosen_set(table).id
            if chosen_id not in codes_by_set or len(codes_by_set) < 2:
                return None
            lies_in = {name: tile_set for tile_set, names in codes_by_set.items() for name in names}
            tiles = [reading.tiles[tile] for laid in reading.sets for tile in laid.tiles]
            return reader.find_other_set(
                photo, tiles, codes_by_set, chosen_id, lambda name: self._crop(lies_in[name], name)
            )

    def show_tiles(self, tile_set: str) -> dict[str, RGB]:
        """Return a picture of each tile that the box has learnt of a set, by its code.

        Registered pictures come before those of hands, and new ones before old ones.
        """
        with self._changing:  # so that no picture is deleted while it is read
            names = {code: name for name, code in reversed(self.codes(tile_set).items())}
            names.pop(NO_TILE, None)
            return {code: self._crop(tile_set, name) for code, name in names.items()}

    def find_set(self, tile_set: str) -> OwnTileSet | None:
        """Return a set by its id, or None."""
        return next((each for each in self.list_sets() if each.id == tile_set), None)

    def _crop(self, tile_set: str, name: str) -> RGB:
        with Image.open(io.BytesIO(self._store.crop(tile_set, name))) as image:
            return np.asarray(image.convert("RGB"), np.uint8)

    def forget(self, tile_set: str) -> None:
        """Delete all pictures of a set, and record their number in the log.

        Raises UnknownSetError.
        """
        self._check(tile_set)
        with self._changing:
            names = self._store.crops(tile_set)
            self._store.delete_crops(tile_set, names)
            append_to_box(self._store, CropsDeleted(tile_set, len(names)))

    def _check(self, tile_set: str) -> None:
        if tile_set not in {each.id for each in self.list_sets()}:
            raise UnknownSetError(tile_set)


def _confirmed_tiles(record: HandRecord) -> Iterator[tuple[int, Quad]]:
    """Yield the tiles that the player checked, with their quads in the hand's first photograph.

    Tiles that were left out are not checked unless the player named them. A tile that only another
    photograph shows is skipped, because the first may show a sleeve in its place.
    """
    in_hand = {place for laid in record.sets for place in laid.tiles}
    first = record.reading.tiles if record.reading else ()
    for place, tile in enumerate(record.tiles[: len(first)]):
        if tile.read and (tile.is_changed or place in in_hand):
            yield place, tile.read.quad


def _encode_tile(photo: Photo, quad: object) -> bytes:
    """Cut a tile from the photograph, straighten it, and encode it as PNG."""
    buffer = io.BytesIO()
    crop = straighten(photo.rgb, np.array(quad, np.float32))
    Image.fromarray(crop).save(buffer, "PNG", optimize=True)
    return buffer.getvalue()

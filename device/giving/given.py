"""Select a confirmed hand's tiles and picture for the dataset, or the reason to leave it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

import numpy as np

from device.giving.consent import Consent, confirmed_at
from device.giving.cutting import Cutting, OutsideError, QuadArray, cut
from device.hands.record import HandRecord, UnknownHandError
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store.events import SetChosen
from device.tilesets.tile_sets import TileSets
from scorer.tiles import FACE_DOWN
from vision.errors import PhotoError
from vision.reading import RowName

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "unconfirmed": "nobody said that all tiles are right",
        "not-agreed": "confirmed while the players had not agreed",
        "kept": "a player keeps them, or nobody knows whose they are",
        "gone": "the photo is gone or damaged",
        "placeless": "a tile was added by hand, so it has no place in the photo",
        "face-down": "a player named a tile that was read as lying face down",
        "outside": "a tile reaches out of the photo",
        "empty": "no tile is left",
        "disputed": "the same picture was confirmed as different tiles",
    }
)
"""Why hands are left out, in the order of the checks."""


class NotGivenError(Exception):
    """A hand is left out; `why` is a key of `LEFT_OUT_REASONS`."""

    def __init__(self, why: str) -> None:
        super().__init__(LEFT_OUT[why])
        self.why = why


@dataclass(frozen=True, slots=True)
class TileToGive:
    """One labelled tile."""

    code: str
    """What is visible: a face, or `??` for a back."""
    stands_for: str
    """What it counts as; `??` for a back that its neighbours do not identify."""
    read: str
    """The box's reading."""
    row: RowName
    set: int
    """Number of its set in the hand."""


@dataclass(frozen=True, slots=True, eq=False)
class HandToGive:
    """One labelled hand."""

    tiles: tuple[TileToGive, ...]
    cutting: Cutting
    """Its picture with the corners of these tiles."""
    tile_set: int
    """Number of the tile set, counted from 1."""
    match: str
    """Id of its match; empty outside a match. The id itself is not written."""


class Giver:
    """Labels hands, within what the players agreed to."""

    def __init__(self, hands: HandRepository, consent: Consent) -> None:
        store = hands.store
        self._hands, self._consent = hands, consent
        self._matches = MatchRepository(hands)
        sets = TileSets(store, hands).all()
        self._sets = {each.id: number for number, each in enumerate(sets, 1)}
        self._chosen = store.of_kinds(SetChosen)[::-1]

    def given(self, hand: HandRecord) -> HandToGive:
        """Return a labelled hand; raise HandLeftOutError, StoreError."""
        confirmed = self._may_be_given(hand)
        tiles, quads, others = _placed(hand)
        return HandToGive(
            tiles, self._cut(hand, quads, others), self._set_of(hand, confirmed), hand.match
        )

    def _may_be_given(self, hand: HandRecord) -> int:
        """Return the number of the event that confirmed the hand; raise HandLeftOutError."""
        confirmed = confirmed_at(hand)
        if confirmed is None:
            raise NotGivenError("unconfirmed")
        if not self._consent.covers(confirmed):
            raise NotGivenError("not-agreed")
        match = self._matches.so_far(hand.match).record if hand.match else None
        if self._consent.keeps(hand, match):
            raise NotGivenError("kept")
        return confirmed

    def _cut(self, hand: HandRecord, tiles: QuadArray, others: QuadArray) -> Cutting:
        if hand.photo is None or hand.photo.original in hand.removed:
            raise NotGivenError("gone")
        try:
            rgb = self._hands.open(hand.photo).rgb
        except (UnknownHandError, PhotoError) as error:
            raise NotGivenError("gone") from error
        if hand.mirrored:  # flip it back: a network must not learn mirrored faces
            width = rgb.shape[1]
            rgb, tiles, others = rgb[:, ::-1], _back(tiles, width), _back(others, width)
        try:
            return cut(rgb, tiles, others)
        except OutsideError as error:
            raise NotGivenError("outside") from error

    def _set_of(self, hand: HandRecord, confirmed: int) -> int:
        """Return the number of the tile set: the one recognised, or the one chosen at the time."""
        said = [each.event for each in self._chosen if each.seq < confirmed]
        own = (each.set for each in said if each.table == hand.table)
        candidates = chain([hand.tile_set], own, (each.set for each in said if not each.table))
        return next((self._sets[each] for each in candidates if each in self._sets), 1)


def _placed(hand: HandRecord) -> tuple[tuple[TileToGive, ...], QuadArray, QuadArray]:
    """Return a hand's tiles, their quads, and the quads of all other tiles in its photograph.

    Raises HandLeftOutError. Only the first photograph counts: it may hide what another shows.
    """
    read = hand.reading.tiles if hand.reading else ()
    places, tiles = [], []
    for number, laid in enumerate(hand.assembled().sets):
        for place, stands_for in zip(laid.tiles, laid.codes, strict=True):
            if place >= len(read):
                raise NotGivenError("placeless")
            seen = hand.tiles[place].code or FACE_DOWN
            if read[place].code == FACE_DOWN and seen != FACE_DOWN:
                raise NotGivenError("face-down")  # either a named back, or a misread face
            places.append(place)
            tiles.append(TileToGive(seen, stands_for, read[place].code, laid.row, number))
    if not tiles:
        raise NotGivenError("empty")
    others = [each.quad for place, each in enumerate(read) if place not in places]
    return tuple(tiles), _quads([read[place].quad for place in places]), _quads(others)


def _quads(corners: object) -> QuadArray:
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def _back(quads: QuadArray, width: int) -> QuadArray:
    """Return quads mirrored in a photograph of this width."""
    back = quads.copy()
    back[:, :, 0] = width - 1 - quads[:, :, 0]
    return back

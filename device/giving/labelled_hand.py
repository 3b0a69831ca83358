"""Select a confirmed hand's tiles and picture for the dataset, or the reason to leave it out."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from device.decoding.decoder import Decoder
from device.giving.consent import Consent, confirmation_number
from device.hands.record import HandRecord, UnknownHandError
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.store.events import SetChosen
from device.tilesets.tile_sets import TileSets
from scorer.tiles import FACE_DOWN
from vision.errors import PhotoError
from vision.preprocess import RGB
from vision.reading import RowName

LEFT_OUT_REASONS: Mapping[str, str] = MappingProxyType(
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


class HandLeftOutError(Exception):
    """A hand is left out; `why` is a key of `LEFT_OUT_REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(LEFT_OUT_REASONS[reason])
        self.why = reason


@dataclass(frozen=True, slots=True)
class SharedTile:
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
class SharedHand:
    """One labelled hand."""

    tiles: tuple[SharedTile, ...]
    cutting: TileCutout
    """Its picture with the corners of these tiles."""
    tile_set: int
    """Number of the tile set, counted from 1."""
    match: str
    """Id of its match; empty outside a match. The id itself is not written."""


class HandLabeller:
    """Labels hands, within what the players agreed to."""

    def __init__(self, hands: HandRepository, consent: Consent, decoder: Decoder) -> None:
        store = hands.store
        self._hands, self._consent, self._decoder = hands, consent, decoder
        self._matches = MatchRepository(hands.store)
        sets = TileSets(store, hands).list_sets()
        self._sets = {each.id: number for number, each in enumerate(sets, 1)}
        self._set_choices = store.of_kinds(SetChosen)[::-1]

    def label_hand(self, hand: HandRecord) -> SharedHand:
        """Return a labelled hand; raise HandLeftOutError, StoreError."""
        confirmation = self._may_be_given(hand)
        tiles, quads, other_quads = _place_tiles(hand)
        return SharedHand(
            tiles, self._cut(hand, quads, other_quads), self._set_of(hand, confirmation), hand.match
        )

    def _may_be_given(self, hand: HandRecord) -> int:
        """Return the number of the event that confirmed the hand; raise HandLeftOutError."""
        confirmation = confirmation_number(hand)
        if confirmation is None:
            raise HandLeftOutError("unconfirmed")
        if not self._consent.covers(confirmation):
            raise HandLeftOutError("not-agreed")
        match = self._matches.state_so_far(hand.match).record if hand.match else None
        if self._consent.keeps(hand, match):
            raise HandLeftOutError("kept")
        return confirmation

    def _cut(self, hand: HandRecord, tiles: QuadArray, other_quads: QuadArray) -> TileCutout:
        if hand.photo is None or hand.photo.original in hand.removed_photos:
            raise HandLeftOutError("gone")
        try:
            rgb = self._hands.open(hand.photo, self._decoder).rgb
        except (UnknownHandError, PhotoError) as error:
            raise HandLeftOutError("gone") from error
        if hand.is_mirrored:  # flip it back: a network must not learn mirrored faces
            width = rgb.shape[1]
            rgb, tiles, other_quads = (
                rgb[:, ::-1],
                _mirror_quads(tiles, width),
                _mirror_quads(other_quads, width),
            )
        try:
            return cut_out_tiles(rgb, tiles, other_quads)
        except TileOutsidePhotoError as error:
            raise HandLeftOutError("outside") from error

    def _set_of(self, hand: HandRecord, confirmation: int) -> int:
        """Return the number of the tile set: the one recognised, or the one chosen at the time."""
        choices = [each.event for each in self._set_choices if each.seq < confirmation]
        table_sets = (each.set for each in choices if each.table == hand.table)
        candidates = chain(
            [hand.tile_set], table_sets, (each.set for each in choices if not each.table)
        )
        return next((self._sets[each] for each in candidates if each in self._sets), 1)


def _place_tiles(hand: HandRecord) -> tuple[tuple[SharedTile, ...], QuadArray, QuadArray]:
    """Return a hand's tiles, their quads, and the quads of all other tiles in its photograph.

    Raises HandLeftOutError. Only the first photograph counts: it may hide what another shows.
    """
    read = hand.reading.tiles if hand.reading else ()
    places, tiles = [], []
    for number, assembled_set in enumerate(hand.assembled_hand.sets):
        for place, stands_for in zip(assembled_set.tiles, assembled_set.codes, strict=True):
            if place >= len(read):
                raise HandLeftOutError("placeless")
            code = hand.tiles[place].code or FACE_DOWN
            if read[place].code == FACE_DOWN and code != FACE_DOWN:
                raise HandLeftOutError("face-down")  # either a named back, or a misread face
            places.append(place)
            tiles.append(SharedTile(code, stands_for, read[place].code, assembled_set.row, number))
    if not tiles:
        raise HandLeftOutError("empty")
    other_quads = [each.quad for place, each in enumerate(read) if place not in places]
    return (
        tuple(tiles),
        _quad_array([read[place].quad for place in places]),
        _quad_array(other_quads),
    )


def _quad_array(corners: object) -> QuadArray:
    return np.array(corners, np.float32).reshape(-1, 4, 2)


def _mirror_quads(quads: QuadArray, width: int) -> QuadArray:
    """Return quads mirrored in a photograph of this width."""
    mirrored_quads = quads.copy()
    mirrored_quads[:, :, 0] = width - 1 - quads[:, :, 0]
    return mirrored_quads


QuadArray = npt.NDArray[np.float32]
"""Corners of N tiles, shape (N, 4, 2), in pixels."""

CUTOUT_MARGIN_TILE_SHARE = 0.15
"""Margin of the table kept around a tile, in tile widths: it shows the tile's sides and end.
The networks read the picture as well with this as with 0.3 or 0.5 (tests/README.md)."""

PAINT_GREY_LEVEL = 128
"""Grey painted over everything else, the same in every picture."""

MAX_CUTOUT_SIDE_PX = 1600
"""A tile of eighteen in a row is then 80 pixels wide; the classifier takes 64."""

CUTOUT_JPEG_QUALITY = 92


@dataclass(frozen=True, slots=True, eq=False)
class TileCutout:
    """A picture of a hand's tiles and nothing else."""

    rgb: RGB
    quads: QuadArray
    """The corners of the tiles in the picture."""

    def jpeg(self) -> bytes:
        """Return a newly encoded JPEG without any metadata."""
        output = io.BytesIO()
        Image.fromarray(self.rgb).save(output, "JPEG", quality=CUTOUT_JPEG_QUALITY, subsampling=0)
        return output.getvalue()


class TileOutsidePhotoError(ValueError):
    """A tile lies outside the photograph."""


def cut_out_tiles(rgb: RGB, tiles: QuadArray, other_quads: QuadArray) -> TileCutout:
    """Return the tiles with a margin, everything else painted over.

    `other_quads` are tiles that are not the hand's. They are hidden even in the margins. Raises
    TileOutsidePhotoError.
    """
    width = _tile_width(tiles)
    _check_inside(tiles, rgb, width)
    margin = max(1, round(CUTOUT_MARGIN_TILE_SHARE * width))
    low = np.floor(tiles.min((0, 1))).astype(int) - margin
    high = np.ceil(tiles.max((0, 1))).astype(int) + margin
    visible_mask = _visible_pixels((high - low)[::-1], tiles - low, other_quads - low, margin)
    picture = np.where(
        visible_mask[:, :, None], _cut_region(rgb, low, high), np.uint8(PAINT_GREY_LEVEL)
    )
    return _shrink(picture, (tiles - low).astype(np.float32))


def _tile_width(tiles: QuadArray) -> float:
    """Return the median length of the tiles' shorter sides, in pixels."""
    sides = np.linalg.norm(tiles - np.roll(tiles, -1, axis=1), axis=2)
    return float(np.median(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3])) / 2)


def _check_inside(tiles: QuadArray, rgb: RGB, width: float) -> None:
    """Refuse corners more than one tile width outside the photograph."""
    size = np.array([rgb.shape[1], rgb.shape[0]])
    if not ((tiles > -width) & (tiles < size + width)).all():
        raise TileOutsidePhotoError


def _cut_region(rgb: RGB, low: npt.NDArray[np.int_], high: npt.NDArray[np.int_]) -> RGB:
    """Return a region of the photograph, painted where it reaches outside."""
    (x0, y0), (x1, y1) = low, high
    height, width = rgb.shape[:2]
    inner = rgb[max(y0, 0) : min(y1, height), max(x0, 0) : min(x1, width)]
    padding = ((max(-y0, 0), max(y1 - height, 0)), (max(-x0, 0), max(x1 - width, 0)), (0, 0))
    return np.pad(inner, padding, constant_values=PAINT_GREY_LEVEL)


def _visible_pixels(
    shape: npt.NDArray[np.int_], tiles: QuadArray, other_quads: QuadArray, margin: int
) -> npt.NDArray[np.bool_]:
    """Return a mask (height, width) of the pixels that show the tiles or their margins."""
    mask = np.zeros(shape, np.uint8)
    tile_polygons = list(np.round(tiles).astype(np.int32))
    cv2.polylines(mask, tile_polygons, True, [1], thickness=2 * margin - 1)
    cv2.fillPoly(mask, list(np.round(other_quads).astype(np.int32)), [0])
    for quad in tile_polygons:  # one at a time: filled together, overlapping tiles cancel out
        cv2.fillPoly(mask, [quad], [1])
    return mask.astype(bool)


def _shrink(picture: RGB, tiles: QuadArray) -> TileCutout:
    height, width = picture.shape[:2]
    scale = MAX_CUTOUT_SIDE_PX / max(height, width)
    if scale >= 1:
        return TileCutout(picture, tiles)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    ratio = np.array([size[0] / width, size[1] / height], np.float32)
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return TileCutout(small.astype(np.uint8), tiles * ratio)

"""What is drawn over a photograph: outlines, numbers, and the tiles that were left out."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter

from device.hands.record import HandRecord
from device.i18n.words import say, say_count, tile_name
from device.views.tiles import symbol
from scorer.tiles import CODES, FACE_DOWN, Tile
from vision.reading import REASONS_FAR_OFF, REASONS_NEARBY, LeftOutReason, Point, Quad, RowName

LABEL_HEIGHT_SHARE = 0.032
"""Height of the numbers as a share of the picture's width: about 11 CSS pixels on a phone."""

MAX_CLOSE_UP_AREA_SHARE = 0.8
"""The close-up is used when it covers less than this share of the photo's area."""

MIN_CLOSE_UP_HEIGHT_SHARE = 0.36
"""Least height of the close-up as a share of its width: some of the table stays in sight."""


MAX_CLOSE_UP_LEFT_OUT = 6
"""More left-out tiles than this beside the hand are discards: the close-up shows the hand."""


@dataclass(frozen=True, slots=True)
class OverlayWindow:
    """A rectangle of the photograph in pixels; `str` gives an SVG viewBox."""

    x: float
    y: float
    width: float
    height: float

    def __str__(self) -> str:
        return f"{self.x:.0f} {self.y:.0f} {self.width:.0f} {self.height:.0f}"


@dataclass(frozen=True, slots=True)
class OverlayBox:
    """One tile's outline; its number stands outside, so that the face stays clear."""

    place: int
    points: str
    label_x: float
    label_y: float
    marks: str
    """Style classes: `doubtful`, `changed`, `asked-about`, and `left-out` for a tile in no set."""
    number: str
    """The tile's number; empty for a left-out tile that is not asked about."""
    why: str = ""
    """Why the tile is left out, in a sentence; empty for tiles of the hand."""


@dataclass(frozen=True, slots=True)
class TileCrop:
    """A window on one tile, and the turn that makes it upright."""

    window: OverlayWindow
    turn: float
    """Degrees clockwise about the tile's centre."""
    centre: Point


def whole_photo(record: HandRecord) -> OverlayWindow:
    """Return the whole photograph; an empty window for a hand without one."""
    if record.photo is None:
        return OverlayWindow(0, 0, 0, 0)
    return OverlayWindow(0, 0, record.photo.width, record.photo.height)


def close_up(record: HandRecord, asked_places: Iterable[int] = ()) -> OverlayWindow:
    """Return the part of the photograph with the hand's tiles, or all if that is most of it.

    A few left-out tiles beside the hand are included: they may belong to the player. So are tiles
    that are asked about.
    """
    full = whole_photo(record)
    places = [*asked_places, *(place for laid in record.sets for place in laid.tiles)]
    nearby_places = [
        place for place, why in left_out_places(record).items() if why in REASONS_NEARBY
    ]
    places += nearby_places if len(nearby_places) <= MAX_CLOSE_UP_LEFT_OUT else []
    quads = [tile.read.quad for tile in (record.tiles[place] for place in places) if tile.read]
    window = window_around(quads, record)
    if window is None:
        return full
    height = min(max(window.height, MIN_CLOSE_UP_HEIGHT_SHARE * window.width), full.height)
    top = min(max(window.y - (height - window.height) / 2, 0.0), full.height - height)
    closer = window.width * height < MAX_CLOSE_UP_AREA_SHARE * full.width * full.height
    return OverlayWindow(window.x, top, window.width, height) if closer else full


def overlay_boxes(
    record: HandRecord, size: float, doubtful: Collection[int], asked_places: Collection[int] = ()
) -> tuple[OverlayBox, ...]:
    """Return the outline of every tile except the struck-out ones.

    `size` is the height of the numbers in pixels of the photograph. `doubtful` are the places of
    the hand's doubtful tiles, `asked_places` of those that are asked about.
    """
    left_out = left_out_places(record)
    boxes = []
    for place, tile in enumerate(record.tiles):
        if tile.read and tile.code is not None:
            is_doubtful = tile.doubtful or place in doubtful
            flags = {
                "doubtful": is_doubtful,
                "changed": tile.is_changed,
                "asked-about": place in asked_places,
            }
            marks = [name for name, holds in flags.items() if holds]
            x, y = find_label_point(tile.read.quad, size)
            number, sentence = f"{place + 1}{'?' if is_doubtful else ''}", ""
            if reason := left_out.get(place):
                marks.append("left-out")
                number = number if place in asked_places else ""
                sentence = say(f"left-out.{reason}.this")
            class_names = " ".join(marks)
            boxes.append(
                OverlayBox(
                    place, format_polygon(tile.read.quad), x, y, class_names, number, sentence
                )
            )
    return tuple(boxes)


def tile_crop(quad: Quad) -> TileCrop:
    """Return a window on one tile and a little of its surroundings."""
    (ax, ay), (bx, by), _, (dx, dy) = quad
    width, height = math.dist((ax, ay), (bx, by)) * 1.5, math.dist((ax, ay), (dx, dy)) * 1.4
    x, y = _centre(quad)
    turn = -math.degrees(math.atan2(by - ay, bx - ax))
    return TileCrop(OverlayWindow(x - width / 2, y - height / 2, width, height), turn, (x, y))


def window_around(quads: Sequence[Quad], record: HandRecord) -> OverlayWindow | None:
    """Return the part of the photograph that shows these tiles; None for no tiles."""
    if not quads or record.photo is None:
        return None
    xs, ys = zip(*chain.from_iterable(quads), strict=True)
    margin = 0.5 * max(math.dist(quads[0][0], quads[0][1]), 1.0)
    left, top = max(min(xs) - margin, 0.0), max(min(ys) - margin, 0.0)
    right = min(max(xs) + margin, float(record.photo.width))
    bottom = min(max(ys) + margin, float(record.photo.height))
    return OverlayWindow(left, top, right - left, bottom - top)


def crops_of(record: HandRecord, places: Iterable[int]) -> tuple[TileCrop, ...]:
    """Return a window on each of these tiles that the photograph shows."""
    reads = (record.tiles[place].read for place in places)
    return tuple(tile_crop(read.quad) for read in reads if read)


def format_polygon(quad: Iterable[Point]) -> str:
    """Return the corners as the points of an SVG polygon."""
    return " ".join([f"{x:.1f},{y:.1f}" for x, y in quad])


def find_label_point(quad: Quad, size: float) -> Point:
    """Return a point just outside the edge that is uppermost in the photograph."""
    cx, cy = _centre(quad)
    ends = zip(quad, (*quad[1:], quad[0]), strict=True)
    middles = [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in ends]
    ex, ey = min(middles, key=itemgetter(1))
    distance = max(math.dist((cx, cy), (ex, ey)), 1.0)
    reach = 0.75 * size / distance
    return round(ex + (ex - cx) * reach, 1), round(ey + (ey - cy) * reach, 1)


def _centre(quad: Quad) -> Point:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    return (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4


@dataclass(frozen=True, slots=True)
class TileToTakeIn:
    """A left-out tile that one tap adds to the hand."""

    place: int
    symbol: str
    name: str
    row: RowName
    """The row that takes it: bonus tiles or concealed tiles."""


@dataclass(frozen=True, slots=True)
class LeftOutTiles:
    """The tiles that were left out for one reason."""

    why: LeftOutReason
    count: int
    sentence: str
    candidates: tuple[TileToTakeIn, ...]
    """Empty for tiles far off."""


def left_out_places(record: HandRecord) -> Mapping[int, LeftOutReason]:
    """Return the reason for each tile in no set; struck-out tiles are not included."""
    in_hand = {place for laid in record.sets for place in laid.tiles}
    reasons = {each.tile: each.why for each in record.reading.left_out} if record.reading else {}
    return {
        place: reasons.get(place, "apart")
        for place, tile in enumerate(record.tiles)
        if tile.read and tile.code is not None and place not in in_hand
    }


def left_out_tiles(record: HandRecord) -> tuple[LeftOutTiles, ...]:
    """Return the left-out tiles by reason, those beside the hand first."""
    places = left_out_places(record)
    groups = []
    for left_out_reason in (*REASONS_NEARBY, *REASONS_FAR_OFF):
        group_places = [place for place, reason in places.items() if reason == left_out_reason]
        if group_places:
            tiles = (
                tuple(tile_to_take_in(record, place) for place in group_places)
                if left_out_reason in REASONS_NEARBY
                else ()
            )
            sentence = say_count(f"left-out.{left_out_reason}", len(group_places))
            groups.append(LeftOutTiles(left_out_reason, len(group_places), sentence, tiles))
    return tuple(groups)


def tile_to_take_in(record: HandRecord, place: int) -> TileToTakeIn:
    """Return a left-out tile with the row that a tap adds it to."""
    code = record.tiles[place].code or FACE_DOWN
    is_bonus = code in CODES and Tile.parse(code).is_bonus
    name = say("tile.numbered", number=place + 1, name=tile_name(code))
    return TileToTakeIn(place, symbol(code), name, "bonus" if is_bonus else "concealed")

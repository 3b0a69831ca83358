"""Tiles that somebody asks about: the meaning of each face, the sets and what they score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from device.hands.record import HandRecord
from device.i18n.words import say, tile_name, wind_name
from device.views import overlay, tableau
from device.views.hand import SituationChoice
from device.views.tutor.asked_hand import hand_asked_about, rules_for
from device.views.tutor.asked_sets import AskedSetView, sets_of
from device.views.tutor.meanings import MeaningSaid, meant, meant_face_down
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset
from scorer.teach.lessons.hand_advice import HandAdvice, advise_on_hand
from scorer.tiles import FACE_DOWN, WINDS
from vision.hand.assembly import AssembledHand

MOST_CROPS = 4
"""Pictures of one face from the photograph: as many as there are copies of a tile."""


@dataclass(frozen=True, slots=True)
class FaceView:
    """One face among the tiles, and what it means."""

    code: str
    id: str
    """Id of its element on the page."""
    name: str
    count: int
    doubtful: bool
    apart: bool
    """It lies apart from the hand and is not counted with it."""
    crops: tuple[tuple[int, overlay.Crop], ...]
    """Each tile's place and its crop, turned upright."""
    sentences: tuple[MeaningSaid, ...]
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AskView:
    """The page of an enquiry."""

    boxes: tuple[overlay.OverlayBox, ...]
    label_size: float
    close_up: overlay.OverlayWindow
    whole: overlay.OverlayWindow
    face_at: dict[int, str]
    """Element id of the face of the tile at each place."""
    doubtful: tuple[int, ...]
    faces: tuple[FaceView, ...]
    sets: tuple[AskedSetView, ...]
    left_out: int
    """Number of tiles that lie apart from the hand."""
    unknown: int
    """Number of face-down tiles that their neighbours do not identify."""
    found: HandAdvice | None
    """None until all doubts are settled."""
    several: bool
    """The tiles are single ones or sets, not a player's hand: their names come first."""
    as_whom: str
    """The winds that the scores assume, in words."""
    seat: tuple[SituationChoice, ...]
    prevailing: tuple[SituationChoice, ...]
    """Empty where the rules have no prevailing wind."""
    specials: dict[str, str]
    """Names of the special hands by rule."""


def ask_view(record: HandRecord) -> AskView:
    """Return what the page of an enquiry shows."""
    rules, parts = rules_for(record), record.assembled()
    seat = SeatWinds(record.situation.seat_wind, record.situation.prevailing_wind)
    close_up = overlay.close_up(record)
    label_size = close_up.width * overlay.LABEL_SHARE
    doubtful = tableau.doubtful_places(record)
    found = None
    if record.tiles and not (doubtful or parts.unresolved):
        found = advise_on_hand(hand_asked_about(record, parts), rules)
    several = found is not None and found.state in ("none", "few")
    faces = tuple(_faces(record, parts, seat, rules))
    return AskView(
        boxes=overlay.boxes(record, label_size),
        label_size=label_size,
        close_up=close_up,
        whole=overlay.whole(record),
        face_at={place: face.id for face in faces for place in face.places},
        doubtful=doubtful,
        faces=faces,
        sets=tuple(sets_of(record, parts, seat, rules, several=several)),
        left_out=len(_places(record)) - sum(len(each.tiles) for each in parts.sets),
        unknown=len(parts.unresolved),
        found=found,
        several=several,
        as_whom=_as_whom(seat, rules),
        seat=_winds(seat.own),
        prevailing=_winds(seat.prevailing) if rules.prevailing_wind else (),
        specials={special.id: special.name for special in rules.specials},
    )


def _as_whom(seat: SeatWinds, rules: Ruleset) -> str:
    own, prevailing = wind_name(seat.own), wind_name(seat.prevailing)
    if rules.prevailing_wind:
        return say("asking.as", seat=own, prevailing=prevailing)
    return say("asking.as-seat", seat=own)


def _places(record: HandRecord) -> tuple[int, ...]:
    return tuple(place for place, tile in enumerate(record.tiles) if tile.code is not None)


def _faces(
    record: HandRecord, parts: AssembledHand, seat: SeatWinds, rules: Ruleset
) -> Iterator[FaceView]:
    """Yield each face once, in the order of the rows, then what lies apart."""
    laid = [place for each in parts.sets for place in each.tiles]
    order = [*laid, *(place for place in _places(record) if place not in laid)]
    by_code: dict[str, list[int]] = {}
    for place in order:
        by_code.setdefault(record.tiles[place].code or FACE_DOWN, []).append(place)
    for number, (code, places) in enumerate(by_code.items()):
        places.sort(key=lambda place: place not in parts.unresolved)  # the page asks about these
        tiles = [record.tiles[place] for place in places]
        crops = [
            (place, overlay.crop(tile.read.quad))
            for place, tile in zip(places, tiles, strict=True)
            if tile.read
        ]
        said = (
            meant_face_down(record, parts, places)
            if code == FACE_DOWN
            else meant(code, seat, rules, goulash=record.agreement.goulash)
        )
        yield FaceView(
            code=code,
            id=f"face-{number}",
            name=tile_name(code),
            count=len(places),
            apart=not set(places) & set(laid),
            doubtful=any(tile.doubtful for tile in tiles),
            crops=tuple(crops[:MOST_CROPS]),
            sentences=said,
            places=tuple(places),
        )


def _winds(chosen: str) -> tuple[SituationChoice, ...]:
    return tuple(SituationChoice(wind, name, wind == chosen) for wind, name in WINDS.items())

"""Photographs of the whole table: each is read once and split into the hands on its sides.

A table photograph has its own id and events. Its hands are ordinary hands that share its files. Who
sits on which side is asked once and remembered.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast, get_args

from device.hands.readings import check_problem
from device.hands.record import HandPhoto
from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.hand_conflicts import counted_photos
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.store import Envelope, Event, Store
from device.store.errors import EventRefusedError, UnknownStreamError
from device.store.events import (
    BottomPlayerChosen,
    HandsGiven,
    TableAccepted,
    TableDoubted,
    TableEvent,
    TableFailed,
    TablePhotographed,
    TableRead,
    TableReadingAsked,
    TableReadingBegun,
    TableReadingCutOff,
    TableRetaken,
)
from device.store.projection import Projection, get_if_whole, get_projector
from vision.photo import Photo
from vision.reading import Problem, Reading, Side

SIDES: tuple[Side, ...] = get_args(Side)
"""Sides of the photograph, in playing order."""

MAX_PHOTOS_SEARCHED = 32
"""Photographs to look through for a table's newest: four of each of eight tables."""


@dataclass(frozen=True, slots=True)
class TablePhoto:
    """The state of one photograph of the table."""

    id: str
    match: str
    deal: int
    """Number of its deal."""
    source: str
    """Who held the camera: a player or `CAMERA_SOURCE`. Empty for an unknown phone, for which the
    bottom player is not remembered."""
    photo: HandPhoto
    bottom: str = ""
    """The player at the bottom of the picture; empty until somebody says so."""
    hands: Mapping[Side, str] = field(default_factory=dict)
    """Ids of the hands by side; sides without tiles are missing."""
    is_read: bool = False
    failure: Problem | None = None
    attempts: int = 0
    """Number of readings that were begun and not finished."""
    doubts: tuple[Problem, ...] = ()
    """What is wrong with the photograph; it waits until a player decides."""
    read_anyway: bool = False
    """Whether a player wants it read despite these problems."""
    by: str = ""
    """The player whose phone asked for the reading; empty if unknown."""

    @property
    def may_be_doubted(self) -> bool:
        """Whether a phone took it, so that it can be taken again at once."""
        return self.photo.by_phone and not self.read_anyway


CAMERA_SOURCE = "camera"
"""Source of photographs from the box's own camera, which does not move."""


class _NewestPhotos:
    """The newest photograph of each deal, updated from the log; safe to share between threads.

    The log is asked only if anything at all has happened since.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._last_seq = 0
        self._newest_by_deal: dict[tuple[str, int], str] = {}

    def newest(self, match: str, deal: int) -> str:
        """Return the id of a deal's newest photograph; empty without one."""
        with self._lock:
            if (log_seq := self._store.newer(-1, timeout=0)) != self._last_seq:
                for each in self._new_photographs():
                    self._newest_by_deal[each.event.match, each.event.deal] = each.stream
                self._last_seq = log_seq
            return self._newest_by_deal.get((match, deal), "")

    def _new_photographs(self) -> Sequence[Envelope[TablePhotographed]]:
        """Return what was photographed since; at first the newest few."""
        if self._last_seq:
            return self._store.of_kinds(TablePhotographed, after=self._last_seq)
        newest_events = self._store.newest_of_kinds(TablePhotographed, limit=MAX_PHOTOS_SEARCHED)
        return cast("Sequence[Envelope[TablePhotographed]]", newest_events[::-1])


class TablePhotos:
    """The photographs of whole tables."""

    def __init__(self, records: HandRepository) -> None:
        self._hands = records
        self._store: Store = records.store
        self._matches = MatchRepository(records.store)
        self._projector = get_projector(records.store, TABLE_PHOTOS)

    def begin(
        self,
        match: Match,
        source: str,
        photo: Photo,
        data: bytes,
        player: str = "",
        *,
        by_phone: bool = False,
    ) -> str:
        """Store a photograph of the table for the current deal; return its id.

        `player` is the player whose phone asked for it; `by_phone` says that a phone took it.
        """
        stored_photo = self._hands.keep(
            photo, data, counted_photos(match, self._hands), by_phone=by_phone
        )
        return self.begin_kept(match, source, stored_photo, player)

    def begin_kept(self, match: Match, source: str, photo: HandPhoto, player: str = "") -> str:
        """Begin with a stored photograph; return its id."""
        event = secrets.token_hex(6)
        table_photo = TablePhotographed(
            match=match.id,
            deal=match.course.next_deal.number,
            source=source,
            photo=photo,
            by=player,
        )
        self._projector.add_after(event, 0, table_photo)
        bottom = match.current_name_of(self._last_bottom(match, source)) if source else ""
        if bottom in match.course.next_deal.seats.values():
            self.say_bottom(event, bottom)
        return event

    def get(self, photo: str) -> TablePhoto:
        """Return a table photograph; raise UnknownTablePhotoError or TornEventError."""
        return self._projector.get(photo)

    def find_newest(self, match: Match) -> TablePhoto | None:
        """Return the newest photograph of the current deal, if there is one."""
        newest_id = self._store.caches.get(_NewestPhotos).newest(
            match.id, match.course.next_deal.number
        )
        return get_if_whole(self.get, newest_id) if newest_id else None

    def say_bottom(self, photo: str, player: str) -> None:
        """Record who sits at the bottom of the picture."""
        table_photo = self.get(photo)
        self.change(photo, BottomPlayerChosen(player, table_photo.match, table_photo.source))

    def retake(self, photo_id: str, photo: Photo, data: bytes, match: Match, player: str) -> None:
        """Replace a photograph; raise ChangeRefusedError if it has no problems."""
        stored_photo = self._hands.keep(
            photo, data, counted_photos(match, self._hands), by_phone=True
        )
        self.change(photo_id, TableRetaken(stored_photo, by=player))

    def change(self, photo: str, event: TableEvent) -> None:
        """Append a change; raise ChangeRefusedError if it does not fit."""
        try:
            self._projector.change(photo, event)
        except EventRefusedError as error:
            raise ChangeRefusedError(str(error)) from error

    def record_reading(self, photo: str, readings: Mapping[Side, Reading], rules: str) -> None:
        """Begin the hands that were read, and record the side of each.

        After a crash, the next reading continues with the hands already begun. Raises
        ChangeRefusedError if another worker has read the photograph.
        """
        table_photo = self.get(photo)
        _check_unread(table_photo)
        table = self._matches.table_of(table_photo.match)
        hands: dict[str, str] = {side: _hand_id(table_photo, side) for side in readings}
        for side, reading in readings.items():
            self._hands.begin_read(
                hands[side], table_photo.photo, reading, rules, table_photo.match, table
            )
        self._projector.change(photo, TableRead(hands), _check_unread)

    def give_hands(self, photo: str, player: str) -> None:
        """Give the hands for their players, once they are read and the sides are known.

        `player` is the player whose phone does it. Raises ChangeRefusedError if the deal was just
        settled.
        """
        table = self.get(photo)
        match = self._matches.get(table.match)
        if not (table.is_read and table.bottom) or table.deal != match.course.next_deal.number:
            return
        if hands := hands_by_player(table, match):
            self._matches.change(match.id, HandsGiven(hands, table.deal, by=player))

    def owes_hands(self, photo: str) -> bool:
        """Whether its hands have yet to be given because the box stopped before."""
        table = self.get(photo)
        if not (table.is_read and table.bottom):
            return False
        match, hands = self._matches.get(table.match), set(table.hands.values())
        if match.ended or table.deal != match.course.next_deal.number:
            return False
        # hands that were given and taken back stay so
        events = (each.event for each in self._store.events(table.match))
        were = any(isinstance(e, HandsGiven) and hands & set(e.hands.values()) for e in events)
        return not were and bool(hands_by_player(table, match))

    def _last_bottom(self, match: Match, source: str) -> str:
        events = (each.event for each in self._store.of_kinds(BottomPlayerChosen))
        bottom_players = [
            each.player for each in events if (each.match, each.source) == (match.id, source)
        ]
        return bottom_players[-1] if bottom_players else ""


def _check_unread(photo: TablePhoto) -> None:
    if photo.is_read:
        raise ChangeRefusedError("the photograph has been read")


def _hand_id(photo: TablePhoto, side: str) -> str:
    """Return the id of the hand on a side; it is the same for every reader."""
    id_source = f"{photo.id} {photo.photo.original} {side}"
    return hashlib.sha256(id_source.encode()).hexdigest()[:12]


class UnknownTablePhotoError(UnknownStreamError):
    """There is no table photograph with that id."""


def _start_photo(envelope: Envelope[Event]) -> TablePhoto:
    event = envelope.event
    if not isinstance(event, TablePhotographed):
        raise ValueError("it begins with its photograph")
    return TablePhoto(
        id=envelope.stream,
        match=event.match,
        deal=event.deal,
        source=event.source,
        photo=event.photo,
        by=event.by,
    )


def _apply(photo: TablePhoto, envelope: Envelope[Event]) -> TablePhoto:
    match envelope.event:
        case BottomPlayerChosen(player=player):
            return replace(photo, bottom=player)
        case TableRead(hands=hands):
            return replace(photo, hands=_by_side(hands), is_read=True, failure=None)
        case TableReadingBegun():
            return replace(photo, attempts=photo.attempts + 1)
        case TableReadingCutOff():
            return replace(photo, attempts=max(0, photo.attempts - 1))
        case TableDoubted(why=problems) if not photo.is_read:
            return replace(photo, doubts=tuple(map(check_problem, problems)), attempts=0)
        case TableAccepted(by=person) if photo.doubts:
            return replace(photo, doubts=(), read_anyway=True, by=person)
        case TableRetaken(photo=new_photo, by=person) if photo.doubts:
            return replace(photo, doubts=(), photo=new_photo, by=person)
        case TableReadingAsked(by=person):
            return replace(photo, failure=None, attempts=0, by=person)
        case TableFailed() as failure:
            return replace(photo, failure=check_problem(failure), attempts=0)
    raise ValueError("nothing of the kind happens to a photograph of the table")


MAX_CACHED_PHOTOS = 16

TABLE_PHOTOS = Projection(
    "table photo", _start_photo, _apply, UnknownTablePhotoError, max_remembered=MAX_CACHED_PHOTOS
)
"""Builds a table photograph from its events."""


def _by_side(hands: Mapping[str, str]) -> dict[Side, str]:
    if unknown_sides := hands.keys() - set(SIDES):
        raise ValueError(f"a table has no side {', '.join(unknown_sides)}")
    return {side: hands[side] for side in SIDES if side in hands}


def players_by_side(photo: TablePhoto, match: Match, bottom: str = "") -> dict[Side, str]:
    """Return who sits on each side of the picture, in playing order from the bottom.

    With fewer players than sides, the sides with hands are used if their number fits.
    """
    players = list(match.course.next_deal.seats.values())
    first = players.index(match.current_name_of(bottom or photo.bottom))
    shown_sides = tuple(side for side in SIDES if side in photo.hands)
    sides = shown_sides if len(shown_sides) == len(players) else SIDES
    if len(players) == 2 and sides is SIDES:
        sides = ("bottom", "top")
    return dict(zip(sides, players[first:] + players[:first], strict=False))


def hands_by_player(photo: TablePhoto, match: Match) -> dict[str, str]:
    """Return the hands by player, except players who have agreed to another hand meanwhile."""
    of_photo = set(photo.hands.values())

    def is_settled(player: str) -> bool:
        given_hand = match.deal.given_hand(player)
        return given_hand.agreed and given_hand.hand not in of_photo

    return {
        player: photo.hands[side]
        for side, player in players_by_side(photo, match).items()
        if side in photo.hands and not is_settled(player)
    }

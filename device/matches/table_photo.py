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
from datetime import datetime
from typing import cast, get_args

from device.hands.readings import problem_from, trouble_from
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
    TableFailed,
    TablePhotographed,
    TableRead,
    TableReadingAsked,
    TableReadingBegun,
    TableReadingCutOff,
    TableRetaken,
)
from device.store.events.parts import words_to_stored
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
    taken_at: datetime
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
        self._seen = 0
        self._newest: dict[tuple[str, int], str] = {}

    def at(self, match: str, deal: int) -> str:
        """Return the id of a deal's newest photograph; empty without one."""
        with self._lock:
            if (now := self._store.newer(-1, timeout=0)) != self._seen:
                for each in self._photographed():
                    self._newest[each.event.match, each.event.deal] = each.stream
                self._seen = now
            return self._newest.get((match, deal), "")

    def _photographed(self) -> Sequence[Envelope[TablePhotographed]]:
        """Return what was photographed since; at first the newest few."""
        if self._seen:
            return self._store.of_kinds(TablePhotographed, after=self._seen)
        newest = self._store.newest_of_kinds(TablePhotographed, limit=MAX_PHOTOS_SEARCHED)
        return cast("Sequence[Envelope[TablePhotographed]]", newest[::-1])


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
        by: str = "",
        *,
        by_phone: bool = False,
    ) -> str:
        """Store a photograph of the table for the current deal; return its id.

        `by` is the player whose phone asked for it; `by_phone` says that a phone took it.
        """
        kept = self._hands.keep(photo, data, counted_photos(match, self._hands), by_phone=by_phone)
        return self.begin_kept(match, source, kept, by)

    def begin_kept(self, match: Match, source: str, photo: HandPhoto, by: str = "") -> str:
        """Begin with a stored photograph; return its id."""
        made = secrets.token_hex(6)
        taken = TablePhotographed(
            match=match.id,
            deal=match.course.next_deal.number,
            source=source,
            photo=photo,
            by=by,
        )
        self._projector.add_after(made, 0, taken)
        bottom = match.called(self._last_bottom(match, source)) if source else ""
        if bottom in match.course.next_deal.seats.values():
            self.say_bottom(made, bottom)
        return made

    def get(self, photo: str) -> TablePhoto:
        """Return a table photograph; raise UnknownTablePhotoError or TornEventError."""
        return self._projector.get(photo)

    def find_newest(self, match: Match) -> TablePhoto | None:
        """Return the newest photograph of the current deal, if there is one."""
        newest = self._store.caches.get(_NewestPhotos).at(match.id, match.course.next_deal.number)
        return get_if_whole(self.get, newest) if newest else None

    def say_bottom(self, photo: str, player: str) -> None:
        """Record who sits at the bottom of the picture."""
        of = self.get(photo)
        self._projector.change(photo, BottomPlayerChosen(player, of.match, of.source))

    def ask_again(self, photo: str, by: str) -> None:
        """Record that a photograph is to be read once more."""
        self._projector.change(photo, TableReadingAsked(by=by))

    def doubt(self, photo: str, why: Sequence[Problem]) -> None:
        """Record what is wrong with a photograph; it then waits for a player's decision."""
        self._projector.change(photo, TableDoubted(tuple(map(trouble_from, why))))

    def accept(self, photo: str, by: str) -> None:
        """Record that it is to be read anyway; raise ChangeRefusedError if it has no problems."""
        self._answer(photo, TableAccepted(by=by))

    def retake(self, of: str, photo: Photo, data: bytes, match: Match, by: str) -> None:
        """Replace a photograph that has problems; raises as `accept` does."""
        kept = self._hands.keep(photo, data, counted_photos(match, self._hands), by_phone=True)
        self._answer(of, TableRetaken(kept, by=by))

    def _answer(self, photo: str, said: TableAccepted | TableRetaken) -> None:
        try:
            self._projector.change(photo, said)
        except EventRefusedError as error:
            raise ChangeRefusedError(str(error)) from error

    def record_attempt(self, photo: str) -> None:
        """Record that reading begins, in case the box crashes during it."""
        self._projector.change(photo, TableReadingBegun())

    def withdraw_attempt(self, photo: str) -> None:
        """Record that the last attempt does not count."""
        self._projector.change(photo, TableReadingCutOff())

    def record_reading(self, photo: str, readings: Mapping[Side, Reading], rules: str) -> None:
        """Begin the hands that were read, and record the side of each.

        After a crash, the next reading continues with the hands already begun. Raises
        ChangeRefusedError if another worker has read the photograph.
        """
        of = self.get(photo)
        _check_unread(of)
        table = self._matches.table_of(of.match)
        hands: dict[str, str] = {side: _hand_id(of, side) for side in readings}
        for side, reading in readings.items():
            self._hands.begin_read(hands[side], of.photo, reading, rules, of.match, table)
        self._projector.change(photo, TableRead(hands), _check_unread)

    def record_failure(self, photo: str, problem: Problem) -> None:
        """Record why the photograph could not be read."""
        self._projector.change(photo, TableFailed(problem.code, words_to_stored(problem.message)))

    def give_hands(self, photo: str, by: str) -> None:
        """Give the hands for their players, once they are read and the sides are known.

        `by` is the player whose phone does it. Raises ChangeRefusedError if the deal was just
        settled.
        """
        table = self.get(photo)
        match = self._matches.get(table.match)
        if not (table.is_read and table.bottom) or table.deal != match.course.next_deal.number:
            return
        if hands := hands_by_player(table, match):
            self._matches.change(match.id, HandsGiven(hands, table.deal, by=by))

    def owes_hands(self, photo: str) -> bool:
        """Whether its hands have yet to be given because the box stopped before."""
        table = self.get(photo)
        if not (table.is_read and table.bottom):
            return False
        match, hands = self._matches.get(table.match), set(table.hands.values())
        if match.ended or table.deal != match.course.next_deal.number:
            return False
        # hands that were given and taken back stay so
        said = (each.event for each in self._store.events(table.match))
        were = any(isinstance(e, HandsGiven) and hands & set(e.hands.values()) for e in said)
        return not were and bool(hands_by_player(table, match))

    def _last_bottom(self, match: Match, source: str) -> str:
        said = (each.event for each in self._store.of_kinds(BottomPlayerChosen))
        own = [each.player for each in said if (each.match, each.source) == (match.id, source)]
        return own[-1] if own else ""


def _check_unread(photo: TablePhoto) -> None:
    if photo.is_read:
        raise ChangeRefusedError("the photograph has been read")


def _hand_id(photo: TablePhoto, side: str) -> str:
    """Return the id of the hand on a side; it is the same for every reader."""
    made_of = f"{photo.id} {photo.photo.original} {side}"
    return hashlib.sha256(made_of.encode()).hexdigest()[:12]


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
        taken_at=envelope.at,
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
        case TableDoubted(why=why) if not photo.is_read:
            return replace(photo, doubts=tuple(map(problem_from, why)), attempts=0)
        case TableAccepted(by=by) if photo.doubts:
            return replace(photo, doubts=(), read_anyway=True, by=by)
        case TableRetaken(photo=again, by=by) if photo.doubts:
            return replace(photo, doubts=(), photo=again, by=by)
        case TableReadingAsked(by=by):
            return replace(photo, failure=None, attempts=0, by=by)
        case TableFailed() as failed:
            return replace(photo, failure=problem_from(failed), attempts=0)
    raise ValueError("nothing of the kind happens to a photograph of the table")


MAX_CACHED_PHOTOS = 16

TABLE_PHOTOS = Projection(
    "table photo", _start_photo, _apply, UnknownTablePhotoError, max_remembered=MAX_CACHED_PHOTOS
)
"""Builds a table photograph from its events."""


def _by_side(hands: Mapping[str, str]) -> dict[Side, str]:
    if unknown := hands.keys() - set(SIDES):
        raise ValueError(f"a table has no side {', '.join(unknown)}")
    return {side: hands[side] for side in SIDES if side in hands}


def players_by_side(photo: TablePhoto, match: Match, bottom: str = "") -> dict[Side, str]:
    """Return who sits on each side of the picture, in playing order from the bottom.

    With fewer players than sides, the sides with hands are used if their number fits.
    """
    players = list(match.course.next_deal.seats.values())
    first = players.index(match.called(bottom or photo.bottom))
    there = tuple(side for side in SIDES if side in photo.hands)
    sides = there if len(there) == len(players) else SIDES
    if len(players) == 2 and sides is SIDES:
        sides = ("bottom", "top")
    return dict(zip(sides, players[first:] + players[:first], strict=False))


def hands_by_player(photo: TablePhoto, match: Match) -> dict[str, str]:
    """Return the hands by player, except players who have agreed to another hand meanwhile."""
    of_photo = set(photo.hands.values())

    def is_settled(player: str) -> bool:
        given = match.deal.given(player)
        return given.agreed and given.hand not in of_photo

    return {
        player: photo.hands[side]
        for side, player in players_by_side(photo, match).items()
        if side in photo.hands and not is_settled(player)
    }

"""One photograph of the whole table: read once, told apart into the hands on its four sides.

Its events stand under an id of their own. The hands that come of it are hands like any other, which
share the photograph's files; who sits on which side is said once and remembered.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import get_args

from device.hands.readings import problem_from, trouble_of
from device.hands.repository import ChangeRefusedError, HandRepository
from device.hands.tiles import HandPhoto
from device.matches.match import Match
from device.matches.photos import photos_of
from device.matches.repository import MatchRepository
from device.store import Envelope, Event, Store
from device.store.errors import UnfitError, UnknownStreamError
from device.store.events import (
    BottomSaid,
    HandsGiven,
    TableAccepted,
    TableDoubted,
    TableFailed,
    TablePhotographed,
    TableRead,
    TableReadingAsked,
    TableReadingBegun,
    TableRetaken,
)
from device.store.kept_words import kept
from device.store.replaying import Projection, if_whole, projector
from vision.photo import Photo
from vision.reading import Problem, Reading, Side

SIDES: tuple[Side, ...] = get_args(Side)
"""Of the photograph, in the order of play."""


@dataclass(frozen=True, slots=True)
class TablePhoto:
    """Everything known about one photograph of the table."""

    id: str
    match: str
    deal: int
    """Number of the deal that it is of."""
    source: str
    """Who held the camera: a player, `CAMERA`, or empty for a phone that has not said whose it is,
    of which nothing is remembered."""
    photo: HandPhoto
    taken_at: datetime
    bottom: str = ""
    """The player who sits at the bottom of the picture; empty until somebody says so."""
    hands: Mapping[Side, str] = field(default_factory=dict)
    """Ids of the hands, by side; of no side without tiles."""
    is_read: bool = False
    failure: Problem | None = None
    attempts: int = 0
    """How many readings were begun of which no end is known."""
    doubts: tuple[Problem, ...] = ()
    """What is wrong with the photograph, which waits until a player says what to do."""
    as_it_is: bool = False
    """A player wants it read whatever is wrong with it."""
    by: str = ""
    """The player whose phone asked for the reading; empty where nobody has said."""

    @property
    def may_be_doubted(self) -> bool:
        """Whether the photograph is a phone's, which can be taken again at once."""
        return self.photo.by_phone and not self.as_it_is


CAMERA = "camera"
"""The box's own camera, which stays where it is: the source of its photographs."""


class TablePhotos:
    """The photographs of whole tables."""

    def __init__(self, records: HandRepository) -> None:
        self._hands = records
        self._store: Store = records.store
        self._projector = projector(records.store, TABLES)

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
        """Keep a photograph of the table for the deal that is being scored; return its id.

        `by` is the player whose phone asked for it, `by_phone` whether a phone took it.
        """
        kept = self._hands.keep(photo, data, photos_of(match, self._hands), by_phone=by_phone)
        return self.begin_kept(match, source, kept, by)

    def begin_kept(self, match: Match, source: str, photo: HandPhoto, by: str = "") -> str:
        """Begin with a photograph that is kept already; return its id."""
        made = secrets.token_hex(6)
        taken = TablePhotographed(
            match=match.id,
            deal=match.course.next_deal.number,
            source=source,
            photo=photo,
            by=by,
        )
        self._projector.add_after(made, 0, taken)
        bottom = match.called(self._remembered(match, source)) if source else ""
        if bottom in match.course.next_deal.seats.values():
            self.say_bottom(made, bottom)
        return made

    def get(self, photo: str) -> TablePhoto:
        """Return a photograph of the table; raise UnknownTableError, TornEventError."""
        return self._projector.get(photo)

    def newest(self, match: Match) -> TablePhoto | None:
        """Return the newest photograph of the deal that is being scored, if there is one."""
        newest = self._store.latest(TablePhotographed)
        if newest is None or newest.event.match != match.id:
            return None
        photo = if_whole(self.get, newest.stream)
        return photo if photo and photo.deal == match.course.next_deal.number else None

    def say_bottom(self, photo: str, player: str) -> None:
        """Keep who sits at the bottom of the picture."""
        of = self.get(photo)
        self._projector.change(photo, BottomSaid(player, of.match, of.source))

    def ask_again(self, photo: str, by: str) -> None:
        """Keep that a photograph is to be read once more."""
        self._projector.change(photo, TableReadingAsked(by=by))

    def doubt(self, photo: str, why: Sequence[Problem]) -> None:
        """Keep what is wrong with a photograph, which waits until a player says what to do."""
        self._projector.change(photo, TableDoubted(tuple(map(trouble_of, why))))

    def accept(self, photo: str, by: str) -> None:
        """Keep that it is to be read as it is; raise ChangeRefusedError if nobody asks."""
        self._answer(photo, TableAccepted(by=by))

    def retake(self, of: str, photo: Photo, data: bytes, match: Match, by: str) -> None:
        """Keep a photograph in place of one that is asked about; raise as `accept` does."""
        kept = self._hands.keep(photo, data, photos_of(match, self._hands), by_phone=True)
        self._answer(of, TableRetaken(kept, by=by))

    def _answer(self, photo: str, said: TableAccepted | TableRetaken) -> None:
        try:
            self._projector.change(photo, said)
        except UnfitError as error:
            raise ChangeRefusedError(str(error)) from error

    def reading_begun(self, photo: str) -> None:
        """Keep that a photograph begins to be read: the box may end with it."""
        self._projector.change(photo, TableReadingBegun())

    def was_read(self, photo: str, readings: Mapping[Side, Reading], rules: str) -> None:
        """Begin the hands that were read, and keep which is on which side.

        Where the box ended in the midst of it, the next reading goes on with the hands that have
        begun. Raises ChangeRefusedError for a photograph that another worker has read.
        """
        of = self.get(photo)
        _check_unread(of)
        table = MatchRepository(self._hands).table_of(of.match)
        hands: dict[str, str] = {side: _hand_id(of, side) for side in readings}
        for side, reading in readings.items():
            self._hands.begin_read(hands[side], of.photo, reading, rules, of.match, table)
        self._projector.change(photo, TableRead(hands), _check_unread)

    def not_read(self, photo: str, problem: Problem) -> None:
        """Keep why the photograph could not be read."""
        self._projector.change(photo, TableFailed(problem.code, kept(problem.message)))

    def give_hands(self, photo: str, by: str) -> None:
        """Give the hands in for their players, once they are read and it is said who sits where.

        `by` is the player whose phone does it. Raises ChangeRefusedError where the deal has just
        been settled.
        """
        table = self.get(photo)
        matches = MatchRepository(self._hands)
        match = matches.get(table.match)
        if not (table.is_read and table.bottom) or table.deal != match.course.next_deal.number:
            return
        if hands := hands_given(table, match):
            matches.change(match.id, HandsGiven(hands, table.deal, by=by))

    def owes(self, photo: str) -> bool:
        """Whether its hands are yet to be given in: the box ended before it came to that."""
        table = self.get(photo)
        if not (table.is_read and table.bottom):
            return False
        match, hands = MatchRepository(self._hands).get(table.match), set(table.hands.values())
        if match.ended or table.deal != match.course.next_deal.number:
            return False
        # What was given in and taken back stays so.
        said = (each.event for each in self._store.events(table.match))
        were = any(isinstance(e, HandsGiven) and hands & set(e.hands.values()) for e in said)
        return not were and bool(hands_given(table, match))

    def _remembered(self, match: Match, source: str) -> str:
        said = (each.event for each in self._store.of_kinds(BottomSaid))
        own = [each.player for each in said if (each.match, each.source) == (match.id, source)]
        return own[-1] if own else ""


def _check_unread(photo: TablePhoto) -> None:
    if photo.is_read:
        raise ChangeRefusedError("the photograph has been read")


def _hand_id(photo: TablePhoto, side: str) -> str:
    """Return the id of the hand on a side: the same for whoever reads the photograph."""
    made_of = f"{photo.id} {photo.photo.original} {side}"
    return hashlib.sha256(made_of.encode()).hexdigest()[:12]


class UnknownTableError(UnknownStreamError):
    """There is no photograph of a table of that id."""


def _begun(envelope: Envelope[Event]) -> TablePhoto:
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
        case BottomSaid(player=player):
            return replace(photo, bottom=player)
        case TableRead(hands=hands):
            return replace(photo, hands=_by_side(hands), is_read=True, failure=None)
        case TableReadingBegun():
            return replace(photo, attempts=photo.attempts + 1)
        case TableDoubted(why=why) if not photo.is_read:
            return replace(photo, doubts=tuple(map(problem_from, why)), attempts=0)
        case TableAccepted(by=by) if photo.doubts:
            return replace(photo, doubts=(), as_it_is=True, by=by)
        case TableRetaken(photo=again, by=by) if photo.doubts:
            return replace(photo, doubts=(), photo=again, by=by)
        case TableReadingAsked(by=by):
            return replace(photo, failure=None, attempts=0, by=by)
        case TableFailed() as failed:
            return replace(photo, failure=problem_from(failed), attempts=0)
    raise ValueError("nothing of the kind happens to a photograph of the table")


TABLES = Projection("table photo", _begun, _apply, UnknownTableError, remembered=16)
"""How a photograph of the table comes of its events."""


def _by_side(hands: Mapping[str, str]) -> dict[Side, str]:
    if unknown := hands.keys() - set(SIDES):
        raise ValueError(f"a table has no side {', '.join(unknown)}")
    return {side: hands[side] for side in SIDES if side in hands}


def seated(photo: TablePhoto, match: Match, bottom: str = "") -> dict[Side, str]:
    """Return who sits on which side of the picture, in the order of play from the bottom.

    With fewer players than sides, the sides are those where hands lie, if they are as many.
    """
    players = list(match.course.next_deal.seats.values())
    first = players.index(match.called(bottom or photo.bottom))
    there = tuple(side for side in SIDES if side in photo.hands)
    sides = there if len(there) == len(players) else SIDES
    if len(players) == 2 and sides is SIDES:
        sides = ("bottom", "top")
    return dict(zip(sides, players[first:] + players[:first], strict=False))


def hands_given(photo: TablePhoto, match: Match) -> dict[str, str]:
    """Return the hands by player, without those whose hands somebody has settled meanwhile."""
    of_photo = set(photo.hands.values())

    def is_settled(player: str) -> bool:
        given = match.deal.given(player)
        return given.agreed and given.hand not in of_photo

    return {
        player: photo.hands[side]
        for side, player in seated(photo, match).items()
        if side in photo.hands and not is_settled(player)
    }

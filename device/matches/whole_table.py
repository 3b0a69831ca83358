"""One photograph of the whole table: read once, told apart into the hands on its four sides.

Its events stand under an id of their own. The hands that come of it are hands like any other, which
share the photograph's files; who sits on which side is said once and remembered.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import get_args

from device.hands.readings import kept_problem, problem_from_json
from device.hands.repository import Records
from device.hands.tiles import HandPhoto
from device.matches.match import Match
from device.store import Event, Store, StoreError
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


CAMERA = "camera"
"""The box's own camera, which stays where it is: the source of its photographs."""


class TablePhotos:
    """The photographs of whole tables."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._store: Store = records.store

    def begin(self, match: Match, source: str, photo: Photo, data: bytes) -> str:
        """Keep a photograph of the table for the deal that is being scored; return its id."""
        made = secrets.token_hex(6)
        said = {
            "match": match.id,
            "deal": match.course.next_deal.number,
            "source": source,
            "photo": self._records.keep(photo, data),
        }
        self._store.append(made, "table-photographed", said)
        bottom = self._remembered(match, source) if source else ""
        if bottom in match.course.next_deal.seats.values():
            self.say_bottom(made, bottom)
        return made

    def get(self, photo: str) -> TablePhoto:
        """Return a photograph of the table; raise UnknownTableError, StoreError for torn events."""
        events = self._store.events(photo)
        if not events or events[0].kind != "table-photographed":
            raise UnknownTableError
        try:
            return _replayed(events)
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"Table photo {photo} makes no sense: {error}") from error

    def newest(self, match: Match) -> TablePhoto | None:
        """Return the newest photograph of the deal that is being scored, if there is one."""
        event = self._store.latest("table-photographed")
        if event is None or event.data.get("match") != match.id:
            return None
        photo = self.get(event.hand)
        return photo if photo.deal == match.course.next_deal.number else None

    def say_bottom(self, photo: str, player: str) -> None:
        """Keep who sits at the bottom of the picture."""
        of = self.get(photo)
        said = {"player": player, "match": of.match, "source": of.source}
        self._store.append(photo, "bottom-said", said)

    def was_read(self, photo: str, readings: Mapping[Side, Reading], rules: str) -> None:
        """Begin the hands that were read, and keep which is on which side."""
        of = self.get(photo)
        hands = {
            side: self._records.begin_read(asdict(of.photo), reading, rules, of.match)
            for side, reading in readings.items()
        }
        self._store.append(photo, "table-read", {"hands": hands})

    def not_read(self, photo: str, problem: Problem) -> None:
        """Keep why the photograph could not be read."""
        self._store.append(photo, "table-failed", kept_problem(problem))

    def _remembered(self, match: Match, source: str) -> str:
        said = self._store.of_kinds(("bottom-said",))
        own = (e.data for e in said if (e.data["match"], e.data["source"]) == (match.id, source))
        return next((str(data["player"]) for data in reversed(tuple(own))), "")


class UnknownTableError(Exception):
    """There is no photograph of a table of that id."""


def _replayed(events: Sequence[Event]) -> TablePhoto:
    first = events[0]
    photo = TablePhoto(
        id=first.hand,
        match=first.data["match"],
        deal=int(first.data["deal"]),
        source=first.data["source"],
        photo=HandPhoto(**first.data["photo"]),
        taken_at=first.at,
    )
    for event in events[1:]:
        data = event.data
        if event.kind == "bottom-said":
            photo = replace(photo, bottom=str(data["player"]))
        elif event.kind == "table-read":
            photo = replace(photo, hands=data["hands"], is_read=True, failure=None)
        else:
            photo = replace(photo, failure=problem_from_json(data))
    return photo


def seated(photo: TablePhoto, match: Match, bottom: str = "") -> dict[Side, str]:
    """Return who sits on which side of the picture, in the order of play from the bottom.

    With fewer players than sides, the sides are those where hands lie, if they are as many.
    """
    players = list(match.course.next_deal.seats.values())
    first = players.index(bottom or photo.bottom)
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

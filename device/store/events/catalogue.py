"""What an event is, the catalogue of all kinds, and events as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

import msgspec
from msgspec import Struct
from msgspec.json import Decoder

from vision import stored_form

STREAMS: Mapping[str, str] = MappingProxyType(
    {
        "hand": "one hand, by its id",
        "match": "one match, by its id",
        "phones": "the phones at one match: `phones-` and the match's id",
        "table photo": "one photograph of the whole table, by its id",
        "registration": "one registration of a tile set: `set-` and an id",
        "tournament": "one tournament: `tournament:` and an id",
        "box": "the box itself: `box`; each event stands by itself",
        "person": "one person of the club: `person:` and an id",
        "season": "one season of the league: `season:` and an id",
        "club table": "one of several tables, by its id",
        "ruleset": "one custom ruleset: `rules:` and an id",
        "practice": "one player who practises: `pupil:` and the name",
        "practice deal": "one deal against the box: `deal:` and an id",
    }
)
"""Each sort of stream: what its events happened to, and how such a stream is named in the log."""

_kinds: dict[str, type[Event]] = {}

KINDS: Mapping[str, type[Event]] = MappingProxyType(_kinds)
"""Every kind of event, by its name in the log. A class that names its `kind` is added here."""


READING_PLACES: Mapping[str, str] = MappingProxyType(
    {"photo-taken": "reading", "photo-read": "reading", "reading-made": ""}
)
"""The events that hold a reading, and the field in which: empty where their own fields are it."""


class EventError(ValueError):
    """Something is not an event of the catalogue; says why."""


class EventPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A value that several events have in common, such as a photograph or a reading."""


class Event(EventPart, frozen=True):
    """One thing that happened.

    A field with a default may be missing: it was added later, or says nothing new. Any other field
    that is missing, unknown or of another type makes the event torn.
    """

    kind: ClassVar[str]
    """Its name in the log. It never changes, even when the class is renamed."""
    streams: ClassVar[tuple[str, ...]]
    """The sorts of stream that it may stand in: keys of `STREAMS`."""

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401 - msgspec's own
        """Add a class that names its kind to the catalogue."""
        super().__init_subclass__(**options)
        kind = vars(cls).get("kind")
        if kind in _kinds:
            raise TypeError(f"two events are called {kind}")
        if kind:
            _kinds[kind] = cls


EventType = TypeVar("EventType", bound=Event, covariant=True)


@dataclass(frozen=True, slots=True)
class Envelope(Generic[EventType]):
    """An event with its place in the log."""

    seq: int
    """Its number. Numbers grow in the order of happening, over all streams."""
    stream: str
    """Id of what it happened to: a hand, a match, the box."""
    event: EventType
    at: datetime
    """Wall time, UTC: for people to read, never to order by."""

    @property
    def kind(self) -> str:
        """The event's name in the log."""
        return self.event.kind


def event_from_json(kind: str, text: str | bytes) -> Event:
    """Return the event that the log holds; raise EventError for one that is not in the catalogue.

    >>> event_from_json("tile-corrected", '{"tile": 3, "code": "B1"}')
    TileCorrected(tile=3, code='B1', also=(), by='')
    """
    if kind not in KINDS:
        raise EventError("there is no such kind of event")
    try:
        if stored_form.UPGRADES and kind in READING_PLACES:
            return msgspec.convert(_upgrade(kind, msgspec.json.decode(text)), KINDS[kind])
        return _decoder(kind).decode(text)
    except (
        msgspec.DecodeError,
        TypeError,
        ValueError,
        LookupError,
        AttributeError,
        RecursionError,
    ) as error:
        raise EventError(str(error)) from error


def event_to_json(event: Event) -> str:
    """Return the text that the log keeps, after reading it back as a check; raise EventError.

    >>> from device.store.events import TileCorrected
    >>> event_to_json(TileCorrected(3, "B1", by="Ann"))
    '{"tile":3,"code":"B1","by":"Ann"}'
    """
    text = encode_event(event)
    event_from_json(event.kind, text)
    return text


def encode_event(event: Event) -> str:
    """Return an event as JSON, whatever its fields hold; raise EventError if JSON has no such."""
    try:
        return msgspec.json.encode(event, enc_hook=_plain_text).decode()
    except (TypeError, ValueError, OverflowError) as error:
        raise EventError(str(error)) from error


def _upgrade(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an event with its reading in today's form."""
    place = READING_PLACES[kind]
    if not place:
        return stored_form.upgrade_reading(data)
    return {**data, place: stored_form.upgrade_reading(data[place])} if data.get(place) else data


@cache
def _decoder(kind: str) -> Decoder[Event]:
    return Decoder(KINDS[kind])


def _plain_text(value: object) -> str:
    """Return a value of a subclass of `str`, such as a player's name, as a plain string."""
    if isinstance(value, str):
        return "".join(value)
    raise TypeError(f"{type(value).__name__} cannot be kept")

"""All kinds of event by name, and their way into the log and out of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

import msgspec
from msgspec.json import Decoder

from device.store.events import (  # noqa: F401
    box,
    club_table,
    giving,
    hand,
    league,
    match,
    person,
    phone,
    registration,
    storage,
    tables,
    tournament,
    undoing,
)
from device.store.events.base import Event

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
        "practice": "one player who practises: `pupil:` and the name",
    }
)
"""What the events of one stream have happened to, and how the stream is called in the log."""


class EventError(ValueError):
    """What is no event of the catalogue; says why."""


def _kinds(of: type[Event]) -> Iterator[type[Event]]:
    if "kind" in vars(of):
        yield of
    for each in of.__subclasses__():
        yield from _kinds(each)


KINDS: Mapping[str, type[Event]] = MappingProxyType({each.kind: each for each in _kinds(Event)})
"""Every kind of event there is, by its name in the log."""


def event_from_json(kind: str, text: str | bytes) -> Event:
    """Return the event that the log has; raise EventError for one that is not in the catalogue.

    >>> event_from_json("tile-corrected", '{"tile": 3, "code": "B1"}')
    TileCorrected(tile=3, code='B1', by='')
    """
    if kind not in KINDS:
        raise EventError("there is no such kind of event")
    try:
        return _decoder(kind).decode(text)
    except (msgspec.DecodeError, TypeError, UnicodeError, RecursionError) as error:
        raise EventError(str(error)) from error


def event_to_json(event: Event) -> str:
    """Return the text that the log keeps, read once to be sure of it; raise EventError.

    >>> from device.store.events import TileCorrected
    >>> event_to_json(TileCorrected(3, "B1", by="Ann"))
    '{"tile":3,"code":"B1","by":"Ann"}'
    """
    try:
        text = msgspec.json.encode(event, enc_hook=_plain).decode()
    except (TypeError, ValueError, OverflowError) as error:
        raise EventError(str(error)) from error
    event_from_json(event.kind, text)
    return text


@cache
def _decoder(kind: str) -> Decoder[Event]:
    return Decoder(KINDS[kind])


def _plain(value: object) -> str:
    """Return what is a text of a class of its own, such as a player's name, as a text alone."""
    if isinstance(value, str):
        return "".join(value)
    raise TypeError(f"{type(value).__name__} cannot be kept")

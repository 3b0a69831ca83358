"""Phones in a match: whose each phone is, and which hands it has to enter.

Whose a phone is stands in the log, so all processes know it, and still know it after a restart.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from contextlib import suppress

from device.store import Envelope, Store, TornEventError
from device.store.errors import UnknownStreamError
from device.store.events import Event, PhoneSaid
from device.store.replaying import Projection, projector

_OWN = re.compile("[0-9a-f]{8}")


def phone_called(said: str) -> str:
    """Return a phone's id: the one it sent if that is valid, else a new one."""
    return said if _OWN.fullmatch(said) else secrets.token_hex(4)


class Phones:
    """The phones of all matches."""

    def __init__(self, store: Store) -> None:
        self._projector = projector(store, PHONES)

    def say(self, match: str, phone: str, number: int | None) -> None:
        """Record whose phone this is in a match; None for nobody's. Repeating it does nothing.

        It is valid whatever other phones say meanwhile.
        """
        if self._numbers_by_phone(match).get(phone) != number:
            # if this stream is damaged, phones are unknown, but the match goes on
            with suppress(TornEventError, UnknownStreamError):
                self._projector.add(_stream(match), PhoneSaid(match, phone, number))

    def at(self, match: str) -> frozenset[int]:
        """Return the numbers of a match's players who have a phone."""
        return frozenset(
            number for number in self._numbers_by_phone(match).values() if number is not None
        )

    def _numbers_by_phone(self, match: str) -> Mapping[str, int | None]:
        return self._projector.so_far(_stream(match)).record or {}


def _stream(match: str) -> str:
    return f"phones-{match}"


def _begun(envelope: Envelope[Event]) -> Mapping[str, int | None]:
    return _apply({}, envelope)


def _apply(said: Mapping[str, int | None], envelope: Envelope[Event]) -> Mapping[str, int | None]:
    event = envelope.event
    if not isinstance(event, PhoneSaid):
        raise ValueError("a phone says nothing else")
    return {**said, event.phone: event.number}


PHONES = Projection("phones", _begun, _apply, UnknownStreamError)
"""Builds the player number of each phone in a match, by phone id."""

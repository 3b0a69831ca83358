"""Which players have a phone at the table: what each phone last said in the match.

It is in the log, so all processes that share it know the same, and know it again after a start.
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
    """Return what a phone is called: what it says itself, or a new name for one that has none."""
    return said if _OWN.fullmatch(said) else secrets.token_hex(4)


class Phones:
    """The phones of all matches."""

    def __init__(self, store: Store) -> None:
        self._projector = projector(store, PHONES)

    def say(self, match: str, phone: str, number: int | None) -> None:
        """Keep whose phone one is in a match; None for nobody's. Twice is once.

        It holds whatever other phones say meanwhile.
        """
        if self._said(match).get(phone) != number:
            # Who sits here is not known any more where that is torn, but may play.
            with suppress(TornEventError, UnknownStreamError):
                self._projector.add(_stream(match), PhoneSaid(match, phone, number))

    def at(self, match: str) -> frozenset[int]:
        """Return the numbers of the players of a match that have a phone."""
        return frozenset(number for number in self._said(match).values() if number is not None)

    def _said(self, match: str) -> Mapping[str, int | None]:
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
"""Whose each phone is in a match, by what the phone is called."""

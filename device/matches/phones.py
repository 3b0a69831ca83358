"""Phones in a match: whose each phone is, and which hands it has to enter.

Whose a phone is stands in the log, so all processes know it, and still know it after a restart.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import takewhile

from device.matches.match import Match
from device.store import Envelope, Store, TornEventError
from device.store.errors import UnknownStreamError
from device.store.events import Event, PhoneSaid
from device.store.projection import Projection, get_projector

_PHONE_ID_PATTERN = re.compile("[0-9a-f]{8}")


def parse_phone_id(said: str) -> str:
    """Return a phone's id: the one it sent if that is valid, else a new one."""
    return said if _PHONE_ID_PATTERN.fullmatch(said) else secrets.token_hex(4)


class Phones:
    """The phones of all matches."""

    def __init__(self, store: Store) -> None:
        self._projector = get_projector(store, PHONES)

    def say(self, match: str, phone: str, number: int | None) -> None:
        """Record whose phone this is in a match; None for nobody's. Repeating it does nothing.

        It is valid whatever other phones say meanwhile.
        """
        if self._numbers_by_phone(match).get(phone) != number:
            # if this stream is damaged, phones are unknown, but the match goes on
            with suppress(TornEventError, UnknownStreamError):
                self._projector.add(_stream(match), PhoneSaid(match, phone, number))

    def players_with_phone(self, match: str) -> frozenset[int]:
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


def next_hand_wanted(match: Match, mine: str, with_phone: Collection[str]) -> str | None:
    """Return the player whose hand a phone has to enter next; None if none is left."""
    still = missing_hands(match)
    return next((each for each in hands_to_enter(match, mine, with_phone) if each in still), None)


def hands_to_enter(match: Match, mine: str, with_phone: Collection[str]) -> tuple[str, ...]:
    """Return the players whose hands a phone enters, its own player first.

    A phone enters its own player's hand, and those of the following seats up to the next seat with
    a phone. A phone whose player does not sit at the table, or without a player, enters all hands
    of seats without a phone.
    """
    around = match.in_order()
    if mine not in around:
        return tuple(each for each in around if each not in with_phone)
    place = around.index(mine)
    following = around[place + 1 :] + around[:place]
    alone = set(takewhile(lambda each: each not in with_phone, following))
    return (mine, *(each for each in around if each in alone))


def may_own_camera_hand(match: Match, player: str, with_phone: Collection[str]) -> bool:
    """Whether the hand in front of the box's camera may be this player's.

    If several phones wait at once, only the playing order can tell whose hand it is.
    """
    if len(with_phone) < 2:
        return True
    return player == next((p for p in match.in_order() if not match.deal.given(p).counts), None)


def missing_hands(match: Match) -> tuple[str, ...]:
    """Return the players whose hands nobody has agreed to yet, the winner first."""
    if match.stage != "hands":
        return ()
    return tuple(each for each in match.in_order() if not match.deal.given(each).agreed)

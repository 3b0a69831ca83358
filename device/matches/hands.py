"""The hands in the store, each with what its match knows of it."""

from __future__ import annotations

from device.hands.hand import HandRecord
from device.hands.repository import Records
from device.matches.match import Match
from device.matches.replay import replay_match
from device.store import Store
from device.store.replaying import if_whole


def hands_of(store: Store) -> Records:
    """Return the hands of a store; those of a match have its winds, and who won and how.

    A match whose events are torn tells nothing, but hides none of its hands.
    """

    def match_of(match: str) -> Match:
        return replay_match(store.events(match))

    def situate(hand: HandRecord) -> HandRecord:
        match = if_whole(match_of, hand.match) if hand.match else None
        return match.situated(hand) if match else hand

    return Records(store, situate)

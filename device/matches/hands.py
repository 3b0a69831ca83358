"""The hands in the store, each with what its match knows of it."""

from __future__ import annotations

from device.hands.hand import HandRecord
from device.hands.repository import HandRepository
from device.matches.replay import MATCHES
from device.store import Store
from device.store.replaying import if_whole, projector


def hands_of(store: Store) -> HandRepository:
    """Return the hands of a store; those of a match have its winds, and who won and how.

    A match whose events are torn tells nothing, but hides none of its hands.
    """
    match_of = projector(store, MATCHES).get

    def situate(hand: HandRecord) -> HandRecord:
        match = if_whole(match_of, hand.match) if hand.match else None
        return match.situated(hand) if match else hand

    return HandRepository(store, situate)

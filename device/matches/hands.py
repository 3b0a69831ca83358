"""The hands in the store, each with what its match knows of it."""

from __future__ import annotations

from device.hands.hand import HandRecord
from device.hands.repository import HandRepository
from device.matches.replay import MATCHES
from device.store import Store
from device.store.replaying import projector


def hands_of(store: Store) -> HandRepository:
    """Return the hands of a store; those of a match have its winds, and who won and how.

    A match tells what it knows up to the first of its events that makes no sense.
    """
    matches = projector(store, MATCHES)

    def situate(hand: HandRecord) -> HandRecord:
        match = matches.so_far(hand.match).record if hand.match else None
        return match.situated(hand) if match else hand

    return HandRepository(store, situate)

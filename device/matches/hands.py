"""Hands with what their matches know of them."""

from __future__ import annotations

from device.hands.hand import HandRecord
from device.hands.repository import HandRepository
from device.matches.replay import MATCHES
from device.store import Store
from device.store.replaying import projector


def hands_of(store: Store) -> HandRepository:
    """Return a store's hands; those of a match come with winds, winner and way of winning.

    A damaged match gives what it knows up to the damage.
    """
    matches = projector(store, MATCHES)

    def situate(hand: HandRecord) -> HandRecord:
        match = matches.so_far(hand.match).record if hand.match else None
        return match.situated(hand) if match else hand

    return HandRepository(store, situate)

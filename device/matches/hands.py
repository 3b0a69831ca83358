"""The hands in the store, each with what its match knows of it."""

from __future__ import annotations

from device.hands.hand import HandRecord
from device.hands.repository import Records
from device.matches.replay import replay_match
from device.store import Store


def hands_of(store: Store) -> Records:
    """Return the hands of a store; those of a match have its winds, and who won and how."""

    def situate(hand: HandRecord) -> HandRecord:
        return replay_match(store.events(hand.match)).situated(hand) if hand.match else hand

    return Records(store, situate)

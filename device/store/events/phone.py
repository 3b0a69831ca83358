"""The events of the phones at one match: each says whose it is."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.base import Event


class PhoneSaid(Event, frozen=True):
    """A phone says whose it is in a match, or that it is nobody's any more."""

    kind: ClassVar = "phone-said"
    streams: ClassVar = ("phones",)
    match: str
    """Id of the match."""
    phone: str
    """What the phone is called, by itself alone: drawn by lot for this match."""
    number: int | None
    """The player's, in the match's order of play; null for one that just watches, or went."""

"""Everything that the box keeps: a log of events, and the photographs beside it."""

from device.store.errors import (
    DiskFullError,
    StoreError,
    TornEventError,
    TornLogError,
    UnwritableError,
)
from device.store.events import Envelope, Event
from device.store.store import Store

__all__ = [
    "DiskFullError",
    "Envelope",
    "Event",
    "Store",
    "StoreError",
    "TornEventError",
    "TornLogError",
    "UnwritableError",
]

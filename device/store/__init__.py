"""What the box remembers: a log of events, and the photographs beside it."""

from device.store.errors import DiskFullError, StoreError
from device.store.store import Event, Store

__all__ = ["DiskFullError", "Event", "Store", "StoreError"]

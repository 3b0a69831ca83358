"""The events of the log itself: that it was damaged, and that somebody was told."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.box import BoxEvent


class LogSalvaged(BoxEvent, frozen=True):
    """The log was damaged or gone, and what could be read of it is the log from now on."""

    kind: ClassVar = "log-salvaged"
    cause: str
    """`missing`, `empty` or `torn`."""
    found: str
    """What SQLite said of it; empty where there was nothing to ask about."""
    kept: int
    """How many events are there again."""
    missing: tuple[tuple[int, int], ...]
    """Which are not: the first and the last number of each row of them."""
    copied: int = 0
    """How many of those that are there were in a copy alone."""
    end_known: bool = True
    """The log said how many events there were; else some at the end may be missing, too."""
    touched: tuple[str, ...] = ()
    """Of what something is missing, as far as an index still told."""
    aside: str = ""
    """The folder in which the damaged one lies; empty where there was none."""


class SalvageRead(BoxEvent, frozen=True):
    """Somebody has read that the log was damaged, and need not be told again."""

    kind: ClassVar = "salvage-read"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""

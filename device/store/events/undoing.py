"""The events that undo, redo or cut off other events of their stream."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.catalogue import Event


class ChangeUndone(Event, frozen=True):
    """The last change is undone and no longer counts."""

    kind: ClassVar = "change-undone"
    streams: ClassVar = ("hand", "match", "registration")
    seq: int
    """Number of the undone event."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class ChangeRedone(Event, frozen=True):
    """The change that was undone last counts again in its old place; nothing has happened since."""

    kind: ClassVar = "change-redone"
    streams: ClassVar = ("hand", "match")
    seq: int
    """Number of the event that counts again."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class CutBack(Event, frozen=True):
    """The events from a torn one up to this one no longer count; they are kept."""

    kind: ClassVar = "cut-back"
    streams: ClassVar = ("hand", "match", "phones", "table photo", "registration", "tournament",
                         "season", "club table", "practice")  # fmt: skip
    since: int
    """Number of the first event that does not count."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""

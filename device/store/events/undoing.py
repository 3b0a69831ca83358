"""What takes other events back, in whichever stream."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.base import Event


class ChangeUndone(Event, frozen=True):
    """The last change is taken back: from now on, it has never been."""

    kind: ClassVar = "change-undone"
    streams: ClassVar = ("hand", "match", "registration")
    seq: int
    """Number of the event that is taken back."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class ChangeRedone(Event, frozen=True):
    """What was taken back last counts again, in its old place: nothing has happened since."""

    kind: ClassVar = "change-redone"
    streams: ClassVar = ("hand", "match")
    seq: int
    """Number of the event that counts again."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class CutBack(Event, frozen=True):
    """The events from one that makes no sense up to this one count no more; they are kept."""

    kind: ClassVar = "cut-back"
    streams: ClassVar = ("hand", "match", "phones", "table photo", "registration", "tournament",
                         "season", "club table", "practice")  # fmt: skip
    since: int
    """Number of the first event that does not count."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""

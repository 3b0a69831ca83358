"""What several streams have in common: words, photographs, and undoing.

A reading and its problems are stored as `vision.reading` defines them.

Words are stored as a key with values. The oldest logs hold English sentences instead, which stay
as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from device.store.events.catalogue import Event, EventPart
from scorer.message import Words, message_from_json

StoredWords: TypeAlias = str | Mapping[str, Any]
"""The form in an event: a message as JSON, or plain words."""


def words_to_stored(words: Words) -> str | dict[str, Any]:
    """Return words in the form that events keep."""
    return words if isinstance(words, str) else words.to_json()


def words_from_stored(data: StoredWords) -> Words:
    """Read words from an event, old or new; raise KeyError or TypeError for an invalid message."""
    return message_from_json(data) if isinstance(data, Mapping) else data


class HandPhoto(EventPart, frozen=True):
    """A photograph that is kept: names of files in the store, and its size."""

    original: str
    """The file as it came."""
    display: str
    """The picture that the page shows."""
    thumbnail: str
    """The small picture for lists."""
    width: int
    """In pixels after EXIF rotation."""
    height: int
    """In pixels after EXIF rotation."""
    name: str
    """What the player's phone called the file."""
    likeness: str = ""
    """What stays of the picture when it is encoded anew; empty where that was not written down."""
    met: str = ""
    """Id of the hand of the same match whose photograph it was already; empty for a new one."""
    by_phone: bool = False
    """A phone sent it, whose player may take it again at once: one that is spoilt is asked about
    before it is read."""


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
                         "season", "club table", "ruleset", "practice",
                         "practice deal")  # fmt: skip
    since: int
    """Number of the first event that does not count."""
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""

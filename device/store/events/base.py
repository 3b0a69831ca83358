"""What every event of the log is: a small frozen record of one kind, in an envelope of the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Generic, TypeVar

from msgspec import Struct

from device.store.kept_words import Kept


class EventPart(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What several events say alike: a photograph, a reading."""


class Event(EventPart, frozen=True):
    """One thing that happened.

    A field with a default may be missing: it was added later, or says nothing new. Any other that
    is missing, of another type or unknown makes the event torn.
    """

    kind: ClassVar[str]
    """What it is called in the log; never changed, whatever becomes of the class's name."""
    streams: ClassVar[tuple[str, ...]]
    """Names of the streams that it stands in; the keys of `catalogue.STREAMS`."""


Of = TypeVar("Of", bound=Event, covariant=True)


@dataclass(frozen=True, slots=True)
class Envelope(Generic[Of]):
    """An event as it stands in the log."""

    seq: int
    """Grows by the order of happening, over all streams."""
    stream: str
    """Id of what it happened to: a hand, a match, the box."""
    event: Of
    at: datetime
    """Wall time, UTC: for people to read, never to order by."""

    @property
    def kind(self) -> str:
        """What the event is called in the log."""
        return self.event.kind


class Trouble(EventPart, frozen=True):
    """Something that is wrong with a photograph or its reading."""

    code: str
    """Stable, for programs: `too-dark`, `no-tiles`, `five-of-a-kind`."""
    message: Kept
    """What is wrong and what to do."""


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

"""That the log was damaged, what is there again and what is lost, as the pages say it."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say, say_count
from device.store import Envelope, Store
from device.store.events import LogSalvaged, SalvageRead


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What players are told until one says that he has read it."""

    title: str
    sentences: tuple[str, ...]


def unread(store: Store) -> Envelope[LogSalvaged] | None:
    """Return the newest salvage, if nobody has said that he has read of it."""
    salvaged, read = store.latest(LogSalvaged), store.latest(SalvageRead)
    return None if salvaged and read and read.seq > salvaged.seq else salvaged


def salvaged(store: Store) -> Salvaged | None:
    """Return what is to be told; None when nothing is. Raises StoreError."""
    found = unread(store)
    if found is None:
        return None
    event = found.event
    sentences = [say(f"salvaged.{event.cause}"), *_counted(event)]
    if event.touched:
        sentences.append(say("salvaged.touched"))
    sentences.append(say("salvaged.look" if event.kept else "salvaged.anew", folder=store.folder))
    if event.aside:
        sentences.append(say("salvaged.aside", folder=store.folder / event.aside))
    return Salvaged(say("salvaged.title"), tuple(sentences))


def lost(event: LogSalvaged) -> int:
    """Return how many events are known to be missing."""
    return sum(last - first + 1 for first, last in event.missing)


def _counted(event: LogSalvaged) -> list[str]:
    if not event.kept:
        return [say("salvaged.none")]
    said = [say_count("salvaged.kept", event.kept)]
    missing = lost(event)
    said.append(say_count("salvaged.lost", missing) if missing else say("salvaged.nothing-lost"))
    if event.copied:
        said.append(say_count("salvaged.copied", event.copied))
    if not event.end_known:
        said.append(say("salvaged.end"))
    return said

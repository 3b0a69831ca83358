"""Describe the recovery of a damaged log: what is there again and what is lost."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say, say_count
from device.store import Store
from device.store.events import LogSalvaged, MatchBegun, SalvageRead

MOST = 3
"""How many affected matches are named, for the players who look for theirs."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """The notice about a recovered log, shown until a player confirms having read it."""

    happened: str
    counted: str
    look: tuple[str, ...]
    """What to check, and what to do."""
    aside: str
    """Where the damaged file is; empty where there was none."""


def salvaged(store: Store) -> Salvaged | None:
    """Return the notice to show; None when there is none. Raises StoreError."""
    told = store.of_kinds(LogSalvaged, SalvageRead)  # on every page; few boxes have any
    if not told or not isinstance(event := told[-1].event, LogSalvaged):
        return None
    return Salvaged(
        happened=say(f"salvaged.{event.cause}"),
        counted=say("listing.next").join(_counted(event)),
        look=(*_touched(store, event), say("salvaged.look" if event.kept else "salvaged.anew")),
        aside=say("salvaged.aside", folder=store.folder / event.aside) if event.aside else "",
    )


def _counted(event: LogSalvaged) -> list[str]:
    if not event.kept:
        return [say("salvaged.none")]
    said = [say_count("salvaged.kept", event.kept)]
    missing = sum(last - first + 1 for first, last in event.missing)
    said.append(say_count("salvaged.lost", missing) if missing else say("salvaged.nothing-lost"))
    if event.copied:
        said.append(say_count("salvaged.copied", event.copied))
    if not event.end_known:
        said.append(say("salvaged.end"))
    return said


def _touched(store: Store, event: LogSalvaged) -> list[str]:
    """Return the sentences that name the incomplete matches."""
    if not event.touched:
        return []
    begun = [each for each in store.of_kinds(MatchBegun) if each.stream in event.touched]
    names = [", ".join(each.event.players) for each in begun[::-1][:MOST]]
    return [say("salvaged.match", players=each) for each in names] or [say("salvaged.touched")]

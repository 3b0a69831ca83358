"""The register of people in the log: lookups, names to suggest, and changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from device.club import ClubError
from device.club.people import Person, Register, apply, apply_if_possible
from device.store import Store
from device.store.appending import NewEvent, append
from device.store.errors import ConcurrentChangeError
from device.store.events import (
    PERSON,
    MatchBegun,
    NameGivenUp,
    PersonAdded,
    PersonBroughtBack,
    PersonEvent,
    PersonMerged,
    PersonNamed,
    PersonParted,
    PersonRemoved,
    PlayersRenamed,
)
from device.store.projection import MAX_APPEND_TRIES

PERSON_EVENTS = tuple(PersonEvent.__subclasses__())

MAX_RECENT_EVENTS = 60
"""Newest match starts and renamings that are searched for recent names."""

MAX_OFFERED_NAMES = 60
"""Names that a field suggests, the most recent players first."""


class PeopleRepository:
    """The register in a store, and the one way to change it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = store.caches.get(_PeopleCache)

    def register(self) -> Register:
        """Return the register, updated with the events since the last call."""
        return self._cache.register()

    def offered(self) -> tuple[str, ...]:
        """Return the names that a table is offered: who has played lately first, each once."""
        register = self.register()
        played = (register.of(name) for name in self.recent())
        registered = reversed([p for p in register.everybody() if p.id in register.entries])
        suggested = {each.id: each for each in (*played, *registered) if each.offered}
        return tuple(each.name for each in suggested.values())[:MAX_OFFERED_NAMES]

    def recent(self) -> tuple[str, ...]:
        """Return recent players' names; cached until a match begins or players are renamed."""
        return self._cache.recent()

    def still_offered(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names but for those of people who were removed."""
        register = self.register()
        return tuple(name for name in names if register.of(name).offered)

    def add(self, name: str, by: str = "") -> Person:
        """Register somebody who has not played yet; return the person.

        Raises ClubError if the name is taken.
        """
        self._append(self.register().of(name).id, PersonAdded(name=name, by=by))
        return self.register().of(name)

    def rename(self, person: Person, name: str, by: str = "") -> None:
        """Change the name that is shown for a person; raise ClubError."""
        self._append(self._ensure_registered(person, by), PersonNamed(name=name, by=by))

    def give_up(self, person: Person, name: str, by: str = "") -> None:
        """Release a name so that somebody else can use it; raise ClubError."""
        self._append(self._ensure_registered(person, by), NameGivenUp(name=name, by=by))

    def merge(self, person: Person, into: Person, by: str = "") -> None:
        """Merge a person into another, whose name is shown from now on; raise ClubError."""
        kept = self._ensure_registered(into, by)
        self._append(self._ensure_registered(person, by), PersonMerged(into=kept, by=by))

    def part(self, entry: str, by: str = "") -> None:
        """Separate a merged entry into a person of its own; raise ClubError."""
        self._append(entry, PersonParted(by=by))

    def remove(self, person: Person, *, hidden: bool, by: str = "") -> None:
        """Stop suggesting a person's name; `hidden` hides it in lists too. Raises ClubError."""
        self._append(self._ensure_registered(person, by), PersonRemoved(hidden=hidden, by=by))

    def bring_back(self, person: Person, by: str = "") -> None:
        """Suggest and show a person's name again; raise ClubError."""
        self._append(self._ensure_registered(person, by), PersonBroughtBack(by=by))

    def _ensure_registered(self, person: Person, by: str) -> str:
        """Return a person's id, registering the person first if necessary."""
        if person.id not in self.register().entries:
            try:
                self._append(person.id, PersonAdded(name=person.name, by=by))
            except ClubError:
                if person.id not in self.register().entries:  # else added meanwhile
                    raise
        return person.id

    def _append(self, person: str, event: PersonEvent) -> None:
        stream = PERSON + person
        for _ in range(MAX_APPEND_TRIES):
            extent = self._store.extents([stream]).get(stream)
            new = NewEvent("person", stream, event, after=extent.last if extent else 0)
            try:
                append(self._store, new, partial(apply, self.register()))
            except ConcurrentChangeError:
                continue  # another change to this person came first: check again
            return
        raise ConcurrentChangeError(stream)


class _PeopleCache:
    """The register and the recent names, each with the number of the last event that it follows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._register = (0, Register())
        self._recent: tuple[int, tuple[str, ...]] | None = None

    def register(self) -> Register:
        """Return the register, updated with the events since the last call."""
        seq, register = self._register
        fresh = self._store.of_kinds(*PERSON_EVENTS, after=seq)
        for envelope in fresh:
            register = apply_if_possible(register, envelope)
        if fresh:
            self._register = fresh[-1].seq, register
        return register

    def recent(self) -> tuple[str, ...]:
        """Return recent players' names, computed again after a match began or players changed."""
        newest = self._store.newest_of_kinds(MatchBegun, PlayersRenamed, limit=1)
        seq = newest[0].seq if newest else 0
        if self._recent is None or self._recent[0] != seq:
            self._recent = seq, tuple(dict.fromkeys(recent_names(self._store)))
        return self._recent[1]


def recent_names(store: Store) -> Iterator[str]:
    """Yield the names of recent matches' players, newest first, with renamings applied."""
    called: dict[str, dict[str, str]] = {}
    for each in store.newest_of_kinds(MatchBegun, PlayersRenamed, limit=MAX_RECENT_EVENTS):
        now = called.setdefault(each.stream, {})
        if isinstance(each.event, PlayersRenamed):
            called[each.stream] = {o: now.get(n, n) for o, n in each.event.names.items()} | now
        elif isinstance(each.event, MatchBegun):
            yield from (now.get(name, name) for name in each.event.players)

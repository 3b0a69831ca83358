"""The people of a box: their register, who has played lately, and every way to change it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from device.club import ClubError
from device.club.register import PERSON_EVENTS, Person, Register, apply, apply_if_possible
from device.club.tournament.repository import TournamentRepository
from device.i18n.names import fold_name
from device.store import Envelope, Store
from device.store.appending import NewEvent, append, append_if_unchanged
from device.store.events import (
    PERSON,
    EntrantRenamed,
    Event,
    MatchBegun,
    NameGivenUp,
    PersonAdded,
    PersonBroughtBack,
    PersonEvent,
    PersonMerged,
    PersonNamed,
    PersonRemoved,
    PersonUnmerged,
    PlayerJoined,
    PlayerReplaced,
    PlayersRenamed,
    TournamentBegun,
)
from device.store.log import KindsSeen
from scorer.message import message

MAX_RECENT_EVENTS = 60
"""Newest match starts and renamings that are searched for recent names."""

MAX_OFFERED_NAMES = 60
"""Names that a field suggests, the most recent players first."""

_NAMING_EVENTS = (
    MatchBegun,
    PlayersRenamed,
    TournamentBegun,
    PlayerJoined,
    PlayerReplaced,
    EntrantRenamed,
)
"""Events that name players who may not be in the register."""


class PeopleRepository:
    """The register in a store, and the one way to change it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._cache = store.caches.get(_PeopleCache)

    def register(self) -> Register:
        """Return the register, updated with the events since the last call."""
        return self._cache.register()

    def suggested_names(self) -> tuple[str, ...]:
        """Return the names that a table is offered: who has played lately first, each once."""
        register = self.register()
        recent_people = (register.find_person(name) for name in self.recent())
        registered_people = reversed([p for p in register.everybody() if p.id in register.entries])
        suggested_people = {
            each.id: each for each in (*recent_people, *registered_people) if each.offered
        }
        return tuple(each.name for each in suggested_people.values())[:MAX_OFFERED_NAMES]

    def recent(self) -> tuple[str, ...]:
        """Return recent players' names; cached until a match begins or players are renamed."""
        return self._cache.recent()

    def _has_played(self, name: str) -> bool:
        """Whether somebody of this name has a seat in any match or a place in any tournament."""
        player_names = seated_names(reversed(self._store.of_kinds(MatchBegun, PlayersRenamed)))
        tournaments = TournamentRepository(self._store).list_tournaments()
        entrants = [each for tournament in tournaments for each in tournament.entrants]
        names = {name for each in entrants for name in (each.name, *dict(each.predecessors))}
        return fold_name(name) in map(fold_name, (*player_names, *names))

    def filter_suggested(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return names but for those of people who were removed."""
        register = self.register()
        return tuple(name for name in names if register.find_person(name).offered)

    def add(self, name: str, author: str = "") -> Person:
        """Register somebody who has not played yet; return the person.

        Raises ClubError if the name is taken.
        """
        self._append(self.register().find_person(name).id, PersonAdded(name=name, by=author))
        return self.register().find_person(name)

    def rename(self, person: Person, name: str, author: str = "") -> None:
        """Change the name that is shown for a person.

        Raises ClubError if somebody else has that name, or has played under it.
        """

        def check_name() -> None:
            owner = self.register().find_person(name)
            if owner.id != person.id and self._has_played(name):
                raise ClubError(message("club.people.taken", player=name))

        check_name()  # also here, so that nobody is registered for a name that is refused
        event = PersonNamed(name=name, by=author)
        self._append(self._ensure_registered(person, author), event, check_name)

    def give_up(self, person: Person, name: str, author: str = "") -> None:
        """Release a name so that somebody else can use it; raise ClubError."""
        self._append(self._ensure_registered(person, author), NameGivenUp(name=name, by=author))

    def merge(self, person: Person, target: Person, author: str = "") -> None:
        """Merge a person into another, whose name is shown from now on; raise ClubError."""
        person_id = self._ensure_registered(target, author)
        self._append(
            self._ensure_registered(person, author), PersonMerged(into=person_id, by=author)
        )

    def part(self, entry: str, author: str = "") -> None:
        """Separate a merged entry into a person of its own; raise ClubError."""
        self._append(entry, PersonUnmerged(by=author))

    def remove(self, person: Person, *, is_hidden: bool, author: str = "") -> None:
        """Stop suggesting a person's name; `is_hidden` hides it in lists too. Raises ClubError."""
        self._append(
            self._ensure_registered(person, author), PersonRemoved(hidden=is_hidden, by=author)
        )

    def bring_back(self, person: Person, author: str = "") -> None:
        """Suggest and show a person's name again; raise ClubError."""
        self._append(self._ensure_registered(person, author), PersonBroughtBack(by=author))

    def _ensure_registered(self, person: Person, author: str) -> str:
        """Return a person's id, registering the person first if necessary."""
        if person.id not in self.register().entries:
            try:
                self._append(person.id, PersonAdded(name=person.name, by=author))
            except ClubError:
                if person.id not in self.register().entries:  # else added meanwhile
                    raise
        return person.id

    def _append(
        self, person: str, event: PersonEvent, check: Callable[[], None] | None = None
    ) -> None:
        def attempt(kinds_seen: KindsSeen) -> None:
            if check:
                check()
            new = NewEvent("person", PERSON + person, event, kinds_seen=kinds_seen)
            append(self._store, new, partial(apply, self.register()))

        append_if_unchanged(self._store, (*PERSON_EVENTS, *_NAMING_EVENTS), attempt)


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
        newest_events = self._store.newest_of_kinds(MatchBegun, PlayersRenamed, limit=1)
        seq = newest_events[0].seq if newest_events else 0
        if self._recent is None or self._recent[0] != seq:
            newest_events = self._store.newest_of_kinds(
                MatchBegun, PlayersRenamed, limit=MAX_RECENT_EVENTS
            )
            self._recent = seq, tuple(dict.fromkeys(seated_names(newest_events)))
        return self._recent[1]


def seated_names(newest_events: Iterable[Envelope[Event]]) -> Iterator[str]:
    """Yield the names of matches' players, newest first, with renamings applied."""
    names_by_match: dict[str, dict[str, str]] = {}
    for envelope in newest_events:
        new_names = names_by_match.setdefault(envelope.stream, {})
        if isinstance(envelope.event, PlayersRenamed):
            names_by_match[envelope.stream] = {
                o: new_names.get(n, n) for o, n in envelope.event.names.items()
            } | new_names
        elif isinstance(envelope.event, MatchBegun):
            yield from (new_names.get(name, name) for name in envelope.event.players)

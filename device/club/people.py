"""The register of people: which person each name in a match belongs to.

Matches store players' names and are never rewritten. A name is matched to a person when it is
shown. A player who was never registered counts as a person with that one name. Two people with the
same name need distinct names: `Wong` and `Wong (Kitty)`.

The whole register is replayed in the order of the log. Of two phones that make contradictory
changes at once, the later one is refused. Older logs may have both; there the later has no effect.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import count
from typing import TypeVar

from device.club import ClubError
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
from scorer.message import Message, message


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """One registered entry, before merged entries are combined into a person."""

    id: str
    name: str
    """The one that is shown."""
    names: tuple[str, ...]
    """All that the entry has, that one included, in the order in which they came."""
    into: str = ""
    """Id of the entry it was merged into; empty for an entry of its own."""
    offered: bool = True
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Person:
    """A member or guest of the club."""

    id: str
    name: str
    """As shown."""
    names: tuple[str, ...]
    """All names under which the person plays or has played, that one first."""
    offered: bool = True
    """Whether the name is suggested when a match begins."""
    shown: bool = True
    """Whether lists and rankings show the name."""
    same: tuple[PersonEntry, ...] = ()
    """Entries merged into this person; they can be separated again."""


RegisterEntry = TypeVar("RegisterEntry", PersonEntry, Person)


@dataclass(frozen=True)
class Register:
    """All registered people."""

    entries: Mapping[str, PersonEntry] = field(default_factory=dict)
    """By id, oldest first."""

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        """Entry ids by folded name."""
        return {fold_name(name): each.id for each in self.entries.values() for name in each.names}

    @cached_property
    def hidden_names(self) -> tuple[str, ...]:
        """All names of people whom no list shows, the longest first."""
        entries = (each for each in self.entries.values() if not self.head(each).shown)
        names = (name for each in entries for name in (each.name, *each.names))
        return tuple(sorted(dict.fromkeys(names), key=len, reverse=True))

    def owner(self, name: str) -> PersonEntry | None:
        """Return the entry that has a name; it may be merged into another entry."""
        entry = self._owners.get(fold_name(name))
        return self.entries[entry] if entry else None

    def head(self, entry: PersonEntry) -> PersonEntry:
        """Return the entry that stands for the person, following merges."""
        while entry.into:
            entry = self.entries[entry.into]
        return entry

    def find_person(self, name: str) -> Person:
        """Return the person with a name; an unregistered name gives a person of its own."""
        entry = self.owner(name)
        if entry is None:
            return Person(self._free_id(name), name, (name,))
        return self._person(self.head(entry))

    def is_shown(self, name: str) -> bool:
        """Whether lists show the person with this name."""
        return self.find_person(name).shown

    def everybody(self, extra_names: Iterable[str] = ()) -> tuple[Person, ...]:
        """Return all people once: the registered ones and the owners of `extra_names`."""
        heads = [self._person(each) for each in self.entries.values() if not each.into]
        people = [*heads, *map(self.find_person, extra_names)]
        return tuple({each.id: each for each in reversed(people)}.values())[::-1]

    def at_table(self, names: Iterable[str]) -> dict[str, Person]:
        """Return the people behind the names of one match; nobody can sit at a table twice.

        When two names belong to one person, the shown name keeps the person, else the first name.
        The other name becomes its merged entry, or else a person of that name alone.
        """
        people = {name: self.find_person(name) for name in names}
        owners_at_table = _choose_names(people)
        other_owners = {name: self.owner(name) for name in people if name not in owners_at_table}
        merged_owners = _choose_names(
            {name: each for name, each in other_owners.items() if each and each.into}
        )
        return {
            name: person
            if name in owners_at_table
            else self._person_alone(name, merged_owners.get(name))
            for name, person in people.items()
        }

    def _person_alone(self, name: str, entry: PersonEntry | None) -> Person:
        """Return somebody of one name: an entry by itself, or a person nobody has written down."""
        return Person(entry.id if entry else self._free_id(f"{name} "), name, (name,))

    def _person(self, head: PersonEntry) -> Person:
        merged_entries = tuple(e for e in self.entries.values() if e.into and self.head(e) is head)
        names = dict.fromkeys(
            (head.name, *head.names, *(n for e in merged_entries for n in e.names))
        )
        return Person(head.id, head.name, tuple(names), head.offered, head.shown, merged_entries)

    def _free_id(self, name: str) -> str:
        """Return an id computed from a name that no entry uses; it is the same on every call."""
        candidate_ids = (_hash_id(f"{fold_name(name)} {number or ''}") for number in count())
        return next(each for each in candidate_ids if each not in self.entries)


def _choose_names(owners_by_name: Mapping[str, RegisterEntry]) -> dict[str, RegisterEntry]:
    """Return each person or entry under one name: the shown name if present, else the first."""
    names: dict[str, str] = {}
    for name, each in owners_by_name.items():
        if each.id not in names or fold_name(name) == fold_name(each.name):
            names[each.id] = name
    return {name: owners_by_name[name] for name in names.values()}


def _hash_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def refusal_reason(register: Register, person: str, event: PersonEvent) -> Message | None:
    """Return the reason why an event is not allowed; None if it is."""
    entry = register.entries.get(person)
    if isinstance(event, PersonAdded):
        return (
            _about_player("club.people.taken", event.name)
            if entry or register.owner(event.name)
            else None
        )
    if entry is None:
        return message("club.people.unknown")
    match event:
        case PersonNamed(name=name):
            owner = register.owner(name)
            return (
                _about_player("club.people.taken", name) if owner and owner.id != person else None
            )
        case NameGivenUp(name=name):
            other_names = {fold_name(each) for each in entry.names} - {fold_name(entry.name)}
            return (
                None
                if fold_name(name) in other_names
                else _about_player("club.people.not-given-up", name)
            )
        case PersonMerged(into=target):
            other = register.entries.get(target)
            if other is None or entry.into or register.head(other).id == person:
                return message("club.people.not-merged")
        case PersonUnmerged():
            return None if entry.into else message("club.people.not-parted")
    return None


def _about_player(key: str, name: str) -> Message:
    return message(key, player=name)


def apply_if_possible(register: Register, envelope: Envelope[Event]) -> Register:
    """Return the register with one more event; unchanged if the event is not allowed."""
    try:
        return apply(register, envelope)
    except (ClubError, ValueError):
        return register


def apply(register: Register, envelope: Envelope[Event]) -> Register:
    """Return the register with one more event; raise ValueError or ClubError."""
    person, event = envelope.stream.removeprefix(PERSON), envelope.event
    if not envelope.stream.startswith(PERSON) or not isinstance(event, PersonEvent):
        raise ValueError("nothing of the kind happens to a person")
    if reason := refusal_reason(register, person, event):
        raise ClubError(reason)
    if isinstance(event, PersonAdded):
        entry = PersonEntry(person, event.name, (event.name,))
    else:
        entry = _change_entry(register.entries[person], event)
    return Register({**register.entries, person: entry})


def _change_entry(entry: PersonEntry, event: PersonEvent) -> PersonEntry:
    match event:
        case PersonNamed(name=name):
            other_names = (each for each in entry.names if fold_name(each) != fold_name(name))
            return replace(entry, name=name, names=(*other_names, name))
        case NameGivenUp(name=name):
            remaining_names = tuple(
                each for each in entry.names if fold_name(each) != fold_name(name)
            )
            return replace(entry, names=remaining_names)
        case PersonMerged(into=target):
            return replace(entry, into=target)
        case PersonUnmerged():
            return replace(entry, into="")
        case PersonRemoved(hidden=is_hidden):
            return replace(entry, offered=False, shown=not is_hidden)
        case PersonBroughtBack():
            return replace(entry, offered=True, shown=True)
    return entry


PERSON_EVENTS = tuple(PersonEvent.__subclasses__())

_NAMING_EVENTS = (
    MatchBegun,
    PlayersRenamed,
    TournamentBegun,
    PlayerJoined,
    PlayerReplaced,
    EntrantRenamed,
)
"""Events that name players who may not be in the register."""

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
                raise ClubError(_about_player("club.people.taken", name))

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
    for kind in newest_events:
        new_names = names_by_match.setdefault(kind.stream, {})
        if isinstance(kind.event, PlayersRenamed):
            names_by_match[kind.stream] = {
                o: new_names.get(n, n) for o, n in kind.event.names.items()
            } | new_names
        elif isinstance(kind.event, MatchBegun):
            yield from (new_names.get(name, name) for name in kind.event.players)

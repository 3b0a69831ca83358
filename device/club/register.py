"""The register of people: which person each name in a match belongs to.

Matches store players' names and are never rewritten. A name is matched to a person when it is
shown. A player who was never registered counts as a person with that one name. Two people with the
same name need distinct names: `Wong` and `Wong (Kitty)`.

The whole register is replayed in the order of the log. Of two phones that make contradictory
changes at once, the later one is refused. Older logs may have both; there the later has no effect.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import TypeVar

from device.club import ClubError
from device.i18n.names import fold_name
from device.store import Envelope
from device.store.events import (
    PERSON,
    Event,
    NameGivenUp,
    PersonAdded,
    PersonBroughtBack,
    PersonEvent,
    PersonMerged,
    PersonNamed,
    PersonRemoved,
    PersonUnmerged,
)
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

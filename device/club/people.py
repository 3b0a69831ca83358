"""The register of the club's people: who is who among the names that stand in matches.

Matches name their players, and are never rewritten for it: a name becomes a person here, when it is
shown. Who has played and was never written down is a person of that one name. Two who are called
alike have names that tell them apart: `Wong` and `Wong (Kitty)`.

The whole register is replayed in the order of the log. Of two phones that say what cannot both be,
the later has said nothing: that is looked at anew in each replay, so no lock is needed for it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import TypeVar

from device.club.errors import ClubError
from device.i18n.names import Name, folded
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
    PersonParted,
    PersonRemoved,
)
from scorer.message import Message, message


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """What was written down of somebody, before it is known who is the same person."""

    id: str
    name: Name
    """The one that is shown."""
    names: tuple[Name, ...]
    """All that the entry has, that one included, in the order in which they came."""
    into: str = ""
    """Id of the entry that is the same person; empty for one that is its own."""
    offered: bool = True
    shown: bool = True


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the club."""

    id: str
    name: Name
    """As shown."""
    names: tuple[Name, ...]
    """All names under which the person plays or has played, that one first."""
    offered: bool = True
    """The name is offered when a match begins."""
    shown: bool = True
    """Lists and rankings show the name."""
    same: tuple[PersonEntry, ...] = ()
    """Other entries that are the same person, and may be taken apart again."""


Registered = TypeVar("Registered", PersonEntry, Person)


@dataclass(frozen=True)
class Register:
    """Everybody who was written down."""

    entries: Mapping[str, PersonEntry] = field(default_factory=dict)
    """By id, in the order in which they came."""

    @cached_property
    def _owners(self) -> Mapping[str, str]:
        """Id of the entry that has a name, by the name as it is compared."""
        return {folded(name): each.id for each in self.entries.values() for name in each.names}

    @cached_property
    def hidden_names(self) -> tuple[Name, ...]:
        """All names of people whom no list shows, the longest first."""
        entries = (each for each in self.entries.values() if not self.head(each).shown)
        names = (name for each in entries for name in (each.name, *each.names))
        return tuple(sorted(dict.fromkeys(names), key=len, reverse=True))

    def owner(self, name: str) -> PersonEntry | None:
        """Return the entry that has a name. It may be the same person as another entry."""
        found = self._owners.get(folded(name))
        return self.entries[found] if found else None

    def head(self, entry: PersonEntry) -> PersonEntry:
        """Return the entry that stands for a person: itself, or what it was merged into."""
        while entry.into:
            entry = self.entries[entry.into]
        return entry

    def of(self, name: str) -> Person:
        """Return the person of a name."""
        entry = self.owner(name)
        if entry is None:
            return Person(self._free_id(name), Name(name), (Name(name),))
        return self._person(self.head(entry))

    def is_shown(self, name: str) -> bool:
        """Whether lists show the person of a name."""
        return self.of(name).shown

    def everybody(self, played: Iterable[str] = ()) -> tuple[Person, ...]:
        """Return each person once: who was written down, and who has played under these names."""
        heads = [self._person(each) for each in self.entries.values() if not each.into]
        every = [*heads, *map(self.of, played)]
        return tuple({each.id: each for each in reversed(every)}.values())[::-1]

    def at_table(self, names: Iterable[str]) -> dict[str, Person]:
        """Return who the players of one match are, by name: nobody sits at a table twice.

        Where two names are one person's, the one that is shown is, or else the first. The other is
        the entry that was merged into that person, once, or somebody of that name alone.
        """
        people = {name: self.of(name) for name in names}
        sitting = _one_name_each(people)
        others = {name: self.owner(name) for name in people if name not in sitting}
        merged = _one_name_each({name: each for name, each in others.items() if each and each.into})
        return {
            name: person if name in sitting else self._alone(name, merged.get(name))
            for name, person in people.items()
        }

    def _alone(self, name: str, entry: PersonEntry | None) -> Person:
        """Return somebody of one name: an entry by itself, or a person nobody has written down."""
        return Person(entry.id if entry else self._free_id(f"{name} "), Name(name), (Name(name),))

    def _person(self, head: PersonEntry) -> Person:
        same = tuple(e for e in self.entries.values() if e.into and self.head(e) is head)
        names = dict.fromkeys((head.name, *head.names, *(n for e in same for n in e.names)))
        return Person(head.id, head.name, tuple(names), head.offered, head.shown, same)

    def _free_id(self, name: str) -> str:
        """Return an id made of a name: the same for all who ask, and no other entry's."""
        made = (_made(f"{folded(name)} {number or ''}") for number in count())
        return next(each for each in made if each not in self.entries)


def _one_name_each(named: Mapping[str, Registered]) -> dict[str, Registered]:
    """Return each person or entry under one of its names: the one that is shown, or the first."""
    names: dict[str, str] = {}
    for name, each in named.items():
        if each.id not in names or folded(name) == folded(each.name):
            names[each.id] = name
    return {name: named[name] for name in names.values()}


def _made(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def why_not(register: Register, person: str, event: PersonEvent) -> Message | None:
    """Return why an event cannot be, in words; None for one that can."""
    entry = register.entries.get(person)
    if isinstance(event, PersonAdded):
        return (
            _said("club.people.taken", event.name) if entry or register.owner(event.name) else None
        )
    if entry is None:
        return message("club.people.unknown")
    match event:
        case PersonNamed(name=name):
            owner = register.owner(name)
            return _said("club.people.taken", name) if owner and owner.id != person else None
        case NameGivenUp(name=name):
            others = {folded(each) for each in entry.names} - {folded(entry.name)}
            return None if folded(name) in others else _said("club.people.not-given-up", name)
        case PersonMerged(into=into):
            other = register.entries.get(into)
            if other is None or entry.into or register.head(other).id == person:
                return message("club.people.not-merged")
        case PersonParted():
            return None if entry.into else message("club.people.not-parted")
    return None


def _said(key: str, name: str) -> Message:
    return message(key, player=Name(name))


def followed(register: Register, envelope: Envelope[Event]) -> Register:
    """Return the register with one more event; as it was, where that cannot be."""
    try:
        return apply(register, envelope)
    except (ClubError, ValueError):
        return register


def apply(register: Register, envelope: Envelope[Event]) -> Register:
    """Return the register with one more event; raise ValueError, ClubError if that cannot be."""
    person, event = envelope.stream.removeprefix(PERSON), envelope.event
    if not envelope.stream.startswith(PERSON) or not isinstance(event, PersonEvent):
        raise ValueError("nothing of the kind happens to a person")
    if why := why_not(register, person, event):
        raise ClubError(why)
    if isinstance(event, PersonAdded):
        entry = PersonEntry(person, Name(event.name), (Name(event.name),))
    else:
        entry = _changed(register.entries[person], event)
    return Register({**register.entries, person: entry})


def _changed(entry: PersonEntry, event: PersonEvent) -> PersonEntry:
    match event:
        case PersonNamed(name=name):
            others = (each for each in entry.names if folded(each) != folded(name))
            return replace(entry, name=Name(name), names=(*others, Name(name)))
        case NameGivenUp(name=name):
            kept = tuple(each for each in entry.names if folded(each) != folded(name))
            return replace(entry, names=kept)
        case PersonMerged(into=into):
            return replace(entry, into=into)
        case PersonParted():
            return replace(entry, into="")
        case PersonRemoved(hidden=hidden):
            return replace(entry, offered=False, shown=not hidden)
        case PersonBroughtBack():
            return replace(entry, offered=True, shown=True)
    return entry

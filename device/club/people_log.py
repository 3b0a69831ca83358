"""The club's people in the log: who there is, who is offered at a table, and what changes that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import cast

from device.club.errors import ClubError
from device.club.people import Person, Register, apply, followed
from device.i18n.names import Name
from device.store import Store
from device.store.appending import NewEvent, append
from device.store.errors import MovedOnError
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
from device.store.replaying import TRIES

KINDS = tuple(PersonEvent.__subclasses__())

RECENT = 60
"""The newest events of beginnings and of slips in names, among which names are looked for."""

MOST_OFFERED = 60
"""Names that a field offers; who has played lately stands first."""

_SORT, _PLAYED = "people", "played lately"


class PeopleLog:
    """The register in a store, and the one way to add to it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def register(self) -> Register:
        """Return the register, as it was the last time and with what was added to it since."""
        known = cast(_Known, self._store.derived.get(_SORT, _NOTHING))
        fresh = self._store.of_kinds(*KINDS, after=known.seq)
        if not fresh:
            return known.register
        register = known.register
        for envelope in fresh:
            register = followed(register, envelope)
        self._store.derived[_SORT] = _Known(fresh[-1].seq, register)
        return register

    def offered(self) -> tuple[Name, ...]:
        """Return the names that a table is offered: who has played lately first, each once."""
        register = self.register()
        played = (register.of(name) for name in self.recent())
        written = reversed([p for p in register.everybody() if p.id in register.entries])
        every = {each.id: each for each in (*played, *written) if each.offered}
        return tuple(each.name for each in every.values())[:MOST_OFFERED]

    def recent(self) -> tuple[str, ...]:
        """Return who has played lately, read anew when another match was begun or put right."""
        newest = self._store.newest_of_kinds(MatchBegun, PlayersRenamed, limit=1)
        seq = newest[0].seq if newest else 0
        known = self._store.derived.get(_PLAYED)
        if isinstance(known, _Played) and known.seq == seq:
            return known.names
        names = tuple(dict.fromkeys(recent_names(self._store)))
        self._store.derived[_PLAYED] = _Played(seq, names)
        return names

    def still_offered(self, names: Iterable[str]) -> tuple[Name, ...]:
        """Return names but for those of people who were removed."""
        register = self.register()
        return tuple(Name(name) for name in names if register.of(name).offered)

    def add(self, name: str, by: str = "") -> Person:
        """Write somebody down who has never played here; return who it is.

        Raises ClubError where the name is another's.
        """
        self._say(self.register().of(name).id, PersonAdded(name=name, by=by))
        return self.register().of(name)

    def rename(self, person: Person, name: str, by: str = "") -> None:
        """Show a person under another name from now on; raise ClubError."""
        self._say(self._ensured(person, by), PersonNamed(name=name, by=by))

    def give_up(self, person: Person, name: str, by: str = "") -> None:
        """Let a name be somebody else's; raise ClubError."""
        self._say(self._ensured(person, by), NameGivenUp(name=name, by=by))

    def merge(self, person: Person, into: Person, by: str = "") -> None:
        """Let a person be the same as another, who is shown from now on; raise ClubError."""
        kept = self._ensured(into, by)
        self._say(self._ensured(person, by), PersonMerged(into=kept, by=by))

    def part(self, entry: str, by: str = "") -> None:
        """Let an entry be a person of its own again; raise ClubError."""
        self._say(entry, PersonParted(by=by))

    def remove(self, person: Person, *, hidden: bool, by: str = "") -> None:
        """Offer a person's name no more; `hidden` shows it no more either. Raises ClubError."""
        self._say(self._ensured(person, by), PersonRemoved(hidden=hidden, by=by))

    def bring_back(self, person: Person, by: str = "") -> None:
        """Offer and show a person's name again; raise ClubError."""
        self._say(self._ensured(person, by), PersonBroughtBack(by=by))

    def _ensured(self, person: Person, by: str) -> str:
        """Return the id of a person, who is written down first where that was not done yet."""
        if person.id not in self.register().entries:
            try:
                self._say(person.id, PersonAdded(name=person.name, by=by))
            except ClubError:
                if person.id not in self.register().entries:  # by nobody else meanwhile
                    raise
        return person.id

    def _say(self, person: str, event: PersonEvent) -> None:
        stream = PERSON + person
        for _ in range(TRIES):
            extent = self._store.extents([stream]).get(stream)
            new = NewEvent("person", stream, event, after=extent.last if extent else 0)
            try:
                append(self._store, new, partial(apply, self.register()))
            except MovedOnError:
                continue  # somebody else's word about the same person came first: look again
            return
        raise MovedOnError(stream)


@dataclass(frozen=True, slots=True)
class _Known:
    """The register as it was up to an event."""

    seq: int
    register: Register


_NOTHING = _Known(0, Register())


@dataclass(frozen=True, slots=True)
class _Played:
    """Who had played lately up to an event."""

    seq: int
    names: tuple[str, ...]


def recent_names(store: Store) -> Iterator[str]:
    """Yield the names under which matches were begun lately, the newest first, slips put right."""
    called: dict[str, dict[str, str]] = {}
    for each in store.newest_of_kinds(MatchBegun, PlayersRenamed, limit=RECENT):
        now = called.setdefault(each.stream, {})
        if isinstance(each.event, PlayersRenamed):
            called[each.stream] = {o: now.get(n, n) for o, n in each.event.names.items()} | now
        elif isinstance(each.event, MatchBegun):
            yield from (now.get(name, name) for name in each.event.players)

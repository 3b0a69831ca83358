"""The club's tables on one box, and the matches that run at them.

A box with a single table has no named tables. Its earlier matches and hands belong to no table,
even when tables are laid later. This module holds a table's name, PIN and proposed rules. Its
matches, tile set and camera are in other streams (`device.club.camera_assignments`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from device.access import new_pin_and_token
from device.club import ClubError
from device.club.anonymiser import Anonymiser
from device.club.people import PeopleRepository
from device.i18n.names import fold_name
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.rulesets import is_ruleset_key
from device.store import Envelope, Store
from device.store.appending import append_if_unchanged
from device.store.errors import UnknownStreamError
from device.store.events import (
    ClubTableEvent,
    Event,
    MatchBegun,
    MatchResumed,
    TableCleared,
    TableCreated,
    TablePinChanged,
    TableRenamed,
    TableRulesChosen,
)
from device.store.log import KindsSeen
from device.store.projection import Projection, get_projector, project
from scorer.message import message

MAX_TABLE_NAME_CHARS = 24
"""Longest name that fits on a phone beside the players' names."""

MAX_TABLES = 100
"""Tables laid at a time: more than any hall has."""


class NoSuchTableError(UnknownStreamError):
    """There is no table with that id, or it was cleared away."""


@dataclass(frozen=True, slots=True)
class ClubTable:
    """One of several tables."""

    id: str
    name: str
    cleared: bool = False
    pin: str = ""
    """What a phone must enter to sit here; empty where any phone may."""
    pin_token: str = ""
    """What a phone stores after entering the PIN; it changes with the PIN."""
    ruleset: str = ""
    """Key of the ruleset proposed here; empty for the box's."""
    rules_at: int = 0
    """Number of the event that chose the rules."""


class ClubTables:
    """The tables of a box, and all changes to them."""

    def __init__(self, store: Store, somebody: str = "") -> None:
        """With `somebody`, lists have that for people's hidden names within tables' names."""
        self._store, self._somebody = store, somebody
        self._projector = get_projector(store, CLUB_TABLES)

    def get(self, table: str) -> ClubTable:
        """Return a laid table; raise NoSuchTableError."""
        club_table = self.find_even_cleared(table)
        if club_table is None or club_table.cleared:
            raise NoSuchTableError
        return club_table

    def find_even_cleared(self, table: str) -> ClubTable | None:
        """Return a table even if it was cleared away; a damaged one up to the damage."""
        return self._projector.state_of(table).record if table else None

    def list_tables(self) -> tuple[ClubTable, ...]:
        """Return the laid tables, the oldest first."""
        return self._without_hidden_names(self._laid_tables())

    def names(self) -> dict[str, str]:
        """Return the names of all tables by id, including those cleared away."""
        return {each.id: each.name for each in self._without_hidden_names(self._all_tables())}

    def name_on_sheets(self, table: str) -> str:
        """Return the table's name for score sheets; empty where the box only ever had one."""
        names = self.names() if table else {}
        return names.get(table, "") if len(names) > 1 else ""

    def are_laid(self) -> bool:
        """Whether any table is laid; then a phone must say where it sits."""
        return next(self._laid_tables(), None) is not None

    def _without_hidden_names(self, tables: Iterable[ClubTable]) -> tuple[ClubTable, ...]:
        table_list = tuple(tables)
        if not table_list or not self._somebody:
            return table_list
        anonymiser = Anonymiser(PeopleRepository(self._store).register(), self._somebody)
        return tuple(replace(each, name=anonymiser.words(each.name)) for each in table_list)

    def _laid_tables(self) -> Iterator[ClubTable]:
        return (each for each in self._all_tables() if not each.cleared)

    def _all_tables(self) -> Iterator[ClubTable]:
        """Yield all tables, the oldest first; this reads the log once."""
        events: dict[str, list[Envelope[Event]]] = {}
        for each in self._store.of_kinds(*_TABLE_EVENTS):
            events.setdefault(each.stream, []).append(each)
        tables = (project(CLUB_TABLES, of_table).record for of_table in events.values())
        return (each for each in tables if each)

    def lay(self, name: str) -> str:
        """Lay a table; return its id. Raises ClubError for a taken name or one table too many."""

        def attempt(kinds_seen: KindsSeen) -> str:
            self._check_name(name)
            if len(self.list_tables()) >= MAX_TABLES:
                raise ClubError(message("club.tables.too-many"))
            table = secrets.token_hex(4)
            self._projector.add_after(table, 0, TableCreated(name), kinds_seen)
            return table

        return append_if_unchanged(self._store, _NAMING_EVENTS, attempt)

    def rename(self, table: str, name: str) -> None:
        """Rename a table; raise ClubError for a taken name, or NoSuchTableError."""

        def attempt(kinds_seen: KindsSeen) -> None:
            self._check_name(name, but=table)
            self._change(table, TableRenamed(name), kinds_seen)

        append_if_unchanged(self._store, _NAMING_EVENTS, attempt)

    def new_pin(self, table: str) -> ClubTable:
        """Set a new PIN for a table; return the table. Raises NoSuchTableError."""
        self._change(table, TablePinChanged(*new_pin_and_token(self.get(table).pin)))
        return self.get(table)

    def remove_pin(self, table: str) -> None:
        """Remove a table's PIN; raise NoSuchTableError."""
        self._change(table, TablePinChanged("", ""))

    def propose_rules(self, table: str, ruleset: str) -> None:
        """Choose the rules that are proposed at a table.

        Raises NoSuchTableError, and EventRefusedError for unknown rules.
        """
        self._change(table, TableRulesChosen(ruleset))

    def clear(self, table: str) -> None:
        """Clear a table away; does nothing if that was done before.

        Raises NoSuchTableError, and ClubError while a match goes on there: its phones would
        lose it.
        """

        def attempt(kinds_seen: KindsSeen) -> None:
            club_table = self.find_even_cleared(table)
            if club_table is None:
                raise NoSuchTableError
            if MatchRepository(self._store, table).current():
                raise ClubError(message("club.tables.in-use", name=club_table.name))
            if not club_table.cleared:
                self._projector.change(table, TableCleared(), kinds_seen=kinds_seen)

        append_if_unchanged(self._store, (MatchBegun, MatchResumed, TableCleared), attempt)

    def _check_name(self, name: str, but: str = "") -> None:
        used_names = {fold_name(each.name) for each in self._laid_tables() if each.id != but}
        if fold_name(name) in used_names:
            raise ClubError(message("club.tables.taken", name=name))

    def _change(
        self, table: str, event: ClubTableEvent, kinds_seen: KindsSeen | None = None
    ) -> None:
        self.get(table)
        self._projector.change(table, event, kinds_seen=kinds_seen)


def _start_table(envelope: Envelope[Event]) -> ClubTable:
    event = envelope.event
    if not isinstance(event, TableCreated):
        raise ValueError("a table is laid before anything else")
    return ClubTable(envelope.stream, _check_not_blank(event.name))


def _apply(table: ClubTable, envelope: Envelope[Event]) -> ClubTable:
    if table.cleared:
        raise ValueError("the table was cleared away")
    match envelope.event:
        case TableRenamed(name=name):
            return replace(table, name=_check_not_blank(name))
        case TablePinChanged(pin=pin, token=token) if bool(pin) == bool(token):
            return replace(table, pin=pin, pin_token=token)
        case TableRulesChosen(ruleset=rules) if not rules or is_ruleset_key(rules):
            return replace(table, ruleset=rules, rules_at=envelope.seq)
        case TableCleared():
            return replace(table, cleared=True)
    raise ValueError("nothing of the kind happens to a table")


def _check_not_blank(name: str) -> str:
    if not name.strip():
        raise ValueError("a table has a name")
    return name


_TABLE_EVENTS = tuple(ClubTableEvent.__subclasses__())

_NAMING_EVENTS = (TableCreated, TableRenamed)

CLUB_TABLES = Projection("club table", _start_table, _apply, NoSuchTableError)
"""Builds a table from its events."""


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """A running match with the name of its table."""

    table: str
    """Empty for the unnamed table of a box that has only one."""
    match: Match


def running_matches(matches: MatchRepository, tables: ClubTables) -> tuple[RunningMatch, ...]:
    """Return the running matches in the order of the tables."""
    names = tables.names()
    running_by_table = {match.table: match for match in matches.all_running()}
    places = ["", *(each.id for each in tables.list_tables())]
    return tuple(
        RunningMatch(names.get(place, ""), running_by_table[place])
        for place in places
        if place in running_by_table
    )

"""Several tables on one box: what each is called, who may sit at it, and what is proposed there.

A box of one table has none of these: its matches and hands are of no table, and so they stay when
some are laid. What is played at a table, by which set and which camera sees it say the log of
matches, sets and the box (`device.club.hanging`); here stands only what the table itself is.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from device.i18n.names import Name, folded
from device.settings.pin import new_pin
from device.store import Envelope, Store
from device.store.errors import UnknownStreamError
from device.store.events import (
    ClubTableEvent,
    Event,
    TableCleared,
    TableLaid,
    TablePinChanged,
    TableRenamed,
    TableRulesChosen,
)
from device.store.replaying import Projection, project, projector
from scorer.hand import RULESETS

LONGEST_NAME = 24
"""Characters: what fits on a phone beside who plays there."""

MOST = 100
"""Tables that are laid at a time: more than any hall has."""


class NoSuchTableError(UnknownStreamError):
    """There is no table of that id, or it was cleared away."""


class NameTakenError(Exception):
    """Another table is called so: nobody could tell which is meant."""


class TooManyTablesError(Exception):
    """As many tables are laid as may be."""


@dataclass(frozen=True, slots=True)
class ClubTable:
    """One of several tables."""

    id: str
    name: str
    laid_at: datetime
    cleared: bool = False
    pin: str = ""
    """What a phone must know before it sits here; empty where any phone may."""
    pin_token: str = ""
    """What a phone holds that knew it; another with every PIN."""
    ruleset: str = ""
    """Name of the rules that are proposed here; empty for those of the box."""
    rules_at: int = 0
    """Number of the event that chose them."""


class ClubTables:
    """The tables of a box, and every change to them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._projector = projector(store, CLUB_TABLES)

    def get(self, table: str) -> ClubTable:
        """Return a table that is laid; raise NoSuchTableError."""
        found = self.ever(table)
        if found is None or found.cleared:
            raise NoSuchTableError
        return found

    def ever(self, table: str) -> ClubTable | None:
        """Return a table, be it cleared away; of one that is torn, what makes sense of it."""
        return self._projector.so_far(table).record if table else None

    def laid(self) -> tuple[ClubTable, ...]:
        """Return the tables that are laid, the first laid first."""
        return tuple(self._laid())

    def names(self) -> dict[str, str]:
        """Return what every table is called that there ever was, by its id."""
        return {each.id: each.name for each in self._every()}

    def name_on_sheets(self, table: str) -> str:
        """Return what sheets call a table; empty where it is the only one that there ever was."""
        names = self.names() if table else {}
        return names.get(table, "") if len(names) > 1 else ""

    def are_laid(self) -> bool:
        """Whether there is any: then a phone has to say at which it sits."""
        return next(self._laid(), None) is not None

    def _laid(self) -> Iterator[ClubTable]:
        return (each for each in self._every() if not each.cleared)

    def _every(self) -> Iterator[ClubTable]:
        """Yield every table there ever was, the first laid first; the log is asked once."""
        events: dict[str, list[Envelope[Event]]] = {}
        for each in self._store.of_kinds(*_KINDS):
            events.setdefault(each.stream, []).append(each)
        found = (project(CLUB_TABLES, of_table).record for of_table in events.values())
        return (each for each in found if each)

    def lay(self, name: str) -> str:
        """Lay a table; return its id. Raises NameTakenError, TooManyTablesError."""
        self._check_name(name)
        if len(self.laid()) >= MOST:
            raise TooManyTablesError
        table = secrets.token_hex(4)
        self._projector.add_after(table, 0, TableLaid(name))
        return table

    def rename(self, table: str, name: str) -> None:
        """Call a table otherwise; raise NameTakenError, NoSuchTableError."""
        self._check_name(name, but=table)
        self._change(table, TableRenamed(name))

    def new_pin(self, table: str) -> ClubTable:
        """Ask for a new PIN at a table; return it so. Raises NoSuchTableError."""
        self._change(table, TablePinChanged(*new_pin(self.get(table).pin)))
        return self.get(table)

    def no_pin(self, table: str) -> None:
        """Ask for no PIN at a table any more; raise NoSuchTableError."""
        self._change(table, TablePinChanged("", ""))

    def propose_rules(self, table: str, ruleset: str) -> None:
        """Choose the rules that are proposed at a table.

        Raises NoSuchTableError, and UnfitError for rules that there are not.
        """
        self._change(table, TableRulesChosen(ruleset))

    def clear(self, table: str) -> None:
        """Clear a table away; nothing happens to one that is. Raises NoSuchTableError."""
        found = self.ever(table)
        if found is None:
            raise NoSuchTableError
        if not found.cleared:
            self._projector.change(table, TableCleared())

    def _check_name(self, name: str, but: str = "") -> None:
        taken = {folded(each.name) for each in self.laid() if each.id != but}
        if folded(name) in taken:
            raise NameTakenError(name)

    def _change(self, table: str, event: ClubTableEvent) -> None:
        self.get(table)
        self._projector.change(table, event)


def _begun(envelope: Envelope[Event]) -> ClubTable:
    event = envelope.event
    if not isinstance(event, TableLaid):
        raise ValueError("a table is laid before anything else")
    return ClubTable(envelope.stream, Name(_checked(event.name)), envelope.at)


def _apply(table: ClubTable, envelope: Envelope[Event]) -> ClubTable:
    if table.cleared:
        raise ValueError("the table was cleared away")
    match envelope.event:
        case TableRenamed(name=name):
            return replace(table, name=Name(_checked(name)))
        case TablePinChanged(pin=pin, token=token) if bool(pin) == bool(token):
            return replace(table, pin=pin, pin_token=token)
        case TableRulesChosen(ruleset=rules) if rules in ("", *RULESETS):
            return replace(table, ruleset=rules, rules_at=envelope.seq)
        case TableCleared():
            return replace(table, cleared=True)
    raise ValueError("nothing of the kind happens to a table")


def _checked(name: str) -> str:
    if not name.strip():
        raise ValueError("a table has a name")
    return name


_KINDS = tuple(ClubTableEvent.__subclasses__())

CLUB_TABLES = Projection("club table", _begun, _apply, NoSuchTableError)
"""How a table comes of its events."""

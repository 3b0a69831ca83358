"""Whether a table's camera takes the photograph automatically."""

from __future__ import annotations

from device.club.tables import ClubTables
from device.settings.settings import Settings, append_to_box
from device.store import Store
from device.store.events import SettingChanged, SnappingChosen

SETTING = "snap_when_ready"


class Snapping:
    """The choice of each table, and the one way to change it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def at(self, table: str) -> bool:
        """Return whether a table photographs automatically; an empty id means the unnamed table."""
        on = Settings().snap_when_ready
        for each in self._store.of_kinds(SettingChanged, SnappingChosen):
            match each.event:
                case SnappingChosen(table=said, on=bool(chosen)) if said == table:
                    on = chosen
                case SettingChanged(name=name, value=bool(chosen)) if name == SETTING:
                    on = chosen
        return on

    def choose(self, table: str, *, on: bool) -> None:
        """Switch automatic photographs on or off at one table; other tables keep their choice."""
        if on == self.at(table):
            return
        several = ClubTables(self._store).are_laid()
        chosen = SnappingChosen(table, on) if several else SettingChanged(SETTING, on)
        append_to_box(self._store, chosen)

"""Whether the camera takes the photograph by itself: each table's own choice.

A box of one table has a setting for it, which is what a table begins with when it is laid.
"""

from __future__ import annotations

from device.club.tables import ClubTables
from device.settings.settings import Settings, append_to_box
from device.store import Store
from device.store.events import SettingChanged, SnappingChosen

SETTING = "snap_when_ready"


class Snapping:
    """What was chosen at the tables of a box, and the one way to change it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def at(self, table: str) -> bool:
        """Return whether it does so at a table, or, with no id, at the one without a name."""
        on = Settings().snap_when_ready
        for each in self._store.of_kinds(SettingChanged, SnappingChosen):
            match each.event:
                case SnappingChosen(table=said, on=bool(chosen)) if said == table:
                    on = chosen
                case SettingChanged(name=name, value=bool(chosen)) if name == SETTING:
                    on = chosen
        return on

    def choose(self, table: str, *, on: bool) -> None:
        """Let it do so at a table from now on, or not; all others stay as they are."""
        if on == self.at(table):
            return
        several = ClubTables(self._store).are_laid()
        chosen = SnappingChosen(table, on) if several else SettingChanged(SETTING, on)
        append_to_box(self._store, chosen)

"""What each table switches on or off for itself.

A new table starts with the box's setting. On a box without named tables, that setting is the
switch.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.club.tables import ClubTables
from device.settings import Settings, append_to_box
from device.store import Store
from device.store.events import SettingChanged, SnappingChosen, WaitCountingChosen

AUTO_SNAP_SETTING, WAIT_COUNTING_SETTING = "snap_when_ready", "count_waits"


@dataclass(frozen=True, slots=True)
class TableSwitch:
    """The choice of each table, and the one way to change it."""

    store: Store
    setting: str
    """The setting of the box, one that is true or false."""
    choice: type[SnappingChosen | WaitCountingChosen]
    """The event of one table."""

    def is_on_at(self, table: str) -> bool:
        """Return a table's choice; an empty id means the unnamed table."""
        is_on = bool(getattr(Settings(), self.setting))
        for envelope in self.store.of_kinds(SettingChanged, self.choice):
            match envelope.event:
                case SettingChanged(name=self.setting, value=bool(value)):
                    is_on = value
                case (
                    SnappingChosen(table=chosen_at, on=bool(value))
                    | WaitCountingChosen(table=chosen_at, on=bool(value))
                ) if chosen_at == table:
                    is_on = value
        return is_on

    def choose(self, table: str, *, is_on: bool) -> None:
        """Switch it on or off at one table; other tables keep their choice."""
        if is_on == self.is_on_at(table):
            return
        has_tables = ClubTables(self.store).are_laid()
        event = self.choice(table, is_on) if has_tables else SettingChanged(self.setting, is_on)
        append_to_box(self.store, event)


def auto_snap(store: Store) -> TableSwitch:
    """Return the switch for photographs that the camera takes by itself."""
    return TableSwitch(store, AUTO_SNAP_SETTING, SnappingChosen)


def wait_counting(store: Store) -> TableSwitch:
    """Return the switch for counting, during a match, what is left of the tiles waited for."""
    return TableSwitch(store, WAIT_COUNTING_SETTING, WaitCountingChosen)

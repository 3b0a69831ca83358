"""The settings of the box, which players choose once and which are derived from the log."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from device.store import Envelope, Event, Store, TornEventError
from device.store.appending import NewEvent, append
from device.store.events import BOX, BoxEvent, SettingChanged
from device.store.log import KindsSeen


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force, with the values of a new box as defaults."""

    snap_when_ready: bool = False
    """The box takes the photograph by itself as soon as the picture is ready. A table's own choice
    comes before this (`device.club.table_switches`)."""
    camera_turned: bool = False
    """The camera hangs upside down, so its picture is rotated by half a turn."""
    count_waits: bool = True
    """During a match, an enquiry counts the tiles on the table towards what is left of a wait. A
    table's own choice comes before this."""
    pin: str = ""
    """The PIN that a phone must give before it sees anything; empty for none."""
    pin_token: str = ""
    """The token of a phone that gave the PIN. It changes with the PIN."""
    pin_admits: str = ""
    """Ids of the matches that were running when the PIN was switched on, joined by blanks: their
    phones stay in. A new PIN in place of an old one lets none in."""
    organiser_pin: str = ""
    """The PIN for changing tournaments, the season and the tables; empty for none."""
    organiser_token: str = ""
    """The token of a phone that gave the organiser's PIN. It changes with the PIN."""
    phone_secret: str = ""
    """Signs the cookie that says whose a phone is."""


WRITE_ONCE_SETTINGS = frozenset({"phone_secret"})
"""Settings that keep their first value, so that processes which set one at once agree on it."""


class SettingsLog:
    """Reads the settings from the log, and changes them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def read(self) -> Settings:
        """Return the settings in force.

        A torn event is logged and left out, so that the box starts with the setting before it.
        """
        settings = Settings()
        for event in self._store.of_kinds(SettingChanged):
            try:
                settings = _with_setting(settings, event.event.name, event.event.value)
            except ValueError as error:
                self._store.tell(TornEventError(event.seq, event.stream, event.kind, str(error)))
        return settings

    def change(self, name: str, value: bool | str) -> None:
        """Change a setting, unless it has that value; raise ValueError for an unknown setting."""
        settings_now = self.read()
        if _with_setting(settings_now, name, value) != settings_now:
            append_to_box(self._store, SettingChanged(name, value))


def append_to_box(store: Store, event: BoxEvent, kinds_seen: KindsSeen | None = None) -> int:
    """Append an event of the box, which stands by itself; return its number.

    `kinds_seen` is that of NewEvent. Raises EventRefusedError for a setting that the box does not
    know.
    """
    return append(store, NewEvent("box", BOX, event, kinds_seen=kinds_seen), check_box_event).seq


def check_box_event(envelope: Envelope[Event]) -> None:
    """Raise ValueError for an invalid event of the box."""
    if isinstance(envelope.event, SettingChanged):
        _with_setting(Settings(), envelope.event.name, envelope.event.value)


def _with_setting(settings: Settings, name: str, value: bool | str) -> Settings:
    kinds: dict[str, type] = {
        field.name: type(getattr(settings, field.name)) for field in fields(Settings)
    }
    if type(value) is not kinds.get(name):
        raise ValueError(f"there is no setting {name} that could be {value!r}")
    if name in WRITE_ONCE_SETTINGS and getattr(settings, name):
        return settings
    choice: dict[str, Any] = {name: value}
    return replace(settings, **choice)

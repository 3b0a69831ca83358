"""How this box is used: the few choices that players make once, derived from the log."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from device.store import Envelope, Event, Store, TornEventError
from device.store.appending import NewEvent, append
from device.store.events import BOX, BoxEvent, SettingChanged


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices in force; a new box has these."""

    snap_when_ready: bool = False
    """The box takes the photograph by itself, as soon as it would say that it is ready; of several
    tables, what each chose for itself comes before this (`device.club.snapping`)."""
    camera_turned: bool = False
    """The camera hangs upside down, so its picture is turned by half a turn."""
    pin: str = ""
    """What a phone must know before it is shown anything; empty when any phone is."""
    pin_token: str = ""
    """What a phone holds that knew it; another with every PIN (`device.settings.pin`)."""
    organiser_pin: str = ""
    """What who changes a tournament, a season or the tables must know; empty when anybody may."""
    organiser_token: str = ""
    """What a phone holds that knew it; another with every PIN (`device.settings.organiser`)."""
    phone_secret: str = ""
    """Signs what a phone keeps of whose it is (`device.settings.phone_secret`)."""


WRITTEN_ONCE = frozenset({"phone_secret"})
"""Settings whose first value stays, so that processes which make one at once agree on it."""


class SettingsLog:
    """The settings, and the one way to change them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def now(self) -> Settings:
        """Return the settings in force.

        An event that makes no sense is told and left out: what was chosen before it stays, so that
        the box starts.
        """
        settings = Settings()
        for each in self._store.of_kinds(SettingChanged):
            try:
                settings = _changed(settings, each.event.name, each.event.value)
            except ValueError as error:
                self._store.tell(TornEventError(each.seq, each.stream, each.kind, str(error)))
        return settings

    def change(self, name: str, value: bool | str) -> None:
        """Keep one choice, unless it is in force already; raise ValueError for one unknown."""
        now = self.now()
        if _changed(now, name, value) != now:
            append_to_box(self._store, SettingChanged(name, value))


def append_to_box(store: Store, event: BoxEvent) -> int:
    """Keep one more event of the box, which needs no other before it; return its number.

    Raises UnfitError for a choice that the box does not know.
    """
    return append(store, NewEvent("box", BOX, event), check_alone)


def check_alone(envelope: Envelope[Event]) -> None:
    """Raise ValueError for an event of the box that would be left out."""
    if isinstance(envelope.event, SettingChanged):
        _changed(Settings(), envelope.event.name, envelope.event.value)


def _changed(settings: Settings, name: str, value: bool | str) -> Settings:
    kinds: dict[str, type] = {
        field.name: type(getattr(settings, field.name)) for field in fields(Settings)
    }
    if type(value) is not kinds.get(name):
        raise ValueError(f"there is no setting {name} that could be {value!r}")
    if name in WRITTEN_ONCE and getattr(settings, name):
        return settings
    choice: dict[str, Any] = {name: value}
    return replace(settings, **choice)

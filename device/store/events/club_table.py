"""The events of one table of a club: laid, named, its choices made, cleared away."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.base import Event
from device.store.events.box import BoxEvent


class ClubTableEvent(Event, frozen=True):
    """An event of one of several tables."""

    streams: ClassVar = ("club table",)


class TableLaid(ClubTableEvent, frozen=True):
    """A table gets a name, and a code to scan."""

    kind: ClassVar = "table-laid"
    name: str
    """What the club calls it."""


class TableRenamed(ClubTableEvent, frozen=True):
    """It is called otherwise from now on."""

    kind: ClassVar = "table-renamed"
    name: str
    """What the club calls it."""


class TablePinChanged(ClubTableEvent, frozen=True):
    """Who would sit at it must know another PIN from now on, or none."""

    kind: ClassVar = "table-pin-changed"
    pin: str
    """Four digits; empty where none is asked for."""
    token: str
    """What a phone holds that knew it; empty without a PIN."""


class TableRulesChosen(ClubTableEvent, frozen=True):
    """The rules are chosen that are proposed at it."""

    kind: ClassVar = "table-rules-chosen"
    ruleset: str
    """Name of the rules; empty for those of the box."""


class TableCleared(ClubTableEvent, frozen=True):
    """It is cleared away: nobody sits at it any more, and what was played there stays."""

    kind: ClassVar = "table-cleared"


class SnappingChosen(BoxEvent, frozen=True):
    """It is chosen whether the camera takes the photograph by itself at one of several tables."""

    kind: ClassVar = "snapping-chosen"
    table: str
    """Id of the table; empty for the one without a name."""
    on: bool
    """It does."""


class CameraHung(BoxEvent, frozen=True):
    """A camera hangs over a table: only its phones are offered what the camera sees."""

    kind: ClassVar = "camera-hung"
    table: str
    """Id of the table; empty for none of them."""
    camera: str = ""
    """Name of a webcam, as udev links to it; empty for the box's own camera."""
    title: str = ""
    """What people call the webcam."""
    turned: bool = False
    """The webcam hangs upside down; of the box's own camera a setting says so."""

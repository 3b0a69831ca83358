"""The events of the box itself, each a choice that stands by itself, and of who practises on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from device.store.events.base import Event

BOX = "box"
"""The stream of the box itself."""


class BoxEvent(Event, frozen=True):
    """An event of the box."""

    streams: ClassVar = ("box",)


class SetBegun(BoxEvent, frozen=True):
    """The box gets to know of another tile set."""

    kind: ClassVar = "set-begun"
    set: str
    """Its id from now on."""
    name: str
    """What the players call it."""


class SetChosen(BoxEvent, frozen=True):
    """A tile set is put on the table."""

    kind: ClassVar = "set-chosen"
    set: str
    """Its id; `first` for the one that every box begins with."""
    table: str = ""
    """Id of the table, where there are several; empty for all that have none of their own."""


class LearningAllowed(BoxEvent, frozen=True):
    """The players say whether the box may keep pictures of tiles."""

    kind: ClassVar = "learning-allowed"
    allowed: bool
    """It may."""


class CropsDeleted(BoxEvent, frozen=True):
    """Every picture of a tile set's tiles was deleted."""

    kind: ClassVar = "crops-deleted"
    set: str
    """Id of the set."""
    count: int
    """How many there were."""


class SettingChanged(BoxEvent, frozen=True):
    """A choice of how the box is used."""

    kind: ClassVar = "setting-changed"
    name: str
    """Which one: a field of `device.settings.settings.Settings`."""
    value: bool | str
    """What it is from now on."""


class CameraAdjusted(BoxEvent, frozen=True):
    """The box's camera was focused and exposed for the table."""

    kind: ClassVar = "camera-adjusted"
    model: str
    """Which model of camera."""
    controls: Mapping[str, Any]
    """What was found, in libcamera's words."""


class SwitchedOff(BoxEvent, frozen=True):
    """The box was switched off from its page."""

    kind: ClassVar = "switched-off"


class UpdateChosen(BoxEvent, frozen=True):
    """A newer version that was picked on the page is to be installed."""

    kind: ClassVar = "update-chosen"
    version: str
    """Its number, as its maker signed it."""


class FirstStepsEnded(BoxEvent, frozen=True):
    """Whoever came first to the new box was walked through it, or would not be."""

    kind: ClassVar = "first-steps-ended"
    skipped: bool = False
    """All was passed over at once."""
    ruleset: str = ""
    """By which rules they mostly play; empty where nobody said."""
    players: tuple[str, ...] = ()
    """Who mostly plays, to be proposed; empty where nobody said."""
    hand: str = ""
    """Id of the hand that was photographed to try it; empty where none was."""


class PracticeEvent(Event, frozen=True):
    """An event of one player who practises."""

    streams: ClassVar = ("practice",)
    name: str
    """The player's name, as it was written."""


class ExerciseDone(PracticeEvent, frozen=True):
    """A round of an exercise was done."""

    kind: ClassVar = "exercise-done"
    exercise: str
    """Which one."""
    level: str
    """How hard."""
    right: int
    """How many answers were right."""
    asked: int
    """Of how many."""
    run: str = ""
    """Id of the round, which counts once however often it is sent; empty for one without."""


class PracticeReset(PracticeEvent, frozen=True):
    """The player begins anew: what was done before does not count."""

    kind: ClassVar = "practice-reset"

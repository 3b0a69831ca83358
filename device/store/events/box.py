"""The events of the box: tile sets, choices, its log, what players allow, and who practises.

Each of them stands by itself, except those of a registration: a tile set is laid out, photographed,
checked and learnt.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from device.store.events.catalogue import Event
from device.store.events.parts import HandPhoto
from vision.reading import NamedSetTile, Problem

BOX = "box"
"""The stream of the box itself."""


class BoxEvent(Event, frozen=True):
    """An event of the box."""

    streams: ClassVar = ("box",)


class SetBegun(BoxEvent, frozen=True):
    """Another tile set is added."""

    kind: ClassVar = "set-begun"
    set: str
    """Its id."""
    name: str
    """The players' name for it."""


class SetChosen(BoxEvent, frozen=True):
    """A tile set is put on the table."""

    kind: ClassVar = "set-chosen"
    set: str
    """Its id; `first` for the one that every box begins with."""
    table: str = ""
    """Id of the table; empty for all tables without a set of their own."""


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


class RegistrationEvent(Event, frozen=True):
    """An event of one registration of a tile set."""

    streams: ClassVar = ("registration",)


class SetPhotographed(RegistrationEvent, frozen=True):
    """A registration begins with a photograph of the set laid out."""

    kind: ClassVar = "set-photographed"
    set: str
    """Id of the tile set."""
    photo: HandPhoto
    """The photograph."""


class SetPhotoAdded(RegistrationEvent, frozen=True):
    """Another photograph of the set was taken."""

    kind: ClassVar = "set-photo-added"
    photo: HandPhoto
    """The photograph."""


class SetReadingBegun(RegistrationEvent, frozen=True):
    """A reading of a photograph begins. Too many without an end mean a fault."""

    kind: ClassVar = "set-reading-begun"


class SetReadingCutOff(RegistrationEvent, frozen=True):
    """The store failed during a reading: the last beginning does not count as an attempt."""

    kind: ClassVar = "set-reading-cut-off"


class SetRead(RegistrationEvent, frozen=True):
    """A photograph was read, or could not be."""

    kind: ClassVar = "set-read"
    number: int
    """Which one, counted from 0."""
    tiles: tuple[NamedSetTile, ...]
    """None for a photograph that could not be read."""
    problems: tuple[Problem, ...]
    """What the player should know."""


class SetTileNamed(RegistrationEvent, frozen=True):
    """A player says what a tile is."""

    kind: ClassVar = "set-tile-named"
    photo: int
    """Number of the photograph, counted from 0."""
    tile: int
    """Number of the tile in it."""
    code: str | None
    """What it is; null for no tile."""


class SetSaved(RegistrationEvent, frozen=True):
    """Pictures of the tiles were kept, from which the box learns the set."""

    kind: ClassVar = "set-kept"
    crops: Mapping[str, str]
    """Names of the pictures, by photograph and tile: `0-13`."""


class SettingChanged(BoxEvent, frozen=True):
    """A setting of the box was changed."""

    kind: ClassVar = "setting-changed"
    name: str
    """The setting: a field of `device.settings.Settings`."""
    value: bool | str
    """Its new value."""


class CameraAdjusted(BoxEvent, frozen=True):
    """The box's camera was focused and exposed for the table."""

    kind: ClassVar = "camera-adjusted"
    model: str
    """The model of the camera."""
    controls: Mapping[str, Any]
    """The controls found, by libcamera's names."""


class BoxSwitchedOff(BoxEvent, frozen=True):
    """The box was switched off from its page."""

    kind: ClassVar = "switched-off"


class UpdateChosen(BoxEvent, frozen=True):
    """A newer version was chosen on the page, and is to be installed."""

    kind: ClassVar = "update-chosen"
    version: str
    """Its version, as its maker signed it."""


class FirstStepsEnded(BoxEvent, frozen=True):
    """The introduction to a new box ended, or was skipped."""

    kind: ClassVar = "first-steps-ended"
    skipped: bool = False
    """The introduction was skipped."""
    ruleset: str = ""
    """The rules that they mostly play by; empty if nobody said."""
    players: tuple[str, ...] = ()
    """The usual players, to be proposed for matches; empty if nobody said."""
    hand: str = ""
    """Id of the hand that was photographed as a trial; empty without one."""


class PracticeEvent(Event, frozen=True):
    """An event of a player who practises."""

    streams: ClassVar = ("practice",)
    name: str
    """The player's name as written."""


class ExerciseDone(PracticeEvent, frozen=True):
    """A round of an exercise was done."""

    kind: ClassVar = "exercise-done"
    exercise: str
    """The exercise."""
    level: str
    """Its level of difficulty."""
    right: int
    """Number of right answers."""
    asked: int
    """Number of questions."""
    run: str = ""
    """Id of the round, which counts once however often it is sent; empty without an id."""


class PracticeReset(PracticeEvent, frozen=True):
    """The player starts again: earlier rounds do not count."""

    kind: ClassVar = "practice-reset"


class PictureSharingAnswered(BoxEvent, frozen=True):
    """The players decide whether pictures of their confirmed hands may be given to others."""

    kind: ClassVar = "giving-answered"
    agreed: bool
    """They may, for hands confirmed from now on, as long as the answer stays yes."""


class PlayerKeptOut(BoxEvent, frozen=True):
    """A player decides whether pictures of the player's own hands stay on the box."""

    kind: ClassVar = "player-kept-out"
    name: str
    """The player's name in a match; upper and lower case are the same."""
    kept_out: bool
    """They stay, for all past and future hands."""


class LogSalvaged(BoxEvent, frozen=True):
    """The log was damaged or missing. A new log holds its readable events."""

    kind: ClassVar = "log-salvaged"
    cause: str
    """`missing`, `empty` or `torn`."""
    found: str
    """SQLite's own words about the damage; empty if there was no log."""
    kept: int
    """Number of events in the new log."""
    missing: tuple[tuple[int, int], ...]
    """The missing events: first and last number of each run."""
    copied: int = 0
    """Number of events that only a copy of the log had."""
    end_known: bool = True
    """The number of the last event was readable; otherwise later events may be missing too."""
    touched: tuple[str, ...] = ()
    """Streams with missing events, as far as an index was readable."""
    aside: str = ""
    """The folder with the damaged log; empty without one."""


class SalvageRead(BoxEvent, frozen=True):
    """Somebody has read that the log was damaged. The message is not shown again."""

    kind: ClassVar = "salvage-read"
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class BackupRestored(BoxEvent, frozen=True):
    """A backup took the place of what was on the box. It is the first event after its own."""

    kind: ClassVar = "backup-restored"

"""The events of a club: its tables, its people, and the seasons of its league.

A person is known by the names that stand in matches. A player who was never entered is a person
with that one name (`device.club.people`).
"""

from __future__ import annotations

from typing import ClassVar, Literal

from device.store.events.box import BoxEvent
from device.store.events.catalogue import Event


class ClubTableEvent(Event, frozen=True):
    """An event of one of the club's tables."""

    streams: ClassVar = ("club table",)


class TableCreated(ClubTableEvent, frozen=True):
    """A table is added, with a name and a code to scan."""

    kind: ClassVar = "table-laid"
    name: str
    """The club's name for it."""


class TableRenamed(ClubTableEvent, frozen=True):
    """The table gets a new name."""

    kind: ClassVar = "table-renamed"
    name: str
    """The club's name for it."""


class TablePinChanged(ClubTableEvent, frozen=True):
    """The table's PIN is changed or removed."""

    kind: ClassVar = "table-pin-changed"
    pin: str
    """Four digits; empty without a PIN."""
    token: str
    """The token of a phone that gave the PIN; empty without a PIN."""


class TableRulesChosen(ClubTableEvent, frozen=True):
    """The rules that the table proposes are chosen."""

    kind: ClassVar = "table-rules-chosen"
    ruleset: str
    """Name of the rules; empty for those of the box."""


class TableCleared(ClubTableEvent, frozen=True):
    """The table is removed. What was played there stays."""

    kind: ClassVar = "table-cleared"


class SnappingChosen(BoxEvent, frozen=True):
    """A table chooses whether the camera takes the photograph by itself."""

    kind: ClassVar = "snapping-chosen"
    table: str
    """Id of the table; empty for the one without a name."""
    on: bool
    """The camera does so."""


class WaitCountingChosen(BoxEvent, frozen=True):
    """A table chooses whether tiles on the table are counted for somebody who waits for one."""

    kind: ClassVar = "wait-counting-chosen"
    table: str
    """Id of the table; empty for the one without a name."""
    on: bool
    """They are counted while a match is played there, too."""


class CameraAssigned(BoxEvent, frozen=True):
    """A camera is assigned to a table: only that table's phones are offered its pictures."""

    kind: ClassVar = "camera-hung"
    table: str
    """Id of the table; empty for none of them."""
    camera: str = ""
    """Name of a webcam, as udev links it; empty for the box's own camera."""
    title: str = ""
    """The webcam's name for people."""
    turned: bool = False
    """The webcam hangs upside down. For the box's own camera this is a setting."""


PERSON = "person:"
"""What the name of a person's stream begins with; the person's id follows."""


class PersonEvent(Event, frozen=True, kw_only=True):
    """An event of one person."""

    streams: ClassVar = ("person",)
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class PersonAdded(PersonEvent, frozen=True):
    """A person is added under a name. Nothing happens if the name is another person's."""

    kind: ClassVar = "person-added"
    name: str
    """The name. Two people of one name are told apart by a word: `Wong (Kitty)`."""


class PersonNamed(PersonEvent, frozen=True):
    """A person is shown under this name from now on; the names before it stay the person's."""

    kind: ClassVar = "person-named"
    name: str
    """The name. Nothing happens if it is another person's."""


class NameGivenUp(PersonEvent, frozen=True):
    """A name does not belong to the person: matches under it are somebody else's."""

    kind: ClassVar = "name-given-up"
    name: str
    """The name, which is not the one shown."""


class PersonMerged(PersonEvent, frozen=True):
    """This entry is the same person as another, who gets all its names."""

    kind: ClassVar = "person-merged"
    into: str
    """Id of the other entry, which is shown from now on."""


class PersonUnmerged(PersonEvent, frozen=True):
    """The merged entries are two persons: each has its own names again."""

    kind: ClassVar = "person-parted"


class PersonRemoved(PersonEvent, frozen=True):
    """The person's name is no longer offered when a match begins. Matches stay as they were."""

    kind: ClassVar = "person-removed"
    hidden: bool = False
    """No list, no ranking and no page of a player shows the name either."""


class PersonBroughtBack(PersonEvent, frozen=True):
    """The person's name is offered and shown again."""

    kind: ClassVar = "person-brought-back"


SEASON = "season:"
"""What the name of a season's stream begins with; the season's id follows."""


class SeasonEvent(Event, frozen=True, kw_only=True):
    """An event of one season."""

    streams: ClassVar = ("season",)
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class SeasonSettingsChanged(SeasonEvent, frozen=True):
    """A complete description of a season."""

    name: str
    """Its name."""
    first: str
    """Its first day: `2026-09-01`."""
    last: str
    """Its last day."""
    points: Literal["totals", "places", "both"]
    """What the ranking uses: the totals won and lost, points for places at each table, or these
    points first and then the totals."""
    by_place: tuple[int, ...]
    """Points for the first place at a table, the second and so on; none for further places."""
    best: int | None
    """How many of a player's best matches count; null for all."""
    least_players: int = 2
    """How many must have played a match for it to count by its day."""


class SeasonBegun(SeasonSettingsChanged, frozen=True):
    """A season is added."""

    kind: ClassVar = "season-begun"


class SeasonChanged(SeasonSettingsChanged, frozen=True):
    """The season is changed, for matches that were already played as well."""

    kind: ClassVar = "season-changed"


class SeasonMatchDecided(SeasonEvent, frozen=True):
    """Somebody decides whether a match counts, whatever its day."""

    kind: ClassVar = "season-match-said"
    match: str
    """Id of the match."""
    counts: bool | None
    """It is included or excluded; null if its day decides."""
    why: str = ""
    """The reason."""
    who: str = ""
    """Who decided it."""

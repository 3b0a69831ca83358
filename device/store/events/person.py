"""The events of one person of the club: under which names somebody plays, and nothing else.

A person is told by the names that stand in matches. Who has played and was never written down here
is a person of that one name (`device.club.people`).
"""

from __future__ import annotations

from typing import ClassVar

from device.store.events.base import Event

PERSON = "person:"
"""What the name of a person's stream begins with; the person's id follows."""


class PersonEvent(Event, frozen=True, kw_only=True):
    """An event of one person."""

    streams: ClassVar = ("person",)
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class PersonAdded(PersonEvent, frozen=True):
    """A person is written down, under the name that is shown. Nothing where it is another's."""

    kind: ClassVar = "person-added"
    name: str
    """The name. Who is called like somebody else has a word with it: `Wong (Kitty)`."""


class PersonNamed(PersonEvent, frozen=True):
    """A person is shown under this name from now on; the names before it stay the person's."""

    kind: ClassVar = "person-named"
    name: str
    """The name. Nothing happens where it is another's."""


class NameGivenUp(PersonEvent, frozen=True):
    """A name was not the person's after all: matches under it are somebody else's."""

    kind: ClassVar = "name-given-up"
    name: str
    """The name; not the one that is shown."""


class PersonMerged(PersonEvent, frozen=True):
    """This entry is the same person as another: all its names are that one's."""

    kind: ClassVar = "person-merged"
    into: str
    """Id of the other, which is shown from now on."""


class PersonParted(PersonEvent, frozen=True):
    """The two entries are two persons after all: each has its own names again."""

    kind: ClassVar = "person-parted"


class PersonRemoved(PersonEvent, frozen=True):
    """The person's name is no longer offered when a match begins. Matches stay as they were."""

    kind: ClassVar = "person-removed"
    hidden: bool = False
    """No list, no ranking and no page of a player shows the name either."""


class PersonBroughtBack(PersonEvent, frozen=True):
    """The person's name is offered and shown again."""

    kind: ClassVar = "person-brought-back"

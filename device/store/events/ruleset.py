"""The events of one custom ruleset: its versions, and whether it is offered for new matches."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.catalogue import Event

RULESET = "rules:"
"""What the name of a custom ruleset's stream begins with; the ruleset's id follows."""


class RulesetEvent(Event, frozen=True, kw_only=True):
    """An event of one custom ruleset."""

    streams: ClassVar = ("ruleset",)
    by: str = ""
    """The player whose phone it was; empty where nobody has said."""


class RulesetSaved(RulesetEvent, frozen=True):
    """A version of a custom ruleset is kept. Matches of earlier versions stay as they are."""

    kind: ClassVar = "ruleset-kept"
    version: int
    """Counted from 1, and higher than that of every version before it."""
    text: str
    """The whole file, with its title, its author, its version and its digest."""
    origin: str = ""
    """What it was copied from: `bmja`, or `ours-1@3`, also an earlier version of the same ruleset;
    empty for a file."""


class RulesetRetired(RulesetEvent, frozen=True):
    """The ruleset is offered no more for new matches."""

    kind: ClassVar = "ruleset-retired"


class RulesetReturned(RulesetEvent, frozen=True):
    """The ruleset is offered again."""

    kind: ClassVar = "ruleset-returned"

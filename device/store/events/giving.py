"""The events of data given on purpose: what the players agreed to, and whose hands stay."""

from __future__ import annotations

from typing import ClassVar

from device.store.events.box import BoxEvent


class GivingAnswered(BoxEvent, frozen=True):
    """The players say whether pictures of their confirmed hands may be given to others."""

    kind: ClassVar = "giving-answered"
    agreed: bool
    """They may: of hands confirmed from now on until the answer is no, and as long as it is yes."""


class PlayerKeptOut(BoxEvent, frozen=True):
    """A player says whether the pictures of his or her own hands stay on the box."""

    kind: ClassVar = "player-kept-out"
    name: str
    """What the player is called in a match; in capitals or not is all the same."""
    kept_out: bool
    """They stay, whenever the hands were or will be played."""

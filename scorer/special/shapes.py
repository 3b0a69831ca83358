"""What there is to say of a special hand, by its shape (`scorer.ruleset.Shape`).

A hand is made, or one thing is in the way, or so many tiles are missing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from scorer.decompose.readings import HandReading
from scorer.reasons import Reason
from scorer.ruleset import Ruleset
from scorer.special.held import Held, Missing
from scorer.special.holding import Holding
from scorer.tiles import Tile

Target = list[Missing] | None
"""What is missing from one thing that a hand may become; None where it cannot become that."""


class SetsHand(ABC):
    """Four sets and a pair."""

    @abstractmethod
    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        """Whether a reading is this hand; `traits` are those of all its sets together."""

    @abstractmethod
    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        """Return the one thing that keeps a reading from being this hand."""

    @abstractmethod
    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Yield what is missing, for each kind of target: for each suit, say."""


class TilesHand(ABC):
    """Fourteen tiles of another shape, kept concealed until the last (BMJA-S05)."""

    largest_claim: ClassVar[int] = 2
    """How many tiles a claimed winning tile may have been laid down with, itself included."""

    @abstractmethod
    def made(self, holding: Holding, rules: Ruleset) -> bool:
        """Whether the tiles are this hand."""

    def may_end_with(self, claimed: Tile, rules: Ruleset) -> bool:
        """Whether this tile, claimed, may be the last one."""
        return True

    @abstractmethod
    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Yield what is missing, for each kind of target; nothing lies on the table."""


class EventHand(ABC):
    """Any Mah-Jong, won in a way of its own (BMJA-S40)."""

    @abstractmethod
    def made(self, reading: HandReading, rules: Ruleset) -> bool:
        """Whether the reading was won so."""

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        """Return the one thing that keeps a reading from having been won so."""
        return None

"""The base classes of special hands, one for each shape (`scorer.ruleset.SpecialShape`)."""

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
"""The missing tiles of one version of a hand; None when the player cannot reach it."""


class SetsHand(ABC):
    """Four sets and a pair."""

    @abstractmethod
    def made(self, arrangement: HandReading, traits: int, rules: Ruleset) -> bool:
        """Return whether an arrangement is this hand; `traits` is the union of its sets' traits."""

    @abstractmethod
    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        """Return the one thing that keeps an arrangement from being this hand."""

    @abstractmethod
    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Yield what is missing from each version of the hand: one for each suit, for example."""


class TilesHand(ABC):
    """Fourteen tiles of another shape, kept concealed until the last (BMJA-S05)."""

    largest_claim: ClassVar[int] = 2
    """How many tiles, the winning tile included, may be laid down with a claim."""

    @abstractmethod
    def made(self, holding: Holding, rules: Ruleset) -> bool:
        """Return whether the tiles are this hand."""

    def may_end_with(self, claimed: Tile, rules: Ruleset) -> bool:
        """Return whether this tile may be claimed to complete the hand."""
        return True

    @abstractmethod
    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Yield what is missing from each version of the hand; no set is on the table."""


class EventHand(ABC):
    """Any Mah-Jong, won in a particular way (BMJA-S40)."""

    @abstractmethod
    def made(self, arrangement: HandReading, rules: Ruleset) -> bool:
        """Return whether the hand was won in this way."""

    def why_not(self, arrangement: HandReading, rules: Ruleset) -> Reason:
        """Return the one thing that keeps the win from being of this kind."""
        return None

"""The special hands that the tiles of a hand which did not win are nearest to."""

from __future__ import annotations

from scorer.breakdown import Nearest
from scorer.hand import Hand
from scorer.ruleset import Ruleset


def nearest_specials(hand: Hand, rules: Ruleset) -> tuple[Nearest, ...]:
    """Return the special hands that lack fewest tiles, nearest first."""
    return ()

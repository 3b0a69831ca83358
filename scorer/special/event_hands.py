"""Special hands that the way of winning makes, with any Mah-Jong (BMJA-S25 to S29, S40)."""

from __future__ import annotations

from abc import ABC, abstractmethod

from scorer.decompose.arrangements import HandArrangement
from scorer.reasons import Reason, make_reason, sole_reason
from scorer.ruleset import Ruleset

MIN_KONGS = 2


class EventHand(ABC):
    """Any Mah-Jong, won in a particular way (BMJA-S40)."""

    @abstractmethod
    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        """Return whether the hand was won in this way."""

    def explain(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        """Return the one thing that keeps the win from being of this kind."""
        return None


class HeavensBlessing(EventHand):
    """BMJA-S25: East wins as dealt: no kong declared, no bonus tile replaced (BMJA-S39)."""

    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        return "heaven" in arrangement.hand.won_by and not any(
            _explain_not_dealt(arrangement, rules)
        )

    def explain(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        has_event = "heaven" in arrangement.hand.won_by
        return sole_reason(_explain_not_dealt(arrangement, rules)) if has_event else None


def _explain_not_dealt(arrangement: HandArrangement, rules: Ruleset) -> tuple[Reason, Reason]:
    hand = arrangement.hand
    has_replacements = hand.bonus and not rules.is_on("heaven_after_bonus_tiles")
    return (
        make_reason("laid-down") if hand.sets_on_table else None,
        make_reason("bonus-replaced") if has_replacements else None,
    )


class EarthsBlessing(EventHand):
    """BMJA-S26: won with East's first discard."""

    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        return "earth" in arrangement.hand.won_by


class PlumBlossom(EventHand):
    """BMJA-S27: won with a loose tile, the 5 of circles."""

    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        return arrangement.hand.on_loose_tile and arrangement.hand.winning_tile == "O5"

    def explain(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        """Blame the source when the winning tile is the right one."""
        sources = arrangement.hand.winning_tile == "O5" and arrangement.hand.sources
        return make_reason("no-loose-tile") if sources else None


class Moon(EventHand):
    """BMJA-S28: won with the last tile of the live wall, the 1 of circles."""

    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        return "last-tile" in arrangement.hand.won_by and arrangement.hand.winning_tile == "O1"

    def explain(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        """Blame the moment when the winning tile is the right one."""
        hand = arrangement.hand
        if hand.winning_tile != "O1" or not hand.sources:
            return None
        return make_reason("last-discard" if "last-discard" in hand.won_by else "not-the-last-tile")


class TwofoldFortune(EventHand):
    """BMJA-S29: won with the loose tile of a kong that a kong's loose tile made."""

    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        return (
            "kong-of-kong" in arrangement.hand.won_by
            and len(arrangement.of_kind("kong")) >= MIN_KONGS
        )

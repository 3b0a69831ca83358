"""A ruleset whose only special hand is the one that a test asks about."""

from __future__ import annotations

from dataclasses import replace

from scorer.hand import Codes, Hand
from scorer.message import rule_text
from scorer.patterns.frames import compile_pattern
from scorer.ruleset import LastTile, Ruleset, SpecialHand, with_options
from scorer.rulesets.builtin import load_builtin
from tests.scorer.answers import special_of

BMJA = load_builtin("bmja")
OWN_ID = "OWN-1"
HIGH_VALUE = 900_000
"""Worth more than any ordinary sum, so that the special hand counts wherever it is made."""


def rules_with(
    pattern: str, *, concealed: bool = False, claim: LastTile = "any", value: int = HIGH_VALUE
) -> Ruleset:
    """Return the British rules without a limit, with this special hand alone."""
    special = SpecialHand(
        id=OWN_ID,
        name=rule_text("Our hand"),
        sentence=rule_text("It is ours."),
        pattern=compile_pattern(pattern),
        concealed=concealed,
        claim=claim,
        value=value,
        fishing=value // 2,
    )
    return with_options(replace(BMJA, every_special=(special,), limit=None), BMJA.active_options)


def is_made(hand: Hand, rules: Ruleset) -> bool:
    """Return whether the hand counts as the special hand."""
    return special_of(hand, rules) == OWN_ID


def drawn_hand(tiles: Codes, *, goulash: bool = False) -> Hand:
    """Return these tiles, all concealed, won with the first of them from the live wall."""
    return Hand(
        concealed=tiles,
        winner=True,
        won_by=("wall",),
        winning_tile=tiles[0],
        limit=None,
        goulash=goulash,
    )

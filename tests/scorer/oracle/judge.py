"""The oracle of each ruleset."""

from __future__ import annotations

from scorer.hand import Hand
from tests.scorer.oracle import bmja_oracle, safalra_oracle
from tests.scorer.oracle.verdict import Verdict

ORACLES = {"bmja": bmja_oracle.oracle, "safalra": safalra_oracle.oracle}


def verdict(hand: Hand) -> Verdict:
    """Return the answer of the oracle whose rules the hand names."""
    return ORACLES[hand.ruleset](hand)

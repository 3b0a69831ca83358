"""The hand that tiles make for somebody who asks: by what was agreed, and not won."""

from __future__ import annotations

from dataclasses import replace

from device.hands.hand import HandRecord
from device.hands.scoring import hand_in_play
from scorer.hand import WILD, Hand
from scorer.ruleset import Ruleset
from scorer.sets import make_set
from vision.hand.assemble import AssembledHand


def rules_for(record: HandRecord) -> Ruleset:
    """Return the rules that a hand is judged by, the table's choices made."""
    return replace(record.agreement, ruleset=record.rules).rules


def hand_asked_about(record: HandRecord, parts: AssembledHand) -> Hand:
    """Return the tiles as a hand in play.

    What lies in the exposed row and is no set is taken for the player's own tiles: whoever shows
    his rack seldom thinks of rows.
    """
    wild = WILD if record.agreement.goulash else frozenset[str]()
    made = [make_set(codes, concealed=False, wild=wild) for codes in parts.exposed]
    laid = tuple(
        codes
        for codes, each in zip(parts.exposed, made, strict=True)
        if each and each.kind != "pair"
    )
    own = tuple(code for codes in parts.exposed if codes not in laid for code in codes)
    return replace(hand_in_play(record, parts), exposed=laid, concealed=(*parts.concealed, *own))

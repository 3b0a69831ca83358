"""Build the hand in play that asked-about tiles make."""

from __future__ import annotations

from dataclasses import replace

from device.hands.record import HandRecord
from device.hands.scoring import hand_in_play
from scorer.hand import WILD_CODES, Hand
from scorer.ruleset import Ruleset
from scorer.sets import make_set
from vision.hand.assembly import AssembledHand


def rules_for(record: HandRecord) -> Ruleset:
    """Return the ruleset with the table's choices applied."""
    return replace(record.agreement, ruleset=record.rules).rules


def hand_asked_about(record: HandRecord, parts: AssembledHand) -> Hand:
    """Return the tiles as a hand in play.

    Tiles in the exposed row that make no set count as concealed: people who show their rack
    seldom think of rows.
    """
    wild = WILD_CODES if record.agreement.goulash else frozenset[str]()
    made = [make_set(codes, concealed=False, wild=wild) for codes in parts.exposed]
    laid = tuple(
        codes
        for codes, each in zip(parts.exposed, made, strict=True)
        if each and each.kind != "pair"
    )
    own = tuple(code for codes in parts.exposed if codes not in laid for code in codes)
    return replace(hand_in_play(record, parts), exposed=laid, concealed=(*parts.concealed, *own))

"""Scores a hand as it stands, and finds the tiles that earned each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from device.hands import HandRecord, hand_from
from scorer.breakdown import Breakdown
from scorer.errors import HandError
from scorer.score import score, total
from vision.assemble import AssembledHand


def judge(record: HandRecord) -> Breakdown:
    """Return the hand's score; raise HandError with every reason why there is none."""
    return score(hand_from(record))


def total_of(record: HandRecord) -> int | None:
    """Return a hand's total; None while it has none."""
    try:
        return total(hand_from(record))
    except HandError:
        return None


def places_of(codes: Sequence[str], hand: AssembledHand) -> tuple[int, ...]:
    """Return where the tiles of a line lie, in the order of the photograph.

    Tiles that make up a whole set come before loose ones of the same face: a line names the pung
    that earned it, not the same tile in a chow beside it.
    """
    wanted = Counter(codes)
    whole_first = sorted(hand.sets, key=lambda s: Counter(s.codes) != wanted)
    found = []
    for laid in whole_first:
        for place, code in zip(laid.tiles, laid.codes, strict=True):
            if wanted[code] > 0:
                wanted[code] -= 1
                found.append(place)
    return tuple(sorted(found))

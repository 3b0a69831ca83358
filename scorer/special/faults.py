"""What can keep one set from being part of a special hand: the reasons that several hands share."""

from __future__ import annotations

from collections import Counter

from scorer.breakdown import TileSet
from scorer.decompose.grouping import Sets
from scorer.decompose.readings import HandReading
from scorer.naming import several
from scorer.reasons import Reason, about, because
from scorer.tiles import SUITS


def is_a_chow(each: TileSet) -> Reason:
    """Return the fault of a chow where it must be a pung or a kong."""
    return about("no-pung-or-kong", each) if each.kind == "chow" else None


def is_of_another_suit(each: TileSet, suit: str) -> Reason:
    """Return the fault of a set of a second suit."""
    foreign = each.tile.is_suit and each.tile.family != suit
    return about("another-suit", each) if foreign else None


def main_suit(reading: HandReading) -> str:
    """Return the suit of most sets; bamboo where there is none."""
    suits = Counter(each.tile.family for each in reading.sets if each.tile.is_suit)
    return max(SUITS, key=lambda suit: suits[suit])


def exposed_early(reading: HandReading) -> Sets:
    """Return the sets that were exposed before the winning tile came."""
    claimed_at = reading.claim.place if reading.claim else None
    return tuple(reading.sets[place] for place in reading.exposed_places if place != claimed_at)


def claimed_early(each: TileSet) -> Reason:
    """Return the fault of a set that should have stayed concealed (BMJA-S05)."""
    return about("claimed-early", each)


def only_a_pair(reading: HandReading, faces: frozenset[str]) -> list[Reason]:
    """Return a fault for each of these faces that has no pung or kong: two where no pair either."""
    absent = faces - {each.tile.code for each in reading.pungs_and_kongs}
    pairs = {each.tile.code for each in reading.of_kind("pair")}
    faults: list[Reason] = []
    for face in sorted(absent):
        faults += [because("only-a-pair", tiles=several(face))] * (1 if face in pairs else 2)
    return faults

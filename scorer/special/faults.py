"""Reasons that several special hands share: why a set cannot be part of the hand."""

from __future__ import annotations

from collections import Counter

from scorer.breakdown import TileSet
from scorer.decompose.grouping import Sets
from scorer.decompose.readings import HandReading
from scorer.naming import several
from scorer.reasons import Reason, about, because
from scorer.tiles import SUITS


def is_a_chow(each: TileSet) -> Reason:
    """Return the reason against a chow where a pung or a kong is needed."""
    return about("no-pung-or-kong", each) if each.kind == "chow" else None


def is_of_another_suit(each: TileSet, suit: str) -> Reason:
    """Return the reason against a set of another suit."""
    foreign = each.tile.is_suit and each.tile.family != suit
    return about("another-suit", each) if foreign else None


def main_suit(arrangement: HandReading) -> str:
    """Return the suit that most sets have; bamboo when no set has a suit."""
    suits = Counter(each.tile.family for each in arrangement.sets if each.tile.is_suit)
    return max(SUITS, key=lambda suit: suits[suit])


def exposed_early(arrangement: HandReading) -> Sets:
    """Return the sets that were exposed before the winning tile."""
    claimed_at = arrangement.claim.place if arrangement.claim else None
    return tuple(
        arrangement.sets[place] for place in arrangement.exposed_places if place != claimed_at
    )


def claimed_early(each: TileSet) -> Reason:
    """Return the reason against a set that should have stayed concealed (BMJA-S05)."""
    return about("claimed-early", each)


def only_a_pair(arrangement: HandReading, faces: frozenset[str]) -> list[Reason]:
    """Return a reason for each of these faces without a pung or kong.

    A face without even a pair gives two reasons, so that the hand counts as far.
    """
    absent = faces - {each.tile.code for each in arrangement.pungs_and_kongs}
    pairs = {each.tile.code for each in arrangement.of_kind("pair")}
    faults: list[Reason] = []
    for face in sorted(absent):
        faults += [because("only-a-pair", tiles=several(face))] * (1 if face in pairs else 2)
    return faults

"""Points and doubles of the BMJA rules that need no reading: tiles, pairs, bonus tiles."""

from __future__ import annotations

from scorer.hand import Hand
from tests.scorer.oracle.groups import DRAGON_TILES, MAJORS, Group


def group_points(hand: Hand, group: Group) -> int:
    """Return BMJA-B01 to B09 for one set or pair."""
    tile = group.tiles[0]
    if group.kind == "pair":
        points = 2 if tile in DRAGON_TILES else 0
        points += 2 if tile == "W" + hand.seat_wind else 0
        points += 2 if tile == "W" + hand.prevailing_wind else 0
        return points
    if group.kind not in ("pung", "kong"):
        return 0
    points = 2 if group.kind == "pung" else 8
    if tile in MAJORS:
        points *= 2
    if not group.exposed:
        points *= 2
    return points


def group_doubles(hand: Hand, group: Group) -> int:
    """Return BMJA-D01 to D03 for one set."""
    if group.kind not in ("pung", "kong"):
        return 0
    tile = group.tiles[0]
    doubles = 1 if tile in DRAGON_TILES else 0
    doubles += 1 if tile == "W" + hand.seat_wind else 0
    doubles += 1 if tile == "W" + hand.prevailing_wind else 0
    return doubles


def bonus_points(hand: Hand) -> int:
    """Return BMJA-B10."""
    return 4 * len(hand.bonus)


def bonus_doubles(hand: Hand) -> int:
    """Return BMJA-D04 to D07: a bouquet's two include the own one's (C05)."""
    own_number = str("ESWN".index(hand.seat_wind) + 1)
    doubles = 0
    for family in "FS":
        if all(family + number in hand.bonus for number in "1234"):
            doubles += 2
        elif family + own_number in hand.bonus:
            doubles += 1
    return doubles


def bonus_apart(hand: Hand, below_1000: bool) -> int:
    """Return the bonus tiles' own score beside a special hand (BMJA-S02, S04)."""
    doubles = bonus_doubles(hand)
    if below_1000 and hand.winner and "last-discard" in hand.won_by:
        doubles += 1
    return int(bonus_points(hand) * 2**doubles)

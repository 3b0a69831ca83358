"""Safalra's rules with table R1, literally and slowly, sharing nothing with `scorer`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorer.hand import Hand
from tests.scorer.oracle.bmja_oracle import loose_readings
from tests.scorer.oracle.groups import DRAGON_TILES, HONOURS, Group
from tests.scorer.oracle.table import (
    FROM_KONG_BOX,
    FROM_LIVE_WALL,
    Reading,
    fault,
    fixed_groups,
    has_won_by,
    holds_winning_tile,
    standard_readings,
)
from tests.scorer.oracle.verdict import Claim, Verdict, best_of, refuse


def oracle(hand: Hand) -> Verdict:
    """Return what the hand scores under Safalra's rules, or why it cannot be scored."""
    wrong = fault(hand)
    if wrong:
        return refuse(wrong)
    if hand.bonus:
        return refuse("bonus")
    if hand.winner and not holds_winning_tile(hand):
        return refuse("winning-tile")
    claims = list(winner_claims(hand) if hand.winner else loser_claims(hand))
    if not claims:
        return refuse("not-complete" if hand.winner else "no-set")
    best, total = best_of(claims, None)
    return Verdict(total, None, best.how)


def points(group: Group) -> int:
    """SAF-R01 to R06."""
    honours = group.tiles[0] in HONOURS
    if group.kind == "pair":
        return 2 if honours else 0
    if group.kind == "chow":
        return 0
    value = 2 if group.kind == "pung" else 8
    return value * (2 if honours else 1) * (1 if group.exposed else 2)


def doubles(hand: Hand, groups: Sequence[Group]) -> int:
    """SAF-R07."""
    doubling_tiles = (*DRAGON_TILES, "W" + hand.seat_wind)
    return sum(1 for g in groups if g.kind in ("pung", "kong") and g.tiles[0] in doubling_tiles)


def legal(hand: Hand, reading: Reading) -> bool:
    """SAF-H02 and H03: suit tiles of one suit; no chows when two play."""
    tiles = {tile for group in reading.groups for tile in group.tiles}
    suits = {tile[0] for tile in tiles if tile not in HONOURS}
    chows = any(group.kind == "chow" for group in reading.groups)
    return len(suits) <= 1 and not (chows and hand.players == 2)


def winner_claims(hand: Hand) -> Iterator[Claim]:
    """Yield the price of every reading of a complete hand."""
    for reading in standard_readings(hand, 4):
        if not legal(hand, reading):
            continue
        groups = reading.groups
        base = sum(points(group) for group in groups) + 20
        base += 10 if all(group.kind != "chow" for group in groups) else 0
        base += 2 if has_won_by(hand, FROM_LIVE_WALL | FROM_KONG_BOX) else 0
        times = doubles(hand, groups)
        if not any(tile in HONOURS for group in groups for tile in group.tiles):
            times += 1
        yield Claim(base * 2**times, times, f"{base} x 2^{times}")


def loser_claims(hand: Hand) -> Iterator[Claim]:
    """Yield the price of every reading of a hand that did not win."""
    fixed_sets = fixed_groups(hand, ("chow", "pung", "kong"))
    if fixed_sets is None:
        return
    for reading in loose_readings(hand):
        groups = (*fixed_sets, *reading)
        base = sum(points(group) for group in groups)
        times = doubles(hand, groups)
        yield Claim(base * 2**times, times, f"loser {base} x 2^{times}")

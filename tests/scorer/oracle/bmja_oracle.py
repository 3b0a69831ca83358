"""The BMJA rules once more, literally and slowly, sharing nothing with `scorer`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from scorer.hand import Hand
from tests.scorer.oracle.bmja_bonus import (
    bonus_apart,
    bonus_doubles,
    bonus_points,
    group_doubles,
    group_points,
)
from tests.scorer.oracle.bmja_specials import FISHING, events, is_purity, specials
from tests.scorer.oracle.groups import HONOURS, MAJORS, MOST_WILD, PLAYING_CODES, WILD, Group
from tests.scorer.oracle.table import (
    FROM_KONG_BOX,
    FROM_LIVE_WALL,
    Reading,
    fault,
    fixed_groups,
    has_won_by,
    holds_winning_tile,
    mark_wild,
    own_tiles,
    standard_readings,
)
from tests.scorer.oracle.verdict import Claim, Verdict, best_of, refuse

INTRINSIC_INCLUDES_BONUS = True
"""C01: whether a fishing player's intrinsic value doubles his bonus tiles with the rest."""


def oracle(hand: Hand) -> Verdict:
    """Return what the hand scores under the BMJA rules, or why it cannot be scored."""
    wrong = fault(hand)
    if wrong:
        return refuse(wrong)
    if not hand.winner:
        return _loser(hand)
    if not holds_winning_tile(hand):
        return refuse("winning-tile")
    if "heaven" in hand.won_by and hand.seat_wind != "E":
        return refuse("blessing")
    if "earth" in hand.won_by and hand.seat_wind == "E":
        return refuse("blessing")
    if {"heaven", "earth"} & set(hand.won_by) and original_call(hand):
        return refuse("blessing")  # before the player's first discard there is no call
    claims = list(winner_claims(hand))
    if not claims:
        return refuse("not-complete")
    best, total = best_of(claims, hand.limit)
    if hand.players == 2 and best.doubles < 4 and total < 500:
        return refuse("two-players")
    return Verdict(total, None, best.how)


def winner_claims(hand: Hand) -> Iterator[Claim]:
    """Yield every price of a hand that went out."""
    most_chows = 0 if hand.goulash or hand.players < 4 else 1
    readings = list(standard_readings(hand, most_chows))
    for reading in readings:
        yield ordinary_winner(hand, reading)
        if is_purity(reading):
            yield purity(hand, reading.groups)
    for name, value in specials(hand):
        yield Claim(value + bonus_apart(hand, value < 1000), 0, name)
    if readings or any(specials(hand)):
        for name in events(hand, readings):
            yield Claim(1000 + bonus_apart(hand, False), 0, name)


def ordinary_winner(hand: Hand, reading: Reading) -> Claim:
    """Return basic score times doubles for the winner of a standard hand (B, D)."""
    basic = sum(group_points(hand, group) for group in reading.groups)
    basic += bonus_points(hand) + 20
    basic += 2 if has_won_by(hand, FROM_LIVE_WALL) else 0
    doubles = for_everybody(hand, reading.groups) + winner_doubles(hand, reading)
    return Claim(basic * 2**doubles, doubles, f"{basic} x 2^{doubles}")


def for_everybody(hand: Hand, groups: Sequence[Group]) -> int:
    """Count BMJA-D01 to D08."""
    doubles = sum(group_doubles(hand, group) for group in groups) + bonus_doubles(hand)
    return doubles + (1 if original_call(hand) else 0)


def original_call(hand: Hand) -> bool:
    """Whether the player called after his first discard (BMJA-D08)."""
    return hand.original_call or "original-call" in hand.won_by


def winner_doubles(hand: Hand, reading: Reading) -> int:
    """Count BMJA-D09 to D17."""
    groups = reading.groups
    tiles = {tile for group in groups for tile in group.tiles}
    suits = {tile[0] for tile in tiles if tile not in HONOURS}
    has_honours = any(tile in HONOURS for tile in tiles)
    concealed = not any(group.exposed for group in groups)
    doubles = 0
    if all(group.kind != "chow" for group in groups) and not hand.goulash and hand.players >= 4:
        doubles += 1  # D09
    if len(suits) == 1 and has_honours:
        doubles += 1  # D10
    if has_won_by(hand, FROM_KONG_BOX):
        doubles += 1  # D11
    if has_won_by(hand, {"last-tile"}):
        doubles += 1  # D12
    if has_won_by(hand, {"last-discard"}):
        doubles += 1  # D13
    if has_won_by(hand, {"robbed-kong"}):
        doubles += 1  # D14
    if tiles <= set(MAJORS) and suits and has_honours:
        doubles += 1  # D15
    if concealed and ((suits and has_honours) or is_purity(reading)):
        doubles += 1  # D16, and C07 for the intrinsic value of a Purity
    if original_call(hand):
        doubles += 1  # D17
    return doubles


def purity(hand: Hand, groups: Sequence[Group]) -> Claim:
    """Return BMJA-S30 for a winner."""
    basic = 20 + sum(group_points(hand, group) for group in groups)
    basic += 2 if has_won_by(hand, FROM_LIVE_WALL | FROM_KONG_BOX) else 0
    return Claim(basic * 8 + bonus_apart(hand, True), 3, f"purity {basic} x 8")


def _loser(hand: Hand) -> Verdict:
    fixed_sets = fixed_groups(hand, ("chow", "pung", "kong"))
    if fixed_sets is None:
        return refuse("no-set")
    ordinary = list(ordinary_loser(hand, fixed_sets))
    claims = [*ordinary, *fishing_claims(hand)]
    if not INTRINSIC_INCLUDES_BONUS and len(claims) > len(ordinary):
        # The published 816 of C01 keeps the bonus tiles out of the intrinsic value.
        bare = replace(hand, bonus=())
        bonus_total = bonus_apart(hand, False)
        claims[: len(ordinary)] = [
            replace(claim, points=claim.points + bonus_total)
            for claim in ordinary_loser(bare, fixed_sets)
        ]
    best, total = best_of(claims, hand.limit)
    return Verdict(total, None, best.how)


def ordinary_loser(hand: Hand, fixed_sets: Sequence[Group]) -> Iterator[Claim]:
    """Yield the price of every reading of a hand that did not win, as it lies."""
    for reading in loose_readings(hand):
        groups = (*fixed_sets, *reading)
        basic = sum(group_points(hand, group) for group in groups) + bonus_points(hand)
        doubles = for_everybody(hand, groups)
        yield Claim(basic * 2**doubles, doubles, f"loser {basic} x 2^{doubles}")


def loose_readings(hand: Hand) -> Iterator[tuple[Group, ...]]:
    """Yield every choice of pairs, pungs and kongs among the concealed tiles.

    Tiles left over score nothing, and so do chows; four alike may be two pairs.
    """
    naturals, wilds = own_tiles(hand)
    counts = Counter(naturals)
    options = [list(_equal_groups(tile, count, wilds)) for tile, count in counts.items()]
    for choice in product(*options):
        groups = tuple(group for some in choice for group in some)
        if sum(group.wilds for group in groups) <= wilds:
            yield groups


def _equal_groups(tile: str, count: int, wilds: int) -> Iterator[tuple[Group, ...]]:
    """Yield every choice of groups of one tile, each with no more wild tiles than it may have."""
    yield ()
    for kind, size in (("pair", 2), ("pung", 3), ("kong", 4)):
        for wild in range(min(wilds, MOST_WILD[kind]) + 1):
            natural = size - wild
            if natural <= count:
                group = Group(kind, (tile,) * size, (tile,) * natural)
                for more in _equal_groups(tile, count - natural, wilds - wild):
                    yield (group, *more)


def fishing_claims(hand: Hand) -> Iterator[Claim]:
    """Yield the special hands that one tile more would complete (section F)."""
    kongs = len(hand.declared_kongs) + sum(1 for codes in hand.exposed if len(codes) == 4)
    if len(hand.tiles) != 13 + kongs:
        return
    for tile in completing_tiles(hand):
        complete_hand = replace(
            hand,
            concealed=(*hand.concealed, tile),
            winner=True,
            won_by=("wall",),
            winning_tile=tile,
        )
        for name, value in specials(complete_hand):
            points = FISHING[value] + bonus_apart(hand, False)
            yield Claim(points, 0, f"fishing {name} with {tile}")
        for reading in standard_readings(complete_hand, 0):
            if is_purity(reading):
                yield purity_short_of(hand, reading, mark_wild(hand, [tile])[0])


def completing_tiles(hand: Hand) -> Iterator[str]:
    """Yield the tiles of which fewer than four are in the player's own hand (BMJA-F04)."""
    counts = Counter(hand.tiles)
    for tile in PLAYING_CODES:
        if hand.goulash and tile == "B2":
            if counts["B2"] + counts["JK"] < 4:
                yield "JK"
        elif counts[tile] < 4:
            yield tile


def purity_short_of(hand: Hand, reading: Reading, tile: str) -> Claim:
    """Return the sets that stand without the tile, times eight (BMJA-S11)."""
    basic = 0
    # A set with one wild tile too many can only have been completed by it (G05).
    too_wild = [group for group in reading.own if group.wilds > MOST_WILD[group.kind]]
    for broken_group in too_wild or reading.own:
        if broken_group.kind != "kong" and broken_group.holds(tile):
            rest = [group for group in reading.groups if group is not broken_group]
            basic = max(basic, sum(group_points(hand, group) for group in rest))
    points = basic * 8 + bonus_apart(hand, False)
    return Claim(points, 3, f"fishing purity {basic} x 8 with {tile.replace(WILD, 'a wild tile')}")

"""Random hands of a goulash, with wild tiles (section G)."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.build import (
    Codes,
    UnluckyError,
    flavour,
    lay,
    standard_groups,
    win,
)
from tests.scorer.oracle.deals_bmja import (
    Deal,
    heavy_loser,
    loser,
    ordinary_winner,
    special_fishing,
    special_near_miss,
    special_winner,
)
from tests.scorer.oracle.special_tiles import SPECIALS


def with_wild(rng: Random, hand: Hand) -> Hand:
    """Return the hand played in a goulash, up to four of its tiles wild.

    At most one tile of each laid-down set; a bamboo 2 is wild whether it is wanted or not.
    """
    wild = rng.choice(["JK", "B2"])
    count = rng.choice([0, 1, 1, 2, 2, 3, 4])
    places = len(hand.sets_on_table) + len(hand.concealed)
    places_of_wild = set(rng.sample(range(places), min(count, places)))
    laid_sets = [
        _wilder(group, wild, {0} if at in places_of_wild else set())
        for at, group in enumerate(hand.sets_on_table)
    ]
    concealed = _wilder(hand.concealed, wild, {at - len(laid_sets) for at in places_of_wild})
    if sum(code == wild for group in (*laid_sets, concealed) for code in group) > 4:
        raise UnluckyError
    tile = hand.winning_tile
    if tile is not None and (tile not in concealed or rng.random() < 0.3) and wild in concealed:
        tile = wild
    if tile is not None and tile not in concealed:
        tile = None
    return replace(
        hand,
        exposed=tuple(laid_sets[: len(hand.exposed)]),
        declared_kongs=tuple(laid_sets[len(hand.exposed) :]),
        concealed=concealed,
        goulash=True,
        winning_tile=tile,
    )


def _wilder(codes: Codes, wild: str, places: set[int]) -> Codes:
    return tuple(wild if code == "B2" or at in places else code for at, code in enumerate(codes))


def goulash_winner(rng: Random) -> Hand:
    """Return pungs, kongs and a pair, some tiles wild."""
    groups = standard_groups(rng, flavour(rng), 0, rng.choice([0, 0.3]))
    return with_wild(rng, win(rng, lay(rng, groups, 0.4)))


def drawn_wild_winner(rng: Random) -> Hand:
    """Return two wild tiles in one pair or pung, the last of them drawn (BMJA-G05)."""
    groups = standard_groups(rng, tuple(c for c in flavour(rng) if c != "B2"), 0, 0.1)
    laid_sets = lay(rng, groups, 0.4)
    places = [at for at, each in enumerate(laid_sets) if each.place == "hand"]
    place = rng.choice(places)
    wild = rng.choice(["JK", "B2"])
    laid_sets[place] = replace(laid_sets[place], tiles=(wild, wild, *laid_sets[place].tiles[2:]))
    if rng.random() < 0.3:
        other = rng.choice(places)
        laid_sets[other] = replace(laid_sets[other], tiles=(wild, *laid_sets[other].tiles[1:]))
    hand = win(rng, laid_sets)
    way = rng.choice(["wall", "wall", "last-tile", "loose", "discard"])
    if way == "discard":
        return replace(hand, goulash=True, won_by=(way,))
    if any(wild in group for group in hand.exposed):
        raise UnluckyError
    tile = rng.choice([wild, wild, wild, None])
    return replace(hand, goulash=True, won_by=(way,), winning_tile=tile)


def goulash_special(rng: Random) -> Hand:
    """Return any special hand, some tiles wild."""
    return with_wild(rng, special_winner(rng, rng.choice(list(SPECIALS))))


def goulash_fishing(rng: Random) -> Hand:
    """Return any special hand one tile short, some tiles wild."""
    return with_wild(rng, special_fishing(rng, rng.choice(list(SPECIALS))))


def goulash_near_miss(rng: Random) -> Hand:
    """Return any special hand with a wrong tile, some tiles wild."""
    return with_wild(rng, special_near_miss(rng, rng.choice(list(SPECIALS))))


def goulash_loser(rng: Random) -> Hand:
    """Return a loser with wild tiles among his own."""
    return with_wild(rng, rng.choice([loser, heavy_loser])(rng))


def goulash_chow(rng: Random) -> Hand:
    """Return a hand that may hold a chow, which no goulash allows (BMJA-G04)."""
    return with_wild(rng, ordinary_winner(rng))


def same_set_twice(rng: Random) -> Hand:
    """Return two pungs of one tile, a wild tile in each: more than four of it (BMJA-T04)."""
    pool = tuple(code for code in flavour(rng) if code != "B2")
    wild = rng.choice(["JK", "B2"])
    tile = rng.choice(pool)
    groups = standard_groups(rng, [code for code in pool if code != tile] or ["DR"], 0, 0.1)
    groups[:2] = [(tile, tile, wild), (tile, tile, wild)]
    hand = replace(win(rng, lay(rng, groups, 0.2)), goulash=True)
    if rng.random() < 0.5 or not hand.concealed:
        return hand
    short = hand.concealed[1:]
    return replace(hand, concealed=short, winner=False, won_by=(), winning_tile=None)


GOULASH_KINDS: dict[str, Deal] = {
    "goulash:winner": goulash_winner,
    "goulash:drawn-wild": drawn_wild_winner,
    "goulash:special": goulash_special,
    "goulash:fishing": goulash_fishing,
    "goulash:near-miss": goulash_near_miss,
    "goulash:loser": goulash_loser,
    "goulash:chow": goulash_chow,
    "goulash:same-set-twice": same_set_twice,
}
"""Every kind of goulash hand."""

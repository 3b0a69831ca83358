"""Random hands of Safalra's rules."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.build import UnluckyError, lay, standard_groups, win
from tests.scorer.oracle.deals_bmja import Deal, heavy_loser, loser, ordinary_winner
from tests.scorer.oracle.groups import HONOURS, SUIT_TILES


def _safalra(rng: Random, hand: Hand) -> Hand:
    players = rng.choices([4, 3, 2], [6, 1, 2])[0]
    return replace(hand, ruleset="safalra", bonus=(), players=players, original_call=False)


def _plainly_won(rng: Random, hand: Hand) -> Hand:
    way = rng.choice([w for w in hand.won_by if w in ("wall", "loose", "discard")] or ["wall"])
    if way not in ("discard",) and hand.winning_tile not in (None, *hand.concealed):
        way = "discard"
    if any(len(group) == 2 for group in hand.exposed):
        way = "discard"
    return replace(hand, won_by=(way,))


def safalra_winner(rng: Random) -> Hand:
    """Return sets of one suit and honours, with up to four chows."""
    suit = rng.choice("BCO")
    one_suit = tuple(tile for tile in SUIT_TILES if tile[0] == suit)
    pool = rng.choice([one_suit, (*one_suit, *HONOURS), (*HONOURS, *HONOURS, *one_suit), HONOURS])
    chows = rng.choice([0, 0, 1, 2, 3, 4]) if pool is not HONOURS else 0
    groups = standard_groups(rng, pool, chows, rng.choice([0, 0.3, 0.8]))
    laid_sets = lay(rng, groups, rng.choice([0, 0.4]))
    laid_sets = [replace(e, place="hand") if len(set(e.tiles)) > 1 else e for e in laid_sets]
    return _plainly_won(rng, _safalra(rng, win(rng, laid_sets)))


def safalra_mixed(rng: Random) -> Hand:
    """Return a winner of the British rules: most mix suits, which Safalra forbids."""
    return _plainly_won(rng, _safalra(rng, ordinary_winner(rng)))


def safalra_dense(rng: Random) -> Hand:
    """Return few kinds of tile of one suit, so that chows and pungs can be read in several ways."""
    suit = rng.choice("BCO")
    low = rng.randint(1, 5)
    pool = tuple(f"{suit}{rank}" for rank in range(low, low + 5))
    for _ in range(100):
        groups = standard_groups(rng, pool, rng.choice([1, 3]), 0.05)
        if all(int(t[1]) < low + 5 for g in groups for t in g):
            return _plainly_won(rng, _safalra(rng, win(rng, lay(rng, groups, 0))))
    raise UnluckyError


def safalra_loser(rng: Random) -> Hand:
    """Return a loser under Safalra's rules."""
    hand = _safalra(rng, rng.choice([loser, heavy_loser])(rng))
    if any(len(set(group)) > 1 for group in hand.exposed):
        raise UnluckyError
    return hand


def safalra_broken(rng: Random) -> Hand:
    """Return a hand with bonus tiles, which Safalra has not, or five alike."""
    hand = safalra_winner(rng)
    if rng.random() < 0.5:
        return replace(hand, bonus=("F1",))
    return replace(hand, concealed=(*hand.concealed, *hand.concealed[:1] * 4))


SAFALRA_KINDS: dict[str, Deal] = {
    "safalra:winner": safalra_winner,
    "safalra:mixed": safalra_mixed,
    "safalra:dense": safalra_dense,
    "safalra:loser": safalra_loser,
    "safalra:broken": safalra_broken,
}
"""Every kind of hand under Safalra's rules."""

"""Hands on which the rules say nothing clear: a disagreement here is a question, not a fault."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.build import (
    LaidSet,
    UnluckyError,
    chow,
    fits_set,
    flavour,
    lay,
    put,
    put_in_seat,
    standard_groups,
    win,
)
from tests.scorer.oracle.deals_bmja import Deal, ordinary_winner
from tests.scorer.oracle.deals_goulash import goulash_winner
from tests.scorer.oracle.groups import PLAYING_CODES, SUIT_TILES


def two_exposed_chows(rng: Random) -> Hand:
    """Return a loser with two exposed chows."""
    groups = [chow(rng, SUIT_TILES), chow(rng, SUIT_TILES), tuple(rng.sample(PLAYING_CODES, 7))]
    if not fits_set(groups):
        raise UnluckyError
    laid_sets = [LaidSet(groups[0], "exposed"), LaidSet(groups[1], "exposed"), LaidSet(groups[2])]
    return put_in_seat(rng, put(laid_sets, rng))


def chow_where_none_is(rng: Random) -> Hand:
    """Return a loser of three with an exposed chow."""
    groups = [chow(rng, SUIT_TILES), tuple(rng.sample(PLAYING_CODES, 10))]
    if not fits_set(groups):
        raise UnluckyError
    hand = put_in_seat(rng, put([LaidSet(groups[0], "exposed"), LaidSet(groups[1])], rng))
    return replace(hand, players=3)


def exposed_pair_drawn(rng: Random) -> Hand:
    """Return a winner whose pair lies exposed although he drew the last tile."""
    groups = standard_groups(rng, flavour(rng), 0, 0.2)
    laid_sets = lay(rng, groups, 0.4)
    laid_sets[-1] = replace(laid_sets[-1], place="exposed")
    return replace(put_in_seat(rng, put(laid_sets, rng)), winner=True, won_by=("wall",))


def completed_kong(rng: Random) -> Hand:
    """Return a winner whose winning tile is said to be in a kong, or in no set at all."""
    groups = standard_groups(rng, flavour(rng), 0, 0.5)
    hand = win(rng, lay(rng, groups, 0.5))
    kongs = [group[0] for group in (*hand.exposed, *hand.declared_kongs) if len(group) == 4]
    return replace(hand, winning_tile=rng.choice([*kongs, rng.choice(PLAYING_CODES)]))


def drawn_into_an_exposed_set(rng: Random) -> Hand:
    """Return a winner by a drawn tile that lies in an exposed set alone."""
    hand = win(rng, lay(rng, standard_groups(rng, flavour(rng), 0, 0.1), 0.7))
    tiles = [group[0] for group in hand.exposed if group[0] not in hand.concealed]
    if not tiles or any(len(group) < 3 for group in hand.exposed):
        raise UnluckyError
    return replace(hand, won_by=("wall",), winning_tile=tiles[0])


def impossible_event(rng: Random) -> Hand:
    """Return a winner by an event that his seat or his kongs do not allow."""
    hand = replace(ordinary_winner(rng), winning_tile=None)
    way, seat = rng.choice([("heaven", "S"), ("earth", "E"), ("kong-of-kong", "W")])
    return replace(hand, won_by=(way,), seat_wind=seat)


def blessing_with_exposed_sets(rng: Random) -> Hand:
    """Return a blessing on a hand with sets on the table."""
    way, seat = rng.choice([("heaven", "E"), ("earth", "N")])
    hand = win(rng, lay(rng, standard_groups(rng, flavour(rng), 0, 0.2), 0.5))
    if any(len(group) < 3 for group in hand.exposed):
        raise UnluckyError
    return replace(hand, won_by=(way,), seat_wind=seat, winning_tile=None)


def both_wild(rng: Random) -> Hand:
    """Return a goulash hand with jokers and bamboo 2s together."""
    hand = goulash_winner(rng)
    wild = [at for at, code in enumerate(hand.concealed) if code in ("JK", "B2")]
    if len(wild) < 2:
        raise UnluckyError
    concealed = list(hand.concealed)
    concealed[wild[0]], concealed[wild[1]] = "JK", "B2"
    return replace(hand, concealed=tuple(concealed), winning_tile=None)


ODD_KINDS: dict[str, Deal] = {
    "odd:two-exposed-chows": two_exposed_chows,
    "odd:chow-of-three-players": chow_where_none_is,
    "odd:exposed-pair-drawn": exposed_pair_drawn,
    "odd:winning-tile-in-kong": completed_kong,
    "odd:drawn-into-exposed": drawn_into_an_exposed_set,
    "odd:impossible-event": impossible_event,
    "odd:blessing-exposed": blessing_with_exposed_sets,
    "odd:both-wild": both_wild,
}
"""Every kind of hand that the rules leave to judgement."""

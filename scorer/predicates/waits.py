"""Find the tiles that complete a hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.decompose.arrangements import HandArrangement, winning_arrangements
from scorer.decompose.splits import group_by_family, split_family
from scorer.decompose.wild_splits import split_with_wilds
from scorer.hand import HAND_SIZE, Codes, Hand, remove_tiles
from scorer.patterns.frames import PLAYING_CODES, SETS_PER_HAND
from scorer.ruleset import Ruleset
from scorer.special.registry import find_tiles_hands, tiles_that_complete
from scorer.special.set_patterns import find_sets_hands
from scorer.tiles import JOKER, SUITS


def is_one_short(hand: Hand) -> bool:
    """Return whether a losing hand has exactly one tile fewer than a complete one."""
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    return not hand.winner and len(hand.tiles) == HAND_SIZE - 1 + kongs


def before_last_tile(hand: Hand, claimed_at: int | None = None) -> Hand | None:
    """Return a winner's hand as it was before its last tile, not won.

    The tile is one of the concealed ones, or lies in the exposed group at this place, whose other
    tiles were concealed, too. None when it is not there.
    """
    tile = hand.winning_tile
    exposed, concealed = hand.exposed, hand.concealed
    if claimed_at is not None:
        concealed += exposed[claimed_at]
        exposed = exposed[:claimed_at] + exposed[claimed_at + 1 :]
    if tile is None or tile not in concealed:
        return None
    return replace(
        hand,
        exposed=exposed,
        concealed=remove_tiles(concealed, (tile,)),
        winner=False,
        won_by=(),
        winning_tile=None,
    )


def win_with_each_tile(hand: Hand, rules: Ruleset) -> Iterator[Hand]:
    """Yield the hand won with each tile that may complete it and can still come (BMJA-F04).

    The tile counts as drawn from the live wall, which exposes nothing.
    """
    for code in _tiles_to_try(hand, rules):
        if hand.tiles.count(code) < 4:
            yield replace(
                hand,
                concealed=(*hand.concealed, code),
                winner=True,
                won_by=("wall",),
                winning_tile=code,
            )


def _tiles_to_try(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles worth trying; every tile that completes the hand is among them."""
    special = tiles_that_complete(hand, rules)
    if not hand.goulash:
        ordinary = _tiles_of_unfinished_family(hand.concealed)
        return tuple(code for code in PLAYING_CODES if code in ordinary or code in special)
    if special:
        return _all_tiles(hand)
    # When not even a wild tile completes the hand, no tile does.
    natural = [code for code in hand.concealed if code not in hand.wild_codes]
    wilds = len(hand.concealed) - len(natural) + 1
    with_wild = split_with_wilds(
        natural, (JOKER,) * wilds, sets=SETS_PER_HAND - len(hand.sets_on_table), pairs=1, spare=True
    )
    return _all_tiles(hand) if any(with_wild) else ()


def _all_tiles(hand: Hand) -> Codes:
    """Return every tile that may come in a goulash, also a wild tile of the kind in play."""
    wild = hand.wilds[0] if hand.wilds else JOKER
    return (*(code for code in PLAYING_CODES if code not in hand.wild_codes), wild)


def _tiles_of_unfinished_family(codes: Codes) -> Codes:
    """Return the tiles of the one family that does not split into sets by itself.

    When every family splits, it may be any of them. When two do not, no tile helps both.
    """
    families = group_by_family(codes)
    unfinished_families = [family for family in families if not split_family(family)]
    if len(unfinished_families) > 1:
        return ()
    near_families = {
        code[0] if code[0] in SUITS else code for code, *_ in unfinished_families or families
    }
    return tuple(
        code for code in PLAYING_CODES if code in near_families or code[0] in near_families
    )


def completing_tiles(arrangement: HandArrangement, rules: Ruleset) -> Codes:
    """Return the tiles that could have completed a winner's hand as its winning tile did."""
    claim = arrangement.claim
    claimed_at = claim.place if claim and claim.lay_exposed else None
    before = before_last_tile(arrangement.hand, claimed_at)
    if before is None:
        return ()
    return tuple(
        str(each.winning_tile)
        for each in win_with_each_tile(before, rules)
        if _is_mah_jong(each, rules)
    )


def _is_mah_jong(hand: Hand, rules: Ruleset) -> bool:
    return any(
        not rules.one_suit or len(each.suits) < 2 or find_sets_hands(each, rules)
        for each in winning_arrangements(hand, rules)
    ) or bool(find_tiles_hands(hand, rules))

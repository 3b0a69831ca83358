"""Which tiles complete a hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.hand import Codes, Hand
from scorer.readings import winning_readings
from scorer.ruleset import Ruleset
from scorer.special import made_of_tiles
from scorer.wilds import PLAYING

HAND_SIZE = 14
"""What a winner holds, besides one more for each kong; the others hold one fewer (BMJA-H04)."""


def is_one_short(hand: Hand) -> bool:
    """Return whether a hand that did not win has as many tiles as a fishing one."""
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    return not hand.winner and len(hand.tiles) == HAND_SIZE - 1 + kongs


def with_each_tile(hand: Hand) -> Iterator[Hand]:
    """Yield the hand won with each tile that the player does not hold four of (BMJA-F04).

    The tile is taken as drawn from the live wall: that exposes nothing, and what lies exposed was
    claimed before.
    """
    for code in PLAYING:
        if hand.tiles.count(code) < 4 and code not in hand.wild_codes:
            yield replace(
                hand,
                concealed=(*hand.concealed, code),
                winner=True,
                won_by=("wall",),
                winning_tile=code,
            )


def tiles_that_complete(hand: Hand, rules: Ruleset) -> Codes:
    """Return the tiles that would have completed a winner's hand in place of its winning tile."""
    tile = hand.winning_tile
    if tile is None or tile not in hand.concealed:
        return ()
    rest = list(hand.concealed)
    rest.remove(tile)
    before = replace(hand, concealed=tuple(rest), winner=False, won_by=(), winning_tile=None)
    return tuple(
        str(each.winning_tile) for each in with_each_tile(before) if _is_mah_jong(each, rules)
    )


def _is_mah_jong(hand: Hand, rules: Ruleset) -> bool:
    readings = winning_readings(hand, rules)
    return next(readings, None) is not None or bool(made_of_tiles(hand, rules))

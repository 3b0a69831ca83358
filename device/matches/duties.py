"""Which hands each phone has to enter."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from device.matches.match import Match


def wanted(match: Match, mine: str, with_phone: Collection[str]) -> str | None:
    """Return the player whose hand a phone has to enter next; None if none is left."""
    still = missing(match)
    return next((each for each in duties(match, mine, with_phone) if each in still), None)


def duties(match: Match, mine: str, with_phone: Collection[str]) -> tuple[str, ...]:
    """Return the players whose hands a phone enters, its own player first.

    A phone enters its own player's hand, and those of the following seats up to the next seat with
    a phone. A phone whose player does not sit at the table, or without a player, enters all hands
    of seats without a phone.
    """
    around = match.in_order()
    if mine not in around:
        return tuple(each for each in around if each not in with_phone)
    place = around.index(mine)
    following = around[place + 1 :] + around[:place]
    alone = set(takewhile(lambda each: each not in with_phone, following))
    return (mine, *(each for each in around if each in alone))


def may_be_meant(match: Match, player: str, with_phone: Collection[str]) -> bool:
    """Whether the hand in front of the box's camera may be this player's.

    If several phones wait at once, only the playing order can tell whose hand it is.
    """
    if len(with_phone) < 2:
        return True
    return player == next((p for p in match.in_order() if not match.deal.given(p).counts), None)


def missing(match: Match) -> tuple[str, ...]:
    """Return the players whose hands nobody has agreed to yet, the winner first."""
    if match.stage != "hands":
        return ()
    return tuple(each for each in match.in_order() if not match.deal.given(each).agreed)

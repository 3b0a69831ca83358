"""Whose hand a phone at the table sees to: its own player's, and those of seats without a phone."""

from __future__ import annotations

from collections.abc import Collection
from itertools import takewhile

from device.matches.match import Match


def wanted(match: Match, mine: str, with_phone: Collection[str]) -> str | None:
    """Return whose hand a phone is to give in next; None when there is none left for it."""
    still = missing(match)
    return next((each for each in duties(match, mine, with_phone) if each in still), None)


def duties(match: Match, mine: str, with_phone: Collection[str]) -> tuple[str, ...]:
    """Return whose hands a phone sees to, its own player's first, the others in order of play.

    Besides its own those of the seats that follow, up to the next one with a phone. A phone whose
    player does not sit at the table, or that is nobody's, sees to all that have none.
    """
    around = match.in_order()
    if mine not in around:
        return tuple(each for each in around if each not in with_phone)
    place = around.index(mine)
    following = around[place + 1 :] + around[:place]
    alone = set(takewhile(lambda each: each not in with_phone, following))
    return (mine, *(each for each in around if each in alone))


def may_be_meant(match: Match, player: str, with_phone: Collection[str]) -> bool:
    """Whether the hand that lies before the box's own camera may be this player's.

    Where several phones wait at once nothing but the order of play tells whose it is.
    """
    if len(with_phone) < 2:
        return True
    return player == next((p for p in match.in_order() if not match.deal.given(p).counts), None)


def missing(match: Match) -> tuple[str, ...]:
    """Return whose hands nobody has agreed to yet, the winner's first, then in order of play."""
    if match.stage != "hands":
        return ()
    return tuple(each for each in match.in_order() if not match.deal.given(each).agreed)

"""What every page of the table asks first: which match is on, and whose phone this is."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.matches.match import Match
from device.matches.seats import as_agreed
from device.web.box import box
from device.web.fields import form
from scorer.whole import whole

COOKIE = "player"
"""Holds the player's number; empty for a phone that is just watching."""

_YEAR = 365 * 24 * 3600


def match_here() -> Match:
    """Return the match on the table; answer 404 when none is being played.

    Raises TornEventError when the newest match is torn: nobody can say whether it is being played.
    """
    match = box().matches.current()
    if match is None:
        for torn in box().matches.newest_torn():
            raise torn
        abort(404)
    return as_agreed(match, box().hands)


def me(match: Match) -> str:
    """Return the player whose phone asks; empty for one that is just watching."""
    players = match.game.players
    number = whole(request.cookies.get(COOKIE, ""), 0, len(players) - 1)
    return "" if number is None else players[number]


def acting(hand: str) -> str:
    """Return the player whose phone changes a hand; empty for a hand of its own."""
    of = box().hands.get(hand).match
    match = box().matches.get_if_whole(of) if of else None
    return me(match) if match else ""


def remember(answer: AnyResponse, match: Match, player: str) -> AnyResponse:
    """Let the phone know whose it is from now on."""
    number = str(match.game.players.index(player)) if player in match.game.players else ""
    answer.set_cookie(COOKIE, number, max_age=_YEAR, httponly=True, samesite="Strict")
    return answer


def player_at(match: Match, number: int) -> str:
    """Return the player of a number in an address; answer 404 for one who is not there."""
    if number >= len(match.game.players):
        abort(404)
    return match.game.players[number]


def number_of(match: Match, player: str) -> int:
    """Return the number that stands for a player in addresses."""
    return match.game.players.index(player)


def next_step(match: Match) -> AnyResponse:
    """Return the way to what the table does next, so that nobody has to look for it."""
    if match.stage == "settle":
        return redirect(url_for("settle.show"), 303)
    if match.awaited is None:
        return redirect(url_for("table.show"), 303)
    given, number = match.deal.given(match.awaited), number_of(match, match.awaited)
    if given.others:
        return redirect(url_for("which.show", number=number), 303)
    if given.hand:
        return redirect(url_for("hand.show", hand=given.hand), 303)
    return redirect(url_for("deal.capture", number=number), 303)


def seen() -> int:
    """Return the version that the phone was looking at when it sent its form."""
    return form().seq("seen", default=0)

"""Score a deal: ask who went out and how, then take in each player's hand or score.

If two phones gave in a hand for the same player, both are saved and the table chooses one.
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import ways_to_win
from device.hands.scoring import score_hand
from device.i18n.words import say, wind_name
from device.intake import MatchHand
from device.matches.match import Match
from device.matches.seats import seat_hand
from device.store.events import HandAgreed, ScoreTyped, WinnerSaid
from device.web.box import box
from device.web.capture import camera_in_words, may_be_by_itself, still_if_due, the_still
from device.web.fields import form, query
from device.web.table.here import match_here, me, next_step, player_at, seen_but_own
from device.web.table.table import seats
from device.web.uploads import uploaded

pages = Blueprint("deal", __name__, url_prefix="/table")

USUAL = ("wall", "discard")
"""How nearly all hands are won. The other ways are folded away."""


@dataclass(frozen=True, slots=True)
class WinningWay:
    """One way to win."""

    value: str
    label: str
    why_not: str
    """Why it is impossible; empty if it is possible."""


@pages.get("/winner")
def ask() -> str:
    """Ask who went out, and then how."""
    match = match_here()
    number = query().place("who", least=-1, default=-1)
    winner = player_at(match, number) if number >= 0 else ""
    ways = _ways(match, winner) if winner else ()
    said = match.deal.ending
    return render_template(
        "table/winner.html",
        match=match,
        seats=seats(match, me(match)),
        winner=winner,
        said=said.won_by if said and winner and said.winner == winner else "",
        number=number,
        usual=[way for way in ways if way.value in USUAL],
        rare=[way for way in ways if way.value not in USUAL],
    )


@pages.post("/winner")
def say_winner() -> AnyResponse:
    """Save who went out and how; nobody, if the form names no player."""
    match = match_here()
    number = form().place("who", least=-1, default=-1)
    said = WinnerSaid(None, by=me(match))
    if number >= 0:
        won_by = form().choice("won_by", ways_to_win(), "wall")
        said = WinnerSaid(player_at(match, number), won_by, by=me(match))
    box().matches.change(match.id, said, seen=seen_but_own(match))
    return next_step(match_here())


@pages.get("/next")
def go_on() -> AnyResponse:
    """Redirect to the next step of the deal."""
    return next_step(match_here())


@pages.get("/hand/<int:number>")
def capture(number: int) -> str | AnyResponse:
    """Ask for one player's hand: by the box's camera, by the phone, or as a typed score."""
    match = match_here()
    player = player_at(match, number)
    winds = match.course.next_deal.seating.winds
    if player not in winds:
        abort(404)
    given = match.deal.given(player)
    if given.others:
        return redirect(url_for("which.show", number=number))
    return render_template(
        "table/capture.html",
        match=match,
        number=number,
        seat=seat_hand(player, winds[player], given, box().hands),
        instead=given.counts,
        by=given.by or say("table.somebody"),
        since="since" in query(),
        typed=query().number("since", default=given.typed),
        wind=wind_name(winds[player]),
        won=match.deal.ending is not None and match.deal.ending.winner == player,
        others=[each for each in seats(match, player) if each.player != player],
        camera=camera_in_words(),
    )


@pages.post("/hand/<int:number>")
def give(number: int) -> AnyResponse:
    """Receive a phone's photograph of a player's hand."""
    hand = box().intake.take(uploaded, _hand_of(number, known()))
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/hand/<int:number>/snap")
def snap(number: int) -> AnyResponse:
    """Photograph a player's hand with the box's own camera."""
    hand = box().intake.take(the_still, _hand_of(number, known()))
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/hand/<int:number>/snap-if-due")
def snap_if_due(number: int) -> tuple[str, int]:
    """Photograph a player's hand if the box has found the right moment."""
    if may_be_by_itself(number):
        box().intake.take_if_due(still_if_due, _hand_of(number))
    return "", 204


@pages.post("/hand/<int:number>/right")
def agree(number: int) -> AnyResponse:
    """Save that somebody confirms a hand; go on to the next."""
    match = match_here()
    player = player_at(match, number)
    hand = form().word("hand")
    score = score_hand(box().hands.get(hand)).total  # raises if the hand has no score
    box().matches.change(match.id, HandAgreed(player, hand, score, by=me(match)))
    return next_step(match_here())


@pages.post("/hand/<int:number>/score")
def type_score(number: int) -> AnyResponse:
    """Save a typed score in place of a hand."""
    match = match_here()
    player, score = player_at(match, number), form().number("score")
    if is_news(match, player):
        return redirect(url_for("deal.capture", number=number, since=score), 303)
    box().matches.change(match.id, ScoreTyped(player, score, by=me(match)))
    return next_step(match_here())


def known() -> str | None:
    """Return what counted for the player on the phone's page; None if the form does not say."""
    return form().word("instead") if "instead" in form() else None


def is_news(match: Match, player: str) -> bool:
    """Whether something was given in for a player that the phone's page did not show."""
    counts = match.deal.given(player).counts
    return bool(counts) and known() not in (None, counts)


def _hand_of(number: int, instead: str | None = None) -> MatchHand:
    """Return the hand that a photograph begins. Answer 404 for a player who sits out."""
    match = match_here()
    player = player_at(match, number)
    if player not in match.course.next_deal.seating.winds:
        abort(404)
    return MatchHand(match, player, me(match), instead)


def _ways(match: Match, winner: str) -> tuple[WinningWay, ...]:
    """Return every way to win, with a reason for those that are impossible."""
    is_east = match.course.next_deal.seats["E"] == winner
    why_not = {"earth": "how.not-earth"} if is_east else {"heaven": "how.not-heaven"}
    return tuple(
        WinningWay(way, say(f"how.{way}"), say(why_not[way]) if way in why_not else "")
        for way in ways_to_win()
    )

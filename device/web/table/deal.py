"""Scoring a deal: who went out and how, then hand by hand."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.scoring import judge
from device.hands.situation import all_ways
from device.i18n.words import say, wind_name
from device.matches.match import Match
from device.matches.seats import seat_hand
from device.web.box import box
from device.web.capture import begin_hand, still_if_due, the_still
from device.web.home import camera_in_words
from device.web.table.here import match_here, me, next_step, player_at, seen
from device.web.table.table import seats
from device.web.uploads import uploaded
from vision.photo import open_photo

pages = Blueprint("deal", __name__, url_prefix="/table")

USUAL = ("wall", "discard")
"""How nearly all hands are won; the rest stands behind a fold."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to have won."""

    value: str
    label: str
    why_not: str
    """Why it cannot be; empty when it can."""


@pages.get("/winner")
def ask() -> str:
    """Ask who went out, and, once that is chosen, how."""
    match = match_here()
    number = request.args.get("who", -1, int)
    winner = player_at(match, number) if number >= 0 else ""
    ways = _ways(match, winner) if winner else ()
    return render_template(
        "table/winner.html",
        match=match,
        seats=seats(match, me(match)),
        winner=winner,
        number=number,
        usual=[way for way in ways if way.value in USUAL],
        rare=[way for way in ways if way.value not in USUAL],
    )


@pages.post("/winner")
def say_winner() -> AnyResponse:
    """Keep who went out and how; nobody, when the form names none."""
    match = match_here()
    number = request.form.get("who", -1, int)
    data: dict[str, object] = {"winner": None}
    if number >= 0:
        data = {"winner": player_at(match, number), "won_by": request.form.get("won_by", "wall")}
    box().tables.change(match.id, "winner-said", data, by=me(match), seen=seen())
    return next_step(match_here())


@pages.get("/next")
def go_on() -> AnyResponse:
    """Go to whatever the table waits for."""
    return next_step(match_here())


@pages.get("/hand/<int:number>")
def capture(number: int) -> str:
    """Ask for one player's hand: by the box's camera, by the phone, or as a number."""
    match = match_here()
    player = player_at(match, number)
    winds = match.course.next_deal.seating.winds
    if player not in winds:
        abort(404)
    return render_template(
        "table/capture.html",
        match=match,
        number=number,
        seat=seat_hand(player, winds[player], match.deal.given(player), box().records),
        wind=wind_name(winds[player]),
        won=match.deal.ending is not None and match.deal.ending.winner == player,
        others=[each for each in seats(match, player) if each.player != player],
        camera=camera_in_words(),
    )


@pages.post("/hand/<int:number>")
def give(number: int) -> AnyResponse:
    """Take in a phone's photograph of a player's hand."""
    match, player = _seated(number)
    name, data = uploaded()
    photo = open_photo(data, name)
    hand = box().records.begin(photo, data, match.game.ruleset, match=match.id)
    _give_in(match, player, hand)
    box().jobs.submit(hand)
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/hand/<int:number>/snap")
def snap(number: int) -> AnyResponse:
    """Photograph a player's hand with the box's own camera."""
    match, player = _seated(number)
    hand = begin_hand(the_still(), match=match)
    _give_in(match, player, hand)
    return redirect(url_for("hand.show", hand=hand), 303)


@pages.post("/hand/<int:number>/snap-if-due")
def snap_if_due(number: int) -> tuple[str, int]:
    """Photograph a player's hand at the moment that the box itself has found."""
    match, player = _seated(number)
    if not box().settings.now().snap_when_ready:
        abort(503)
    if frame := still_if_due():
        _give_in(match, player, begin_hand(frame, by_itself=True, match=match))
    return "", 204


@pages.post("/hand/<int:number>/right")
def agree(number: int) -> AnyResponse:
    """Take somebody's word that a hand is right as it stands; go on to the next."""
    match = match_here()
    player = player_at(match, number)
    given = {"player": player, "hand": request.form.get("hand", "")}
    judge(box().records.get(given["hand"]))  # a hand without a score is not right
    box().tables.change(match.id, "hand-agreed", given, by=me(match))
    return next_step(match_here())


@pages.post("/hand/<int:number>/score")
def type_score(number: int) -> AnyResponse:
    """Take a score without tiles: no camera, no light, or no patience."""
    match = match_here()
    score = request.form.get("score", -1, int)
    if score < 0:
        abort(400)
    typed = {"player": player_at(match, number), "score": score}
    box().tables.change(match.id, "score-typed", typed, by=me(match))
    return next_step(match_here())


def _seated(number: int) -> tuple[Match, str]:
    """Return the match and who sits at the table, if there is room for a photograph of his."""
    match = match_here()
    player = player_at(match, number)
    if player not in match.course.next_deal.seating.winds:
        abort(404)
    if not box().jobs.has_room:
        abort(503)
    return match, player


def _give_in(match: Match, player: str, hand: str) -> None:
    box().tables.change(match.id, "hand-given", {"player": player, "hand": hand}, by=me(match))


def _ways(match: Match, winner: str) -> tuple[Way, ...]:
    """Return every way to win; what the deal rules out has its reason."""
    is_east = match.course.next_deal.seats["E"] == winner
    why_not = {"earth": "how.not-earth"} if is_east else {"heaven": "how.not-heaven"}
    return tuple(
        Way(way, say(f"how.{way}"), say(why_not[way]) if way in why_not else "")
        for way in all_ways()
    )

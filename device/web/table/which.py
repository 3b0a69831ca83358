"""Choose which hand counts after two phones gave one in for the same player."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord
from device.hands.scoring import score_total
from device.i18n.words import say
from device.matches.match import GivenHand
from device.store.events import HandGiven, ScoreTyped
from device.views import tiles
from device.web.box import box
from device.web.fields import form
from device.web.table.here import match_here, me, next_step, player_at

pages = Blueprint("which", __name__, url_prefix="/table/hand/<int:number>/which")


@dataclass(frozen=True, slots=True)
class SeatCandidate:
    """One of the hands or scores that may count."""

    hand: str
    """The id of the hand; empty for a typed score."""
    typed: int | None
    by: str
    """Who gave it in and when, in words."""
    record: HandRecord | None
    symbols: tuple[tuple[str, ...], ...]
    """The symbols of its tiles, by set; empty while it is being read."""
    score: int | None


@pages.get("/")
def show(number: int) -> str | AnyResponse:
    """Ask which one counts."""
    match = match_here()
    player = player_at(match, number)
    given = match.deal.given(player)
    if not given.others:  # somebody has chosen meanwhile
        return next_step(match)
    return render_template(
        "table/which.html",
        number=number,
        player=player,
        candidates=[_candidate(each) for each in (given, *given.others)],
    )


@pages.post("/")
def choose(number: int) -> AnyResponse:
    """Save which one counts. The others stay and can be brought back."""
    match = match_here()
    player = player_at(match, number)
    given = match.deal.given(player)
    hand = form().word("hand")
    if hand and hand not in given.every:
        return redirect(url_for("which.show", number=number), 303)
    if hand:
        box().matches.change(match.id, HandGiven(player, hand, by=me(match)))
        return redirect(url_for("hand.show", hand=hand), 303)  # the player should check it
    if given.typed is not None:
        box().matches.change(match.id, ScoreTyped(player, given.typed, by=me(match)))
    return next_step(match_here())


def _candidate(given: GivenHand) -> SeatCandidate:
    record = box().hands.get_if_whole(given.hand) if given.typed is None else None
    laid = record.assembled().sets if record else ()
    who = given.by or say("table.somebody")
    time = f"{record.taken_at.astimezone():%H:%M}" if record else ""
    return SeatCandidate(
        hand="" if given.typed is not None else given.hand,
        typed=given.typed,
        by=say("change.by", who=who, time=time) if time else who,
        record=record,
        symbols=tuple(tuple(tiles.symbol(code) for code in each.codes) for each in laid),
        score=score_total(record) if record else given.typed,
    )

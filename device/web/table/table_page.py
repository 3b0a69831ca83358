"""The table page: the seats with winds, names and totals, and the next step of the match."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import say, sign_amount, wind_name
from device.matches.match import Match
from device.matches.seats import SeatHand, missing_hands, seat_hands
from device.matches.table_photo import TablePhotos
from device.matches.undoing import find_stale_hand, redo_action, undo_action
from device.views.table.goulash import goulash_view
from device.views.table.history import describe_win, last_done, last_undone, spoken_result
from device.web.contexts import records, room
from device.web.fields import form
from device.web.links import redirect_to
from device.web.preferences import preferences
from device.web.table.current_match import (
    current_match,
    has_identified,
    likely_player,
    phone_player,
    player_at,
    player_number,
    remember_player,
    wanted_player,
)
from scorer.table_setup.east import explain_east
from scorer.tiles import WINDS

pages = Blueprint("table", __name__, url_prefix="/table")

SEAT_PLACES = ("bottom", "right", "top", "left")
"""Positions of the seats on the page, in the order of play from the phone's player. As at the real
table, the next player sits on the right."""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player at the table."""

    place: str
    """One of `SEAT_PLACES`."""
    player: str
    number: int
    wind: str
    total: int
    change: str
    """The change by the last deal; empty before the first deal."""
    mine: bool
    hand: SeatHand | None
    """The hand that was given in, while a deal is being scored."""


@pages.get("/")
def show() -> str:
    """Show the table page."""
    match = current_match()
    deal, ending = match.course.next_deal, match.deal.ending
    return render_template(
        "table/table.html",
        match=match,
        deal=deal,
        seats=seat_views(match, phone_player(match)),
        dreamer=deal.dreamer,
        prevailing=wind_name(deal.prevailing_wind) if deal.prevailing_wind else "",
        wanted=wanted_player(match),
        missing=[each for each in missing_hands(match) if not match.deal.given_hand(each).counts],
        under_way=[each for each in missing_hands(match) if match.deal.given_hand(each).counts],
        aloud=spoken_result(match) if preferences().announcer == "on" else None,
        east_because=say(explain_east(match.game).says),
        done=last_done(match, is_brief=True),
        ending=describe_win(ending.winner, ending.won_by) if ending else "",
        winner=player_number(match, ending.winner) if ending and ending.winner else None,
        undone=last_undone(match, is_brief=True),
        stale_hand=find_stale_hand(match, records().hands),
        me=phone_player(match),
        asked=has_identified(match),
        likely=likely_player(match),
        whole=TablePhotos(records().hands).find_newest(match),
        goulash=goulash_view(
            match.agreement.rules, deal.seats if len(deal.seats) == len(WINDS) else {}
        )
        if deal.goulash and match.stage == "play"
        else None,
    )


@pages.post("/join")
def join() -> AnyResponse:
    """Save whose phone this is."""
    match = current_match()
    number = form().place("number", min_value=-1, default=-1)
    player = player_at(match, number) if number >= 0 else ""
    return remember_player(redirect_to("table.show"), match, player)


@pages.post("/undo")
def undo() -> AnyResponse:
    """Undo the last change."""
    match = current_match()
    undo_action(room().matches, records().hands, match.id, form().seq(), phone_player(match))
    return redirect_to("table.show")


@pages.post("/redo")
def redo() -> AnyResponse:
    """Redo the change that was undone last."""
    match = current_match()
    redo_action(room().matches, records().hands, match.id, form().seq(), phone_player(match))
    return redirect_to("table.show")


def seat_views(match: Match, own_player: str) -> tuple[SeatView, ...]:
    """Return the seats, with the phone's player at the bottom (East if the phone only watches)."""
    course = match.course
    at_table = course.next_deal.seats
    order = list(at_table)
    winds = course.next_deal.seating.winds
    first = order.index(winds[own_player]) if own_player in winds else 0
    shown_hands = seat_hands(match, records().hands) if match.stage != "play" else ()
    hands_by_player = {seat.player: seat for seat in shown_hands}
    last = course.rows[-1].changes if course.rows else {}
    places = SEAT_PLACES if len(order) != 2 else ("bottom", "top")
    return tuple(
        SeatView(
            place=place,
            player=at_table[wind],
            number=player_number(match, at_table[wind]),
            wind=wind,
            total=course.totals[at_table[wind]],
            change=sign_amount(last[at_table[wind]]) if last else "",
            mine=at_table[wind] == own_player,
            hand=hands_by_player.get(at_table[wind]),
        )
        for place, wind in zip(places, order[first:] + order[:first], strict=False)
    )

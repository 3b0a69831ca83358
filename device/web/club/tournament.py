"""One tournament: its standing and results, its rounds and their clock.

The ranking exists as a page, as CSV for spreadsheets and as PDF.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.match_results import RoundMatches, round_tables
from device.club.tournament.replay import MAX_ROUND_S, TournamentRefusedError
from device.club.tournament.schedule import MAX_ROUNDS
from device.club.tournament.tournament import Tournament, TournamentRound
from device.host.clock import read_uptime
from device.i18n.names import Name
from device.i18n.words import say
from device.store.events import (
    DrawWithdrawn,
    RoundClosed,
    RoundsChanged,
    TournamentEnded,
)
from device.views.box_health import torn_line
from device.views.club.tournament import (
    RoundView,
    describe_changes,
    describe_filling,
    describe_meetings,
    describe_state,
    format_day,
    ranking_lines,
    round_view,
)
from device.web.box import box
from device.web.club.tournament_tables import names_of_tables
from device.web.club.tournaments import tournaments
from device.web.club.whose import whose
from device.web.fields import form
from device.web.name_gate import name_gate

pages = Blueprint("tournament", __name__, url_prefix="/club/tournaments/<id:tournament>")

MORE = 5 * 60
"""Seconds that one tap adds to the round's clock."""

FIRST = 3
"""Places shown on this page. The page of results shows all."""


@pages.get("/")
def show(tournament: str) -> str:
    """Show a tournament's standing and its next step, up to the first damaged event."""
    return _page(tournament, "")


def _page(tournament: str, wrong: str) -> str:
    found = tournaments().so_far(tournament)
    now = found.record
    if now is None:
        now = tournaments().get(tournament)  # raises the error that says what is wrong
    gate = name_gate()
    shown = gate.tournament(now)
    standing = ranking_lines(shown)
    in_round = gate.tournament_in_round(now, now.current.number) if now.current else now
    return render_template(
        "club/tournament.html",
        now=shown,
        day=format_day(now),
        state=describe_state(now),
        meets=describe_meetings(now),
        filling=describe_filling(now),
        round=current_round(now, in_round),
        has_tables=box().tables.are_laid(),
        wrong=wrong,
        changes=describe_changes(shown),
        most_rounds=MAX_ROUNDS,
        longest=MAX_ROUND_S // 60,
        first=[each for each in standing if each.place <= FIRST] if now.has_results else [],
        left=clock_left(now),
        torn=torn_line(found.torn) if found.torn else None,
    )


@pages.get("/round/<int:number>/")
def round_page(tournament: str, number: int) -> str:
    """Show one round."""
    now = tournaments().get(tournament)
    found = now.round(number)
    if found is None:
        abort(404)
    played = tuple(round_tables(now, found, box().matches))
    now = name_gate().tournament_in_round(now, number)
    view = round_view(now, number, {} if found.closed else names_of_tables(now), played)
    return render_template("club/tournament_round.html", now=now, found=found, round=view)


@pages.post("/draw")
def draw(tournament: str) -> AnyResponse:
    """Draw the next round. If two phones do so at once, both see it drawn."""
    tournaments().draw(tournament, form().place("number"), by=whose())
    return _back(tournament)


@pages.post("/withdraw")
def withdraw(tournament: str) -> AnyResponse:
    """Withdraw a round that has no result yet. Its matches end."""
    number = form().place("number")
    RoundMatches(tournaments(), box().matches, tournament).end_unplayed(number, by=whose())
    tournaments().change(tournament, DrawWithdrawn(number, by=whose()))
    return _back(tournament)


@pages.post("/close")
def close(tournament: str) -> AnyResponse | tuple[str, int]:
    """Close the current round. One that is closed already stays closed.

    First, its matches at the box's tables end and give their results. If somebody still plays and
    the clock has time left, the page asks once more.
    """
    number = form().place("number")
    now = tournaments().get(tournament)
    found = now.round(number)
    if found and found.closed:
        return _back(tournament)
    if found and any(found.matches):
        left = clock_left(now)
        playing = _playing(now, found)
        if playing and left and left > 0 and not form().flag("sure"):
            names, shown = _called(tournament, playing), "club/tournament_early.html"
            return render_template(shown, now=now, number=number, left=left, tables=names), 409
        at_tables = RoundMatches(tournaments(), box().matches, tournament)
        if scoring := at_tables.take_results(by=whose()):
            return _refused(tournament, "club.refused.still-scored", scoring)
        if missing := tournaments().get(tournament).drawn[-1].missing:
            return _refused(tournament, "club.refused.missing", missing)
    tournaments().change(tournament, RoundClosed(number, by=whose()))
    return _back(tournament)


def _playing(now: Tournament, found: TournamentRound) -> list[int]:
    """Return the numbers of the tables that still play and have no result."""
    tables = round_tables(now, found, box().matches)
    on = [each.number for each in tables if each.match and not each.match.ended]
    return [number for number in on if found.result(number - 1) is None]


def _refused(tournament: str, key: str, tables: Iterable[int]) -> tuple[str, int]:
    return _page(tournament, say(key, tables=_called(tournament, tables))), 409


def _called(tournament: str, tables: Iterable[int]) -> Name:
    """Return the names of some tables of the current round, joined by commas."""
    now = tournaments().get(tournament)
    view = current_round(now, now)
    called = {each.number: each.name for each in view.tables} if view else {}
    return Name(", ".join(called.get(number, str(number)) for number in tables))


@pages.post("/clock")
def clock(tournament: str) -> AnyResponse:
    """Start, stop or continue the round's clock, or add time."""
    number, wish = form().place("number"), form().choice("clock", ("start", "stop", "go", "more"))
    now = tournaments().get(tournament)
    found = now.round(number)
    before = found.clock if found else None
    before_left = clock_left(now)
    left = now.minutes * 60 if before_left is None else max(0, before_left)
    if (wish == "start") == (before is not None):
        return _back(tournament)  # another phone has done so, or has withdrawn the round
    running = wish in ("start", "go") or (wish == "more" and bool(before and before.running))
    seconds = left + (MORE if wish == "more" else 0)
    tournaments().set_clock(tournament, number, seconds, running=running, by=whose())
    return _back(tournament)


@pages.post("/length")
def length(tournament: str) -> AnyResponse | tuple[str, int]:
    """Change the number and the length of the rounds."""
    now = tournaments().get(tournament)
    rounds = form().place("rounds", default=now.rounds)
    minutes = form().place("minutes", MAX_ROUND_S, default=now.minutes)
    if (rounds, minutes) != (now.rounds, now.minutes):
        try:
            tournaments().change(tournament, RoundsChanged(rounds, minutes, by=whose()))
        except TournamentRefusedError as error:
            return _page(tournament, say(error.message)), 409
    return _back(tournament)


@pages.post("/end")
def end(tournament: str) -> AnyResponse:
    """End the tournament: no further round is played."""
    if not tournaments().get(tournament).over:
        tournaments().change(tournament, TournamentEnded(by=whose()))
    return _back(tournament)


def current_round(now: Tournament, shown: Tournament) -> RoundView | None:
    """Return the current round, with its matches at the box's tables.

    `shown` is the same tournament with the names that the phone may see.
    """
    if now.current is None:
        return None
    played = round_tables(now, now.current, box().matches)
    return round_view(shown, now.current.number, names_of_tables(now), played)


def clock_left(now: Tournament) -> int | None:
    """Return the seconds left in the round, by the box's clock; None before the clock started."""
    shown = now.current.clock if now.current else None
    return None if shown is None else round(shown.left(datetime.now(UTC), read_uptime()))


def _back(tournament: str) -> AnyResponse:
    return redirect(url_for("tournament.show", tournament=tournament), 303)

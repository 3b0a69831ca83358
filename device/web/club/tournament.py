"""One tournament: its standing and results, its rounds and their clock.

The ranking exists as a page, as CSV for spreadsheets and as PDF.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.match_results import RoundMatches, round_tables
from device.club.tournament.replay import MAX_ROUND_S, TournamentRefusedError
from device.club.tournament.schedule import MAX_ROUNDS
from device.club.tournament.tournament import Tournament, TournamentRound
from device.host.machine import read_uptime
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
    describe_winner,
    format_day,
    ranking_lines,
)
from device.web.club.tournament_tables import view_round
from device.web.club.tournaments import tournaments
from device.web.contexts import room
from device.web.fields import FieldError, form
from device.web.links import redirect_to
from device.web.name_gate import name_gate
from device.web.phone_identity import phone_player_name
from device.web.printing import results_response

if TYPE_CHECKING:
    from device.paper.result_files import Results

tournament_pages = Blueprint("tournament", __name__, url_prefix="/club/tournaments/<id:tournament>")

EXTRA_TIME_S = 5 * 60
"""Seconds that one tap adds to the round's clock."""

MAX_SHOWN_PLACES = 3
"""Places shown on this page. The page of results shows all."""


@tournament_pages.get("/")
def show(tournament: str) -> str:
    """Show a tournament's standing and its next step, up to the first damaged event."""
    return _tournament_page(tournament, "")


def _tournament_page(tournament: str, wrong: str) -> str:
    readable_part = tournaments().state_so_far(tournament)
    record = readable_part.record
    if record is None:
        record = tournaments().get(tournament)  # raises the error that says what is wrong
    gate = name_gate()
    shown_record = gate.tournament(record)
    standing = ranking_lines(shown_record)
    in_round = gate.tournament_in_round(record, record.current.number) if record.current else record
    return render_template(
        "club/tournament.html",
        now=shown_record,
        day=format_day(record),
        state=describe_state(record),
        meets=describe_meetings(record),
        filling=describe_filling(record),
        round=current_round(record, in_round),
        has_tables=room().tables.are_laid(),
        wrong=wrong,
        changes=describe_changes(shown_record),
        length=[form().typed_number(name) for name in ("rounds", "minutes")],
        most_rounds=MAX_ROUNDS,
        longest=MAX_ROUND_S // 60,
        winner=describe_winner(shown_record),
        first=[each for each in standing if each.place and each.place <= MAX_SHOWN_PLACES],
        left=clock_left_s(record),
        torn=torn_line(readable_part.torn_error) if readable_part.torn_error else None,
    )


@tournament_pages.get("/round/<int:number>/")
def round_page(tournament: str, number: int) -> str:
    """Show one round."""
    record = tournaments().get(tournament)
    tournament_round = record.round(number)
    if tournament_round is None:
        abort(404)
    shown_record = name_gate().tournament_in_round(record, number)
    view = view_round(record, shown_record, tournament_round)
    return render_template(
        "club/tournament_round.html", now=shown_record, found=tournament_round, round=view
    )


@tournament_pages.errorhandler(TournamentRefusedError)
def refuse(error: FieldError | TournamentRefusedError) -> tuple[str, int]:
    """Show the tournament with the sentence that explains why nothing was changed."""
    tournament = (request.view_args or {})["tournament"]
    return _tournament_page(tournament, say(error.message)), 409


@tournament_pages.post("/draw")
def draw(tournament: str) -> AnyResponse:
    """Draw the next round. If two phones do so at once, both see it drawn."""
    tournaments().draw(tournament, form().place("number"), author=phone_player_name())
    return _redirect_to_tournament(tournament)


@tournament_pages.post("/withdraw")
def withdraw(tournament: str) -> AnyResponse:
    """Withdraw a round that has no result yet. Its matches end."""
    number = form().place("number")
    RoundMatches(tournaments(), room().matches, tournament).end_unplayed(
        number, author=phone_player_name()
    )
    tournaments().change(tournament, DrawWithdrawn(number, by=phone_player_name()))
    return _redirect_to_tournament(tournament)


@tournament_pages.post("/close")
def close(tournament: str) -> AnyResponse | tuple[str, int]:
    """Close the current round. One that is closed already stays closed.

    First, its matches at the box's tables end and give their results. If somebody still plays and
    the clock has time left, the page asks once more.
    """
    number = form().place("number")
    record = tournaments().get(tournament)
    tournament_round = record.round(number)
    if tournament_round and tournament_round.closed:
        return _redirect_to_tournament(tournament)
    if tournament_round and any(tournament_round.matches):
        left = clock_left_s(record)
        open_tables = _tables_in_play(record, tournament_round)
        if open_tables and left and left > 0 and not form().flag("sure"):
            names, template = _called_tables(tournament, open_tables), "club/tournament_early.html"
            return render_template(
                template, now=record, number=number, left=left, tables=names
            ), 409
        at_tables = RoundMatches(tournaments(), room().matches, tournament)
        if scoring := at_tables.take_results(author=phone_player_name()):
            return _refuse_to_close(tournament, "club.refused.still-scored", scoring)
        if missing := tournaments().get(tournament).drawn[-1].missing:
            return _refuse_to_close(tournament, "club.refused.missing", missing)
    tournaments().change(tournament, RoundClosed(number, by=phone_player_name()))
    return _redirect_to_tournament(tournament)


def _tables_in_play(tournament: Tournament, tournament_round: TournamentRound) -> list[int]:
    """Return the numbers of the tables that still play and have no result."""
    tables = round_tables(tournament, tournament_round, room().matches)
    playing_numbers = [each.number for each in tables if each.match and not each.match.ended]
    return [number for number in playing_numbers if tournament_round.result(number - 1) is None]


def _refuse_to_close(tournament: str, key: str, tables: Iterable[int]) -> tuple[str, int]:
    return _tournament_page(tournament, say(key, tables=_called_tables(tournament, tables))), 409


def _called_tables(tournament: str, tables: Iterable[int]) -> str:
    """Return what tables of the round being played are called, by their numbers."""
    record = tournaments().get(tournament)
    view = current_round(record, record)
    names_by_number = {each.number: each.name for each in view.tables} if view else {}
    return ", ".join(names_by_number.get(number, str(number)) for number in tables)


@tournament_pages.post("/clock")
def clock(tournament: str) -> AnyResponse:
    """Start, stop or continue the round's clock, or add time."""
    number, wish = form().place("number"), form().choice("clock", ("start", "stop", "go", "more"))
    record = tournaments().get(tournament)
    tournament_round = record.round(number)
    before = tournament_round.clock if tournament_round else None
    before_left = clock_left_s(record)
    left = record.minutes * 60 if before_left is None else max(0, before_left)
    if (wish == "start") == (before is not None):
        return _redirect_to_tournament(
            tournament
        )  # another phone has done so, or has withdrawn the round
    is_running = wish in ("start", "go") or (wish == "more" and bool(before and before.running))
    seconds = left + (EXTRA_TIME_S if wish == "more" else 0)
    tournaments().set_clock(
        tournament, number, seconds, is_running=is_running, author=phone_player_name()
    )
    return _redirect_to_tournament(tournament)


@tournament_pages.post("/length")
def length(tournament: str) -> AnyResponse | tuple[str, int]:
    """Change the number and the length of the rounds."""
    record = tournaments().get(tournament)
    try:
        rounds = form().count("rounds", MAX_ROUNDS, record.rounds)
        minutes = form().count("minutes", MAX_ROUND_S // 60, record.minutes)
    except FieldError as error:
        return refuse(error)
    if (rounds, minutes) != (record.rounds, record.minutes):
        tournaments().change(tournament, RoundsChanged(rounds, minutes, by=phone_player_name()))
    return _redirect_to_tournament(tournament)


@tournament_pages.post("/end")
def end(tournament: str) -> AnyResponse | tuple[str, int]:
    """End the tournament: no further round is played. If rounds are left, ask first."""
    record = tournaments().get(tournament)
    if record.next_round and not form().flag("sure"):
        state = describe_state(record)
        return render_template("club/tournament_end.html", now=record, state=state), 409
    if not record.over:
        tournaments().change(tournament, TournamentEnded(by=phone_player_name()))
    return _redirect_to_tournament(tournament)


def current_round(tournament: Tournament, shown_tournament: Tournament) -> RoundView | None:
    """Return the current round, with its matches at the box's tables.

    `shown_tournament` is the same tournament with the names that the phone may see.
    """
    current = tournament.current
    return view_round(tournament, shown_tournament, current) if current else None


def clock_left_s(tournament: Tournament) -> int | None:
    """Return the seconds left in the round, by the box's clock; None before the clock started."""
    round_clock = tournament.current.clock if tournament.current else None
    return (
        None
        if round_clock is None
        else round(round_clock.time_left(datetime.now(UTC), read_uptime()))
    )


def _redirect_to_tournament(tournament: str) -> AnyResponse:
    return redirect_to("tournament.show", tournament=tournament)


tournament_results_pages = Blueprint(
    "tournament_results", __name__, url_prefix="/club/tournaments/<id:tournament>/results"
)


@tournament_results_pages.get("/", endpoint="show")
def show_results(tournament: str) -> str:
    """Show the ranking so far, with the results of each round."""
    record = name_gate().tournament(tournaments().get(tournament))
    return render_template(
        "club/tournament_results.html",
        now=record,
        day=format_day(record),
        state=describe_state(record),
        standing=ranking_lines(record),
        winner=describe_winner(record),
        meets=describe_meetings(record),
    )


@tournament_results_pages.get("/ranking.csv")
def ranking(tournament: str) -> Response:
    """Return the ranking as CSV, one row per player."""
    return results_response(partial(_results, tournament), "csv", f"ranking-{tournament}")


@tournament_results_pages.get("/seats.csv")
def seats(tournament: str) -> Response:
    """Return the points of every seat in every round as CSV, one row per seat."""
    return results_response(partial(_results, tournament), "csv", f"seats-{tournament}", table=1)


@tournament_results_pages.get("/results.xlsx")
def workbook(tournament: str) -> Response:
    """Return the ranking and the points of every seat as a workbook."""
    return results_response(partial(_results, tournament), "xlsx", tournament)


@tournament_results_pages.get("/results.pdf")
def pdf(tournament: str) -> Response:
    """Return the ranking and all rounds as PDF."""
    return results_response(partial(_results, tournament), "pdf", tournament)


def _results(tournament: str) -> Results:
    from device.paper.result_files import tournament_results

    return tournament_results(_for_everybody(tournament))


def _for_everybody(tournament: str) -> Tournament:
    return name_gate().for_everybody.tournament(tournaments().get(tournament))

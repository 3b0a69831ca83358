"""The results of a tournament: the ranking as a page, as CSV and as PDF."""

from __future__ import annotations

import io

from flask import Blueprint, Response, render_template

from device.club.tournament.ranking import RankingRow, SeatRow, ranking_rows, seat_rows
from device.club.tournament.tournament import Tournament
from device.hands.export import write_csv
from device.views.club.tournament import (
    describe_meetings,
    describe_state,
    format_day,
    ranking_lines,
)
from device.web.box import box
from device.web.club.tournaments import tournaments
from device.web.name_gate import name_gate
from device.web.press import printed

pages = Blueprint(
    "tournament_results", __name__, url_prefix="/club/tournaments/<id:tournament>/results"
)


@pages.get("/", endpoint="show")
def show_results(tournament: str) -> str:
    """Show the ranking so far, with the results of each round."""
    now = name_gate().tournament(tournaments().get(tournament))
    return render_template(
        "club/tournament_results.html",
        now=now,
        day=format_day(now),
        state=describe_state(now),
        standing=ranking_lines(now),
        meets=describe_meetings(now),
    )


@pages.get("/ranking.csv")
def ranking(tournament: str) -> Response:
    """Return the ranking as CSV, one row per player."""
    out = io.StringIO()
    write_csv(out, ranking_rows(_for_everybody(tournament)), RankingRow)
    return _attached(out.getvalue().encode(), "text/csv", f"tongbox-ranking-{tournament}.csv")


@pages.get("/seats.csv")
def seats(tournament: str) -> Response:
    """Return the points of every seat in every round as CSV, one row per seat."""
    out = io.StringIO()
    write_csv(out, seat_rows(_for_everybody(tournament)), SeatRow)
    return _attached(out.getvalue().encode(), "text/csv", f"tongbox-seats-{tournament}.csv")


@pages.get("/results.pdf")
def pdf(tournament: str) -> Response:
    """Return the ranking and all rounds as PDF."""
    from device.paper.standings import print_tournament  # loads reportlab

    now = _for_everybody(tournament)
    data = printed(lambda: print_tournament(now), box().hands.store.newer(-1, 0))
    return _attached(data, "application/pdf", f"tongbox-{tournament}.pdf")


def _for_everybody(tournament: str) -> Tournament:
    return name_gate().for_everybody.tournament(tournaments().get(tournament))


def _attached(data: bytes, mimetype: str, name: str) -> Response:
    response = Response(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response

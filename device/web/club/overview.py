"""Show the club at a glance: its menu, and a board of the whole room for a projector or tablet.

People read the board from across the room and nobody touches it. So it turns its own pages if they
do not fit, and updates itself as phones do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from flask import Blueprint, current_app, render_template

from device.club.anonymiser import Anonymiser
from device.club.tables import RunningMatch, running_matches
from device.club.tournament.tournament import Tournament
from device.i18n.words import wind_name
from device.views.club.tournament import (
    RoundView,
    describe_meetings,
    describe_state,
    describe_winner,
    ranking_lines,
)
from device.web.club.tournament import clock_left_s, current_round
from device.web.club.tournaments import tournaments
from device.web.contexts import room
from device.web.name_gate import name_gate, show_seated_names

board_pages = Blueprint("board", __name__, url_prefix="/club/board")

MAX_SHOWN_S = 24 * 3600
"""Seconds from its beginning for which a finished tournament stays on the board."""


@board_pages.get("/")
def show() -> str:
    """Show all tables, the clock, the seats and the standing."""
    tournament, anonymiser = _shown_tournament(), name_gate().for_everybody
    return render_template(
        "club/board.html",
        matches=[
            _match_view(each, anonymiser) for each in running_matches(room().matches, room().tables)
        ],
        now=tournament,
        state=describe_state(tournament) if tournament else "",
        winner=describe_winner(anonymiser.tournament(tournament)) if tournament else "",
        meets=describe_meetings(tournament) if tournament and not tournament.drawn else "",
        round=_shown_round(tournament, anonymiser) if tournament else None,
        standing=ranking_lines(anonymiser.tournament(tournament))
        if tournament and tournament.has_results
        else (),
        left=clock_left_s(tournament) if tournament else None,
    )


def _shown_tournament() -> Tournament | None:
    """Return the newest tournament, unless it has been over for too long."""
    tournament = tournaments().find_newest()
    if tournament is None:
        return None
    age = (datetime.now(UTC) - tournament.begun_at).total_seconds()
    return None if tournament.over and age > MAX_SHOWN_S else tournament


def _shown_round(tournament: Tournament, anonymiser: Anonymiser) -> RoundView | None:
    """Return the current round without the tables that the board shows as live matches."""
    if tournament.current is None:
        return None
    round_view = current_round(
        tournament,
        show_seated_names(anonymiser, tournament, tournament.current.number).tournament(tournament),
    )
    if round_view is None:
        return None
    rest = tuple(each for each in round_view.tables if each.is_in or not each.is_on)
    return replace(round_view, tables=rest) if rest or round_view.out else None


def _match_view(running_match: RunningMatch, anonymiser: Anonymiser) -> dict[str, object]:
    match = anonymiser.match(running_match.match)
    deal = match.course.next_deal
    totals = match.course.totals
    return {
        "table": running_match.table,
        "deal": deal.number,
        "prevailing": wind_name(deal.prevailing_wind) if deal.prevailing_wind else "",
        "seats": [(wind, player, totals[player]) for wind, player in deal.seats.items()],
        "out": [player for player in match.game.players if player not in deal.seats.values()],
    }


club_pages = Blueprint("club", __name__, url_prefix="/club")


@dataclass(frozen=True, slots=True)
class ClubLink:
    """One link on the club's page."""

    endpoint: str
    icon: str
    title: str
    """Message key of its title."""
    hint: str
    """Message key of the text below it."""


CLUB_LINKS = (
    ClubLink("club_tables.show", "table", "club.tables.title", "club.tables.hint"),
    ClubLink("board.show", "screen", "club.board.title", "club.way.board"),
    ClubLink("players.every", "people", "club.people.title", "club.way.players"),
    ClubLink("season.current", "list", "club.season.title", "club.way.season"),
    ClubLink("tournaments.show", "star", "club.tournament.title", "club.way.tournaments"),
    ClubLink("organiser.show", "lock", "club.organiser.title", "club.way.organiser"),
)
"""In the order in which they are shown. Links to pages that do not exist are left out."""


@club_pages.get("/", endpoint="show")
def show_club() -> str:
    """Show the club's menu."""
    ways = [way for way in CLUB_LINKS if way.endpoint in current_app.view_functions]
    return render_template("club/club.html", ways=ways)

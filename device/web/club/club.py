"""The club's page with its menu. A box with one table never needs it."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, current_app, render_template

pages = Blueprint("club", __name__, url_prefix="/club")


@dataclass(frozen=True, slots=True)
class ClubWay:
    """One link on the club's page."""

    endpoint: str
    icon: str
    title: str
    """Message key of its title."""
    hint: str
    """Message key of the text below it."""


WAYS = (
    ClubWay("club_tables.show", "table", "club.tables.title", "club.tables.hint"),
    ClubWay("board.show", "search", "club.board.title", "club.way.board"),
    ClubWay("players.every", "phone", "club.people.title", "club.way.players"),
    ClubWay("season.current", "list", "club.season.title", "club.way.season"),
    ClubWay("tournaments.show", "star", "club.tournament.title", "club.way.tournaments"),
    ClubWay("organiser.show", "lock", "club.organiser.title", "club.way.organiser"),
)
"""In the order in which they are shown. Links to pages that do not exist are left out."""


@pages.get("/", endpoint="show")
def show_club() -> str:
    """Show the club's menu."""
    ways = [way for way in WAYS if way.endpoint in current_app.view_functions]
    return render_template("club/club.html", ways=ways)
